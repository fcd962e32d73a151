// Comparisons of numbers that are known: planted equal and unequal pairs, measures that are absent,
// and p-values that are uniform where nothing is different.
#include <damrak/comparison/comparison.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/comparison/report.hpp>
#include <damrak/market_kernel/draws.hpp>

#include "support/kolmogorov_smirnov.hpp"

namespace damrak::comparison::comparison_test {
namespace {

MeasuredRun run_of(std::uint64_t seed, std::vector<std::pair<std::string, double>> values) {
    MeasuredRun run{.seed = seed, .hash = seed, .values = {}};
    for (auto& [name, value] : values) run.values.push_back({{"AAA", "", name}, "ticks", value, 1});
    return run;
}

/// A spread around 3 whose larger part is common to both markets, and `more` in the second.
std::vector<MeasuredRun> spreads(std::size_t count, double more, std::uint64_t market) {
    std::vector<MeasuredRun> runs;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        market_kernel::Draws common{market_kernel::key_of(seed, "common", 0, "spread")};
        market_kernel::Draws own{market_kernel::key_of(seed, "own", market, "spread")};
        runs.push_back(
            run_of(seed, {{"spread", 3 + more + 0.9 * common.normal() + 0.3 * own.normal()},
                          {"noise", own.normal()}}));
    }
    return runs;
}

TEST(Comparison, APlantedDifferenceIsSeenWithItsSign) {
    std::vector<Comparison> wide{compare(spreads(30, 0, 1), spreads(30, 0.4, 2), {})};
    correct(wide, {});
    const Difference* const spread = wide[0].find("spread");
    ASSERT_NE(spread, nullptr);
    EXPECT_TRUE(spread->is_significant());
    EXPECT_GT(spread->interval.low, 0);  // wrong if b were taken from a
    EXPECT_NEAR(spread->mean, 0.4, 4 * 0.3 * std::sqrt(2.0 / 30));
    EXPECT_NEAR(spread->mean, spread->mean_b - spread->mean_a, 1e-12);
    EXPECT_FALSE(wide[0].find("noise")->is_significant());
    const Comparison narrow = compare(spreads(30, 0.4, 2), spreads(30, 0, 1), {});
    EXPECT_LT(narrow.find("spread")->interval.high, 0);
    EXPECT_EQ(narrow.find("spread")->mean, -spread->mean);
}

TEST(Comparison, TellsWhatCommonNumbersGain) {
    const Comparison one = compare(spreads(2'000, 0, 1), spreads(2'000, 0, 2), {});
    const Difference& spread = *one.find("AAA/spread");
    // 0.81 of the variance of 0.9 is common.
    EXPECT_NEAR(*spread.correlation, 0.9, 0.02);
    EXPECT_NEAR(*spread.variance_ratio, 0.1, 0.02);
    EXPECT_NEAR(*one.find("noise")->correlation, 0, 4 / std::sqrt(2'000));
    EXPECT_NEAR(*one.find("noise")->variance_ratio, 1, 4 * std::sqrt(2.0 / 2'000));
}

TEST(Comparison, EqualRunsDifferByExactlyNothing) {
    const auto runs = spreads(10, 0, 1);
    const Comparison same = compare(runs, runs, {.effect = Effect{.size = 0.05, .is_share = true}});
    EXPECT_EQ(same.pairs, 10U);
    EXPECT_EQ(same.equal_hashes, 10U);
    for (const Difference& one : same.differences) {
        EXPECT_EQ(one.mean, 0);
        EXPECT_EQ(one.interval.low, 0);
        EXPECT_EQ(one.interval.high, 0);
        EXPECT_EQ(one.p, 1);
        EXPECT_EQ(one.variance_ratio, 0.0);
        EXPECT_EQ(one.seeds_needed, 2U);
    }
}

TEST(Comparison, CountsTheRunsWithEqualHashes) {
    const auto a = spreads(3, 0, 1);
    auto b = a;
    b[1].hash = 17;
    EXPECT_EQ(compare(a, b, {}).equal_hashes, 2U);
}

TEST(Comparison, AMeasureThatIsAbsentHasNoPair) {
    const std::vector<MeasuredRun> a{run_of(1, {{"x", 1}, {"y", 1}}), run_of(2, {{"x", 2}}),
                                     run_of(3, {{"x", 4}, {"only_a", 1}})};
    const std::vector<MeasuredRun> b{run_of(1, {{"x", 2}, {"y", 1}}), run_of(2, {{"only_b", 1}}),
                                     run_of(3, {{"x", 4}})};
    const Comparison one = compare(a, b, {});
    ASSERT_EQ(one.differences.size(), 1U);
    EXPECT_EQ(one.differences[0].pairs, 2U);
    EXPECT_EQ(one.differences[0].mean_a, 2.5);
    EXPECT_EQ(one.differences[0].mean, 0.5);
    ASSERT_EQ(one.left_out.size(), 3U);
    EXPECT_EQ(one.left_out[0].text(), "AAA/y");
    EXPECT_EQ(one.left_out[1].text(), "AAA/only_b");
    EXPECT_EQ(one.left_out[2].text(), "AAA/only_a");
}

TEST(Comparison, CorrectsAllButThePrimaryMeasureAndOverAllMarkets) {
    const auto a = spreads(12, 0, 1);
    std::vector<Comparison> two{compare(a, spreads(12, 0.3, 2), {}),
                                compare(a, spreads(12, 0.3, 3), {})};
    correct(two, "spread");
    EXPECT_EQ(two[0].find("spread")->p_corrected, two[0].find("spread")->p);
    correct(two, {});
    std::vector<double> p_values;
    for (const Comparison& one : two)
        for (const Difference& difference : one.differences) p_values.push_back(difference.p);
    ASSERT_EQ(p_values.size(), 4U);
    const double least = std::ranges::min(p_values);
    const auto corrected = std::ranges::min_element(two[0].differences, {}, &Difference::p);
    const auto other = std::ranges::min_element(two[1].differences, {}, &Difference::p);
    EXPECT_DOUBLE_EQ(std::min(corrected->p_corrected, other->p_corrected), 4 * least);
}

TEST(Comparison, KeepsToTheMeasuresAskedFor) {
    const CompareOptions options{.measures = {"AAA/noise"}};
    const Comparison all = compare(spreads(10, 0, 1), spreads(10, 0, 2), {});
    const Comparison one = compare(spreads(10, 0, 1), spreads(10, 0, 2), options);
    ASSERT_EQ(one.differences.size(), 1U);
    EXPECT_EQ(one.differences[0].name.measure, "noise");
    // Drawings go by the name of the measure.
    EXPECT_EQ(one.differences[0].interval.low, all.find("noise")->interval.low);
}

TEST(Comparison, NeededSeedsOfAnEffect) {
    const auto a = spreads(50, 0, 1);
    const auto b = spreads(50, 0, 2);
    const Comparison share = compare(a, b, {.effect = parse_effect("5%").value()});
    const Difference& spread = *share.find("spread");
    EXPECT_EQ(spread.seeds_needed, pairs_needed(spread.deviation, 0.05 * spread.mean_a));
    const Comparison size =
        compare(a, b, {.primary = "spread", .effect = parse_effect("0.1").value()});
    EXPECT_EQ(size.find("spread")->seeds_needed, pairs_needed(spread.deviation, 0.1));
    EXPECT_FALSE(size.find("noise")->seeds_needed);
    for (const char* const wrong : {"", "%", "x", "-1", "0", "5%%", "1e999", "nan"})
        EXPECT_FALSE(parse_effect(wrong)) << wrong;
}

TEST(Comparison, PValuesAreUniformWhereNothingIsDifferent) {
    std::vector<double> p_values;
    market_kernel::Draws draws{market_kernel::key_of(3, "test", 0, "uniform")};
    for (int i = 0; i < 1'000; ++i) {
        std::vector<MeasuredRun> a;
        std::vector<MeasuredRun> b;
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            a.push_back(run_of(seed, {{"x", draws.exponential(1)}}));
            b.push_back(run_of(seed + 100, {{"x", draws.exponential(1)}}));
        }
        p_values.push_back(compare(a, b, {.measures = {"x"}}).differences[0].p);
    }
    EXPECT_LT(testing::distance_from_uniform(p_values), testing::one_per_cent(p_values.size()));
    // The check sees p-values of a one-sided test.
    for (double& p : p_values) p /= 2;
    EXPECT_GT(testing::distance_from_uniform(p_values), testing::one_per_cent(p_values.size()));
}

TEST(Comparison, OfOtherTicksIsInBasisPoints) {
    const auto runs = [](double tick) {
        std::vector<MeasuredRun> all;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            all.push_back(run_of(seed, {{"spread", static_cast<double>(seed)},
                                        {"spread_currency", .01 * static_cast<double>(seed)},
                                        {"spread_bp", static_cast<double>(seed)},
                                        {"tick_size", tick}}));
            all.back().values[1].unit = "currency";
            all.back().values[2].unit = "bp";
            all.back().values[3].unit = "currency";
        }
        return all;
    };
    const auto names = [](const Comparison& comparison) {
        std::vector<std::string> all;
        for (const Difference& one : comparison.differences) all.push_back(one.name.measure);
        return all;
    };
    using Names = std::vector<std::string>;
    const Comparison equal = compare(runs(.01), runs(.01), {});
    EXPECT_EQ(names(equal), (Names{"spread", "spread_bp"})) << "once in ticks is enough";
    EXPECT_TRUE(equal.in_other_ticks.empty());
    const Comparison other = compare(runs(.01), runs(.05), {});
    EXPECT_EQ(names(other), Names{"spread_bp"});
    ASSERT_EQ(other.in_other_ticks.size(), 1U);
    EXPECT_EQ(other.in_other_ticks[0].measure, "spread");
    const Comparison asked =
        compare(runs(.01), runs(.05), {.measures = {"spread", "spread_currency"}});
    EXPECT_EQ(names(asked), (Names{"spread", "spread_currency"}));
}

TEST(Study, MarketsOfOneNameHaveNamesOfTheirOwn) {
    const auto market = [](std::string name, std::string file, std::uint64_t identity) {
        return ComparedMarket{.name = std::move(name),
                              .about = {},
                              .file = std::move(file),
                              .identity = identity,
                              .runs = spreads(3, 0, identity)};
    };
    const Study study =
        study_of({market("market", "a/market.toml", 1), market("market", "b/market.toml", 2),
                  market("other", "c.toml", 3), market("market", "", 4),
                  market("market", "b/market.toml", 5)},
                 {});
    std::vector<std::string> names;
    for (const ComparedMarket& one : study.markets) names.push_back(one.name);
    EXPECT_EQ(names, (std::vector<std::string>{
                         "market (a/market.toml)", "market (b/market.toml) (2)", "other",
                         "market (0000000000000004)", "market (b/market.toml) (5)"}));
    for (const std::string& name : names) {
        EXPECT_NE(runs_csv(study).find("\n" + name + ",1,"), std::string::npos) << name;
        if (name != names[0]) {
            EXPECT_NE(differences_csv(study).find("\n" + name + ",AAA,"), std::string::npos)
                << name;
        }
    }
}

}  // namespace
}  // namespace damrak::comparison::comparison_test
