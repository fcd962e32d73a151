// The UDP gateway as its senders know it: the public formats with their trades, and what becomes of
// duplicates, gaps, garbage and floods.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/udp_exchange.hpp"

namespace damrak::testing::gateway_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using wire::packet::Action;
using wire::packet::Fault;
using wire::packet::Format;
using Order = wire::packet::Order;

Order buy(std::uint64_t name, std::uint32_t quantity, std::uint32_t price_e2) {
    return {.name = {name}, .price_e2 = price_e2, .quantity = quantity, .side = Side::buy};
}
Order sell(std::uint64_t name, std::uint32_t quantity, std::uint32_t price_e2) {
    return {.name = {name}, .price_e2 = price_e2, .quantity = quantity, .side = Side::sell};
}
Order cancel(std::uint64_t name) { return {.name = {name}, .action = Action::cancel}; }
Order modify(Order order) {
    order.action = Action::modify;
    return order;
}

TEST(UdpGateway, BothSidesOfATradeGetTheirOwnIds) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    UdpSender& bob = exchange.sender(4'002);
    alice.send(sell(11, 100, 10'050));
    bob.send(buy(22, 60, 10'060), Format::words);
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 0 11 60@10050"));
    EXPECT_THAT(bob.heard(), ElementsAre("trade 22 0 60@10050"));
}

TEST(UdpGateway, ATradeIsSixteenBytesBigEndian) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    alice.send_bytes(from_hex("00000001 0000002a 00002742 00000064 01 00"));
    alice.send_bytes(from_hex("02000000 2b000000 42270000 0a000000 01000000 01000000"));
    exchange.run();
    EXPECT_THAT(alice.heard_bytes(), ElementsAre(from_hex("0000002b 0000002a 00002742 0000000a")));
}

TEST(UdpGateway, ASelfTradeIsReportedOnceWithBothIds) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    alice.send(sell(1, 5, 10'000));
    alice.send(buy(2, 5, 10'000));
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 2 1 5@10000"));
}

TEST(UdpGateway, AnOrderAcrossLevelsTradesInTheOrderOfPriceAndThenOfTime) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    alice.send(sell(1, 5, 10'001));
    alice.send(sell(2, 5, 10'000));
    alice.send(sell(3, 5, 10'000));
    alice.send(buy(4, 12, 10'002));
    exchange.run();
    EXPECT_THAT(alice.heard(),
                ElementsAre("trade 4 2 5@10000", "trade 4 3 5@10000", "trade 4 1 2@10001"));
}

TEST(UdpGateway, CancelledOrdersDoNotTradeAndTheirIdsAreFree) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    alice.send(sell(1, 5, 10'000));
    alice.send(cancel(1));
    alice.send(buy(2, 5, 10'000));
    alice.send(sell(1, 3, 10'000));
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 2 1 3@10000"));
    EXPECT_EQ(exchange.gateway().counters().refused, 0U);
}

TEST(UdpGateway, FilledOrdersLeaveTheirIdsFree) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    UdpSender& bob = exchange.sender(4'002);
    for (int i = 0; i < 2; ++i) {
        alice.send(sell(1, 5, 10'000));
        bob.send(buy(1, 2, 10'000));
        bob.send(buy(2, 3, 10'000));
        exchange.run();
        EXPECT_THAT(alice.heard(), ElementsAre("trade 0 1 2@10000", "trade 0 1 3@10000"));
        EXPECT_EQ(exchange.gateway().clients().orders(), 0U);
    }
    EXPECT_EQ(exchange.gateway().counters().refused, 0U);
}

TEST(UdpGateway, AModifiedOrderHasThePriceAndTheOpenQuantityThatItSays) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    alice.send(sell(1, 10, 10'000));
    alice.send(buy(2, 4, 10'000));
    alice.send(modify(sell(1, 9, 9'990)));
    alice.send(buy(3, 100, 9'995));
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 2 1 4@10000", "trade 3 1 9@9990"));
}

TEST(UdpGateway, TheIdsOfOneSenderAreNotThoseOfAnother) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    UdpSender& bob = exchange.sender(4'002);
    alice.send(sell(1, 5, 10'000));
    bob.send(cancel(1));
    bob.send(buy(1, 5, 10'000));
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 0 1 5@10000"));
    EXPECT_THAT(bob.heard(), ElementsAre("trade 1 0 5@10000"));
    EXPECT_EQ(exchange.gateway().counters().refused, 1U) << "it had no such order";
}

TEST(UdpGateway, OrdersOfOtherGatewaysAreZeroInATrade) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    alice.send(sell(7, 5, 10'000));
    exchange.run();
    Command other{};
    other.kind = CommandKind::new_order;
    other.side = Side::buy;
    other.instrument = InstrumentId{1};
    other.participant = ParticipantId{50};
    other.price = Price{1'000'000};
    other.quantity = Quantity{2};
    exchange.apply(other);
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 0 7 2@10000"));
}

TEST(UdpGateway, DuplicatesAreDroppedHoweverLateTheyCome) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    const Order first{
        .sequence = 1, .name = {1}, .price_e2 = 10'000, .quantity = 5, .side = Side::sell};
    alice.send_as_numbered(first);
    alice.send_as_numbered(first);
    for (std::uint32_t sequence = 2; sequence <= SequenceWindow::k_width; ++sequence)
        alice.send_as_numbered({.sequence = sequence,
                                .name = {sequence},
                                .price_e2 = 5'000,
                                .quantity = 1,
                                .side = Side::buy});
    alice.send_as_numbered(first, Format::words);
    exchange.run();
    EXPECT_EQ(exchange.gateway().counters().duplicates, 2U);
    EXPECT_EQ(exchange.commands(CommandKind::new_order), SequenceWindow::k_width);
    // One more, and the number is too old to check.
    alice.send_as_numbered({.sequence = SequenceWindow::k_width + 1,
                            .name = {9'000},
                            .price_e2 = 5'000,
                            .quantity = 1,
                            .side = Side::buy});
    alice.send_as_numbered(first);
    exchange.run();
    EXPECT_EQ(exchange.gateway().counters().too_old, 1U);
    EXPECT_EQ(exchange.commands(CommandKind::new_order), SequenceWindow::k_width + 1);
}

TEST(UdpGateway, GapsAreCountedAndLateOrdersAreEntered) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    alice.send_as_numbered({.sequence = 10, .name = {1}, .price_e2 = 10'000, .quantity = 1});
    alice.send_as_numbered({.sequence = 14, .name = {2}, .price_e2 = 10'000, .quantity = 1});
    alice.send_as_numbered({.sequence = 12, .name = {3}, .price_e2 = 10'000, .quantity = 1});
    exchange.run();
    const gateway::udp::UdpCounters& counters = exchange.gateway().counters();
    EXPECT_EQ(counters.gaps, 1U);
    EXPECT_EQ(counters.missing, 3U);
    EXPECT_EQ(counters.late, 1U);
    EXPECT_EQ(exchange.commands(CommandKind::new_order), 3U);
}

TEST(UdpGateway, OutOfRangeValuesAreRefusedAndCounted) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    constexpr auto k_most = std::numeric_limits<std::uint32_t>::max();
    alice.send(buy(0, 1, 10'000));  // the gateway: zero names no order
    alice.send(buy(1, 0, 10'000));  // the exchange, from here on
    alice.send(buy(2, k_most, 10'000));
    alice.send(buy(3, 1, 0));
    alice.send(buy(4, 1, k_most));
    alice.send_bytes(from_hex("00000006 00000005 00002710 00000001 07 01"));  // no such type
    alice.send_bytes(from_hex("00000007 00000005 00002710 00000001 01 02"));  // no such side
    alice.sequence = 7;
    alice.send(buy(8, 1, 10'000));
    exchange.run();
    const gateway::udp::UdpCounters& counters = exchange.gateway().counters();
    EXPECT_EQ(counters.rejected, 4U);
    EXPECT_EQ(counters.refused, 1U);
    EXPECT_EQ(counters.faults[static_cast<std::size_t>(Fault::action)], 1U);
    EXPECT_EQ(counters.faults[static_cast<std::size_t>(Fault::side)], 1U);
    EXPECT_THAT(alice.heard(), IsEmpty()) << "the public formats have no message for it";
    alice.send(sell(9, 1, 10'000));
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 8 9 1@10000"));
}

TEST(UdpGateway, RefusedOrdersLeaveTheirIdsFree) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    alice.send(buy(1, 0, 10'000));
    alice.send(buy(1, 3, 10'000));
    alice.send(buy(1, 4, 10'000));  // is open now
    alice.send(sell(2, 9, 10'000));
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 1 2 3@10000"));
    EXPECT_EQ(exchange.gateway().counters().rejected, 1U);
    EXPECT_EQ(exchange.gateway().counters().refused, 1U);
}

TEST(UdpGateway, GarbageHasNoEffectButOnTheCounters) {
    UdpExchange exchange;
    UdpSender& mallory = exchange.sender(6'666);
    for (const std::size_t length : {0U, 1U, 17U, 19U, 23U, 25U, 31U, 32U, 1'472U})
        mallory.send_bytes(Bytes(length, std::byte{0xAA}));
    exchange.run();
    EXPECT_EQ(exchange.gateway().counters().datagrams, 9U);
    EXPECT_EQ(exchange.gateway().counters().malformed(), 9U);
    EXPECT_EQ(exchange.gateway().clients().sources(), 0U);
    EXPECT_TRUE(exchange.wire().sent.empty());
}

TEST(UdpGateway, TheInstrumentOfThePublicFormatsIsTheOneItIsSetTo) {
    UdpExchange exchange{{.gateway = {.instrument = InstrumentId{2}}}};
    UdpSender& alice = exchange.sender(4'001);
    alice.send(buy(1, 5, 10'000));
    exchange.run();
    EXPECT_EQ(exchange.journal().back().command.instrument, InstrumentId{2});
    EXPECT_EQ(exchange.commands(CommandKind::session_opened), 1U);
}

TEST(UdpGateway, AFloodWaitsForTheOthersOfItsTurn) {
    UdpExchange exchange;
    UdpSender& flooder = exchange.sender(6'666);
    UdpSender& alice = exchange.sender(4'001);
    // Forty datagrams of many orders each, then one of somebody else, in one turn of the gateway.
    for (std::uint64_t i = 0; i < 40; ++i) {
        std::vector<Order> orders;
        for (std::uint64_t k = 1; k <= 20; ++k) orders.push_back(buy(20 * i + k, 1, 9'000));
        flooder.send(orders);
    }
    alice.send(sell(1, 1, 11'000));
    exchange.turn();
    std::size_t before_alice = 0;
    for (const journal::Record& record : exchange.journal()) {
        if (record.head.session == alice.session().value) break;
        before_alice += record.command.kind == CommandKind::new_order;
    }
    EXPECT_EQ(before_alice, 64U) << "its share of a turn";
    exchange.run();
    EXPECT_EQ(exchange.commands(CommandKind::new_order), 801U) << "and nothing is lost";
}

TEST(UdpGateway, TradesOfThePublicFormatsGoWhereTheyAreWanted) {
    const net::Endpoint elsewhere{.link = {}, .address = {10, 9, 8, 7}, .port = 9'001};
    const net::Endpoint same_host{.link = {}, .address = {}, .port = 9'001};
    for (const net::Endpoint& reply_to : {elsewhere, same_host}) {
        UdpExchange exchange{{.gateway = {.reply_to = reply_to}}};
        UdpSender& alice = exchange.sender(4'001);
        alice.send(sell(1, 5, 10'000));
        alice.send(buy(2, 5, 10'000));
        alice.send(buy(3, 5, 9'000), Format::extended);
        exchange.run();
        EXPECT_THAT(alice.heard(), ElementsAre("3 accepted 3 5@9000 left 5"));
        ASSERT_EQ(exchange.wire().sent.size(), 1U);
        const net::Endpoint& heard_at = exchange.wire().sent.front().end;
        EXPECT_EQ(heard_at.port, 9'001);
        EXPECT_EQ(heard_at.address,
                  reply_to == elsewhere ? elsewhere.address : alice.end().address);
        EXPECT_EQ(heard_at.link, alice.end().link);
    }
}

TEST(UdpGateway, WaitingOrdersAreNotOvertaken) {
    UdpExchange exchange{{.deferred = true}};
    UdpSender& alice = exchange.sender(4'001);
    alice.send(sell(1, 1, 10'000));
    // The exchange's order id is not known yet.
    alice.send(cancel(1));
    alice.send(sell(2, 1, 10'000));
    exchange.run();
    std::vector<CommandKind> kinds;
    for (const journal::Record& record : exchange.journal())
        if (record.head.session == alice.session().value) kinds.push_back(record.command.kind);
    EXPECT_THAT(kinds, ElementsAre(CommandKind::session_opened, CommandKind::new_order,
                                   CommandKind::cancel_order, CommandKind::new_order));
}

TEST(UdpGateway, ASenderIsHeldToItsMessagesASecond) {
    UdpExchange exchange{{.gateway = {.messages_per_second = 10, .burst_messages = 5}}};
    UdpSender& alice = exchange.sender(4'001);
    for (std::uint64_t i = 1; i <= 8; ++i) alice.send(buy(i, 1, 10'000), Format::extended);
    exchange.run();
    EXPECT_EQ(exchange.commands(CommandKind::new_order), 5U);
    EXPECT_EQ(exchange.gateway().counters().refused, 3U);
    exchange.clock.ns += 100'000'000;
    alice.send(buy(9, 1, 10'000));
    exchange.run();
    EXPECT_EQ(exchange.commands(CommandKind::new_order), 6U);
}

TEST(UdpGateway, NothingIsReportedBeforeItIsDurable) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    exchange.durable_now = journal::DurableState::not_yet;
    alice.send(sell(1, 5, 10'000));
    alice.send(buy(2, 5, 10'000));
    exchange.turn();
    EXPECT_THAT(alice.heard(), IsEmpty());
    exchange.durable_now = journal::DurableState::all;
    exchange.turn();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 2 1 5@10000"));
}

TEST(UdpGateway, RepliesRefusedByTheKernelAreSentLater) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    exchange.wire().room = 2;
    exchange.wire().takes = false;
    for (std::uint64_t i = 0; i < 5; ++i) {
        alice.send(sell(2 * i + 1, 1, 10'000));
        alice.send(buy(2 * i + 2, 1, 10'000));
    }
    exchange.turn();
    EXPECT_THAT(alice.heard(), IsEmpty());
    exchange.wire().takes = true;
    exchange.run();
    EXPECT_EQ(alice.heard().size(), 5U);
    EXPECT_EQ(exchange.gateway().counters().replies_lost, 0U);
}

}  // namespace
}  // namespace damrak::testing::gateway_test
