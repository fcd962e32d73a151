// The runner on variants whose times are made up, so that every conclusion is known beforehand.
#include <damrak/lab/runner.hpp>

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::lab::runner_test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::SizeIs;

// A variant of this many nanoseconds an operation and a little noise; notes each call.
Variant made_up(std::string name, double time_ns, std::vector<std::string>* calls = nullptr) {
    auto random = std::make_shared<RandomStream>(calls == nullptr ? 1 : calls->size());
    return {name, "made up", [=] {
                if (calls != nullptr) calls->push_back(name);
                const double noise = 1 + 0.0001 * static_cast<double>(random->below(100));
                return Sample{.operations = 1'000,
                              .elapsed_ns = static_cast<std::int64_t>(time_ns * noise * 1e3)};
            }};
}

Trial trial_of(std::vector<Variant> variants) {
    return {.name = "t", .title = "a trial", .operation = "step", .variants = std::move(variants)};
}

RunSettings eleven_rounds() {
    return {.rounds_min = 11, .rounds_max = 11, .trial_ns = 0, .slowed = {}};
}

TEST(Runner, FindsWhatIsFasterAndThatTheControlIsNot) {
    const TrialResult result = run_trial(trial_of({made_up("old", 100), made_up("new", 69)}),
                                         eleven_rounds(), [](double) {});
    ASSERT_THAT(result.variants, SizeIs(2));
    const auto& comparison = result.find("new")->comparison(Measure::time_ns);
    ASSERT_TRUE(comparison.has_value());
    EXPECT_EQ(comparison->verdict, Verdict::faster);
    EXPECT_NEAR(comparison->ratio, 0.69, 0.01);
    EXPECT_TRUE(result.control_holds());
    EXPECT_FALSE(result.find("old")->comparison(Measure::time_ns).has_value());
    EXPECT_EQ(result.find("no such"), nullptr);
    EXPECT_EQ(result.rounds, 11);
}

TEST(Runner, AControlThatDiffersIsReported) {
    RunSettings settings = eleven_rounds();
    settings.slowed = {{k_control_name, 20.0}};
    const TrialResult result = run_trial(trial_of({made_up("old", 100)}), settings, [](double) {});
    EXPECT_FALSE(result.control_holds());
}

TEST(Runner, RunsEachVariantOnceARoundInAnOrderThatChanges) {
    std::vector<std::string> calls;
    const TrialResult result = run_trial(
        trial_of({made_up("a", 1, &calls), made_up("b", 1, &calls), made_up("c", 1, &calls)}),
        eleven_rounds(), [](double) {});
    constexpr std::size_t k_a_round = 4;  // three, and the control
    ASSERT_THAT(calls, SizeIs(12 * k_a_round));
    std::vector<std::string> firsts;
    for (std::size_t at = 0; at < calls.size(); at += k_a_round) {
        const std::vector<std::string> round(
            calls.begin() + static_cast<std::ptrdiff_t>(at),
            calls.begin() + static_cast<std::ptrdiff_t>(at + k_a_round));
        EXPECT_THAT(round, ::testing::UnorderedElementsAre("a", "a", "b", "c"));
        firsts.push_back(round.front());
    }
    EXPECT_THAT(firsts, Contains("b"));
    EXPECT_THAT(firsts, Contains("c"));
    EXPECT_THAT(result.variants.front().of(Measure::time_ns), SizeIs(11));
}

TEST(Runner, KeepsTheFirstRoundApartAsWarmUp) {
    auto calls = std::make_shared<int>(0);
    const Variant cold{
        "cold", "slow at first",
        [calls] { return Sample{.operations = 1, .elapsed_ns = (*calls)++ < 2 ? 1'000 : 10}; }};
    const TrialResult result = run_trial(trial_of({cold}), eleven_rounds(), [](double) {});
    EXPECT_DOUBLE_EQ(result.variants.front().warm_up[0], 1'000);
    EXPECT_THAT(result.variants.front().of(Measure::time_ns), Each(10.0));
}

TEST(Runner, AVariantSlowedOnPurposeIsFoundSlower) {
    RunSettings settings = eleven_rounds();
    settings.slowed = {{"slowed", 50.0}};
    const TrialResult result = run_trial(trial_of({made_up("plain", 100), made_up("slowed", 100)}),
                                         settings, [](double) {});
    EXPECT_EQ(result.find("slowed")->comparison(Measure::time_ns)->verdict, Verdict::slower);
}

TEST(Runner, ComparesPercentilesWhereLatenciesWereTaken) {
    const auto variant = [](const char* name, std::uint64_t tail_ns) {
        return Variant{name, "", [tail_ns] {
                           Histogram latency_ns;
                           latency_ns.record(10, 980);
                           latency_ns.record(tail_ns, 20);
                           return Sample{
                               .operations = 1'000, .elapsed_ns = 10'000, .latency_ns = latency_ns};
                       }};
    };
    const TrialResult result = run_trial(trial_of({variant("short", 20), variant("long", 100)}),
                                         eleven_rounds(), [](double) {});
    const VariantResult& tail = *result.find("long");
    EXPECT_EQ(tail.comparison(Measure::latency_ns_p99)->verdict, Verdict::slower);
    EXPECT_EQ(tail.comparison(Measure::latency_ns_p50)->verdict, Verdict::unknown);
    EXPECT_EQ(tail.latency_ns.count(), 11'000U);
}

}  // namespace
}  // namespace damrak::lab::runner_test
