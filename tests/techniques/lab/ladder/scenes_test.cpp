// The workloads of the ladder do what they say, on the product's book.

#include <damrak/lab/ladder/scenes.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/lab/ladder/experiment.hpp>
#include <damrak/lab/ladder/rungs.hpp>

namespace damrak::lab::ladder::scenes_test {
namespace {

struct Counted {
    std::uint64_t trades = 0;
    std::uint64_t refusals = 0;
    std::set<std::int32_t> prices;
    template <class Price>
    void trade(const Trade<Price>& trade) {
        ++trades;
        prices.insert(ticks_of(trade.price));
    }
    void refused(std::string_view /*reason*/) { ++refusals; }
};

Counted play(const Scene& scene) {
    Rung<9> rung{scene.setup};
    Counted counted;
    for (const Request& request : scene.before) rung.apply(request, counted);
    EXPECT_EQ(counted.trades, 0U) << "what is not timed only fills the book";
    for (const Request& request : scene.timed) rung.apply(request, counted);
    EXPECT_EQ(counted.refusals, 0U);
    return counted;
}

TEST(LadderScene, InsertsRestWithoutATrade) {
    EXPECT_EQ(play(insert_at_one_price(1'000)).trades, 0U);
    EXPECT_EQ(play(insert_at_random_prices(1'000, 1)).trades, 0U);
}

TEST(LadderScene, EachOrderTakesOne) {
    const Scene scene = match_single(1'000);
    EXPECT_EQ(scene.timed.size(), 1'000U);
    EXPECT_EQ(play(scene).trades, 1'000U);
}

TEST(LadderScene, EachOrderTakesAHundredAtSoManyPrices) {
    for (const std::uint32_t levels : {1U, 10U, 100U}) {
        const Counted counted = play(match_hundred(30, levels));
        EXPECT_EQ(counted.trades, 3'000U);
        EXPECT_EQ(counted.prices.size(), std::size_t{30} * levels);
    }
}

TEST(LadderScene, CancelsNameOrdersInTheBookWhichKeepsItsSize) {
    for (const std::uint32_t resting : {1U, 1'000U}) {
        const Scene scene = cancel_among(resting, 500, 3);
        EXPECT_EQ(scene.before.size(), resting);
        EXPECT_EQ(scene.timed.size(), 1'000U);
        EXPECT_EQ(play(scene).trades, 0U);
    }
}

TEST(LadderScene, TheNeutralFlowFillsBooksAndThenTrades) {
    const Scene scene = neutral_flow(20'000, 42);
    EXPECT_EQ(scene.before.size(), 12'000U);
    EXPECT_EQ(scene.timed.size(), 20'000U);
    EXPECT_GT(play(scene).trades, 500U);
}

// Under an instrument the work is a 64th: enough to see that all of it runs.
TEST(LadderExperiment, HasEveryRungUnderEveryMeasure) {
    const auto trials = ladder_experiment().trials({.size = Effort::Size::counting});
    ASSERT_EQ(trials.size(), 11U);
    for (const Trial& trial : trials) {
        ASSERT_EQ(trial.variants.size(), k_rungs) << trial.name;
        for (const Variant& variant : trial.variants) {
            const Sample sample = variant.run();
            EXPECT_GT(sample.operations, 0) << trial.name << ", " << variant.name;
        }
        // The public ladder has seven steps; its author measured all of them but the second.
        for (const Published& figure : trial.published) {
            const std::span<const RungInfo> steps{k_rung_infos, 7};
            EXPECT_TRUE(std::ranges::any_of(steps, [&](const RungInfo& info) {
                return info.name == figure.variant;
            })) << figure.variant;
        }
        const bool compared = trial.name != "nw1";
        EXPECT_EQ(trial.published.size(), !compared                       ? 0U
                                          : trial.name == "insert_random" ? 1U
                                          : trial.name == "end_to_end"    ? 7U
                                                                          : 6U)
            << trial.name;
    }
}

}  // namespace
}  // namespace damrak::lab::ladder::scenes_test
