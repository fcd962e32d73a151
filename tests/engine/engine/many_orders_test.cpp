// Commands that end many orders at once: mass cancel, kill switch, end of day, and ticks at which
// orders expire. Rule book, section 11; the visiting order is that of section 1.

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::many_orders_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

auto of_side(Side side) {
    return [=](Command& command) {
        command.side = side;
        command.flags = 0;
    };
}
auto of(ParticipantId who) {
    return [=](Command& command) { command.participant = who; };
}

std::vector<std::uint64_t> ended(const Outcome& outcome) {
    std::vector<std::uint64_t> ids;
    for (const Event& event : outcome.events())
        if (event.kind == EventKind::cancelled || event.kind == EventKind::expired)
            ids.push_back(event.order_id.value);
    return ids;
}

struct MassCancel : ::testing::Test {
    Market market;
};

TEST_F(MassCancel, TakesEverythingAndReportsTheNumber) {
    market.buy(alice, 1, at(10.00));
    market.sell(bob, 2, at(11.00));
    market.mass_cancel().expect({"cancelled mass_cancel #1 1@10.00 left 0",
                                 "cancelled mass_cancel #2 2@11.00 left 0", "mass_cancelled 2"});
}

TEST_F(MassCancel, WithoutOrdersIsReported) { market.mass_cancel().expect({"mass_cancelled 0"}); }

