// Hostile clients cost only themselves: clients that behave get every answer, right and in order,
// and the exchange says why it ended the others. How fast is measured elsewhere
// (docs/how-to/load.md).
#include <atomic>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::hostile_test {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::ProgramRun;
using testing::RawClient;
using testing::RunningServer;
using testing::ScratchFolder;
using ::testing::StartsWith;

constexpr std::string_view k_hello =
    "01010010 00000001 00000000 00000000 22222222 22222222 22222222 22222222";

class Hostile : public ::testing::Test {
  protected:
    /// Few well-behaved clients, each answer held against the rules, beside one attack.
    [[nodiscard]] json besieged_by(const std::string& attack, const std::string& protocol = "v1",
                                   double seconds = 0.5) {
        const ProgramRun run = testing::run_program(
            {"load", "--port", std::to_string(server_.port()), "--hostile", attack, "--protocol",
             protocol, "--rate", "500", "--verify", "--seconds", std::to_string(seconds),
             "--at-least", "100", "--warm-up", "0", "--json"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        const json report = json::parse(run.out, nullptr, false);
        EXPECT_EQ(report["verified"], true);
        const json row = report["attacks"][0];
        EXPECT_EQ(row["attack"], attack);
        EXPECT_EQ(row["errors"], 0);
        EXPECT_GT(row["requests"], 0);
        EXPECT_GT(row["attackers"]["connections"], 0);
        return row;
    }
    /// The same, again and longer until the exchange has ended an attacker: how long one takes to
    /// deserve it depends on the machine.
    void besieged_until_one_is_ended(const std::string& attack, const std::string& protocol) {
        json ended = 0;
        double seconds = 0.5;
        EXPECT_TRUE(testing::turns_until(
            [&] {
                ended = besieged_by(attack, protocol, seconds)["attackers"]["ended_by_server"];
                seconds *= 2;
            },
            [&] { return ended > 0; }));
    }
    [[nodiscard]] std::string log() const { return testing::content_of(log_); }

    ScratchFolder folder_;
    std::string log_{folder_ / "log"};
    RunningServer server_{folder_ / "data", log_};
};

TEST_F(Hostile, ThoseWhoNeverReadAreEnded) {
    besieged_until_one_is_ended("slow-reader", "v1");
    EXPECT_EQ(server_.terminate(), 0);
    EXPECT_THAT(log(), HasSubstr("the client does not read its answers"));
}

TEST_F(Hostile, ThoseWhoSpeakNonsenseAreEnded) {
    besieged_until_one_is_ended("random", "v2");
    EXPECT_EQ(server_.terminate(), 0);
    EXPECT_THAT(log(), AnyOf(HasSubstr("the version byte is neither 1 nor 2"),
                             HasSubstr("a payload longer than any message")));
}

TEST_F(Hostile, ThoseWhoFloodAreServedBesideTheOthers) {
    const json row = besieged_by("flood");
    EXPECT_EQ(row["attackers"]["ended_by_server"], 0);
    EXPECT_GT(row["attackers"]["sent_bytes"], 0);
    EXPECT_EQ(server_.terminate(), 0);
}

TEST_F(Hostile, ThoseWhoSendByteByByteAreServedBesideTheOthers) {
    const json row = besieged_by("byte-at-a-time");
    EXPECT_EQ(row["attackers"]["ended_by_server"], 0);
    EXPECT_GT(row["attackers"]["sent_bytes"], 0);
    EXPECT_EQ(server_.terminate(), 0);
}

TEST_F(Hostile, ThoseWhoComeAndGoLeaveNothingBehind) {
    const json row = besieged_by("connect-storm");
    EXPECT_EQ(row["attackers"]["ended_by_server"], 0);
    // A later client is accepted and gets a higher id.
    const RawClient late{server_.port()};
    late.send_hex(k_hello);
    EXPECT_THAT(late.receive_hex(32), StartsWith("02010010 00000001 00000001"));
    EXPECT_EQ(server_.terminate(), 0);
}

TEST_F(Hostile, ThoseWhoFallSilentAreEndedAfterTheTimeout) {
    RunningServer strict{folder_ / "strict", log_, {"--session-timeout", "2"}};
    const RawClient half_open{strict.port()};
    half_open.send_hex("0101001000000001");  // half a header
    const RawClient silent{strict.port()};
    std::atomic<bool> ended{false};
    const std::jthread waiting{[&] {
        EXPECT_TRUE(half_open.is_closed());
        EXPECT_TRUE(silent.is_closed());
        ended = true;
    }};
    const RawClient good{strict.port()};
    good.send_hex(k_hello);
    EXPECT_THAT(good.receive_hex(32), StartsWith("02010010"));
    EXPECT_TRUE(testing::eventually([&] {
        good.send_hex("03010008 00000001 00000000 00000000 00000000 00000003");  // a heartbeat
        return ended.load();
    }));
    good.send_hex(
        "0a010028 00000002 00000000 00000000 00000000 00000003 00000001 00000000 "
        "00000000 00000001 00000000 00000064 ffffffff ffffffff");
    EXPECT_THAT(good.receive_hex(64), StartsWith("0b010030 00000002"));
    EXPECT_EQ(strict.terminate(), 0);
    EXPECT_THAT(log(), HasSubstr("no message within the session timeout"));
}

TEST_F(Hostile, HalfOpenConnectionsCostOthersNothing) {
    const json row = besieged_by("half-open");
    EXPECT_GE(row["attackers"]["connections"], 500);
    EXPECT_EQ(server_.terminate(), 0);
}

TEST(HostileOption, NamesTheAttacksThatThereAre) {
    const ProgramRun run = testing::run_program({"load", "--hostile", "shouting"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("slow-reader"));
    EXPECT_EQ(lines_in(run.err), 1U);
}

}  // namespace
}  // namespace damrak::hostile_test
