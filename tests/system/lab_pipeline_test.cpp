// `damrak lab pipeline` from the outside, and what its neighbours refuse.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace damrak::lab_pipeline_test {
namespace {

using ::testing::HasSubstr;
using testing::run_program;

TEST(LabPipeline, ReportsBothWiringsAsJson) {
    const auto run = run_program(
        {"lab", "pipeline", "--orders", "20000", "--runs", "1", "--wiring", "inline", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto object = nlohmann::json::parse(run.out);
    EXPECT_EQ(object["wiring"], "inline");
    EXPECT_EQ(object["other_wiring"]["wiring"], "threaded");
    EXPECT_EQ(object["orders"], 20'000);
    EXPECT_GT(object["orders_per_s"], 0);
    for (const char* figure : {"min", "mean", "p50", "p95", "p99", "p99_9", "max"})
        EXPECT_TRUE(object["latency_ns"].contains(figure)) << figure;
    EXPECT_LE(object["latency_ns"]["p50"], object["latency_ns"]["p99"]);
    EXPECT_EQ(object["state_hash"], object["other_wiring"]["state_hash"]);
    EXPECT_EQ(object["journal"], false);
}

TEST(LabPipeline, SaysWhichWiringItTookAndWhy) {
    const auto run =
        run_program({"lab", "pipeline", "--orders", "20000", "--runs", "1", "--journal"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("each journaled before it is matched"));
    EXPECT_THAT(run.out, HasSubstr("is chosen because it is faster"));
}

TEST(LabPipeline, RefusesAWiringThatThereIsNot) {
    const auto run = run_program({"lab", "pipeline", "--wiring", "sideways"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("--wiring"));
}

TEST(LabLadder, RefusesToRunNotAtAll) {
    const auto run = run_program({"lab", "ladder", "--runs", "0"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("--runs"));
}

TEST(LabTickToTrade, RefusesAnOptionThatThereIsNot) {
    const auto run = run_program({"lab", "tick-to-trade", "--ticks", "1"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("--ticks"));
}

}  // namespace
}  // namespace damrak::lab_pipeline_test
