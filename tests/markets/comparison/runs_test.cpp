// Markets run over seeds: pairs, stores, early ends, and what a comparison of populated markets
// says.
#include <damrak/comparison/runs.hpp>

#include <atomic>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/comparison/comparison.hpp>
#include <damrak/market_runs/market_file.hpp>

#include "support/kolmogorov_smirnov.hpp"

namespace damrak::comparison::runs_test {
namespace {

market_runs::MarketFile market(const std::string& tick, const std::string& duration = "10s") {
    const std::string text = "duration = \"" + duration + "\"\nname = \"tick " + tick + R"("
[[instrument]]
symbol = "AAA"
tick = )" + tick + R"(
[[participants]]
kind = "noise"
count = 20
orders_per_s = 2
[[participants]]
kind = "fixed-maker"
name = "makers"
)";
    auto file = market_runs::parse_market_file(text, "test");
    EXPECT_TRUE(file) << file.error();
    return *std::move(file);
}

/// Keeps runs in memory, and may end all runs after some.
class MemoryStore final : public RunStore {
  public:
    std::expected<std::optional<MeasuredRun>, std::string> find(
        const market_runs::MarketFile& market, std::uint64_t seed) override {
        if (breaks) return std::unexpected{std::string{"the store is broken"}};
        const auto at = runs.find({market_runs::identity_of(market), seed});
        if (at == runs.end()) return std::optional<MeasuredRun>{};
        return at->second;
    }
    std::expected<void, std::string> keep(const market_runs::MarketFile& market,
                                          const MeasuredRun& run) override {
        runs[{market_runs::identity_of(market), run.seed}] = run;
        if (++kept == stop_after) stopped = true;
        return {};
    }

    std::map<std::pair<std::uint64_t, std::uint64_t>, MeasuredRun> runs;
    std::uint64_t kept = 0;
    std::uint64_t stop_after = 0;
    std::atomic<bool> stopped{false};
    bool breaks = false;
};

std::vector<std::uint64_t> hashes(const Runs& runs) {
    std::vector<std::uint64_t> all;
    for (const auto& of_market : runs.table)
        for (const MeasuredRun& run : of_market) all.push_back(run.hash);
    return all;
}

TEST(ComparisonRuns, DoNotDependOnTheNumberOfJobs) {
    const std::vector files{market("0.01"), market("0.05")};
    const auto alone = run_markets(files, {.first_seed = 5, .seeds = 4, .jobs = 1});
    const auto beside = run_markets(files, {.first_seed = 5, .seeds = 4, .jobs = 3});
    ASSERT_TRUE(alone && beside);
    EXPECT_EQ(alone->ran, 8U);
    EXPECT_EQ(hashes(*alone), hashes(*beside));
    EXPECT_EQ(alone->table[1][2].seed, 7U);
    const auto one = market_runs::run_market(files[1], {.seed = 7});
    EXPECT_EQ(alone->table[1][2].hash, one->hash);
    EXPECT_FALSE(alone->is_stopped);
}

TEST(ComparisonRuns, OneMarketTwiceIsEqualInEveryMeasure) {
    const std::vector files{market("0.01"), market("0.01")};
    MemoryStore store;
    const auto runs = run_markets(files, {.seeds = 3, .jobs = 2, .store = &store});
    EXPECT_EQ(runs->ran, 6U);  // not one run, looked up twice
    EXPECT_EQ(run_markets(files, {.seeds = 3, .store = &store})->ran, 3U);
    const Comparison same = compare(runs->table[0], runs->table[1], {});
    EXPECT_EQ(same.equal_hashes, 3U);
    EXPECT_GT(same.differences.size(), 30U);
    for (const Difference& one : same.differences) EXPECT_EQ(one.mean, 0) << one.name.text();
}

TEST(ComparisonRuns, ALargerTickIsSeenInTheSpread) {
    const std::vector files{market("0.01", "30s"), market("0.05", "30s")};
    const auto runs = run_markets(files, {.seeds = 8, .jobs = 2});
    std::vector<Comparison> all{compare(runs->table[0], runs->table[1], {})};
    correct(all, {});
    EXPECT_EQ(all[0].equal_hashes, 0U);
    const Difference* const spread = all[0].find("quoted_spread_bp");
    EXPECT_TRUE(spread->is_significant());
    EXPECT_GT(spread->interval.low, 0);
    EXPECT_NE(all[0].find("AAA/makers/profit"), nullptr);
}

TEST(ComparisonRuns, OtherSeedsGiveUniformPValues) {
    const std::vector files{market("0.01"), market("0.01")};
    constexpr std::uint32_t k_seeds = 6;
    std::vector<double> p_values;
    for (std::uint64_t i = 0; i < 60; ++i) {
        const auto runs = run_markets(
            files,
            {.first_seed = 1 + i * 2 * k_seeds, .seeds = k_seeds, .jobs = 2, .other_seeds = true});
        const Comparison one =
            compare(runs->table[0], runs->table[1], {.measures = {"effective_spread"}});
        EXPECT_EQ(one.equal_hashes, 0U);
        p_values.push_back(one.differences[0].p);
    }
    EXPECT_LT(testing::distance_from_uniform(p_values), testing::one_per_cent(p_values.size()));
}

TEST(ComparisonRuns, GoOnFromWhatTheStoreHas) {
    const std::vector files{market("0.01"), market("0.05")};
    MemoryStore store;
    store.stop_after = 5;
    RunsOptions options{
        .seeds = 6, .jobs = 1, .store = &store, .stop = [&] { return store.stopped.load(); }};
    const auto stopped = run_markets(files, options);
    ASSERT_TRUE(stopped);
    EXPECT_TRUE(stopped->is_stopped);
    EXPECT_EQ(stopped->table[0].size(), 2U);  // two whole pairs of five runs
    EXPECT_EQ(stopped->table[1].size(), 2U);
    options.stop = {};
    const auto rest = run_markets(files, options);
    EXPECT_EQ(rest->reused, 5U);
    EXPECT_EQ(rest->ran, 7U);
    const auto whole = run_markets(files, {.seeds = 6});
    EXPECT_EQ(hashes(*rest), hashes(*whole));
    options.fresh = true;
    EXPECT_EQ(run_markets(files, options)->ran, 12U);
}

TEST(ComparisonRuns, AskWhetherItIsEnoughEveryTenSeeds) {
    const std::vector files{market("0.01", "1s"), market("0.05", "1s")};
    std::vector<std::size_t> looks;
    const auto runs = run_markets(files, {.seeds = 35, .jobs = 2, .enough = [&](const auto& table) {
                                              looks.push_back(table[1].size());
                                              return table[1].size() >= 20;
                                          }});
    EXPECT_EQ(looks, (std::vector<std::size_t>{10, 20}));
    EXPECT_TRUE(runs->had_enough);
    EXPECT_EQ(runs->table[0].size(), 20U);
}

TEST(ComparisonRuns, AnErrorOfTheStoreEndsThem) {
    const std::vector files{market("0.01"), market("0.05")};
    MemoryStore store;
    store.breaks = true;
    const auto broken = run_markets(files, {.seeds = 2, .store = &store});
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error(), "the store is broken");
}

TEST(ComparisonRuns, TellHowFarTheyAre) {
    const std::vector files{market("0.01", "1s"), market("0.05", "1s")};
    double last = 0;
    const auto runs =
        run_markets(files, {.seeds = 3, .jobs = 2, .progress = [&](double share, auto) {
                                EXPECT_GE(share, last);
                                last = share;
                            }});
    EXPECT_DOUBLE_EQ(last, 1);
}

}  // namespace
}  // namespace damrak::comparison::runs_test
