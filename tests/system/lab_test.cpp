// `damrak lab`: what it lists, runs, refuses and reports. No time is asserted.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::lab_test {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::run_program;
using testing::ScratchFolder;
using Json = nlohmann::json;

TEST(Lab, ListsItsExperiments) {
    const auto run = run_program({"lab", "run", "--list"});
    EXPECT_EQ(run.exit_code, 0);
    for (const char* const name :
         {"ownership", "allocation", "levels", "queue", "ids", "layout", "output", "dispatch",
          "waiting", "pinning", "prefetch", "huge-pages", "ladder", "pipeline", "tick-to-trade",
          "ring", "ingest"})
        EXPECT_THAT("\n" + run.out, HasSubstr(fmt::format("\n{} ", name)));
}

TEST(Lab, FindsAVariantThatWasSlowedOnPurposeAndWritesTheReport) {
    const ScratchFolder folder;
    const auto run = run_program({"lab", "factor", "dispatch", "--quick", "--no-instructions",
                                  "--slow", "table=300", "--json", "--report", folder / "report"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Json result = Json::parse(run.out);
    const Json& experiment = result["experiments"].at(0);
    EXPECT_EQ(experiment["name"], "dispatch");
    for (const Json& trial : experiment["trials"]) {
        const Json& table = trial["variants"].at(1);
        EXPECT_EQ(table["name"], "table");
        EXPECT_EQ(table["slowed_percent"], 300);
        EXPECT_EQ(table["against_baseline"]["time"]["verdict"], "slower");
        EXPECT_GT(table["against_baseline"]["time"]["ratio"], 1);
        EXPECT_TRUE(trial["control"].contains("against_baseline"));
    }
    const std::string statement =
        experiment["trials"].at(0)["variants"].at(1)["against_baseline"]["time"]["statement"];
    EXPECT_THAT(content_of(folder / "report/lab.html"), HasSubstr(statement));
    EXPECT_THAT(content_of(folder / "report/lab.html"), HasSubstr("<svg"));
    EXPECT_THAT(content_of(folder / "report/lab.md"), HasSubstr(statement));
    EXPECT_EQ(Json::parse(content_of(folder / "report/lab.json")), result);
}

TEST(Lab, CountsInstructionsOrSaysWhyNot) {
    const auto run = run_program({"lab", "factor", "dispatch", "--quick", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Json experiment = Json::parse(run.out)["experiments"].at(0);
    const Json& variant = experiment["trials"].at(0)["variants"].at(0);
    if (variant.contains("instructions"))
        EXPECT_GT(variant["instructions"], 10);
    else
        EXPECT_NE(experiment["why_no_instructions"], "");
}

TEST(Lab, RefusesWhatItDoesNotKnow) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"lab"},
          {"lab", "factor"},
          {"lab", "factor", "nothing"},
          {"lab", "run", "dispatch", "--slow", "table"},
          {"lab", "run", "dispatch", "--slow", "table=-5"},
          {"lab", "run", "dispatch", "--slow", "table=inf"},
          {"lab", "run", "dispatch", "--slow", "nobody=50"},
          {"lab", "factor", "levels", "--slow", "table=50"},
          {"lab", "run", "nothing"}}) {
        const auto run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
    }
    const auto unknown = run_program({"lab", "run", "nothing"});
    EXPECT_THAT(unknown.err, HasSubstr("there is no experiment 'nothing'"));
    const auto variant = run_program({"lab", "run", "dispatch", "--slow", "nobody=50"});
    EXPECT_THAT(variant.err,
                HasSubstr("unknown variant 'nobody'; expected one of A/A control, branches"));
}

}  // namespace
}  // namespace damrak::lab_test
