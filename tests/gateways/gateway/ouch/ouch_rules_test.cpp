// The messages to users of OUCH about auctions, phases, pegged orders and busted trades.
#include <gtest/gtest.h>

#include "support/ouch_user.hpp"

namespace damrak::gateway::ouch::ouch_rules_test {
namespace {

TEST_F(OuchOrdersTest, an_execution_in_an_auction_names_its_cross) {
    constexpr std::size_t k_liquidity = 25;
    enter(orders_, 1);
    std::int64_t left = 100;
    const auto liquidity = [&](CallKind call, EventFlags::Bits flags) {
        tell(orders_, uncrossed(call), {}, {});
        Event executed = order_event(EventKind::executed, 1, left -= 10);
        executed.quantity = {10};
        executed.flags = flags;
        tell(orders_, executed, {}, {});
        return last_byte(orders_, k_liquidity);
    };
    EXPECT_EQ(liquidity(CallKind::opening, EventFlags::k_cross), 'O');
    EXPECT_EQ(liquidity(CallKind::closing, EventFlags::k_cross | EventFlags::k_aggressor), 'C');
    EXPECT_EQ(liquidity(CallKind::interruption, EventFlags::k_cross), 'H');
    EXPECT_EQ(liquidity(CallKind::reopening, EventFlags::k_cross | EventFlags::k_hidden), 'H');
    EXPECT_EQ(liquidity(CallKind::intraday, EventFlags::k_cross), 'I');
    EXPECT_EQ(liquidity(CallKind::intraday, EventFlags::k_aggressor), 'R');
    EXPECT_EQ(liquidity(CallKind::intraday, {}), 'A');
}

TEST_F(OuchOrdersTest, a_busted_trade_is_told_to_both_sides_after_their_orders_ended) {
    const auto execute = [&](std::uint64_t id, std::uint64_t trade) {
        Event executed = order_event(EventKind::executed, id, 0);
        executed.quantity = {100};
        executed.reference = trade;
        tell(orders_, executed, {}, {});
    };
    const auto bust = [&](std::uint64_t trade, EventFlags::Bits flags, ParticipantId participant) {
        Event busted = order_event(EventKind::trade_busted, 1, 0);
        busted.participant = participant;
        busted.reference = trade;
        busted.flags = flags;
        tell(orders_, busted, {}, {});
    };
    constexpr std::size_t k_last_of_user_ref = 12;
    constexpr std::size_t k_reason = 21;
    constexpr std::size_t k_cl_ord_id = 22;
    enter(orders_, 1);
    enter(orders_, 2);
    execute(1, 70);
    execute(2, 70);
    EXPECT_EQ(letters(orders_), "SAAEE");
    bust(70, {}, {3});
    EXPECT_EQ(letters(orders_), "SAAEEB");
    EXPECT_EQ(last_byte(orders_, k_last_of_user_ref), '\x01');
    EXPECT_EQ(last_byte(orders_, k_reason), 'S');
    EXPECT_EQ(last_byte(orders_, k_cl_ord_id), 'C');
    bust(70, EventFlags::k_aggressor, {3});
    EXPECT_EQ(letters(orders_), "SAAEEBB");
    EXPECT_EQ(last_byte(orders_, k_last_of_user_ref), '\x02');
    bust(71, {}, {3});
    bust(70, {}, {4});
    EXPECT_EQ(letters(orders_), "SAAEEBB") << "of other trades, or of others";
    Event corrected = order_event(EventKind::trade_corrected, 1, 100);
    corrected.participant = {3};
    corrected.reference = 70;
    tell(orders_, corrected, {}, {});
    EXPECT_EQ(letters(orders_), "SAAEEBBB") << "there is no message with new terms";
}

TEST_F(OuchOrdersTest, a_busted_trade_of_4_2_has_the_token) {
    log_in(Version::v42);
    const wire::ouch::v42::EnterOrder message = order_of_v42(*Token::from("FIRST"));
    tell(orders_, order_event(EventKind::accepted, 1, 100), RequestKind::enter, bytes_of(message));
    Event event = order_event(EventKind::executed, 1, 0);
    event.quantity = {100};
    event.reference = 70;
    tell(orders_, event, {}, {});
    event.kind = EventKind::trade_busted;
    tell(orders_, event, {}, {});
    EXPECT_EQ(letters(orders_), "SAEB");
    constexpr std::size_t k_token = 9;
    EXPECT_EQ(last_byte(orders_, k_token), 'F');
}

TEST_F(OuchOrdersTest, a_self_trade_that_is_prevented_is_told_with_what_it_would_have_been) {
    const auto big_endian = [this](std::size_t at, std::size_t bytes) {
        std::uint64_t value = 0;
        for (std::size_t i = at; i < at + bytes; ++i)
            value = value << 8U | static_cast<unsigned char>(last_byte(orders_, i));
        return value;
    };
    // One command: the order comes in, and loses, or what it meets does, or both.
    const auto prevent = [&](std::uint32_t ref, SelfTradePrevention rule, std::uint64_t order,
                             std::int64_t quantity, std::int64_t remaining) {
        Event cancelled = order_event(EventKind::cancelled, order, remaining);
        cancelled.reason = Reason::self_trade;
        cancelled.quantity = {quantity};
        orders_.apply(cancelled,
                      {.session = k_user,
                       .inbound_sequence = sequence_,
                       .tag = OuchTag{.kind = RequestKind::enter, .self_trade = rule}.tag()},
                      {}, {{sequence_}, {1}});
        EXPECT_EQ(letters(orders_).back(), 'D');
        EXPECT_EQ(big_endian(9, 4), ref);
        EXPECT_EQ(big_endian(13, 4), static_cast<std::uint64_t>(quantity));
        EXPECT_EQ(last_byte(orders_, 17), 'Q');
    };
    const auto expect_trade = [&](std::uint64_t quantity, std::uint64_t price,
                                  std::string_view ends) {
        EXPECT_EQ(big_endian(18, 4), quantity);
        EXPECT_EQ(big_endian(22, 8), price);
        EXPECT_EQ(last_byte(orders_, 30), ends[0]);
        EXPECT_EQ(last_byte(orders_, 31), ends[1]);
    };
    using enum SelfTradePrevention;
    enter(orders_, 1);
    enter(orders_, 2);
    prevent(1, decrement_and_cancel, 1, 60, 40);
    expect_trade(60, 1'000'000, "AD");
    prevent(2, decrement_and_cancel, 2, 60, 40);
    expect_trade(60, 1'000'000, "RD");
    enter(orders_, 3);
    prevent(1, cancel_oldest, 1, 40, 0);
    expect_trade(40, 1'000'000, "AO");
    enter(orders_, 4);
    prevent(4, cancel_newest, 4, 100, 0);
    expect_trade(0, 0, "RN");
    // By an order of another gateway.
    ++sequence_;
    prevent(3, none, 3, 100, 0);
    expect_trade(0, 0, "A ");
}

TEST_F(OuchOrdersTest, a_pegged_order_keeps_its_limit) {
    const auto entered = [&](std::uint32_t ref, std::uint64_t price_e4) {
        v50::EnterOrder message{.user_ref = ref,
                                .side = 'B',
                                .quantity = 100,
                                .symbol = *session::ouch::Symbol::from("AAPL"),
                                .price_e4 = price_e4,
                                .time_in_force = '0',
                                .display = 'N',
                                .capacity = 'A',
                                .iso = 'N',
                                .cross_type = 'N',
                                .cl_ord_id = *Token::from("C"),
                                .appendage = {}};
        message.appendage.add(wire::ouch::Option::price_type, 'R');
        tell(orders_, order_event(EventKind::accepted, ref, 100), RequestKind::enter,
             bytes_of(message));
        return orders_.find(1, session::ouch::token_of(ref));
    };
    EXPECT_EQ(entered(1, 1'000'500)->price, Price{1'000'500});
    EXPECT_EQ(entered(2, 0x7FFF'FFFF)->price, Price{});
    Event smaller = order_event(EventKind::replaced, 1, 50);
    smaller.reference = 1;
    tell(orders_, smaller, RequestKind::cancel, {});
    EXPECT_EQ(letters(orders_), "SAAC") << "it keeps its place";
    EXPECT_EQ(orders_.find(1, session::ouch::token_of(1))->price, Price{1'000'500});
}

TEST_F(OuchOrdersTest, what_a_phase_does_not_allow_leaves_the_order_as_it_is) {
    enter(orders_, 1);
    Event refused = order_event(EventKind::rejected, 1, 0);
    refused.reason = Reason::not_in_phase;
    tell(orders_, refused, {}, {});
    EXPECT_EQ(letters(orders_), "SAI") << "of a whole cancel, which has no request of its own";
    tell(orders_, refused, RequestKind::modify, {});
    EXPECT_EQ(letters(orders_), "SAII");
    const v50::ReplaceOrder message{.orig_user_ref = 1,
                                    .user_ref = 2,
                                    .quantity = 50,
                                    .price_e4 = 1'000'100,
                                    .time_in_force = '0',
                                    .display = 'Y',
                                    .iso = 'N',
                                    .cl_ord_id = *Token::from("D"),
                                    .appendage = {}};
    tell(orders_, refused, RequestKind::replace, bytes_of(message));
    EXPECT_EQ(letters(orders_), "SAIIJ");
    EXPECT_TRUE(orders_.is_taken(1, *Token::from("2")));
    EXPECT_NE(orders_.find(1, *Token::from("1")), nullptr);
    refused.reason = Reason::unknown_order;
    tell(orders_, refused, RequestKind::cancel, {});
    EXPECT_EQ(letters(orders_), "SAIIJ");
}

}  // namespace
}  // namespace damrak::gateway::ouch::ouch_rules_test