TEST_F(MassCancel, OfOneParticipantLeavesTheOthers) {
    market.buy(alice, 1, at(10.00));
    market.buy(bob, 2, at(10.00));
    market.mass_cancel(of(alice)).expect(
        {"cancelled mass_cancel #1 1@10.00 left 0", "mass_cancelled 1"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("2@10.00 (1)"));
}

TEST_F(MassCancel, OfOneSideLeavesTheOther) {
    market.buy(alice, 1, at(10.00));
    market.sell(alice, 2, at(11.00));
    market.mass_cancel(of_side(Side::sell))
        .expect({"cancelled mass_cancel #2 2@11.00 left 0", "mass_cancelled 1"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("1@10.00 (1)"));
}

TEST_F(MassCancel, OfOneInstrumentLeavesTheOthers) {
    market.add_instrument(2, Market::stock());
    market.buy(alice, 1, at(10.00), in(1));
    market.buy(alice, 1, at(10.00), in(2));
    EXPECT_THAT(ended(market.mass_cancel(in(2))), ::testing::SizeIs(1));
    EXPECT_THAT(market.depth(Side::buy, 1), ElementsAre("1@10.00 (1)"));
    EXPECT_THAT(market.depth(Side::buy, 2), IsEmpty());
}

// Bids from the best price down, at each price displayed before hidden, then those outside the
// queues; asks from the best up; pending buy stops from the lowest, pending sell stops from the
// highest stop price.
TEST_F(MassCancel, FollowsTheVisitingOrder) {
    market.sell(alice, 1, stop(8.00));             // 1
    market.sell(alice, 1, stop(9.00));             // 2
    market.buy(alice, 1, stop(13.00));             // 3
    market.buy(alice, 1, stop(12.00));             // 4
    market.sell(alice, 1, at(11.01));              // 5
    market.sell(alice, 1, at(11.00), hidden);      // 6
    market.sell(alice, 1, at(11.00));              // 7
    market.buy(alice, 1, at(9.99));                // 8
    market.buy(alice, 1, at(10.00), hidden);       // 9
    market.buy(alice, 1, at(10.00));               // 10
    market.buy(alice, 1, at(10.00), at_least(1));  // 11
    EXPECT_THAT(ended(market.mass_cancel()), ElementsAre(10, 9, 8, 11, 7, 6, 5, 4, 3, 2, 1));
}

TEST_F(MassCancel, VisitsInstrumentsInAscendingOrder) {
    market.add_instrument(3, Market::stock());
    market.add_instrument(2, Market::stock());
    std::vector<std::uint32_t> instruments;
    for (const std::uint32_t id : {3U, 1U, 2U}) market.buy(alice, 1, at(10.00), in(id));
    const Outcome outcome = market.mass_cancel();
    for (const Event& event : outcome.events()) instruments.push_back(event.instrument.value);
    EXPECT_THAT(instruments, ElementsAre(1, 2, 3, 0)) << "the last event is for the command: all";
}

TEST_F(MassCancel, CancelsWholeIcebergsAndIsAllowedDuringAHalt) {
    market.buy(alice, 100, at(10.00), showing(10));
    market.set_state(TradingState::halted);
    market.mass_cancel().expect({"cancelled mass_cancel #1 100@10.00 left 0", "mass_cancelled 1"});
}

TEST_F(MassCancel, OfOneSideCancelsItsStopsToo) {
    market.sell(alice, 1, stop(9.00));
    market.buy(alice, 1, stop(11.00));
    EXPECT_THAT(ended(market.mass_cancel(of_side(Side::buy))), ElementsAre(2));
}

struct KillSwitch : ::testing::Test {
    Market market;
};

TEST_F(KillSwitch, BlocksAParticipantAndCancelsAllItsOrders) {
    market.add_instrument(2, Market::stock());
    market.buy(alice, 1, at(10.00));
    market.sell(alice, 1, stop(9.00));
    market.buy(bob, 1, at(10.00));
    market.set_state(alice, ParticipantState::blocked)
        .expect({"participant_state_changed 1", "cancelled participant_kill #1 1@10.00 left 0",
                 "cancelled participant_kill #2 1@0.00 left 0", "mass_cancelled 2"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("1@10.00 (1)"));
}

TEST_F(KillSwitch, KeepsABlockedParticipantOut) {
    market.set_state(alice, ParticipantState::blocked);
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::participant_blocked);
    EXPECT_FALSE(market.buy(bob, 1, at(10.00)).rejected());
}

TEST_F(KillSwitch, LetsAParticipantEnterOrdersAgain) {
    market.set_state(alice, ParticipantState::blocked);
    market.set_state(alice, ParticipantState::active).expect({"participant_state_changed 0"});
    EXPECT_FALSE(market.buy(alice, 1, at(10.00)).rejected());
}

struct EndOfDay : ::testing::Test {
    Market market;
};

TEST_F(EndOfDay, EndsOnlyDayOrders) {
    market.buy(alice, 1, at(10.00));
    market.buy(alice, 2, at(10.00), gtc);
    market.buy(alice, 3, at(10.00), until(1'000));
    market.sell(alice, 4, stop(9.00));
    market.end_day().expect({"expired end_of_day #1 1@10.00 left 0",
                             "expired end_of_day #4 4@0.00 left 0", "day_ended 2"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("5@10.00 (2)"));
}

TEST_F(EndOfDay, MayConcernOneInstrument) {
    market.add_instrument(2, Market::stock());
    market.buy(alice, 1, at(10.00), in(1));
    market.buy(alice, 1, at(10.00), in(2));
    market.end_day(1).expect({"expired end_of_day #1 1@10.00 left 0", "day_ended 1"});
    EXPECT_THAT(market.depth(Side::buy, 2), ElementsAre("1@10.00 (1)"));
}

TEST_F(EndOfDay, LeavesElectedStopLimitsThatAreGoodTillCancelOnTheBook) {
    market.buy(alice, 1, at(9.00), stop(10.00), gtc);
    market.sell(bob, 1, at(10.00));
    market.buy(carol, 1, at(10.00));
    market.end_day().expect({"day_ended 0"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("1@9.00 (1)"));
}

struct GoodTillDate : ::testing::Test {
    Market market;
};

TEST_F(GoodTillDate, ExpiresAtItsTime) {
    market.buy(alice, 1, at(10.00), until(100));
    market.tick(99).expect({});
    market.tick(100).expect({"expired good_till_date #1 1@10.00 left 0"});
}

TEST_F(GoodTillDate, ExpiresByTimeThenInstrumentThenId) {
    market.add_instrument(2, Market::stock());
    market.buy(alice, 1, at(10.00), until(200));  // 1
    market.buy(alice, 1, at(10.00), until(100), in(2));
    market.buy(alice, 1, at(10.00), until(100));  // 2
    market.buy(alice, 1, at(10.00), until(100));  // 3
    market.buy(alice, 1, at(10.00), until(50));   // 4
    const std::uint64_t second = (std::uint64_t{1} << 40U) + 1;
    EXPECT_THAT(ended(market.tick(1'000)), ElementsAre(4, 2, 3, second, 1));
}

TEST_F(GoodTillDate, HasNoEffectAfterItsOrder) {
    market.buy(alice, 1, at(10.00), until(100));
    market.buy(alice, 1, at(10.00), until(100));
    market.sell(bob, 1, at(10.00));
    market.cancel(alice, 2);
    market.tick(100).expect({});
}

TEST_F(GoodTillDate, AppliesToIcebergsHeldOrdersAndTriggeredStops) {
    market.buy(alice, 100, at(9.00), until(100), showing(10));
    market.buy(alice, 100, at(9.00), until(100), at_least(50));
    market.buy(alice, 100, at(9.00), stop(10.00), until(100));
    market.sell(bob, 1, at(10.00));
    market.buy(carol, 1, at(10.00));
    EXPECT_THAT(ended(market.tick(100)), ElementsAre(1, 2, 3));
}

TEST_F(GoodTillDate, ReportsWhenTheNextOneIsDue) {
    EXPECT_EQ(market.engine().next_expiry().value, INT64_MAX);
    market.buy(alice, 1, at(10.00), until(200));
    market.buy(alice, 1, at(10.00), until(100));
    EXPECT_EQ(market.engine().next_expiry(), Timestamp{100});
    market.tick(100);
    EXPECT_EQ(market.engine().next_expiry(), Timestamp{200});
}

}  // namespace
}  // namespace damrak::many_orders_test
