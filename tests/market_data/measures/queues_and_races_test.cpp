// Fills by the place in the queue, by hand; and races for a quote among scripted participants.
#include <gtest/gtest.h>

#include <damrak/market_runs/detail/by_group.hpp>
#include <damrak/measures/detail/queue_outcomes.hpp>

#include "day_by_hand.hpp"
#include "markets/market_kernel/scripted_market.hpp"

namespace damrak::measures_tests::queues_and_races_test {
namespace {

using market_tests::k_first;
using market_tests::limit;
using market_tests::MarketAccess;
using measures::OrderMessage;

double value_of(const measures::Results& results, std::string_view name) {
    const auto* const value = results.find(name);
    EXPECT_NE(value, nullptr) << name;
    return value == nullptr ? 0 : value->value;
}

Timestamp at(double seconds) {
    return {k_morning.value + static_cast<std::int64_t>(seconds * 1e9)};
}

TEST(QueueOutcomes, ByWhatIsAheadAtTheBestPrice) {
    DayByHand day;
    day.quote(0, 10'000, 10'200, 300);
    const auto tell = [&](OrderMessage::Kind kind, double time, std::uint64_t order,
                          std::int64_t price = 0) {
        day.measures.on_message({kind, at(time), {10}, OrderId{order}, Side::buy, {price}});
    };
    using Kind = OrderMessage::Kind;
    tell(Kind::added, 1, 1, 10'000);  // behind 300 shares
    tell(Kind::added, 1, 2, 10'000);
    tell(Kind::added, 1, 3, 10'100);  // improves
    tell(Kind::added, 1, 4, 9'900);   // behind the best price: not followed
    tell(Kind::added, 1, 5, 10'000);
    tell(Kind::executed, 2, 3);
    tell(Kind::executed, 4, 1);
    tell(Kind::executed, 9, 1);  // the first fill counts
    tell(Kind::reduced, 5, 2);   // still there
    tell(Kind::removed, 5, 2);
    tell(Kind::removed, 5, 4);
    tell(Kind::replaced, 5, 5);
    tell(Kind::removed, 6, 5);
    tell(Kind::executed, 6, 99);  // never seen
    const auto results = day.measures.finish(at(10));
    EXPECT_EQ(value_of(results, "fill_rate_ahead_0"), 1);
    EXPECT_EQ(value_of(results, "fill_time_ahead_0"), 1);
    EXPECT_EQ(value_of(results, "fill_rate_ahead_1_500"), 0.5);
    EXPECT_EQ(value_of(results, "fill_time_ahead_1_500"), 3);
    EXPECT_EQ(results.find("fill_rate_ahead_501_2000"), nullptr);
}

/// One maker, whose quote of 100 at 10,100 is stale: 10,300 is bid later. Two snipers want it.
struct Race {
    explicit Race(std::int64_t second_us, bool maker_cancels = false) {
        auto& maker = world.add(market_tests::constant(0, 1'000'000, 0));  // hears of fills late
        auto& fast = world.add();
        auto& slow = world.add();
        auto& other = world.add();
        const auto send = [](auto& who, std::int64_t us, Side side, std::int64_t price,
                             std::int64_t quantity, TimeInForce time_in_force) {
            who.at(us * 1'000, [=](MarketAccess& access) {
                auto order = limit(side, price, quantity);
                order.time_in_force = time_in_force;
                access.enter(order);
            });
        };
        maker.at(1'000, [this](MarketAccess& access) {
            quote = access.enter(limit(Side::sell, 10'100, 100));
            access.enter(limit(Side::buy, 9'900, 100));
        });
        send(fast, 1'000, Side::buy, 10'100, 100, TimeInForce::ioc);
        if (maker_cancels)
            maker.at((1'000 + second_us) * 1'000,
                     [this](MarketAccess& access) { access.cancel(quote); });
        else
            send(slow, 1'000 + second_us, Side::buy, 10'100, 100, TimeInForce::ioc);
        send(other, 500'000, Side::buy, 10'300, 10, TimeInForce::day);
        send(other, 500'000, Side::sell, 10'500, 10, TimeInForce::day);
        world.run(3 * k_second, {&watcher});
        results = watcher.finish(world.market->now());
    }
    market_tests::World world;
    market_kernel::OrderHandle quote{};
    market_runs::MarketMeasures watcher{k_first, {}, {"maker", "fast", "slow", "other"}, {}};
    measures::Results results;
};

TEST(LatencyRaces, TheFirstWinsAndEarnsTheRent) {
    const Race race{200};
    const auto& groups = race.watcher.groups();
    EXPECT_EQ(value_of(race.results, "latency_races"), 1);
    EXPECT_EQ(groups[1].races.entered, 1U);
    EXPECT_EQ(groups[1].races.won, 1U);
    EXPECT_EQ(groups[2].races.entered, 1U);
    EXPECT_EQ(groups[2].races.won, 0U);
    EXPECT_EQ(groups[0].races.entered, 0U);
    // 100 shares for 10,100, worth 10,400 a second later.
    EXPECT_EQ(groups[1].races.shares, 100);
    EXPECT_EQ(groups[1].races.twice_rent, 2 * 100 * 300);
}

TEST(LatencyRaces, WhoIsMuchLaterWasInNoRace) {
    const Race race{600};
    EXPECT_EQ(race.results.find("latency_races"), nullptr);
    EXPECT_EQ(race.watcher.groups()[1].races.entered, 0U);
}

TEST(LatencyRaces, AMakerWhoseCancelIsLateHasLost) {
    const Race race{100, true};
    EXPECT_EQ(value_of(race.results, "latency_races"), 1);
    EXPECT_EQ(race.watcher.groups()[0].races.entered, 1U);
    EXPECT_EQ(race.watcher.groups()[0].races.won, 0U);
    EXPECT_EQ(race.watcher.groups()[1].races.won, 1U);
}

}  // namespace
}  // namespace damrak::measures_tests::queues_and_races_test
