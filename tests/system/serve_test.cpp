// `damrak serve` from the outside: the exchange over real sockets, and what is left of it after it
// was killed.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/base/random.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_test {
namespace {

using ::testing::AllOf;
using testing::Bytes;
using testing::from_hex;
using testing::get;
using ::testing::HasSubstr;
using testing::hello;
using ::testing::MatchesRegex;
using testing::RawClient;
using testing::run_program;
using testing::RunningServer;
using testing::ScratchFolder;
using ::testing::StartsWith;

constexpr std::string_view k_hello =
    "01010010 00000001 00000000 00000000 22222222 22222222 22222222 22222222";

// A buy or sell order in instrument 1.
Bytes order(std::uint32_t sequence, std::uint64_t client, std::uint8_t side, std::uint64_t quantity,
            std::uint64_t price_e2) {
    return testing::new_order(sequence, client,
                              {.side = side, .quantity = quantity, .price_e2 = price_e2});
}

class Serve : public ::testing::Test {
  protected:
    [[nodiscard]] nlohmann::json verify() const {
        const auto run = run_program({"journal", "verify", data_, "--json"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return nlohmann::json::parse(run.out);
    }
    ScratchFolder folder_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
};

TEST_F(Serve, TwoClientsTradeOverTcp) {
    RunningServer server{data_, log_};
    const RawClient a{server.port()};
    a.send_hex(k_hello);
    EXPECT_EQ(a.receive_hex(32),
              "02010010 00000001 00000001 00000000 00000000 00000001 01000000 00000000");
    a.send(order(2, 1, 0, 100, 10'123));
    EXPECT_THAT(a.receive_hex(64),
                StartsWith("0b010030 00000002 00000002 00000000 00000000 00000001 "
                           "00000000 00000001 00000000 0000278b"));
    const RawClient b{server.port()};
    EXPECT_EQ(hello(b).client, 2U);
    b.send(order(2, 2, 1, 25, 10'123));
    EXPECT_THAT(b.receive_hex(64), StartsWith("0b010030 00000002 00000002"));
    EXPECT_THAT(b.receive_hex(64),
                StartsWith("14010030 00000002 00000003 00000000 00000000 00000002 "
                           "00000000 00000002 00000000 00000001 00000000 00000019"));
    EXPECT_THAT(a.receive_hex(64),
                StartsWith("14010030 00000002 00000003 00000000 00000000 00000001 "
                           "00000000 00000001 00000000 00000001 00000000 00000019"));
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_EQ(verify()["trades"], 1);
}

TEST_F(Serve, BytesMayComeOneByOneOrAllAtOnce) {
    RunningServer server{data_, log_};
    const RawClient slow{server.port()};
    for (const std::byte byte : from_hex(k_hello)) slow.send(std::span{&byte, 1});
    EXPECT_THAT(slow.receive_hex(32), StartsWith("02010010"));
    Bytes many;
    for (std::uint32_t i = 2; i < 502; ++i) testing::append(many, order(i, 1, 0, 1, 100 + i));
    slow.send(many);
    const Bytes answers = slow.receive(std::size_t{500} * 64);
    ASSERT_EQ(answers.size(), 500U * 64U);
    for (std::uint64_t i = 0; i < 500; ++i) {
        EXPECT_EQ(get(answers, i * 64 + 4, 4), i + 2);
        EXPECT_EQ(get(answers, i * 64 + 24, 8), i + 1);
    }
}

TEST_F(Serve, HostileClientsCostOnlyThemselves) {
    RunningServer server{data_, log_};
    const RawClient good{server.port()};
    const std::uint64_t id = hello(good).client;
    RandomStream random{7};
    std::uint32_t sequence = 1;
    for (int round = 0; round < 20; ++round) {
        const RawClient noise{server.port()};
        Bytes bytes(2'000);
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
        noise.send(bytes);
        const RawClient wrong_version{server.port()};
        wrong_version.send_hex(
            "01090010 00000001 00000000 00000000 22222222 22222222 22222222 22222222");
        EXPECT_TRUE(wrong_version.is_closed());
        good.send(order(++sequence, id, 0, 1, 100));
        ASSERT_EQ(good.receive(64).size(), 64U) << "round " << round;
    }
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(Serve, AClientThatNeverReadsIsEnded) {
    RunningServer server{data_, log_};
    const RawClient deaf{server.port()};
    const std::uint64_t id = hello(deaf).client;
    const RawClient good{server.port()};
    const std::uint64_t good_id = hello(good).client;
    // The server stops reading from it once it is ended, so this thread may be left waiting.
    std::jthread sender{[&] {
        for (std::uint32_t i = 2; i < 400'000; ++i) deaf.send(order(i, id, 0, 1, 100));
    }};
    good.send(order(2, good_id, 0, 1, 200));
    EXPECT_EQ(good.receive(64).size(), 64U);
    sender.join();
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(testing::content_of(log_), HasSubstr("session 1 ended"));
}

// After a kill every acknowledged order is there, and no order that was not sent.
TEST_F(Serve, NothingAcknowledgedIsLostWhenItIsKilled) {
    RandomStream random{42};
    std::uint64_t acknowledged = 0;
    std::uint64_t sent = 0;
    for (int round = 0; round < 8; ++round) {
        RunningServer server{data_, log_};
        ASSERT_NE(server.port(), 0) << testing::content_of(log_);
        const RawClient client{server.port()};
        const std::uint64_t id = hello(client).client;
        EXPECT_EQ(id, static_cast<std::uint64_t>(round) + 1) << "ids are not used again";
        std::atomic<std::uint64_t> heard = 0;
        std::jthread listener{[&] {
            for (;;) {
                const Bytes answer = client.receive(64);
                if (answer.size() < 64) return;
                ++heard;
            }
        }};
        std::jthread killer{[&, enough = random.next() % 10'000] {
            EXPECT_TRUE(testing::eventually([&] { return heard >= enough; }));
            server.kill();
        }};
        // Both sides at one price would trade with themselves only, which is prevented: all rest.
        for (std::uint32_t i = 2; i < 20'000; ++i) {
            client.send(order(i, id, 0, 1, 100 + i % 50));
            ++sent;
        }
        killer.join();
        listener.join();
        acknowledged += heard;
        const auto report = verify();
        // Beyond them: capacities, four instruments, default limits.
        EXPECT_GE(report["commands"].get<std::uint64_t>(), acknowledged + 6);
        EXPECT_LE(report["commands"].get<std::uint64_t>(), sent + 6);
        EXPECT_EQ(report["ok"], true);
    }
    RunningServer server{data_, log_};
    EXPECT_EQ(server.terminate(), 0);
    const std::string hash = verify()["state_hash"];
    EXPECT_THAT(testing::content_of(log_), HasSubstr("state hash " + hash));
}

TEST_F(Serve, AGracefulEndLeavesASnapshotFromWhichItStartsAgain) {
    {
        RunningServer server{data_, log_};
        const RawClient client{server.port()};
        const std::uint64_t id = hello(client).client;
        for (std::uint32_t i = 2; i < 102; ++i) client.send(order(i, id, 0, 1, 100 + i % 50));
        ASSERT_EQ(client.receive(6'400).size(), 6'400U);
        EXPECT_EQ(server.terminate(), 0);
    }
    // The day, capacities, four instruments, default limits, one login, its end, 100 orders.
    const std::string newest = data_ + "/snapshot-00000000000000000109.snap";
    ASSERT_TRUE(std::filesystem::exists(newest));
    const std::string hash = verify()["state_hash"];
    {
        RunningServer server{data_, log_};
        EXPECT_EQ(hello(RawClient{server.port()}).client, 2U) << "ids are not used again";
        EXPECT_EQ(server.terminate(), 0);
    }
    EXPECT_THAT(testing::content_of(log_),
                HasSubstr("the snapshot of record 109, then 0 records up to record 109"));
    EXPECT_EQ(verify()["state_hash"], hash);
    std::filesystem::remove(data_ + "/snapshot-00000000000000000111.snap");
    std::filesystem::resize_file(newest, 1'000);
    const std::string second_log = folder_ / "second_log";
    RunningServer server{data_, second_log};
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(testing::content_of(second_log),
                AllOf(HasSubstr("not complete"), HasSubstr("111 records up to record 111"),
                      HasSubstr("state hash " + hash)));
}

TEST_F(Serve, ReportsWhyItCannotStart) {
    RunningServer first{data_, log_};
    const auto second = run_program({"serve", "--data", data_, "--binary-port", "0"});
    EXPECT_EQ(second.exit_code, 1);
    EXPECT_THAT(second.err, HasSubstr("in use"));
    const auto wrong = run_program({"serve", "--binary-port", "99999"});
    EXPECT_EQ(wrong.exit_code, 2);
    const auto taken = run_program(
        {"serve", "--data", folder_ / "other", "--binary-port", std::to_string(first.port())});
    EXPECT_EQ(taken.exit_code, 1);
    EXPECT_THAT(taken.err, HasSubstr("cannot listen"));
}

TEST_F(Serve, OtherGatewaysMayBeNamedAndClosed) {
    RunningServer server{data_, log_, {"--fix-port", "off", "--http-port", "0"}};
    EXPECT_THAT(server.ready_line(), MatchesRegex(R"(\{"ready":true,"address":"127.0.0.1",)"
                                                  R"("ports":\{"binary":[0-9]+\}\})"));
    EXPECT_EQ(server.terminate(), 0);
}

}  // namespace
}  // namespace damrak::serve_test
