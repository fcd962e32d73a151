// `damrak serve` in its pipelined wiring from the outside: clients find every answer right, and a
// directory continues under either wiring and any number of shards, killed or not.
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/base/affinity.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::wiring_test {
namespace {

using ::testing::HasSubstr;
using testing::run_program;
using testing::RunningServer;

class Wirings : public ::testing::Test {
  protected:
    // Clients trade with each other, and each looks at all that it is answered.
    void trade(const RunningServer& server, const std::string& seed) const {
        const auto run = run_program({"load", "--port", std::to_string(server.port()), "--clients",
                                      "16", "--window", "4", "--warm-up", "0", "--seconds", "0.4",
                                      "--at-least", "500", "--seed", seed, "--verify", "--json"});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const auto report = nlohmann::json::parse(run.out);
        EXPECT_EQ(report["errors"], 0);
        EXPECT_EQ(report["verified"], true);
        EXPECT_GT(report["requests"], 0);
    }
    [[nodiscard]] std::string verified_hash() const {
        const auto run = run_program({"journal", "verify", data_, "--json"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        const auto report = nlohmann::json::parse(run.out);
        EXPECT_EQ(report["ok"], true);
        return report["state_hash"];
    }
    [[nodiscard]] std::string log() const { return testing::content_of(log_); }

    testing::ScratchFolder folder_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
    std::string core_ = std::to_string(allowed_cores().front());
};

TEST_F(Wirings, EveryAnswerOfThePipelineIsRightAndItEndsInOrder) {
    RunningServer server{data_, log_, {"--wiring", "pipelined", "--shards", "3"}};
    trade(server, "1");
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(log(), HasSubstr("closed       state hash " + verified_hash()));
}

TEST_F(Wirings, ADirectoryGoesOnUnderTheOtherWiringAlsoAfterAKill) {
    const std::vector<std::vector<std::string>> turns{
        {"--wiring", "pipelined", "--shards", "2"},
        {},
        {"--wiring", "pipelined", "--shards", "5", "--wait", "yield"},
        {"--wiring", "inline"},
        {"--wiring", "pipelined"}};
    std::string hash;
    for (std::size_t turn = 0; turn < turns.size(); ++turn) {
        const std::string log_file = log_ + std::to_string(turn);
        RunningServer server{data_, log_file, turns[turn]};
        ASSERT_NE(server.port(), 0) << testing::content_of(log_file);
        if (turn > 0) {
            EXPECT_THAT(testing::content_of(log_file), HasSubstr("state hash " + hash))
                << "recovered what the last one left";
        }
        trade(server, std::to_string(turn));
        if (turn % 2 == 0) {
            server.kill();
        } else {
            EXPECT_EQ(server.terminate(), 0);
        }
        hash = verified_hash();
    }
}

TEST_F(Wirings, GroupedSyncsHoldAnswersBackUntilTheyAreKept) {
    RunningServer server{
        data_, log_, {"--wiring", "pipelined", "--shards", "2", "--durability", "group"}};
    trade(server, "3");
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_FALSE(verified_hash().empty());
}

TEST_F(Wirings, TheSmallestRingsHoldUpButLoseNothing) {
    const std::string config = folder_ / "damrak.toml";
    std::ofstream{config} << "[run]\nwiring = \"pipelined\"\nshards = 2\n"
                             "rings = { inbound = 8, commands = 4, notices = 16, events = 1 }\n";
    RunningServer server{data_, log_, {"--config", config}};
    trade(server, "5");
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(log(), HasSubstr("closed       state hash " + verified_hash()));
}

TEST_F(Wirings, CoresThatAreNotThereAreAnError) {
    for (const std::string cores : {"1000", "x", "2-1"}) {
        const auto run = run_program({"serve", "--only", "binary", "--binary-port", "0", "--data",
                                      data_, "--wiring", "pipelined", "--pin", cores});
        EXPECT_EQ(run.exit_code, 2) << "what a flag says is wrong usage";
        EXPECT_THAT(run.err, HasSubstr("--pin"));
    }
}

TEST_F(Wirings, ThreadsArePinnedWhereThatIsAsked) {
    RunningServer server{
        data_, log_, {"--wiring", "pipelined", "--shards", "2", "--pin", core_ + "," + core_}};
    trade(server, "4");
    EXPECT_EQ(server.terminate(), 0);
}

}  // namespace
}  // namespace damrak::wiring_test
