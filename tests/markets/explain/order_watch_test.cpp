// Small markets by hand: what stood ahead of an order, what became of that, and why it was filled
// or not is known by arithmetic.
#include <damrak/explain/order_watch.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/explain/sentences.hpp>

#include "markets/market_kernel/scripted_market.hpp"

namespace damrak::explain::order_watch_test {
namespace {

using market_kernel::MarketAccess;
using market_tests::constant;
using market_tests::k_begin;
using market_tests::k_us;
using market_tests::limit;
using market_tests::Scripted;
using market_tests::World;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t k_end_ns = 1'000 * k_us;

Timestamp at(std::int64_t us) { return {k_begin.value + us * k_us}; }

market_kernel::NewOrder immediate(Side side, std::int64_t price, std::int64_t quantity) {
    market_kernel::NewOrder order = limit(side, price, quantity);
    order.time_in_force = TimeInForce::ioc;
    return order;
}

/// A world whose second participant is asked about; the others are one group.
struct Explained {
    World world;
    Scripted& other = world.add();
    Scripted& own = world.add(constant(5 * k_us, 0, 0));
    Scripted& third = world.add();
    std::vector<Member> members{{"others", 0, 2}, {"own", 0, 1}, {"others", 1, 2}};
    OrderWatch watch{members, {.group = "own", .number = {}}};

