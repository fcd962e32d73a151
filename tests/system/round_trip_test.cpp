// The subcommands together: what one writes, the other reads without a single objection.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::round_trip_test {
namespace {

using testing::run_program;
using testing::ScratchFolder;

class GeneratedDay : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        const auto run = run_program(
            {"generate", day_, "--messages", "40000", "--symbols", "2", "--profile", GetParam()});
        ASSERT_EQ(run.exit_code, 0) << run.err;
    }

    static nlohmann::json report_of(const std::vector<std::string>& arguments) {
        const auto run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return nlohmann::json::parse(run.out, nullptr, false);
    }

    ScratchFolder folder_;
    std::string day_ = folder_ / "day.itch";
};

TEST_P(GeneratedDay, HasNoAnomaly) {
    const auto report = report_of({"replay", day_, "--json"});
    EXPECT_EQ(report["complete"], true);
    EXPECT_EQ(report["anomalies"]["total"], 0);
}

TEST_P(GeneratedDay, IsMatchedByTheEngineExecutionForExecution) {
    const auto report = report_of({"replay", day_, "--mode", "rematch", "--json"})["rematch"];
    EXPECT_GT(report["executions_recorded"], 1000);
    EXPECT_EQ(report["price_and_size_equal"], report["executions_recorded"]);
    EXPECT_EQ(report["resting_order_equal"], report["executions_recorded"]);
    EXPECT_EQ(report["aggressors_equal"], report["aggressors"]);
    EXPECT_EQ(report["executions_unrecorded"], 0);
    EXPECT_EQ(report["diverged"], 0);
    EXPECT_EQ(report["repaired"], 0);
}

TEST_P(GeneratedDay, ConvertedToLobsterPassesItsVerification) {
    for (const std::string levels : {"1", "5", "30"}) {
        const std::string name = "SIM1_2026-01-02_34200000_57600000_";
        const std::string rows = folder_ / (name + "message_" + levels + ".csv");
        const std::string book = folder_ / (name + "orderbook_" + levels + ".csv");
        const auto converted = report_of({"convert", day_, rows, "--symbol", "SIM1", "--book", book,
                                          "--levels", levels, "--json"});
        const auto verified = report_of(
            {"replay", rows, "--format", "lobster", "--book", book, "--verify", "--json"});
        // The first row has none before it to follow from.
        EXPECT_EQ(verified["rows_checked"].get<int>(), converted["rows"].get<int>() - 1);
        EXPECT_EQ(verified["rows_equal"], verified["rows_checked"]);
    }
}

INSTANTIATE_TEST_SUITE_P(Profiles, GeneratedDay,
                         ::testing::Values("nw1", "calm", "volatile", "crash"),
                         [](const auto& profile) { return profile.param; });

}  // namespace
}  // namespace damrak::round_trip_test
