// Participants that make the whole flow, against what their papers predict, through the engine.
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/participants/detail/cont_stoikov_talreja.hpp>
#include <damrak/participants/detail/queue_reactive.hpp>
#include <damrak/participants/detail/zero_intelligence.hpp>
#include <damrak/participants/hawkes_flow.hpp>
#include <damrak/participants/models/queue_race.hpp>

#include "small_market.hpp"

namespace damrak::participants_tests::flow_test {
namespace {

using participants::ContStoikovTalreja;
using participants::HawkesFlow;
using participants::QueueReactive;
using participants::ZeroIntelligence;
using views::PublicChange;

/// Mean spread over time, in ticks, while both sides have orders.
class MeanSpread final : public market_kernel::MarketWatcher {
  public:
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        if (counts && last.has_both()) {
            const auto ns = static_cast<double>(change.time.value - last.time.value);
            sum_ += ns * static_cast<double>(last.ask.value - last.bid.value) / k_tick;
            ns_ += ns;
        }
        last = change;
    }
    [[nodiscard]] double mean() const { return sum_ / ns_; }
    bool counts = false;
    views::PublicChange last{};

  private:
    double sum_ = 0;
    double ns_ = 0;
};

// Rates scaled so that an order lives for 1/epsilon · .02 seconds; p_c is 50 ticks.
double mean_spread_over_pc(double epsilon, double seconds) {
    constexpr double k_pc_ticks = 50;
    ZeroIntelligence::Parameters is;
    is.limit_per_tick_per_s = 1;
    is.market_per_s = 2 * k_pc_ticks * is.limit_per_tick_per_s;
    is.cancel_per_s = epsilon * is.market_per_s / 2;
    is.window_ticks = 300;
    is.quantity = 1;
    SmallMarket small{7};
    small.add<ZeroIntelligence>(is);
    MeanSpread spread;
    small.run(0.3 * seconds, {&spread});
    spread.counts = true;
    small.run(seconds);
    EXPECT_TRUE(small.ran);
    return spread.mean() / k_pc_ticks;
}

// Smith, Farmer, Gillemot and Krishnamurthy (2003) on a grid of p_c / 50, recomputed.
TEST(ZeroIntelligence, TheMeanSpreadIsThatOfThePaper) {
    EXPECT_NEAR(mean_spread_over_pc(0.02, 1'500), 0.500, 0.01);
    EXPECT_NEAR(mean_spread_over_pc(0.1, 1'000), 0.636, 0.01);
}

/// In each spell with a spread of one tick: which side empties first, from each pair of sizes.
class Races final : public market_kernel::MarketWatcher {
  public:
    using Sizes = std::pair<std::int64_t, std::int64_t>;
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        const bool is_tight = change.has_both() && change.ask.value - change.bid.value == k_tick;
        if (!spell_.empty() && (!is_tight || change.bid != bid_)) {
            // Either the ask queue emptied, and the bid stayed, or the other way round.
            const bool is_up = change.has_bid() && change.bid == bid_;
            for (const Sizes& sizes : spell_) {
                ++count[sizes].first;
                if (is_up) ++count[sizes].second;
            }
            spell_.clear();
        }
        if (!is_tight) return;
        bid_ = change.bid;
        const Sizes now{change.bid_quantity.value, change.ask_quantity.value};
        for (const Sizes& sizes : spell_)
            if (sizes == now) return;
        spell_.push_back(now);
    }
    std::map<Sizes, std::pair<int, int>> count;  ///< races, and those that went up

  private:
    std::vector<Sizes> spell_;  ///< sizes that it has visited
    Price bid_{};
};

TEST(ContStoikovTalreja, TheSmallerQueueEmptiesFirstAsOftenAsInThePaper) {
    ContStoikovTalreja::Parameters is;
    is.quantity = 1;
    SmallMarket small{11};
    small.add<ContStoikovTalreja>(is);
    Races races;
    small.run(150'000, {&races});
    const std::vector<std::pair<Races::Sizes, double>> paper{
        {{1, 1}, .5},    {{1, 2}, .3352}, {{2, 1}, .6648}, {{2, 2}, .5},
        {{3, 1}, .7410}, {{2, 3}, .4069}, {{3, 2}, .5931}, {{1, 4}, .2158}};
    for (const auto& [sizes, up] : paper) {
        const auto [runs, ups] = races.count[sizes];
        const double error = std::sqrt(up * (1 - up) / runs);
        EXPECT_GT(runs, 3'000) << sizes.first << ' ' << sizes.second;
        EXPECT_NEAR(static_cast<double>(ups) / runs, up, std::max(4 * error, 0.005))
            << sizes.first << ' ' << sizes.second << " of " << runs;
    }
}

/// Counts what was sent, by the types of HawkesFlow.
class Sent final : public market_kernel::MarketWatcher {
  public:
    void on_sent(ParticipantId /*participant*/, const Command& command,
                 Timestamp /*time*/) override {
        const auto side = static_cast<std::size_t>(command.side);
        if (command.kind == CommandKind::cancel_order)
            ++cancels;
        else
            ++count[(command.order_type == OrderType::market ? 0 : 2) + side];
    }
    std::array<double, 4> count{};
    double cancels = 0;
};

TEST(HawkesFlow, EventsComeAtTheirStationaryRates) {
    const HawkesFlow::Parameters is;
    ASSERT_EQ(HawkesFlow::check(is), "");
    SmallMarket small{3};
    small.add<HawkesFlow>(is);
    Sent sent;
    constexpr double k_seconds = 20'000;
    small.run(k_seconds, {&sent});
    const auto rates =
        participants::models::stationary_rates({is.base_per_s, is.branching, is.decay_per_s});
    for (std::size_t type = 0; type < 4; ++type)
        EXPECT_NEAR(sent.count[type] / k_seconds / rates[type], 1, 0.04) << type;
    EXPECT_GT(sent.cancels, 0.5 * (rates[4] + rates[5]) * k_seconds);
}

TEST(HawkesFlow, AProcessThatExplodesIsRefused) {
    HawkesFlow::Parameters is;
    is.branching[0] = 1.01;
    EXPECT_NE(HawkesFlow::check(is).find("spectral radius"), std::string::npos);
    is.branching.pop_back();
    EXPECT_NE(HawkesFlow::check(is).find("36"), std::string::npos);
}

/// Share of time that the queue at a price of a side has each size.
class QueueSizes final : public market_kernel::MarketWatcher {
  public:
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        const auto size = static_cast<std::size_t>(last_.bid_quantity.value);
        if (size < share.size() && last_.time.value > 0)
            share[size] += static_cast<double>(change.time.value - last_.time.value);
        last_ = change;
    }
    std::array<double, 30> share{};

  private:
    views::PublicChange last_{};
};

// Huang, Lehalle and Rosenbaum (2015), model I with one queue a side and no moves: the law of the
// sizes is known.
TEST(QueueReactive, QueuesHaveTheStationaryLaw) {
    QueueReactive::Parameters is;
    is.levels = 1;
    is.quantity = 1;
    is.move = 0;
    SmallMarket small{5};
    small.add<QueueReactive>(is);
    QueueSizes sizes;
    small.run(150'000, {&sizes});
    const auto law = participants::models::stationary_law(
        {is.limit_per_s, is.cancel_per_s, is.market_per_s}, 29);
    double all = 0;
    for (const double share : sizes.share) all += share;
    double distance = 0;
    for (std::size_t n = 0; n < law.size(); ++n)
        distance += std::abs(sizes.share[n] / all - law[n]) / 2;
    EXPECT_LT(distance, 0.01);
}

TEST(QueueReactive, ThePriceMovesAndTheBookStaysTwoSided) {
    SmallMarket small{5};
    small.add<QueueReactive>({});
    MeanSpread spread;
    small.run(100, {&spread});
    spread.counts = true;
    const auto& market = small.run(3'000);
    EXPECT_TRUE(small.ran);
    EXPECT_GT(market.counts().trades, 1'000U);
    EXPECT_GE(spread.mean(), 1);
    EXPECT_LT(spread.mean(), 3);
    EXPECT_NE(market.latest(k_first).mid(), 1'000'050);
    EXPECT_NO_FATAL_FAILURE(market.engine().check_invariants());
}

}  // namespace
}  // namespace damrak::participants_tests::flow_test
