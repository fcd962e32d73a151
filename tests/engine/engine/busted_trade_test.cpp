// docs/rule-book/busted-trades.md.
#include <cstdint>

#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::busted_trade_test {
namespace {

using namespace terms;

/// Alice bought 5 at 10.00 from Bob, in trade 1.
struct BustedTrades : ::testing::Test {
    BustedTrades() {
        market.sell(bob, 5, at(10.00));
        market.buy(alice, 5, at(10.00));
    }
    [[nodiscard]] static Command bust() {
        Command command{};
        command.kind = CommandKind::bust_trade;
        command.instrument = InstrumentId{1};
        command.participant = alice;
        command.order_id = OrderId{2};
        command.new_order_id = OrderId{1};
        command.price = price(10.00);
        command.quantity = Quantity{5};
        command.bust = {.trade = TradeId{1}, .seller = bob};
        return command;
    }
    [[nodiscard]] static Command correction(Price price, std::int64_t quantity) {
        Command command = bust();
        command.kind = CommandKind::correct_trade;
        command.bust.new_price = price;
        command.bust.new_quantity = Quantity{quantity};
        return command;
    }
    template <class Change>
    Outcome bust_with(Change&& change) {
        Command command = bust();
        change(command);
        return market.apply(command);
    }
    Market market;
};

TEST_F(BustedTrades, ChangeThePositionsBack) {
    LimitDetails limits;
    limits.position = Quantity{5};
    market.set_limits(alice, limits);
    market.buy(alice, 1, at(9.00)).expect_rejected(Reason::limit_position);
    market.apply(bust()).expect({"trade_busted 5", "trade_busted 5"});
    market.buy(alice, 5, at(9.00)).expect({"accepted #3 5@9.00 shows 5"});
}

TEST_F(BustedTrades, AreToldToBothSides) {
    const auto events = market.apply(bust()).events();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].participant, alice);
    EXPECT_EQ(events[0].order_id, OrderId{2});
    EXPECT_EQ(events[1].participant, bob);
    EXPECT_EQ(events[1].order_id, OrderId{1});
    EXPECT_TRUE(has_flag(events[1], EventFlags::k_aggressor));
    for (const Event& event : events) {
        EXPECT_EQ(event.trade_id(), TradeId{1});
        EXPECT_EQ(event.price, price(10.00));
        EXPECT_EQ(event.quantity, Quantity{5});
    }
}

TEST_F(BustedTrades, MayBeOfAParticipantThatWasReleased) {
    const auto events = bust_with([](Command& command) { command.bust.seller = {}; }).events();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].participant, ParticipantId{});
}

TEST_F(BustedTrades, AreBustedOnce) {
    market.apply(bust());
    market.apply(bust()).expect_rejected(Reason::trade_already_busted);
}

TEST_F(BustedTrades, AreTradesOfTheDay) {
    for (const std::uint64_t trade : {0ULL, 2ULL, 1ULL << 40U})
        bust_with([=](Command& command) {
            command.bust.trade = {trade};
        }).expect_rejected(Reason::unknown_trade);
    market.end_day();
    market.apply(bust()).expect_rejected(Reason::unknown_trade);
}

TEST_F(BustedTrades, HaveSoundTerms) {
    const auto refused = [&](Reason reason, auto change) {
        bust_with(change).expect_rejected(reason);
    };
    refused(Reason::unknown_instrument, [](Command& c) { c.instrument = InstrumentId{7}; });
    refused(Reason::unknown_participant, [](Command& c) { c.bust.seller = ParticipantId{17}; });
    refused(Reason::unknown_trade, [](Command& c) { c.bust.seller = carol; });
    refused(Reason::invalid_quantity, [](Command& c) { c.quantity = {}; });
    refused(Reason::invalid_price, [](Command& c) { c.price = {}; });
}

TEST_F(BustedTrades, MayBeCorrectedInstead) {
    LimitDetails limits;
    limits.position = Quantity{5};
    market.set_limits(alice, limits);
    market.apply(correction(price(9.90), 3)).expect({"trade_corrected 3", "trade_corrected 3"});
    market.buy(alice, 3, at(9.00)).expect_rejected(Reason::limit_position);
    market.buy(alice, 2, at(9.00)).expect({"accepted #3 2@9.00 shows 2"});
}

TEST_F(BustedTrades, ToldAsCorrectedSayWhatTheyWere) {
    const auto events = market.apply(correction(price(9.90), 3)).events();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].participant, alice);
    EXPECT_EQ(events[0].order_id, OrderId{2});
    EXPECT_EQ(events[1].participant, bob);
    EXPECT_EQ(events[1].order_id, OrderId{1});
    EXPECT_TRUE(has_flag(events[1], EventFlags::k_aggressor));
    for (const Event& event : events) {
        EXPECT_EQ(event.trade_id(), TradeId{1});
        EXPECT_EQ(event.price, price(9.90));
        EXPECT_EQ(event.quantity, Quantity{3});
        EXPECT_EQ(event.remaining, Quantity{5});
        EXPECT_EQ(event.displayed, Quantity{price(10.00).value});
    }
}

TEST_F(BustedTrades, AreChangedByTheirLastTerms) {
    market.apply(correction(price(9.90), 3));
    market.apply(correction(price(9.80), 3)).expect_rejected(Reason::unknown_trade);
    market.apply(bust()).expect_rejected(Reason::unknown_trade);
    const auto last_terms = [](Command& command) {
        command.price = price(9.90);
        command.quantity = Quantity{3};
    };
    Command back = correction(price(10.00), 5);
    last_terms(back);
    market.apply(back).expect({"trade_corrected 5", "trade_corrected 5"});
    market.apply(correction(price(9.90), 3));
    bust_with(last_terms).expect({"trade_busted 3", "trade_busted 3"});
    bust_with(last_terms).expect_rejected(Reason::trade_already_busted);
    Command again = correction(price(10.00), 5);
    last_terms(again);
    market.apply(again).expect_rejected(Reason::trade_already_busted);
}

TEST_F(BustedTrades, AreCorrectedToSoundTerms) {
    const auto refused = [&](Price price, std::int64_t quantity) {
        market.apply(correction(price, quantity)).expect_rejected(Reason::invalid_correction);
    };
    refused(price(10.00), 5);  // nothing changes
    refused(price(9.90), 6);
    refused(price(9.90), 0);
    refused(price(9.90), -1);
    refused(Price{}, 5);
    refused(Price{-100}, 5);
    refused(price(9.90) + Price{1}, 5);
}

TEST(BustedTradesOfADay, AreBounded) {
    Market market;
    for (std::uint64_t trade = 1; trade <= 129; ++trade) {
        market.sell(bob, 1, at(10.00));
        market.buy(alice, 1, at(10.00));
        Command command = BustedTrades::bust();
        command.quantity = Quantity{1};
        command.bust.trade = {trade};
        const Outcome outcome = market.apply(command);
        if (trade > 128)
            outcome.expect_rejected(Reason::busts_full);
        else
            EXPECT_EQ(outcome.count(EventKind::trade_busted), 2U);
    }
}

}  // namespace
}  // namespace damrak::busted_trade_test
