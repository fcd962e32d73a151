// Cascades of stops that one command cannot finish: which stops wait, and which commands continue
// the cascade. Rule book, section 10, last part.

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak {
namespace {

using namespace terms;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint64_t> triggered(const Outcome& outcome) {
    std::vector<std::uint64_t> ids;
    for (const Event& event : outcome.events())
        if (event.kind == EventKind::triggered) ids.push_back(event.order_id.value);
    return ids;
}

// Rules version 1 and sixteen events a command: a trade takes three events, and after eight events
// no further stop is triggered.
struct Cascade : testing::Test {
    static EngineConfig few_events() {
        EngineConfig config = Market::small();
        config.maximum_events = 16;
        config.rules_version = 1;
        return config;
    }
    // Stops #1 to #10 at one price, and the order #11 at which they will trade.
    Cascade() {
        for (int i = 0; i < 10; ++i) market.buy(alice, 1, at(5.00), stop(10.00));
        market.sell(bob, 1, at(10.00));
    }
    Market market{few_events()};
};

TEST_F(Cascade, LeavesTheRestToAContinuationInTheSameOrder) {
    const Outcome first = market.buy(carol, 1, at(10.00));
    EXPECT_THAT(triggered(first), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_TRUE(first.more());
    const Outcome second = market.go_on();
    EXPECT_THAT(triggered(second), ElementsAre(7, 8, 9, 10));
    EXPECT_FALSE(second.more());
}

TEST_F(Cascade, ContinuesWithTheNextOrderOfTheInstrumentWithoutAContinuation) {
    market.buy(carol, 1, at(10.00));
    const Outcome next = market.buy(dave, 1, at(6.00));
    EXPECT_EQ(event_line(next.events()[0]), "accepted #13 1@6.00 shows 1");
    EXPECT_THAT(triggered(next), ElementsAre(7, 8, 9, 10));
}

TEST_F(Cascade, ContinuesWithAReplaceToo) {
    market.buy(dave, 5, at(4.00));
    market.buy(carol, 1, at(10.00));
    EXPECT_THAT(triggered(market.replace(dave, 12, 4, at(4.00))), ElementsAre(7, 8, 9, 10));
}

TEST_F(Cascade, DoesNotContinueWithRejectedOrdersCancelsOrQueries) {
    market.buy(carol, 1, at(10.00));
    market.buy(dave, 0, at(6.00)).expect_rejected(Reason::invalid_quantity);
    market.query(alice, 7).expect({"order_status #7 executed 0 @5.00 left 1 pending"});
    market.cancel(alice, 1).expect({"cancelled requested #1 1@5.00 left 0"});
    EXPECT_THAT(triggered(market.continue_cascade()), ElementsAre(7, 8, 9, 10));
}

TEST_F(Cascade, LeavesElectedStopsOpenToCancelButNotToReplace) {
    market.buy(carol, 1, at(10.00));
    market.replace(alice, 8, 1, at(6.00), stop(10.00)).expect_rejected(Reason::invalid_state);
    market.cancel(alice, 8).expect({"cancelled requested #8 1@5.00 left 0"});
    EXPECT_THAT(triggered(market.continue_cascade()), ElementsAre(7, 9, 10));
}

TEST_F(Cascade, AppendsStopsThatAreElectedMeanwhile) {
    market.buy(alice, 1, at(4.00), stop(10.01));
    market.sell(bob, 1, at(10.01));
    market.buy(carol, 1, at(10.00));
    EXPECT_THAT(triggered(market.buy(dave, 1, at(10.01))), ElementsAre(7, 8, 9, 10, 12));
}

TEST_F(Cascade, WaitsWhileTheInstrumentIsHalted) {
    market.buy(carol, 1, at(10.00));
    market.set_state(TradingState::halted).expect({"trading_state_changed 1"});
    const Outcome waiting = market.continue_cascade();
    EXPECT_THAT(waiting.events(), IsEmpty());
    EXPECT_FALSE(waiting.more());
    const Outcome resumed = market.set_state(TradingState::trading);
    EXPECT_THAT(triggered(resumed), ElementsAre(7, 8, 9, 10));
}

TEST_F(Cascade, HasNothingToContinueIfNoStopWaits) {
    const Outcome nothing = market.continue_cascade();
    EXPECT_THAT(nothing.events(), IsEmpty());
    EXPECT_FALSE(nothing.more());
}

TEST_F(Cascade, StaysWithinTheEventsOfACommandWhateverItsLength) {
    for (int i = 0; i < 200; ++i) market.buy(alice, 1, stop(10.00));
    for (int i = 0; i < 300; ++i) market.sell(bob, 1, at(10.00));
    Outcome outcome = market.buy(carol, 1, at(10.00));
    std::size_t stops = triggered(outcome).size();
    int commands = 1;
    for (; outcome.more(); ++commands) {
        outcome = market.go_on();
        stops += triggered(outcome).size();
    }
    EXPECT_EQ(stops, 210U);
    EXPECT_GT(commands, 20);
}

}  // namespace
}  // namespace damrak
