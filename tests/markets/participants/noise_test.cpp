// Noise traders: both sides alike, and the same draws whatever they do with them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/participants/detail/fixed_maker.hpp>
#include <damrak/participants/detail/noise_trader.hpp>

#include "small_market.hpp"

namespace damrak::participants_tests::noise_test {
namespace {

using namespace participants;

/// The orders that participant 1 sends, in their order.
class SentOrders final : public market_kernel::MarketWatcher {
  public:
    void on_sent(ParticipantId participant, const Command& command, Timestamp time) override {
        if (participant.value != 1) return;
        if (command.kind == CommandKind::cancel_order) cancel_times.push_back(time.value);
        if (command.kind != CommandKind::new_order) return;
        times.push_back(time.value);
        sides.push_back(command.side);
        prices.push_back(command.order_type == OrderType::market ? 0 : command.price.value);
    }
    std::vector<std::int64_t> times, cancel_times, prices;
    std::vector<Side> sides;
};

/// Of a noise trader between quotes that stay where they are.
void run_noise(SentOrders& sent, double market_share, double orders_per_s, double seconds) {
    NoiseTrader::Parameters noise;
    noise.orders_per_s = orders_per_s;
    noise.market_share = market_share;
    noise.quantity = 1;
    SmallMarket small;
    small.add<NoiseTrader>(noise);
    FixedMaker::Parameters maker;
    maker.anchor = "fundamental";
    maker.skew_ticks = 0;
    maker.quantity = 100'000;
    maker.most_position = 1'000'000;
    small.add<FixedMaker>(maker);
    small.run(seconds, {&sent});
}

/// Each limit order of participant 1.
class RestingOrders final : public market_kernel::MarketWatcher {
  public:
    void on_sent(ParticipantId participant, const Command& command, Timestamp /*time*/) override {
        if (participant.value == 1 && command.kind == CommandKind::new_order)
            commands.push_back(command);
    }
    std::vector<Command> commands;
};

TEST(Noise, ItsLimitOrdersRestAsTheParameterSays) {
    struct Case {
        const char* rests;
        std::uint16_t flags;
        std::int64_t displayed;
        PegReference peg;
    };
    for (const Case& one : {Case{"limit", 0, 0, PegReference::none},
                            Case{"post-only", CommandFlags::k_post_only, 0, PegReference::none},
                            Case{"hidden", CommandFlags::k_hidden, 0, PegReference::none},
                            Case{"iceberg", 0, 20, PegReference::none},
                            Case{"pegged", CommandFlags::k_pegged, 0, PegReference::primary},
                            Case{"midpoint", CommandFlags::k_pegged | CommandFlags::k_hidden, 0,
                                 PegReference::midpoint}}) {
        NoiseTrader::Parameters noise;
        noise.market_share = 0;
        noise.orders_per_s = 5;
        noise.rests = one.rests;
        FixedMaker::Parameters maker;
        maker.anchor = "fundamental";
        maker.skew_ticks = 0;
        RestingOrders sent;
        SmallMarket small;
        small.add<NoiseTrader>(noise);
        small.add<FixedMaker>(maker);
        small.run(10, {&sent});
        ASSERT_FALSE(sent.commands.empty());
        for (const Command& command : sent.commands) {
            EXPECT_EQ(command.flags, one.flags) << one.rests;
            EXPECT_EQ(command.order.display_quantity.value, one.displayed);
            EXPECT_EQ(command.order.peg, one.peg);
        }
    }
}

TEST(Noise, BuysAsOftenAsItSells) {
    SentOrders sent;
    run_noise(sent, 0, 100, 200);
    const auto orders = static_cast<double>(sent.sides.size());
    EXPECT_NEAR(orders, 20'000, 4 * std::sqrt(20'000.));
    EXPECT_NEAR(static_cast<double>(std::ranges::count(sent.sides, Side::buy)), orders / 2,
                4 * std::sqrt(orders / 4));
}

TEST(Noise, TakesEachOrderBackAfterItsLifetime) {
    SentOrders sent;
    run_noise(sent, 0, 10, 100);
    const std::int64_t end_ns =
        market_kernel::MarketSetup{}.begin.value + 100 * market_kernel::k_second_ns;
    std::vector<std::int64_t> due;
    for (const std::int64_t time : sent.times)
        if (time + NoiseTrader::Parameters{}.lifetime_ns <= end_ns)
            due.push_back(time + NoiseTrader::Parameters{}.lifetime_ns);
    EXPECT_GT(due.size(), 500U);
    EXPECT_EQ(sent.cancel_times, due);
}

// Common random numbers: what it draws does not depend on what it does with it.
TEST(Noise, MoreMarketOrdersLeaveItsOtherOrdersAsTheyAre) {
    SentOrders few;
    SentOrders many;
    run_noise(few, .1, 10, 100);
    run_noise(many, .5, 10, 100);
    EXPECT_EQ(few.times, many.times);
    EXPECT_EQ(few.sides, many.sides);
    std::size_t both_rest = 0;
    for (std::size_t i = 0; i < many.prices.size(); ++i) {
        if (many.prices[i] == 0) continue;
        EXPECT_EQ(few.prices[i], many.prices[i]) << i;
        ++both_rest;
    }
    EXPECT_GT(both_rest, 300U);
    EXPECT_LT(both_rest, 700U);
}

}  // namespace
}  // namespace damrak::participants_tests::noise_test
