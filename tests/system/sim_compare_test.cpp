// `damrak sim compare` and `sim results` as a user sees them: equal and unequal markets, a kill and
// the rest of it afterwards, reports, and errors of one line.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::sim_compare_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::lines_in;
using ::testing::Not;
using testing::ProgramRun;
using testing::run_program;
using testing::run_shell;
using testing::ScratchFolder;

/// A market file of a few milliseconds; a catalogue beside it.
class SimCompare : public ::testing::Test {
  protected:
    std::string market(const std::string& tick, const std::string& duration = "20s") {
        const std::string path = folder_ / ("tick" + tick + ".toml");
        std::ofstream{path} << "name = \"tick " << tick << "\"\nduration = \"" << duration << R"("
[[instrument]]
symbol = "AAA"
tick = )" << tick << R"(
[[participants]]
kind = "noise"
count = 20
orders_per_s = 2
[[participants]]
kind = "fixed-maker"
name = "makers"
)";
        return path;
    }

    ProgramRun compare(std::vector<std::string> words) {
        words.insert(words.begin(), {"sim", "compare", "--results", catalogue()});
        return run_program(words);
    }

    ProgramRun results(std::vector<std::string> words) {
        words.insert(words.begin(), {"sim", "results", "--results", catalogue()});
        return run_program(words);
    }

    std::string catalogue() { return folder_ / "runs.db"; }

    ScratchFolder folder_;
};

json measure_in(const json& report, const std::string& name) {
    for (const json& one : report["comparisons"][0]["measures"])
        if (one["measure"] == name) return one;
    return {};
}

// What is of this call, not of the markets.
json without_counts(json report) {
    report.erase("ran");
    report.erase("reused");
    return report;
}

