// The speed bump of a venue from the outside: at each gateway, in both wirings, with answers that
// are all right, and what a kill does to orders that wait.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_units.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "support/soup_subscriber.hpp"

namespace damrak::venue_delay_test {
namespace {

using testing::run_program;
using testing::RunningServer;

class VenueDelay : public ::testing::TestWithParam<const char*> {
  protected:
    std::vector<std::string> options(const std::string& delay, const std::string& gateways) {
        const std::string venue = folder_ / "bump.toml";
        std::ofstream{venue} << "name = \"bump\"\n[[session]]\nat = \"00:00\"\n"
                                "phase = \"continuous\"\n[delay]\n"
                             << delay;
        return {"--venue",    venue, "--wiring",    GetParam(), "--only",     gateways,
                "--fix-port", "0",   "--ouch-port", "0",        "--udp-port", "0"};
    }
    [[nodiscard]] nlohmann::json records() const {
        const auto run = run_program({"journal", "dump", data_, "--json"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        nlohmann::json all = nlohmann::json::array();
        std::istringstream lines{run.out};
        for (std::string line; std::getline(lines, line);)
            all.push_back(nlohmann::json::parse(line));
        return all;
    }

    /// The answer over HTTP with the book of the first instrument.
    [[nodiscard]] static std::string book_of(const RunningServer& server) {
        const auto ports = nlohmann::json::parse(server.ready_line())["ports"];
        const testing::RawClient viewer{ports["http"].get<std::uint16_t>()};
        const std::string request =
            "GET /v1/book?symbol=AAPL HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        viewer.send(std::as_bytes(std::span{request}));
        std::string answer;
        for (const std::byte b : viewer.receive(1'000'000))
            answer += static_cast<char>(std::to_integer<unsigned char>(b));
        return answer;
    }

    /// Since the time in an ORDER_ACK.
    [[nodiscard]] static std::int64_t us_since_answer(const testing::Bytes& answer) {
        const auto now = std::chrono::system_clock::now();  // real time: that of the delay
        return now.time_since_epoch() / std::chrono::microseconds{1} -
               static_cast<std::int64_t>(testing::get(answer, 48, 8));
    }

    testing::ScratchFolder folder_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
};

TEST_P(VenueDelay, EveryAnswerIsRightAtEveryGateway) {
    RunningServer server{data_, log_,
                         options("taking = \"2ms\"\ntaking_random = \"1ms\"\nreports = \"2ms\"\n",
                                 "binary,fix,ouch,udp")};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const auto ports = nlohmann::json::parse(server.ready_line())["ports"];
    for (const std::string gateway : {"binary", "fix", "ouch", "udp"}) {
        std::vector<std::string> arguments{
            "load",      "--gateway",  gateway,     "--port",   ports[gateway].dump(),
            "--clients", "4",          "--warm-up", "0",        "--seconds",
            "0.4",       "--at-least", "100",       "--verify", "--json"};
        if (gateway == "udp")
            arguments.insert(arguments.end(), {"--udp-path", "socket", "--answer-timeout", "600"});
        const auto run = run_program(arguments);
        ASSERT_EQ(run.exit_code, 0) << gateway << run.err;
        if (gateway == "udp") continue;  // its report has other members
        const auto report = nlohmann::json::parse(run.out);
        EXPECT_EQ(report["errors"], 0) << gateway;
        EXPECT_EQ(report["verified"], true) << gateway;
        EXPECT_GT(report["requests"], 0) << gateway;
    }
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(VenueDelay, AnOrderWaitsForTheDelayAndTheRecordHasIt) {
    RunningServer server{data_, log_, options("taking = \"50ms\"\n", "binary")};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const testing::RawClient client{server.port()};
    (void)testing::hello(client);
    EXPECT_EQ(testing::place(client, 2, 1, {}).status, 1U);
    EXPECT_EQ(server.terminate(), 0);
    std::int64_t login_ns = 0;
    int found = 0;
    for (const auto& record : records()) {
        const auto time_ns = record["timestamp_ns"].get<std::int64_t>();
        if (record["kind"] == "new_order") {
            ++found;
            EXPECT_GE(time_ns - login_ns, 50 * k_millisecond_ns) << "it was sent after the login";
            EXPECT_EQ(record["delay_ns"], 50'000'000);
        } else if (found == 0) {
            login_ns = time_ns;
        }
    }
    EXPECT_EQ(found, 1);
}

TEST_P(VenueDelay, ReportsWaitOnTheirWayBackAndRequestsDoNot) {
    auto arguments = options("reports = \"1s\"\n", "binary,itch");
    arguments.insert(arguments.end(), {"--itch-port", "0"});
    RunningServer server{data_, log_, arguments};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const testing::RawClient client{server.port()};
    const std::uint64_t id = testing::hello(client).client;
    const auto itch = nlohmann::json::parse(server.ready_line())["ports"]["itch"];
    testing::SoupSubscriber market{itch.get<std::uint16_t>(), 1};
    constexpr int k_orders = 10;
    std::uint32_t sequence = 1;
    bool was_first = false;
    // Where the machine takes longer than the delay, again.
    const auto trade = [&] {
        for (int i = 0; i < k_orders; ++i) client.send(testing::new_order(++sequence, id, {}));
        for (int seen = 0; seen < k_orders;) {
            const auto message = market.messages(1);
            ASSERT_EQ(message.size(), 1U);
            seen += message[0].starts_with('A') ? 1 : 0;
        }
        was_first = !client.has_input();
        for (int i = 0; i < k_orders; ++i)
            EXPECT_GE(us_since_answer(client.receive(64)), 1'000'000) << "it is never early";
    };
    EXPECT_TRUE(testing::turns_until(trade, [&] { return was_first || HasFailure(); }))
        << "each is taken as it comes, and the market sees all before their owner hears of one";
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(VenueDelay, MarketDataWaits) {
    auto arguments = options("market_data = \"1s\"\n", "binary,http,itch");
    arguments.insert(arguments.end(), {"--http-port", "0", "--itch-port", "0"});
    RunningServer server{data_, log_, arguments};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const testing::RawClient client{server.port()};
    client.send(testing::new_order(2, testing::hello(client).client, {}));
    const auto answer = client.receive(64);
    EXPECT_TRUE(testing::eventually([&] { return book_of(server).contains("\"quantity\""); }));
    EXPECT_GE(us_since_answer(answer), 1'000'000) << "it is never early";
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(VenueDelay, AKillLosesWhatWaits) {
    const auto is_lost = [this] {
        return std::ranges::none_of(
            records(), [](const auto& record) { return record["kind"] == "new_order"; });
    };
    bool lost = false;
    const auto send_and_kill = [&] {
        std::filesystem::remove_all(data_);
        RunningServer server{data_, log_, options("taking = \"1s\"\n", "binary")};
        ASSERT_NE(server.port(), 0) << testing::content_of(log_);
        const testing::RawClient client{server.port()};
        (void)testing::hello(client);
        client.send(testing::new_order(2, 1, {}));
        EXPECT_EQ(testing::hello(testing::RawClient{server.port()}).status, 1U) << "it came later";
        server.kill();
        lost = is_lost();
    };
    // Where the machine takes longer than the delay, again.
    EXPECT_TRUE(testing::turns_until(send_and_kill, [&] { return lost || HasFailure(); }));
}

TEST_P(VenueDelay, AGracefulStopTakesWhatWaits) {
    RunningServer server{data_, log_, options("taking = \"1s\"\n", "binary")};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const testing::RawClient client{server.port()};
    (void)testing::hello(client);
    client.send(testing::new_order(2, 1, {}));
    EXPECT_EQ(testing::hello(testing::RawClient{server.port()}).status, 1U) << "it came later";
    EXPECT_EQ(server.terminate(), 0);
    int orders = 0;
    for (const auto& record : records()) orders += record["kind"] == "new_order" ? 1 : 0;
    EXPECT_EQ(orders, 1);
}

INSTANTIATE_TEST_SUITE_P(Wirings, VenueDelay, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

}  // namespace
}  // namespace damrak::venue_delay_test
