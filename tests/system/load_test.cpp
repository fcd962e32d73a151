// `damrak load` against a running `damrak serve`, both from the outside. Speed is no matter here.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::ProgramRun;
using testing::RunningServer;
using testing::ScratchFolder;
using ::testing::StartsWith;

ProgramRun load(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"load", "--seconds", "0.5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return testing::run_program(arguments);
}

class LoadProgram : public ::testing::Test {
  protected:
    [[nodiscard]] json measured(std::vector<std::string> more) const {
        more.insert(more.end(), {"--port", std::to_string(server_.port()), "--json"});
        const ProgramRun run = load(more);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return json::parse(run.out);
    }

    ScratchFolder folder_;
    RunningServer server_{folder_ / "data", folder_ / "log"};
};

TEST_F(LoadProgram, FindsEveryAnswerRightAndMeasuresEachType) {
    const json report =
        measured({"--clients", "20", "--window", "4", "--threads", "2", "--verify"});
    EXPECT_EQ(report["errors"], 0);
    EXPECT_EQ(report["verified"], true);
    EXPECT_GT(report["requests_per_s"], 0);
    EXPECT_GT(report["trade_messages_per_s"], 0);
    EXPECT_EQ(report["latency_us"]["count"], report["requests"]);
    for (const char* type : {"new", "cancel", "modify"}) {
        const json& latency = report["latency_us_by_type"][type];
        EXPECT_GT(latency["count"], 0);
        EXPECT_LE(latency["p50"], latency["p99"]);
        EXPECT_LE(latency["p99"], latency["p99_9"]);
        EXPECT_LE(latency["p99_9"], latency["max"]);
    }
}

TEST_F(LoadProgram, KeepsToTheRateOfAnOpenLoop) {
    // A slow machine may fall behind the schedule and catch up, none may run ahead of it.
    constexpr int k_due = 500 * 3 / 2;  // from the begin of the warm-up to the end
    const json report = measured({"--clients", "10", "--rate", "500", "--verify"});
    EXPECT_EQ(report["errors"], 0);
    EXPECT_EQ(report["rate_asked_per_s"], 500);
    EXPECT_GT(report["requests"], 0);
    EXPECT_LE(report["requests"], k_due + 1);
}

TEST_F(LoadProgram, MeasuresTheBareEchoInTheSameRun) {
    const json report = measured({"--clients", "10", "--echo"});
    EXPECT_GT(report["echo_requests_per_s"], 0);
    EXPECT_DOUBLE_EQ(
        report["ratio_to_echo"].get<double>(),
        report["requests_per_s"].get<double>() / report["echo_requests_per_s"].get<double>());
}

TEST_F(LoadProgram, TellsRefusalsAndFails) {
    const ProgramRun run = load({"--port", std::to_string(server_.port()), "--clients", "2",
                                 "--instrument", "999", "--json"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_GT(json::parse(run.out)["errors_by_cause"]["refused"], 0);
    EXPECT_THAT(run.err, HasSubstr("a new order was refused with status 2"));
    EXPECT_EQ(lines_in(run.err), 1U);
}

TEST(Load, SaysInOneLineThatNobodyListens) {
    const ProgramRun run = load({"--port", "1"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, AllOf(StartsWith("damrak: cannot connect to 127.0.0.1:1: "),
                               HasSubstr("damrak serve")));
    EXPECT_EQ(lines_in(run.err), 1U);
}

TEST(Load, RefusesAMixWithoutNewOrders) {
    for (const char* mix : {"0/50/50", "60/30", "60/30/10/5", "many"}) {
        const ProgramRun run = load({"--mix", mix});
        EXPECT_EQ(run.exit_code, 2) << mix;
        EXPECT_THAT(run.err, HasSubstr("--mix"));
    }
    EXPECT_EQ(load({"--mid", "10", "--range", "10"}).exit_code, 2);
}

}  // namespace
}  // namespace damrak
