// The report's statements follow from the numbers, on made-up results.
#include <damrak/lab/report.hpp>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/lab/document.hpp>
#include <damrak/lab/findings.hpp>

namespace damrak::lab::report_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

VariantResult variant(const char* name, double time_ns) {
    VariantResult result{.name = name, .what = "for the test"};
    result.rounds[0].assign(11, time_ns);
    result.warm_up[0] = time_ns;
    return result;
}

// The second of two variants takes `ratio` times as long.
TrialResult trial_with(double ratio, std::vector<Published> published = {}) {
    TrialResult result{.trial = {.name = "t",
                                 .title = "a trial",
                                 .operation = "step",
                                 .variants = {},
                                 .published = std::move(published)},
                       .variants = {variant("old", 100), variant("new", 100 * ratio)},
                       .control = variant(k_control_name, 100)};
    // Published claims refer to the baseline by the name of the first variant.
    result.trial.variants = {{"old", "", {}}, {"new", "", {}}};
    const auto& before = result.variants[0].rounds[0];
    result.variants[1].against_baseline[0] = compare(before, result.variants[1].rounds[0], 1);
    result.control.against_baseline[0] = compare(before, result.control.rounds[0], 1);
    result.rounds = 11;
    result.operations = 1'000;
    return result;
}

TEST(Findings, NameVariantBaselineAndVerdict) {
    EXPECT_THAT(findings_of(trial_with(0.75)),
                ElementsAre("new against old: faster by 25% (95% interval 25 to 25).",
                            "A/A control against old: no significant difference (0% to 0%)."));
}

TEST(Findings, TellAControlThatDiffers) {
    TrialResult result = trial_with(1);
    result.control.rounds[0].assign(11, 130);
    result.control.against_baseline[0] =
        compare(result.variants[0].rounds[0], result.control.rounds[0], 1);
    EXPECT_THAT(findings_of(result), Contains(HasSubstr("The control differs from its copy")));
}

TEST(Findings, ShowAWarmUpThatMatters) {
    TrialResult result = trial_with(1);
    result.variants[0].warm_up[0] = 500;
    EXPECT_THAT(
        findings_of(result),
        Contains("old: the first repetition took 500 ns an operation, later ones 100 (median)."));
}

TEST(Findings, HoldPublishedDifferencesAgainstOurs) {
    const std::vector<Published> claim{{"old", Measure::time_ns, 200, "a study"},
                                       {"new", Measure::time_ns, 150, "a study"}};
    const auto said = [&](double ratio) { return claims_of(trial_with(ratio, claim)).back(); };
    EXPECT_THAT(said(0.75), HasSubstr("published faster by 25%"));
    EXPECT_THAT(said(0.75), HasSubstr("Reproduced in direction."));
    EXPECT_THAT(said(1.25), HasSubstr("Reversed here."));
    EXPECT_THAT(said(1), HasSubstr("Not reproduced: no significant difference here."));
    const std::vector<Published> none{{"old", Measure::time_ns, 200, "a study"},
                                      {"new", Measure::time_ns, 201, "a study"}};
    EXPECT_THAT(claims_of(trial_with(1, none)).back(),
                HasSubstr("Reproduced: no difference here either."));
    EXPECT_THAT(claims_of(trial_with(0.5, none)).back(),
                HasSubstr("Not reproduced: measured a difference here."));
}

TEST(Findings, LeaveOutClaimsOnWhatWasNotMeasured) {
    EXPECT_THAT(claims_of(trial_with(1, {{"new", Measure::latency_ns_p99, 5, "a study"}})),
                IsEmpty());
    EXPECT_THAT(claims_of(trial_with(1, {{"other", Measure::time_ns, 5, "a study"}})), IsEmpty());
}

RunResult run_of(TrialResult trial) {
    RunResult run{.machine = {{"processor", "Fast <One> | Two"}},
                  .settings = {},
                  .experiments = {},
                  .counted_by = "not at all."};
    run.experiments.push_back({.experiment = {.name = "e",
                                              .title = "An experiment",
                                              .question = "Is it so?",
                                              .trials = {}},
                               .trials = {std::move(trial)},
                               .why_no_counts = "no instrument"});
    return run;
}

TEST(LabReport, PageAndMarkdownSayTheSame) {
    const RunResult run = run_of(trial_with(0.75));
    const Document document = report_of(run);
    const std::string page = to_html(document, "The lab");
    const std::string markdown = to_markdown(document);
    for (const std::string& text : {page, markdown}) {
        EXPECT_THAT(text, HasSubstr("An experiment"));
        EXPECT_THAT(text, HasSubstr("faster by 25% (95% interval 25 to 25)"));
        EXPECT_THAT(text,
                    HasSubstr("1 trials with 1 comparisons of time, of which 1 show a difference"));
        EXPECT_THAT(text, HasSubstr("equal in 1 of 1 trials"));
        EXPECT_THAT(text, HasSubstr("Instructions were not counted: no instrument"));
    }
    EXPECT_THAT(page, HasSubstr("<td>Fast &lt;One> | Two</td>"));
    EXPECT_THAT(markdown, HasSubstr("| processor | Fast &lt;One> \\| Two |"));
    EXPECT_THAT(page, HasSubstr("<svg"));
    EXPECT_THAT(markdown, Not(HasSubstr("<svg")));
    EXPECT_THAT(page, Not(HasSubstr("http://www.w3.org/1999/xlink"))) << "needs nothing else";
    EXPECT_THAT(page, Not(HasSubstr("src=")));
}

TEST(LabReport, WorkByTheWallClockIsReportedASecondAsWell) {
    TrialResult trial = trial_with(0.5);
    EXPECT_THAT(to_markdown(report_of(run_of(trial))), Not(HasSubstr("a second |")));
    trial.trial.clock = Clock::wall;
    trial.trial.operation = "order";
    const std::string text = to_markdown(report_of(run_of(std::move(trial))));
    EXPECT_THAT(text, HasSubstr("| ns an order |"));
    EXPECT_THAT(text, HasSubstr("| orders a second |"));
    EXPECT_THAT(text, HasSubstr("| 20.00 million |"));
}

TEST(LabReport, WhatWasSlowedOnPurposeSaysSo) {
    TrialResult trial = trial_with(1.5);
    trial.variants[1].slowed_percent = 50;
    EXPECT_THAT(to_markdown(report_of(run_of(std::move(trial)))),
                HasSubstr("| new (slowed by 50% on purpose) | 150.0 |"));
}

TEST(LabReport, DrawsCostAgainstSizeForASeries) {
    RunResult run = run_of(trial_with(1));
    TrialResult& small = run.experiments[0].trials[0];
    small.trial.size = 10;
    small.trial.series = "cancel";
    EXPECT_THAT(to_html(report_of(run), ""), Not(HasSubstr("against size")));
    TrialResult large = small;
    large.trial.size = 1'000;
    run.experiments[0].trials.push_back(large);
    EXPECT_THAT(to_html(report_of(run), ""), HasSubstr("cancel: time a step against size"));
}

}  // namespace
}  // namespace damrak::lab::report_test