    void enter(Scripted& who, std::int64_t us, const market_kernel::NewOrder& order) {
        who.at(us * k_us, [order](MarketAccess& access) { access.enter(order); });
    }
    /// Enters at one time and cancels, or replaces if there is a price, at another.
    void enter_until(Scripted& who, std::int64_t us, const market_kernel::NewOrder& order,
                     std::int64_t until_us, std::int64_t price = 0, std::int64_t quantity = 0) {
        auto handle = std::make_shared<market_kernel::OrderHandle>();
        who.at(us * k_us, [=](MarketAccess& access) { *handle = access.enter(order); });
        who.at(until_us * k_us, [=](MarketAccess& access) {
            if (price > 0)
                access.replace(*handle, {price}, {quantity});
            else
                access.cancel(*handle, {quantity});
        });
    }
    const Fate& run(std::size_t index = 0) {
        world.run(k_end_ns, {&watch});
        watch.finish(k_begin + Timestamp{k_end_ns});
        EXPECT_GT(watch.fates().size(), index);
        return watch.fates().at(index);
    }
    std::string story(const Fate& fate) const {
        std::string text;
        for (const std::string& line : story_of(fate, members, k_begin)) text += line + "\n";
        return text;
    }
};

TEST(OrderWatch, SaysWhatStoodAheadAndWhatBecameOfIt) {
    Explained e;
    e.enter(e.other, 1, limit(Side::sell, 10'300, 500));
    e.enter(e.other, 2, limit(Side::buy, 10'000, 100));                        // trades
    e.enter_until(e.other, 3, limit(Side::buy, 10'000, 200), 30);              // cancelled
    e.enter_until(e.other, 4, limit(Side::buy, 10'000, 300), 31, 9'900, 300);  // moves away
    e.enter_until(e.other, 5, limit(Side::buy, 10'100, 50), 32, 0, 20);        // reduced by 20
    e.enter(e.own, 10, limit(Side::buy, 10'000, 70));                          // arrives at 15
    e.enter(e.other, 20, limit(Side::buy, 10'000, 1'000));                     // behind
    e.enter(e.other, 21, limit(Side::buy, 10'200, 40));                        // joins ahead
    e.enter(e.third, 40, limit(Side::sell, 10'000, 170));  // 40 + 30 + 100: all that is ahead
    e.enter(e.third, 50, limit(Side::sell, 9'900, 60));    // 60 of our 70
    const Fate& fate = e.run();

    EXPECT_EQ(fate.sent, at(10));
    EXPECT_EQ(*fate.arrived, at(15));
    ASSERT_EQ(fate.stays.size(), 1U);
    const Stay& stay = fate.stays[0];
    EXPECT_EQ(stay.since, at(15));
    EXPECT_EQ(stay.at_price, (Crowd{3, 600}));
    EXPECT_EQ(stay.better, (Crowd{1, 50}));
    EXPECT_EQ(stay.joined, (Crowd{1, 40}));
    EXPECT_EQ(stay.traded, (Crowd{3, 170}));
    EXPECT_EQ(stay.cancelled, (Crowd{1, 220}));
    EXPECT_EQ(stay.moved, (Crowd{1, 300}));
    EXPECT_EQ(stay.ahead(), (Crowd{0, 0}));
    EXPECT_EQ(*stay.front, at(40));
    EXPECT_EQ(*stay.nearest, 300);
    ASSERT_EQ(fate.trades.size(), 1U);
    EXPECT_TRUE(fate.trades[0].is_maker);
    EXPECT_EQ(fate.trades[0].at, at(50));
    EXPECT_EQ(fate.trades[0].other, ParticipantId{3});
    EXPECT_EQ(fate.trades[0].other_ordered, Quantity{60});
    EXPECT_EQ(fate.trades[0].other_limit, Price{9'900});
    EXPECT_EQ(fate.ending, Ending::open);
    EXPECT_EQ(fate.open, Quantity{10});
    EXPECT_EQ(outcome_of(fate), "filled 60 of 70; 10 open at the end, nothing displayed ahead");
    EXPECT_EQ(
        e.story(fate),
        "order 1 of own, own: buy 70 at 1.00\n"
        "00:00:00.000010000  sent; the best ask was 1.03 for 500\n"
        "00:00:00.000015000  arrived after 5 us; the best ask was 1.03 for 500\n"
        "00:00:00.000015000  joined the queue at 1.00 with 70; ahead of it: 3 orders with 600 "
        "at its price, 1 order with 50 at better prices\n"
        "                    of those ahead: 3 orders with 170 traded, 1 order "
        "with 220 cancelled, 1 order with 300 moved, 1 order with 40 joined at better places; left "
        "ahead: none\n"
        "00:00:00.000040000  reached the front, 25 us after it joined\n"
        "00:00:00.000050000  rested: 60 traded at 1.00 with the incoming order for 60 at 0.99 "
        "of others 2\n"
        "00:00:00.001000000  filled 60 of 70; 10 open at the end, nothing displayed ahead\n");
}

TEST(OrderWatch, SaysThatThePriceWasNeverReached) {
    Explained e;
    e.enter(e.other, 1, limit(Side::sell, 10'900, 500));
    e.enter(e.other, 2, limit(Side::buy, 10'000, 100));
    e.enter_until(e.own, 10, limit(Side::buy, 10'000, 70), 100);
    e.enter_until(e.other, 20, limit(Side::sell, 10'400, 5), 30);
    const Fate& fate = e.run();
    EXPECT_EQ(fate.ending, Ending::cancelled);
    EXPECT_EQ(fate.ended, at(105));
    EXPECT_EQ(outcome_of(fate),
              "70 cancelled by its owner, 1 order with 100 ahead; the best ask came no nearer than "
              "0.04");
}

TEST(OrderWatch, SaysByHowMuchALatencyRaceWasLost) {
    Explained e;
    e.enter_until(e.other, 1, limit(Side::sell, 10'000, 100), 12);
    e.enter(e.other, 2, limit(Side::sell, 10'500, 100));
    e.enter(e.own, 10, immediate(Side::buy, 10'000, 70));  // arrives at 15, the ask is gone at 12
    const Fate& fate = e.run();
    EXPECT_EQ(fate.facing_sent->price, Price{10'000});
    EXPECT_EQ(fate.facing_arrived->price, Price{10'500});
    ASSERT_TRUE(fate.missed);
    EXPECT_EQ(fate.missed->gone, at(12));
    EXPECT_EQ(outcome_of(fate), "missed: it arrived 3 us after 1.00 was gone");
    EXPECT_THAT(e.story(fate),
                HasSubstr("1.00 was gone 3 us before, while the order was under way"));
}

TEST(OrderWatch, AnOrderOnOldDataWasLateAlreadyWhenItWasSent) {
    Explained e;
    e.enter_until(e.other, 1, limit(Side::sell, 10'000, 100), 8);
    e.enter(e.own, 10, immediate(Side::buy, 10'000, 70));
    const Fate& fate = e.run();
    EXPECT_FALSE(fate.facing_sent);
    ASSERT_TRUE(fate.missed);
    EXPECT_THAT(e.story(fate), HasSubstr("1.00 was gone 7 us before, and already when the order"));
}

TEST(OrderWatch, APassiveOrderMissesNoRace) {
    Explained e;
    e.enter_until(e.other, 1, limit(Side::sell, 10'000, 100), 8);
    e.enter(e.own, 10, limit(Side::buy, 10'000, 70));
    EXPECT_FALSE(e.run().missed);
}

TEST(OrderWatch, SaysWhatATakerTook) {
    Explained e;
    market_kernel::NewOrder hidden = limit(Side::sell, 10'100, 30);
    hidden.hidden = true;
    e.enter(e.other, 1, limit(Side::sell, 10'000, 20));
    e.enter(e.third, 2, hidden);
    e.enter(e.own, 10, limit(Side::buy, 10'100, 100));  // 20 + 30, and 50 come to rest
    const Fate& fate = e.run();
    ASSERT_EQ(fate.trades.size(), 2U);
    EXPECT_FALSE(fate.trades[0].is_maker);
    EXPECT_FALSE(fate.trades[0].was_hidden);
    EXPECT_TRUE(fate.trades[1].was_hidden);
    EXPECT_EQ(fate.filled, Quantity{50});
    EXPECT_EQ(fate.value, 20 * 10'000 + 30 * 10'100);
    ASSERT_EQ(fate.stays.size(), 1U);
    EXPECT_EQ(*fate.stays[0].front, at(15));
    EXPECT_THAT(e.story(fate), HasSubstr("took: 20 traded at 1.00 with the displayed order for 20 "
                                         "at 1.00 of others 1"));
    EXPECT_THAT(e.story(fate), HasSubstr("took: 30 traded at 1.01 with the hidden order for 30"));
}

TEST(OrderWatch, WhatIsTakenAtOnePriceIsOneLine) {
    Explained e;
    for (std::int64_t i = 0; i < 50; ++i) e.enter(e.other, i, limit(Side::sell, 10'000, 2));
    e.enter(e.third, 50, limit(Side::sell, 10'100, 3));
    e.enter(e.own, 60, immediate(Side::buy, 10'200, 103));
    const Fate& fate = e.run();
    ASSERT_EQ(fate.trades.size(), 2U);
    EXPECT_EQ(fate.trades[0].orders, 50U);
    EXPECT_EQ(fate.trades[0].quantity, Quantity{100});
    EXPECT_EQ(fate.trade_count, 51U);
    EXPECT_EQ(fate.trades_dropped, 0U);
    EXPECT_THAT(
        e.story(fate),
        HasSubstr("took: 100 traded at 1.00 with 50 displayed orders, the first of others 1"));
}

TEST(OrderWatch, LeavesOutTradesAfterTheFirstOnes) {
    Explained e;
    e.enter(e.own, 1, limit(Side::buy, 10'000, 100));
    for (std::int64_t i = 0; i < 50; ++i) e.enter(e.third, 20 + i, limit(Side::sell, 10'000, 2));
    const Fate& fate = e.run();
    EXPECT_EQ(fate.trades.size(), Fate::k_most_trades);
    EXPECT_EQ(fate.trades_dropped, 50 - Fate::k_most_trades);
    EXPECT_EQ(fate.filled, Quantity{100});
    EXPECT_THAT(e.story(fate), HasSubstr("18 more trades are left out"));
}

TEST(OrderWatch, AHiddenOrderWaitsBehindAllThatIsDisplayedAtItsPrice) {
    Explained e;
    market_kernel::NewOrder hidden = limit(Side::buy, 10'000, 70);
    hidden.hidden = true;
    market_kernel::NewOrder earlier = hidden;
    earlier.quantity = {25};
    e.enter(e.other, 1, limit(Side::buy, 10'000, 100));
    e.enter(e.other, 2, earlier);
    e.enter(e.own, 10, hidden);
    e.enter(e.other, 20, limit(Side::buy, 10'000, 30));    // after it, and yet ahead
    e.enter(e.third, 40, limit(Side::sell, 10'000, 165));  // 100 + 30 + 25 + 10
    const Fate& fate = e.run();
    const Stay& stay = fate.stays.at(0);
    EXPECT_TRUE(stay.is_hidden);
    EXPECT_EQ(stay.at_price, (Crowd{1, 100}));
    EXPECT_EQ(stay.joined, (Crowd{1, 30}));
    EXPECT_EQ(stay.traded, (Crowd{2, 130}));
    EXPECT_EQ(stay.hidden_traded, 25);
    EXPECT_EQ(fate.filled, Quantity{10});
}

TEST(OrderWatch, AnIcebergAheadLosesItsPlaceWithEachSlice) {
    Explained e;
    market_kernel::NewOrder iceberg = limit(Side::buy, 10'000, 60);
    iceberg.display_quantity = {20};
    e.enter(e.other, 1, iceberg);
    e.enter(e.own, 10, limit(Side::buy, 10'000, 70));
    e.enter(e.third, 40, limit(Side::sell, 10'000, 20));  // its slice; the next one is behind us
    e.enter(e.third, 50, limit(Side::sell, 10'000, 70));
    const Fate& fate = e.run();
    EXPECT_EQ(fate.stays.at(0).at_price, (Crowd{1, 20}));
    EXPECT_EQ(fate.stays.at(0).traded, (Crowd{1, 20}));
    EXPECT_TRUE(fate.stays.at(0).joined.empty());
    EXPECT_EQ(*fate.stays.at(0).front, at(40));
    EXPECT_EQ(fate.ending, Ending::filled);
    EXPECT_EQ(outcome_of(fate), "filled, 40 us after it was sent");
}

TEST(OrderWatch, AReplacedOrderBeginsAnewAndAReducedOneStays) {
    Explained e;
    e.enter(e.other, 1, limit(Side::buy, 10'000, 100));
    e.enter(e.other, 2, limit(Side::buy, 10'100, 40));
    e.enter_until(e.own, 10, limit(Side::buy, 10'000, 70), 30, 10'000, 50);  // in place
    const Fate& stayed = e.run();
    EXPECT_EQ(stayed.stays.size(), 1U);
    EXPECT_EQ(stayed.open, Quantity{50});

    Explained f;
    f.enter(f.other, 1, limit(Side::buy, 10'000, 100));
    f.enter(f.other, 2, limit(Side::buy, 10'100, 40));
    f.enter_until(f.own, 10, limit(Side::buy, 10'000, 70), 30, 10'100, 70);
    f.enter(f.third, 40, limit(Side::sell, 10'100, 110));
    const Fate& moved = f.run();
    ASSERT_EQ(moved.stays.size(), 2U);
    EXPECT_EQ(moved.stays[0].until, at(35));
    EXPECT_EQ(moved.stays[0].ahead(), (Crowd{2, 140}));
    EXPECT_EQ(moved.stays[1].price, Price{10'100});
    EXPECT_EQ(moved.stays[1].at_price, (Crowd{1, 40}));
    EXPECT_EQ(moved.ending, Ending::filled);
}

TEST(OrderWatch, SaysWhyAnOrderWasRefusedAndThatACancelCameLate) {
    Explained e;
    e.enter(e.other, 1, limit(Side::sell, 10'000, 100));
    market_kernel::NewOrder post_only = limit(Side::buy, 10'000, 70);
    post_only.post_only = true;
    e.enter(e.own, 10, post_only);
    e.enter_until(e.own, 20, limit(Side::buy, 9'900, 70), 41);  // filled at 44, cancel at 46
    e.enter(e.third, 44, limit(Side::sell, 9'900, 70));
    const Fate& refused = e.run();
    EXPECT_EQ(refused.ending, Ending::rejected);
    EXPECT_THAT(outcome_of(refused), HasSubstr("rejected: "));
    EXPECT_EQ(refused.reason, Reason::post_only_would_trade);
    const Fate& late = e.watch.fates().at(1);
    EXPECT_EQ(late.ending, Ending::filled);
    ASSERT_TRUE(late.late_request);
    EXPECT_EQ(*late.late_request, at(46));
    EXPECT_THAT(e.story(late),
                HasSubstr("a request to cancel or replace it arrived, 2 us too late"));
}

TEST(OrderWatch, ARequestStillUnderWayAtTheEndNeverArrived) {
    Explained e;
    e.enter(e.own, 999, limit(Side::buy, 9'900, 70));
    const Fate& fate = e.run();
    EXPECT_EQ(fate.ending, Ending::under_way);
    EXPECT_EQ(outcome_of(fate), "never arrived");
    EXPECT_EQ(e.story(fate).find("arrived after"), std::string::npos);
}

TEST(OrderWatch, FollowsTheFirstOrdersOrTheOneThatWasAskedFor) {
    for (const bool one : {false, true}) {
        Explained e;
        Question question{.group = "own", .number = {}, .limit = 2};
        if (one) question.number = 3;
        OrderWatch watch{e.members, question};
        for (std::int64_t i = 0; i < 4; ++i)
            e.enter(e.own, 10 + i, limit(Side::buy, 9'000 + 100 * i, 70));
        e.world.run(k_end_ns, {&watch});
        watch.finish(k_begin + Timestamp{k_end_ns});
        EXPECT_EQ(watch.orders(), 4U);
        std::vector<std::uint64_t> numbers;
        for (const Fate& fate : watch.fates()) numbers.push_back(fate.number);
        if (one)
            EXPECT_THAT(numbers, ElementsAre(3U));
        else
            EXPECT_THAT(numbers, ElementsAre(1U, 2U));
        EXPECT_EQ(unanswered(watch), "");
    }
}

TEST(OrderWatch, LeavesOutWhatIsInTheMiddleOfALongLife) {
    Explained e;
    auto handle = std::make_shared<market_kernel::OrderHandle>();
    e.own.at(0, [=](MarketAccess& access) { *handle = access.enter(limit(Side::buy, 5'000, 9)); });
    for (std::int64_t i = 1; i <= 40; ++i)
        e.own.at(10 * i * k_us,
                 [=](MarketAccess& access) { access.replace(*handle, {5'000 + 100 * i}, {9}); });
    const Fate& fate = e.run();
    EXPECT_EQ(fate.stays.size(), Fate::k_most_stays);
    EXPECT_EQ(fate.dropped, 41 - Fate::k_most_stays);
    EXPECT_EQ(fate.stays.front().price, Price{5'000});
    EXPECT_EQ(fate.stays.back().price, Price{9'000});
    EXPECT_THAT(e.story(fate), HasSubstr("25 more places are left out"));
}

TEST(Question, NamesAGroupAndMaybeANumber) {
    const std::vector<Member> members{{"makers", 0, 2}, {"makers", 1, 2}, {"a:1", 0, 1}};
    EXPECT_EQ(parse_question("makers", members)->number, std::nullopt);
    EXPECT_EQ(parse_question("makers:12", members)->number, 12U);
    EXPECT_EQ(parse_question("a:1", members)->group, "a:1");
    EXPECT_EQ(parse_question("a:1:7", members)->number, 7U);
    EXPECT_THAT(parse_question("taker:1", members).error(),
                HasSubstr("there is no group 'taker'; the groups are makers, a:1"));
    for (const char* const wrong : {"makers:", "makers:0", "makers:-1", "makers:two", "makers:1x",
                                    "makers:99999999999999999999999"})
        EXPECT_THAT(parse_question(wrong, members).error(), HasSubstr("no number of an order"))
            << wrong;
    EXPECT_THAT(parse_question("x", {}).error(), HasSubstr("the file has none"));
}

TEST(Question, OutOfRangeSaysHowManyThereAre) {
    Explained e;
    e.enter(e.own, 10, limit(Side::buy, 9'900, 70));
    OrderWatch watch{e.members, {.group = "own", .number = 5}};
    e.world.run(k_end_ns, {&watch});
    watch.finish(k_begin + Timestamp{k_end_ns});
    EXPECT_TRUE(watch.fates().empty());
    EXPECT_EQ(unanswered(watch), "--explain own:5: own sent 1 order in this run");
}

}  // namespace
}  // namespace damrak::explain::order_watch_test