TEST_F(SimCompare, AMarketAgainstItselfDiffersByNothing) {
    const std::string a = market("0.01");
    const auto run = compare({a, a, "--seeds", "4", "--jobs", "2", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["comparisons"][0]["equal_hashes"], 4);
    EXPECT_EQ(report["markets"][0]["hashes"], report["markets"][1]["hashes"]);
    EXPECT_GT(report["comparisons"][0]["measures"].size(), 30U);
    for (const json& one : report["comparisons"][0]["measures"]) {
        EXPECT_EQ(one["difference"], 0) << one;
        EXPECT_EQ(one["p"], 1) << one;
    }
}

TEST_F(SimCompare, SeesAPlantedDifferenceAndItsSign) {
    const std::string a = market("0.01");
    const std::string b = market("0.05");
    const auto run = compare({a, b, "--seeds", "8", "--effect", "5%", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json spread = measure_in(json::parse(run.out), "quoted_spread_bp");
    EXPECT_EQ(spread["significant"], true);
    EXPECT_GT(spread["low"], 0);
    EXPECT_GE(spread["seeds_needed"], 2);
    const auto back = compare({b, a, "--seeds", "8", "--json"});
    EXPECT_EQ(json::parse(back.out)["reused"], 16);
    EXPECT_EQ(measure_in(json::parse(back.out), "quoted_spread_bp")["difference"],
              -spread["difference"].get<double>());
    const auto table = compare({a, b, "--seeds", "8", "--measure", "quoted_spread_bp"});
    EXPECT_THAT(table.out, HasSubstr("AAA/quoted_spread_bp"));
    EXPECT_THAT(table.out, HasSubstr("8 pairs of runs, 0 with equal hashes"));
}

TEST_F(SimCompare, GoesOnAfterAKill) {
    const std::string words =
        "sim compare " + market("0.01", "2min") + " " + market("0.05", "2min") + " --seeds 12 ";
    // Killed as soon as the catalogue has a run, by which time others are running.
    const auto killed =
        run_shell("\"$DAMRAK_PROGRAM\" " + words + "--jobs 1 --results " + catalogue() +
                  " >/dev/null & eventually '\"$DAMRAK_PROGRAM\" sim results --results " +
                  catalogue() + " --measure trades >/dev/null 2>&1'; kill -9 $!");
    ASSERT_EQ(killed.exit_code, 0) << killed.err;
    const auto whole = run_shell("\"$DAMRAK_PROGRAM\" " + words + "--results off --json");
    const auto resumed =
        run_shell("\"$DAMRAK_PROGRAM\" " + words + "--json --results " + catalogue());
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    const json report = json::parse(resumed.out);
    EXPECT_GE(report["reused"], 1);
    EXPECT_EQ(report["reused"].get<int>() + report["ran"].get<int>(), 24);
    EXPECT_EQ(without_counts(report), without_counts(json::parse(whole.out)));
}

TEST_F(SimCompare, KeepsWhatIsCompleteAtAnInterrupt) {
    // Interrupted once both markets have runs of two seeds: the table then has their first seed as
    // the last but one field, and their last seed as the last.
    const auto run = run_shell(
        "\"$DAMRAK_PROGRAM\" sim compare " + market("0.01") + " " + market("0.05") +
        " --seeds 1000000 --jobs 1 --json --results " + catalogue() +
        " & eventually '\"$DAMRAK_PROGRAM\" sim results --results " + catalogue() +
        " --market 0.05 2>/dev/null | awk \"END { exit !(\\$NF >= 3) }\"'; kill -INT $!; wait $!");
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["complete"], false);
    EXPECT_GE(report["comparisons"][0]["pairs"], 2);
    EXPECT_LT(report["comparisons"][0]["pairs"], 1'000'000);
}

TEST_F(SimCompare, StopsOnceTheIntervalIsNarrow) {
    const auto run = compare({market("0.01"), market("0.05"), "--seeds", "50", "--primary",
                              "quoted_spread_bp", "--until-ci", "100", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["stopped_by_interval"], true);
    EXPECT_EQ(report["comparisons"][0]["pairs"], 10);
}

TEST_F(SimCompare, WritesAReport) {
    const std::string report = folder_ / "report";
    const auto run = compare({market("0.01"), market("0.05"), "--seeds", "8", "--primary",
                              "quoted_spread_bp", "--report", report, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(json::parse(testing::content_of(report + "/report.json")), json::parse(run.out));
    const std::string page = testing::content_of(report + "/report.html");
    EXPECT_THAT(page, HasSubstr("<svg"));
    EXPECT_THAT(page, HasSubstr("AAA/quoted_spread_bp"));
    EXPECT_THAT(page, Not(HasSubstr("src=")));  // needs nothing else
    EXPECT_THAT(page, Not(HasSubstr("nan")));
    EXPECT_THAT(testing::content_of(report + "/differences.csv"),
                HasSubstr("tick 0.05,AAA,,quoted_spread_bp,bp,8,"));
    EXPECT_EQ(lines_in(testing::content_of(report + "/runs.csv")) > 16 * 30, true);
    const auto nowhere = compare(
        {market("0.01"), market("0.05"), "--seeds", "2", "--report", market("0.01") + "/report"});
    EXPECT_EQ(nowhere.exit_code, 1);
    EXPECT_EQ(lines_in(nowhere.err), 1U) << nowhere.err;
}

TEST_F(SimCompare, TheCatalogueIsListedFilteredAndCompared) {
    const std::string a = market("0.01");
    const std::string b = market("0.05");
    const auto first = compare({a, b, "--seeds", "5", "--json"});
    ASSERT_EQ(first.exit_code, 0) << first.err;
    ASSERT_EQ(compare({a, a, "--seeds", "9"}).exit_code, 0);
    const auto list = json::parse(results({"--json"}).out);
    ASSERT_EQ(list["markets"].size(), 2U);
    EXPECT_EQ(list["markets"][0]["runs"].get<int>() + list["markets"][1]["runs"].get<int>(), 14);
    const auto one =
        json::parse(results({"--market", "0.05", "--measure", "makers/profit", "--json"}).out);
    ASSERT_EQ(one["markets"].size(), 1U);
    EXPECT_EQ(one["markets"][0]["measures"][0]["runs"], 5);
    // Over the five seeds that both have.
    const auto stored = json::parse(results({"--compare", "tick 0.01", "0.05", "--json"}).out);
    EXPECT_EQ(stored["comparisons"], json::parse(first.out)["comparisons"]);
    EXPECT_THAT(results({}).out, HasSubstr("tick 0.01"));
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"--market", "zz"},
                                               {"--measure", "zz"},
                                               {"--compare", "tick", "0.05"},
                                               {"--compare", "0.01", "zz"}}) {
        const auto run = results(wrong);
        EXPECT_EQ(run.exit_code, 1) << wrong.back();
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
    }
}

TEST_F(SimCompare, ErrorsAreOneLine) {
    const std::string a = market("0.01");
    const std::vector<std::vector<std::string>> usage{{a},
                                                      {a, a, "--seeds", "1"},
                                                      {a, a, "--until-ci", "0.1"},
                                                      {a, a, "--effect", "0.1"},
                                                      {a, a, "--effect", "x%"},
                                                      {a, a, "--duration", "x"}};
    for (const auto& words : usage) {
        const auto run = compare(words);
        EXPECT_EQ(run.exit_code, 2) << words.back();
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
    }
    for (const auto& words : std::vector<std::vector<std::string>>{
             {a, "missing.toml"}, {a, a, "--seeds", "2", "--measure", "quoted_spred_ticks"}}) {
        const auto run = compare(words);
        EXPECT_EQ(run.exit_code, 1) << words.back();
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
        EXPECT_EQ(run.out, "");
    }
    const auto nowhere =
        run_program({"sim", "compare", a, a, "--results", folder_ / "missing/runs.db"});
    EXPECT_EQ(nowhere.exit_code, 1);
    EXPECT_EQ(lines_in(nowhere.err), 1U) << nowhere.err;
    EXPECT_THAT(compare({a, a, "--seeds", "2", "--measure", "quoted_spred_ticks"}).err,
                HasSubstr("did you mean quoted_spread_ticks?"));
}

}  // namespace
}  // namespace damrak::sim_compare_test
