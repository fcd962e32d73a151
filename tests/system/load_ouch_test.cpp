// `damrak load --gateway ouch` from the outside, at a running exchange in both wirings.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::load_ouch_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using testing::run_program;

class LoadAtTheOuchGateway : public ::testing::TestWithParam<const char*> {
  protected:
    [[nodiscard]] static std::string port_of(const testing::RunningServer& server) {
        return Json::parse(server.ready_line())["ports"]["ouch"].dump();
    }
    [[nodiscard]] static testing::ProgramRun load(const std::string& port,
                                                  const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"load", "--gateway",  "ouch", "--port",
                                           port,   "--seconds",  "0.3",  "--warm-up",
                                           "0.1",  "--at-least", "500"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments);
    }

    testing::ScratchFolder folder_;
    std::string data_ = folder_.path() / "data";
    std::string log_ = folder_.path() / "log.txt";
};

}  // namespace

TEST_P(LoadAtTheOuchGateway, TradesAndChecksEveryAnswerAlsoWhenUsersComeBack) {
    const std::vector<std::string> arguments{"--only", "binary,ouch", "--ouch-port",
                                             "0",      "--wiring",    GetParam()};
    {
        testing::RunningServer server{data_, log_, arguments};
        const auto run =
            load(port_of(server), {"--clients", "4", "--threads", "2", "--verify", "--json"});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const Json report = Json::parse(run.out);
        EXPECT_EQ(report["gateway"], "ouch");
        EXPECT_EQ(report["errors"], 0);
        EXPECT_GT(report["trade_messages_per_s"], 0);
        for (const char* type : {"new", "cancel", "modify"})
            EXPECT_GT(report["latency_us_by_type"][type]["count"], 0) << type;
        server.kill();
    }
    const testing::RunningServer server{data_, log_, arguments};
    const auto again = load(port_of(server), {"--clients", "4", "--verify"});
    EXPECT_EQ(again.exit_code, 0) << "references go on after a kill: " << again.err;
}

TEST_P(LoadAtTheOuchGateway, RefusesWhatItDoesNotHave) {
    const auto wrong = [](const std::vector<std::string>& more) {
        const auto run = load("1", more);
        EXPECT_EQ(run.exit_code, 2);
        return run.err;
    };
    EXPECT_THAT(wrong({"--echo"}), HasSubstr("need --gateway binary"));
    EXPECT_THAT(wrong({"--protocol", "v2"}), HasSubstr("v2 is not a version of OUCH"));
    EXPECT_THAT(wrong({"--symbol", "LONGSYMBOL"}), HasSubstr("one to eight characters"));
    const auto run = run_program({"load", "--protocol", "ouch50"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("give --gateway ouch"));
}

INSTANTIATE_TEST_SUITE_P(Wirings, LoadAtTheOuchGateway, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

}  // namespace damrak::load_ouch_test
