// Calls in stages: they are one call with one auction, whatever is refused when (a venue file's
// `continues`), by the phase clock over a real engine.
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/venue/market_hours.hpp>
#include <damrak/venue/ready_made.hpp>

#include "support/supervised_market.hpp"

namespace damrak::venue::stages_test {
namespace {

using testing::at;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::SupervisedMarket;

constexpr std::string_view k_day = R"(name = "day"
[[session]]
at = "09:00"
phase = "call"
call = "opening"
auction = "lse"
[[session]]
at = "09:15"
phase = "call"
continues = true
refuses = ["changes"]
[[session]]
at = "09:20"
phase = "call"
continues = true
refuses = ["market_auction_orders", "changes"]
random_end = "2min"
[[session]]
at = "09:25"
phase = "continuous"
[[session]]
at = "16:00"
phase = "call"
call = "closing"
auction = "lse"
[[session]]
at = "16:06"
phase = "call"
continues = true
refuses = ["changes"]
[[session]]
at = "16:08"
phase = "closed"
)";

Reason cancel_in(SupervisedMarket& market, std::uint64_t id) {
    Command command = instrument_command(1);
    command.kind = CommandKind::cancel_order;
    command.participant = ParticipantId{1};
    command.order_id = OrderId{id};
    return market.apply(command);
}

struct Staged : ::testing::Test {
    Reason cancel(std::uint64_t id) { return cancel_in(market, id); }
    /// One auction, within the random end.
    void expect_one_auction() {
        const auto told = market.told();
        EXPECT_THAT(told, ElementsAre("00:00:00 S1 closed", "09:00:00 S1 call opening",
                                      "09:15:00 S1 call opening restricted",
                                      "09:20:00 S1 call opening restricted",
                                      ::testing::EndsWith("uncross continuous")));
        EXPECT_GT(told.back(), "09:25:00");
        EXPECT_LT(told.back(), "09:27:01");
        EXPECT_EQ(market.instrument().last_trade, 1'000);
    }
    SupervisedMarket market{k_day};
};

TEST_F(Staged, AreOneCallWithOneAuction) {
    market.go_to(at(9, 1));
    market.buy(1'000);
    market.sell(1'000);
    EXPECT_EQ(cancel(99), Reason::unknown_order) << "cancels are taken";
    market.go_to(at(9, 16));
    EXPECT_EQ(cancel(1), Reason::not_in_phase);
    EXPECT_EQ(market.instrument().book.best(market.engine->store(), Side::buy).tick, 1'000);
    market.go_to(at(9, 30));
    expect_one_auction();
}

TEST_F(Staged, GoOnAfterARestartInAnyStage) {
    market.go_to(at(9, 1));
    market.buy(1'000);
    market.sell(1'000);
    for (const int minute : {2, 16, 21}) {
        market.go_to(at(9, minute));
        market.restart();
    }
    market.go_to(at(9, 30));
    expect_one_auction();
}

TEST_F(Staged, ThatWereMissedAreLeftOut) {
    market.go_to(at(9, 1));
    market.buy(1'000);
    market.sell(1'000);
    market.stand_still_until(at(9, 21));
    market.restart();
    market.go_to(at(9, 21));
    EXPECT_THAT(market.told(), ElementsAre("00:00:00 S1 closed", "09:00:00 S1 call opening",
                                           "09:21:00 S1 call opening restricted"));
}

TEST_F(Staged, ACallOfTheDayBeforeEndsBeforeTheNextOneBegins) {
    market.go_to(at(16, 7));
    market.buy(1'000);
    market.sell(1'000);
    market.told();
    market.stand_still_until(at(24 + 16, 7));
    market.restart();
    market.go_to(at(24 + 16, 7));
    EXPECT_THAT(market.told(),
                ElementsAre("40:07:00 S1 uncross call", "40:07:00 S1 call closing restricted"));
    EXPECT_EQ(market.instrument().last_trade, 1'000);
}

TEST_F(Staged, TheDayClosesWithTheLastStage) {
    const MarketHours hours{Timetable::make(*market.venue, 1).value()};
    EXPECT_EQ(hours.close(at(12)), at(16, 8));
    EXPECT_EQ(hours.close(at(16, 7)), at(16, 8));
    EXPECT_EQ(hours.next_opening(at(9, 1)), at(24 + 9));
    EXPECT_TRUE(hours.is_open(at(16, 7)));
    EXPECT_FALSE(hours.is_open(at(9, 16)));
    EXPECT_TRUE(hours.is_open(at(9, 26)));
    EXPECT_FALSE(hours.is_open(at(16, 9)));
}

TEST(HongKong, HasTwoAuctionsADayInStages) {
    SupervisedMarket market{find_ready_made("hong-kong-like")->text};
    // 1970-01-01 was a Thursday; nine o'clock in Hong Kong is one o'clock.
    market.go_to(at(1, 1));
    market.buy(1'000);
    market.sell(1'000);
    market.told();
    market.go_to(at(1, 16));
    EXPECT_THAT(market.told(), ElementsAre("01:15:00 S1 call opening restricted"));
    market.go_to(at(1, 22, 1));
    EXPECT_THAT(market.told(), ElementsAre(::testing::EndsWith("uncross closed")));
    EXPECT_EQ(market.instrument().last_trade, 1'000);
    market.go_to(at(1, 30, 1));
    EXPECT_EQ(market.instrument().phase, Phase::continuous);
    market.go_to(at(8, 6, 1));
    EXPECT_EQ(market.instrument().call, CallKind::closing);
    EXPECT_EQ(market.instrument().restrictions, PhaseRestrictions::k_changes);
    market.go_to(at(8, 10, 1));
    EXPECT_EQ(market.instrument().phase, Phase::closed);
}

TEST(Cme, TakesNoCancelInTheLastHalfMinuteBeforeItOpens) {
    SupervisedMarket market{find_ready_made("cme-like")->text};
    // Five in the afternoon of Chicago's winter.
    market.go_to(at(22, 50));
    market.buy(1'000);
    market.buy(1'000);
    EXPECT_EQ(cancel_in(market, 1), Reason::none) << "in the pre-opening";
    market.told();
    market.go_to(at(22, 59, 31));
    EXPECT_THAT(market.told(), ElementsAre("22:59:30 S1 call opening restricted"));
    EXPECT_EQ(cancel_in(market, 2), Reason::not_in_phase);
    market.sell(1'000);
    market.go_to(at(23, 0, 1));
    EXPECT_EQ(market.instrument().phase, Phase::continuous);
    EXPECT_EQ(market.instrument().last_trade, 1'000) << "the order that stayed has traded";
    market.buy(900);
    EXPECT_EQ(cancel_in(market, 4), Reason::none);
}

}  // namespace
}  // namespace damrak::venue::stages_test
