// The extended format of the UDP gateway: every request is answered, with the number that it had.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/udp_exchange.hpp"

namespace damrak::testing::extended_test {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using wire::packet::Action;
using wire::packet::Format;
using wire::packet::Terms;
using Order = wire::packet::Order;

Order buy(std::uint64_t name, std::uint32_t quantity, std::uint32_t price_e2) {
    return {.name = {name}, .price_e2 = price_e2, .quantity = quantity, .side = Side::buy};
}
Order sell(std::uint64_t name, std::uint32_t quantity, std::uint32_t price_e2) {
    return {.name = {name}, .price_e2 = price_e2, .quantity = quantity, .side = Side::sell};
}
Order changed(Order order, Action action) {
    order.action = action;
    return order;
}

struct UdpExtended : ::testing::TestWithParam<bool> {
    UdpExchange exchange{{.deferred = GetParam()}};
    UdpSender& alice = exchange.sender(4'001);
    UdpSender& bob = exchange.sender(4'002);
};

TEST_P(UdpExtended, OrdersAreAcceptedExecutedModifiedAndCancelled) {
    alice.send({sell(1, 10, 10'000), sell(2, 10, 10'010)});
    exchange.run();
    EXPECT_THAT(alice.heard(),
                ElementsAre("1 accepted 1 10@10000 left 10", "2 accepted 2 10@10010 left 10"));
    bob.send(buy(1, 4, 10'000), Format::extended);
    exchange.run();
    EXPECT_THAT(bob.heard(),
                ElementsAre("1 accepted 1 4@10000 left 4", "1 executed 1 4@10000 left 0"));
    EXPECT_THAT(alice.heard(), ElementsAre("1 executed 1 4@10000 left 6"));
    alice.send(
        {changed(sell(1, 8, 10'020), Action::modify), changed(sell(2, 0, 0), Action::cancel)});
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("3 modified 1 0@10020 left 8",
                                           "4 cancelled 2 10@10010 left 0 reason 64"));
    bob.send(buy(2, 8, 10'020), Format::extended);
    exchange.run();
    // The number of the last change, from then on.
    EXPECT_THAT(alice.heard(), ElementsAre("3 executed 1 8@10020 left 0"));
    EXPECT_EQ(alice.missed(), 0U);
}

TEST_P(UdpExtended, ARefusalSaysWhy) {
    const auto reason = [](auto value) { return std::to_string(static_cast<unsigned>(value)); };
    alice.send({buy(0, 1, 100), buy(1, 0, 100), buy(2, 5, 100), buy(2, 5, 100),
                changed(buy(9, 0, 0), Action::cancel), changed(sell(2, 5, 100), Action::modify)});
    exchange.run();
    EXPECT_THAT(alice.heard(),
                ::testing::UnorderedElementsAre(
                    "1 rejected 0 1@100 left 0 reason " + reason(Reason::invalid_order_id),
                    "2 rejected 1 0@100 left 0 reason " + reason(Reason::invalid_quantity),
                    "3 accepted 2 5@100 left 5",
                    "4 rejected 2 5@100 left 0 reason " + reason(Reason::duplicate_order_id),
                    "5 rejected 9 0@0 left 0 reason " + reason(Reason::unknown_order),
                    "6 rejected 2 5@100 left 0 reason " + reason(Reason::invalid_side)));
}

TEST_P(UdpExtended, ACancelRightBehindItsOrderFindsIt) {
    alice.send({sell(1, 10, 10'000), changed(sell(1, 5, 10'001), Action::modify),
                changed(sell(1, 0, 0), Action::cancel), sell(1, 7, 10'002)});
    exchange.run();
    EXPECT_THAT(
        alice.heard(),
        ElementsAre("1 accepted 1 10@10000 left 10", "2 modified 1 0@10001 left 5",
                    "3 cancelled 1 5@10001 left 0 reason 64", "4 accepted 1 7@10002 left 7"));
}

TEST_P(UdpExtended, MarketAndImmediateOrdersAndAnotherInstrument) {
    alice.send(sell(1, 5, 10'000), Format::extended);
    Order market = buy(2, 8, 0);
    market.type = OrderType::market;
    market.time_in_force = TimeInForce::ioc;
    alice.send(market, Format::extended);
    Order elsewhere = buy(3, 5, 10'000);
    elsewhere.instrument = InstrumentId{2};
    alice.send(elsewhere, Format::extended);
    elsewhere.name = {4};
    elsewhere.instrument = InstrumentId{9};
    alice.send(elsewhere, Format::extended);
    exchange.run();
    // The gateway itself refuses what is for no instrument.
    EXPECT_THAT(
        alice.heard(),
        UnorderedElementsAre("1 accepted 1 5@10000 left 5", "2 accepted 2 8@0 left 8",
                             "1 executed 1 5@10000 left 0", "2 executed 2 5@10000 left 3",
                             "2 cancelled 2 3@0 left 0 reason 65", "3 accepted 3 5@10000 left 5",
                             "4 rejected 4 5@10000 left 0 reason 3"));
}

TEST_P(UdpExtended, EveryFieldOfAnOrderIsEntered) {
    alice.send({{.name = {1'234'567'890'123},
                 .price_e2 = 10'200,
                 .quantity = 7,
                 .stop_price_e2 = 10'100,
                 .expire_s = 1'000'000,
                 .instrument = InstrumentId{2},
                 .side = Side::sell,
                 .type = OrderType::stop_limit,
                 .time_in_force = TimeInForce::gtd}});
    exchange.run();
    const Command& entered = exchange.journal().back().command;
    EXPECT_EQ(entered.kind, CommandKind::new_order);
    EXPECT_EQ(entered.client_order_id.value, 1'234'567'890'123U);
    EXPECT_EQ(entered.price.value, 1'020'000);
    EXPECT_EQ(entered.quantity.value, 7);
    EXPECT_EQ(entered.order.stop_price.value, 1'010'000);
    EXPECT_EQ(entered.order.expire_time.value, 1'000'000'000'000'000);
    EXPECT_EQ(entered.instrument.value, 2U);
    EXPECT_EQ(entered.side, Side::sell);
    EXPECT_EQ(entered.order_type, OrderType::stop_limit);
    EXPECT_EQ(entered.time_in_force, TimeInForce::gtd);
}

TEST_P(UdpExtended, OrderTypesOfItsOwnAreTermsOfTheOrder) {
    std::uint64_t names = 0;
    const auto entered = [&](Terms terms, std::uint32_t price_e2, std::uint32_t second_e2) {
        alice.send({{.name = {++names},
                     .price_e2 = price_e2,
                     .quantity = 7,
                     .stop_price_e2 = second_e2,
                     .side = Side::sell,
                     .terms = terms}});
        exchange.run();
        return exchange.journal().back().command;
    };
    Command command = entered(Terms::to_limit, 0, 0);
    EXPECT_EQ(command.order_type, OrderType::market);
    EXPECT_EQ(command.flags, CommandFlags::k_to_limit);
    command = entered(Terms::trailing_stop, 0, 50);
    EXPECT_EQ(command.order_type, OrderType::stop);
    EXPECT_EQ(command.flags, CommandFlags::k_trailing);
    EXPECT_EQ(command.order.offset, Price{5'000});
    EXPECT_EQ(command.order.stop_price, Price{});
    command = entered(Terms::trailing_stop_limit, 9'900, 50);
    EXPECT_EQ(command.order_type, OrderType::stop_limit);
    command = entered(Terms::primary_peg, 9'900, 3);
    EXPECT_EQ(command.order_type, OrderType::limit);
    EXPECT_EQ(command.flags, CommandFlags::k_pegged | CommandFlags::k_hidden);
    EXPECT_EQ(command.order.peg, PegReference::primary);
    EXPECT_EQ(command.order.offset, Price{300});
    command = entered(Terms::market_peg, 0, 3);
    EXPECT_EQ(command.order_type, OrderType::market);
    EXPECT_EQ(command.order.peg, PegReference::market);
    EXPECT_EQ(entered(Terms::midpoint_peg, 0, 0).order.peg, PegReference::midpoint);
    command = entered(Terms::imbalance_only, 9'900, 0);
    EXPECT_EQ(command.order_type, OrderType::limit);
    EXPECT_EQ(command.flags, CommandFlags::k_imbalance_only);
}

TEST_P(UdpExtended, RepeatedNumbersAreRefusedAndBeginLetsThemComeAgain) {
    alice.send(buy(1, 1, 100), Format::extended);
    alice.sequence = 0;
    alice.send(buy(2, 1, 100), Format::extended);
    exchange.run();
    // The gateway's own answers do not wait for those of the exchange.
    EXPECT_THAT(alice.heard(),
                ::testing::UnorderedElementsAre("1 accepted 1 1@100 left 1",
                                                "1 rejected 2 1@100 left 0 reason 200"));
    alice.begin(0);
    alice.send(buy(2, 1, 100), Format::extended);
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("0 begun 0 0@0 left 0", "1 accepted 2 1@100 left 1"));
    // The network delivers the begin once more: what came behind it stays known.
    alice.begin(0);
    alice.send(buy(3, 1, 100), Format::extended);
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("0 rejected 0 0@0 left 0 reason 200",
                                           "1 rejected 3 1@100 left 0 reason 200"));
}

TEST_P(UdpExtended, ABeginOfBeforeThatComesLateOpensNothing) {
    for (const std::uint32_t behind : {100U, 200U, 300U, 400U}) alice.begin(behind);
    alice.send(buy(1, 1, 100), Format::extended);
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("100 begun 0 0@0 left 0", "200 begun 0 0@0 left 0",
                                           "300 begun 0 0@0 left 0", "400 begun 0 0@0 left 0",
                                           "401 accepted 1 1@100 left 1"));
    alice.begin(100);
    alice.sequence = 400;
    alice.send(buy(2, 1, 100), Format::extended);
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("100 rejected 0 0@0 left 0 reason 200",
                                           "401 rejected 2 1@100 left 0 reason 200"));
}

TEST_P(UdpExtended, SenderInBothFormatsHearsOfEachOrderInItsOwn) {
    alice.send(sell(1, 5, 10'000));
    alice.send(buy(2, 2, 10'000), Format::extended);
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("2 accepted 2 2@10000 left 2",
                                           "2 executed 2 2@10000 left 0", "trade 2 1 2@10000"));
}

TEST_P(UdpExtended, ManyRepliesShareADatagram) {
    std::vector<Order> orders;
    for (std::uint64_t i = 1; i <= 40; ++i) orders.push_back(buy(i, 1, 100));
    alice.send(orders);
    exchange.run();
    EXPECT_EQ(exchange.wire().sent.size(), 2U);
    EXPECT_EQ(exchange.wire().sent.front().bytes.size(), 16U + 26U * 56U);
    EXPECT_EQ(alice.heard().size(), 40U);
    EXPECT_EQ(alice.replies(), 40U);
    EXPECT_EQ(alice.missed(), 0U);
}

TEST_P(UdpExtended, RepliesOfTwoSendersHaveSeparateDatagrams) {
    bob.send(buy(1, 1, 100), Format::extended);
    exchange.run();
    EXPECT_THAT(bob.heard(), ElementsAre("1 accepted 1 1@100 left 1"));
    // The first reply to her, and the second to him.
    alice.send(buy(1, 1, 100), Format::extended);
    bob.send(buy(2, 1, 100), Format::extended);
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("1 accepted 1 1@100 left 1"));
    EXPECT_THAT(bob.heard(), ElementsAre("2 accepted 2 1@100 left 1"));
}

TEST_P(UdpExtended, OrdersWaitWhereTheExchangeHasNoRoomAndKeepTheirOrder) {
    UdpExchange narrow{{.deferred = GetParam(), .queue_commands = 4}};
    UdpSender& carol = narrow.sender(4'003);
    for (std::uint64_t i = 1; i <= 300; ++i) carol.send(buy(i, 1, 100), Format::extended);
    narrow.run();
    const auto heard = carol.heard();
    ASSERT_EQ(heard.size(), 300U);
    for (std::size_t i = 0; i < heard.size(); ++i)
        EXPECT_EQ(heard[i].substr(0, heard[i].find(" 1@")),
                  std::to_string(i + 1) + " accepted " + std::to_string(i + 1));
}

TEST_P(UdpExtended, ABurstOfFullDatagramsIsAccepted) {
    // Two turns of as many as they may bring.
    for (std::uint64_t first = 1; first <= 5'760; first += 45) {
        std::vector<Order> orders;
        for (std::uint64_t i = first; i < first + 45; ++i) orders.push_back(buy(i, 1, 100));
        alice.send(orders);
    }
    bob.send(buy(1, 1, 100), Format::extended);
    exchange.run();
    EXPECT_EQ(exchange.commands(CommandKind::new_order), 5'761U);
    EXPECT_EQ(exchange.gateway().counters().refused, 0U);
    EXPECT_EQ(exchange.gateway().counters().busy, 0U);
}

TEST(UdpBusy, OrdersWithoutSpaceAreDeferredAndMayBeSentAgain) {
    UdpExchange narrow{{.deferred = true, .queue_commands = 100}};
    UdpSender& carol = narrow.sender(4'003);
    constexpr std::uint32_t k_orders = 216 * 45;
    for (std::uint64_t first = 1; first <= k_orders; first += 45) {
        std::vector<Order> orders;
        for (std::uint64_t i = first; i < first + 45; ++i) orders.push_back(buy(i, 1, 100));
        carol.send(orders);
    }
    narrow.run();
    std::vector<std::uint32_t> again;
    std::size_t accepted = 0;
    for (const std::string& line : carol.heard()) {
        const auto number = static_cast<std::uint32_t>(std::stoul(line));
        if (line.find("accepted") != std::string::npos)
            ++accepted;
        else if (line.ends_with("reason 206"))
            again.push_back(number);
        else
            ADD_FAILURE() << line;
    }
    EXPECT_EQ(accepted + again.size(), k_orders);
    EXPECT_GT(again.size(), 0U);
    EXPECT_LT(again.size(), SequenceWindow::k_width);
    EXPECT_EQ(narrow.gateway().counters().busy, again.size());
    EXPECT_EQ(narrow.gateway().counters().refused, 0U);
    for (const std::uint32_t number : again) {
        Order order = buy(number, 1, 100);
        order.sequence = number;
        carol.send_as_numbered(order, Format::extended);
    }
    narrow.run();
    EXPECT_EQ(narrow.commands(CommandKind::new_order), k_orders);
    EXPECT_EQ(narrow.gateway().counters().duplicates, 0U);
}

TEST(UdpBusy, AFullSenderLeavesSpaceForOthers) {
    UdpExchange narrow{{.deferred = true, .queue_commands = 100}};
    UdpSender& flooder = narrow.sender(6'666);
    UdpSender& alice = narrow.sender(4'001);
    for (std::uint64_t first = 1; first <= 300 * 45; first += 45) {
        std::vector<Order> orders;
        for (std::uint64_t i = first; i < first + 45; ++i) orders.push_back(buy(i, 1, 100));
        flooder.send(orders);
        alice.send(buy(first, 1, 100), Format::extended);
    }
    narrow.run();
    EXPECT_GT(narrow.gateway().counters().busy, 0U);
    for (const std::string& line : alice.heard())
        EXPECT_NE(line.find("accepted"), std::string::npos) << line;
}

INSTANTIATE_TEST_SUITE_P(Answers, UdpExtended, ::testing::Values(false, true),
                         [](const auto& wiring) { return wiring.param ? "Later" : "AtOnce"; });

}  // namespace
}  // namespace damrak::testing::extended_test
