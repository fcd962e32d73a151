// The life cycle of orders: validity, time in force, cancel and modify, owners, self-trades, and
// trade messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/binary_exchange.hpp"

namespace damrak::testing::binary_orders_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using wire::binary::CancelOrder;
using wire::binary::ClientId;
using wire::binary::ModifyOrder;
using wire::binary::NewOrder;
using wire::binary::Version;

constexpr std::uint64_t k_minus_one = ~std::uint64_t{0};

struct BinaryOrders : ::testing::Test {
    BinaryExchange exchange;
    BinaryClient& v1 = entered(Version::v1);
    BinaryClient& v2 = entered(Version::v2);
    BinaryClient& other = entered(Version::v1);

    BinaryClient& entered(Version version) {
        BinaryClient& client = exchange.connect(version);
        client.hello();
        client.heard_bytes();
        return client;
    }
    template <class F>
    static std::vector<std::string> answer(BinaryClient& client, F change) {
        NewOrder order = client.order_of(0, 10, 100);
        change(order);
        client.send(order);
        return client.heard();
    }
};

TEST_F(BinaryOrders, Version1RejectsInvalidOrders) {
    const auto refusal = ElementsAre("order_ack 2 #0 10@0");
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.price_e2 = 0; }), refusal);
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.price_e2 = k_minus_one; }), refusal);
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.price_e2 = k_minus_one / 200 + 1; }), refusal)
        << "the quantity would overflow";
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.price_e2 = 20'000'000; }), refusal)
        << "above the instrument's maximum";
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.instrument = InstrumentId{3}; }), refusal);
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.instrument = InstrumentId{0}; }), refusal);
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.time_in_force = 1; }), refusal);
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.client_id = ClientId{3}; }), refusal);
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.quantity = 0; }), ElementsAre("order_ack 2 #0 0@0"));
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.quantity = k_minus_one; }),
                ElementsAre("order_ack 2 #0 18446744073709551615@0"));
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.order_type = 1; }),
                ElementsAre("order_ack 2 #0 0@0"))
        << "a market order with a price";
    v1.buy(10, 100);
    EXPECT_THAT(v1.heard(), ElementsAre("order_ack 1 #1 10@100")) << "rejects used no id";
}

TEST_F(BinaryOrders, Version1TreatsAnyOtherSideAsSellAndAnyOtherTypeAsMarket) {
    v1.buy(10, 100);
    EXPECT_THAT(answer(other, [](NewOrder& o) { o.side = 9; }),
                ElementsAre("order_ack 1 #2 10@100", "trade 1 #2 10@100"));
    EXPECT_THAT(answer(other,
                       [](NewOrder& o) {
                           o.order_type = 9;
                           o.price_e2 = 0;
                       }),
                ElementsAre("order_ack 1 #3 0@0"));
}

TEST_F(BinaryOrders, Version2RejectsInvalidOrdersAndEachUsesANumber) {
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.price_e2 = 0; }),
                ElementsAre("order_ack 2 #0 10@0 named 1"));
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.quantity = 0; }),
                ElementsAre("order_ack 2 #0 0@0 named 2"));
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.quantity = k_minus_one; }),
                ElementsAre("order_ack 2 #0 18446744073709551615@0 named 3"));
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.price_e2 = k_minus_one; }),
                ElementsAre("order_ack 2 #0 10@0 named 4"));
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.side = 2; }),
                ElementsAre("order_ack 2 #0 10@0 named 5"));
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.order_type = 3; }),
                ElementsAre("order_ack 2 #0 10@0 named 6"));
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.time_in_force = 7; }),
                ElementsAre("order_ack 2 #0 10@0 named 7"));
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.instrument = InstrumentId{9}; }),
                ElementsAre("order_ack 2 #0 10@0 named 8"));
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.client_id = ClientId{1}; }),
                ElementsAre("order_ack 2 #0 10@0 named 9"));
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.order_type = 1; }),
                ElementsAre("order_ack 2 #0 10@0 named 10"));
    v2.buy(10, 100);
    EXPECT_THAT(v2.heard(), ElementsAre("order_ack 1 #11 10@100 named 11"));
}

TEST_F(BinaryOrders, Version2HasMarketOrdersWhoseRestIsALimitOrder) {
    other.sell(4, 100);
    const auto to_limit = [](NewOrder& o) {
        o.order_type = 2;
        o.price_e2 = 0;
    };
    EXPECT_THAT(answer(v2, to_limit),
                ElementsAre("order_ack 3 #2 6@100 named 1", "trade 1 #2 4@100 named 1"));
    other.sell(6, 100);
    EXPECT_THAT(v2.heard(), ElementsAre("trade 2 #2 6@100 named 1"));
    EXPECT_THAT(answer(v2, to_limit), ElementsAre("order_ack 2 #0 10@0 named 2"))
        << "nobody offers any more";
}

TEST_F(BinaryOrders, ARejectRepeatsTheRequestedInstrument) {
    NewOrder order = v2.order_of(0, 10, 100);
    order.instrument = InstrumentId{9};
    v2.send(order);
    EXPECT_THAT(v2.heard_hex(),
                ElementsAre("0b020038 00000002 00000002 00000000 00000000 00000002 00000000 "
                            "00000000 00000000 00000001 00000000 00000000 00000000 0000000a "
                            "00000000 000003e8 00000009 02000000"));
}

TEST_F(BinaryOrders, TheSecondInstrumentCountsItsOwnOrders) {
    v1.buy(1, 100);
    EXPECT_THAT(answer(v1, [](NewOrder& o) { o.instrument = InstrumentId{2}; }),
                ElementsAre("order_ack 1 #1 1@100", "order_ack 1 #1099511627777 10@100"));
    v1.cancel(1'099'511'627'777);
    EXPECT_THAT(v1.heard(), ElementsAre("cancel_ack 1 #1099511627777"));
}

TEST_F(BinaryOrders, Version1AcknowledgesMarketOrdersWithoutQuantityAndPrice) {
    const auto market = [](NewOrder& o) {
        o.order_type = 1;
        o.price_e2 = 0;
    };
    EXPECT_THAT(answer(v1, market), ElementsAre("order_ack 1 #1 0@0")) << "into an empty book";
    other.sell(4, 100);
    EXPECT_THAT(answer(v1, market), ElementsAre("order_ack 1 #3 0@0", "trade 1 #3 4@100"));
    v1.cancel(3);
    EXPECT_THAT(v1.heard(), ElementsAre("cancel_ack 3 #3")) << "the remainder never rests";
}

TEST_F(BinaryOrders, Version2ReportsTheOutcomeInTheAcknowledgement) {
    const auto market = [](NewOrder& o) {
        o.order_type = 1;
        o.price_e2 = 0;
    };
    EXPECT_THAT(answer(v2, market), ElementsAre("order_ack 5 #1 10@0 named 1"))
        << "nothing was done";
    other.sell(4, 100);
    EXPECT_THAT(answer(v2, market),
                ElementsAre("order_ack 3 #3 6@0 named 2", "trade 1 #3 4@100 named 2"))
        << "partly done";
    other.sell(4, 100);
    EXPECT_THAT(answer(v2, [](NewOrder& o) { o.price_e2 = 110; }),
                ElementsAre("order_ack 3 #5 6@110 named 3", "trade 2 #5 4@100 named 3"))
        << "the price is the order's own, not that of the trade";
    other.sell(6, 110);
    EXPECT_THAT(v2.heard(), ElementsAre("trade 3 #5 6@110 named 3"));
}

TEST_F(BinaryOrders, FillOrKillTradesCompletelyOrNotAtAll) {
    const auto kill = [](NewOrder& o) { o.time_in_force = 1; };
    other.sell(9, 100);
    EXPECT_THAT(answer(v2, kill), ElementsAre("order_ack 5 #2 10@100 named 1"));
    other.sell(9, 100);
    EXPECT_THAT(answer(v2, kill),
                ElementsAre("order_ack 4 #4 0@100 named 2", "trade 1 #4 9@100 named 2",
                            "trade 2 #4 1@100 named 2"));
}

TEST_F(BinaryOrders, GoodTillDateAndDayOrdersExpire) {
    const auto until = [](std::uint64_t time_us) {
        return [=](NewOrder& o) {
            o.time_in_force = 3;
            o.good_till_us = time_us;
        };
    };
    answer(v2, until(2'000));
    answer(v2, [](NewOrder& o) { o.time_in_force = 2; });
    answer(v2, until(k_minus_one));
    EXPECT_EQ(exchange.names().size(), 3U);
    EXPECT_THAT(answer(v2, until(999)), ElementsAre("order_ack 2 #0 10@0 named 4"))
        << "that time has passed";
    exchange.now = Timestamp{2'000'000};
    Command command{};
    command.kind = CommandKind::tick;
    command.timestamp = exchange.now;
    exchange.apply(command);
    EXPECT_EQ(exchange.names().size(), 2U);
    command.kind = CommandKind::end_day;
    exchange.apply(command);
    EXPECT_EQ(exchange.names().size(), 1U);
    EXPECT_THAT(v2.heard(), IsEmpty()) << "the protocol has no message for it";
    v2.cancel(3);
    EXPECT_THAT(v2.heard(), ElementsAre("cancel_ack 1 #3"))
        << "a date beyond the clock means never";
}

TEST_F(BinaryOrders, OnlyTheOwnerMayCancel) {
    other.buy(10, 100);
    v1.cancel(1);
    v2.cancel(1);
    EXPECT_THAT(v1.heard(), ElementsAre("cancel_ack 3 #1"));
    EXPECT_THAT(v2.heard(), ElementsAre("cancel_ack 2 #1"));
    other.send(CancelOrder{.client_id = ClientId{1}, .order_id = OrderId{1}});
    other.cancel(7);
    other.cancel(0xFFFF'FFFF'FFFF'FFFF);
    other.cancel(1);
    other.cancel(1);
    EXPECT_THAT(other.heard(), ElementsAre("order_ack 1 #1 10@100", "cancel_ack 2 #1",
                                           "cancel_ack 3 #7", "cancel_ack 3 #18446744073709551615",
                                           "cancel_ack 1 #1", "cancel_ack 3 #1"));
}

TEST_F(BinaryOrders, ModifyKeepsThePlaceOnlyIfItReduces) {
    v1.buy(10, 100);
    v1.modify(1, 10, 100);
    v1.modify(1, 6, 100);
    v1.modify(1, 7, 100);
    v1.modify(2, 7, 99);
    EXPECT_THAT(v1.heard(),
                ElementsAre("order_ack 1 #1 10@100", "modify_ack 1 #1 now #1 10@100",
                            "modify_ack 1 #1 now #1 6@100", "modify_ack 1 #1 now #2 7@100",
                            "modify_ack 1 #2 now #3 7@99"));
}

TEST_F(BinaryOrders, ModifyStatesTheOpenQuantityAndMayTradeAtOnce) {
    other.sell(3, 101);
    v1.buy(10, 100);
    other.sell(4, 100);
    other.heard_bytes();
    v1.heard_bytes();
    v1.modify(2, 8, 101);
    EXPECT_THAT(v1.heard(), ElementsAre("modify_ack 1 #2 now #4 8@101", "trade 2 #4 3@101"));
    v1.modify(4, 1, 101);
    EXPECT_THAT(v1.heard(), ElementsAre("modify_ack 1 #4 now #4 1@101"));
}

TEST_F(BinaryOrders, ModifyIsRefused) {
    other.buy(10, 100);
    v1.buy(10, 99);
    v1.heard_bytes();
    v1.modify(1, 5, 100);
    v1.modify(9, 5, 100);
    v1.modify(2, 0, 99);
    v1.modify(2, k_minus_one, 99);
    v1.modify(2, 5, 0);
    v1.modify(2, 5, k_minus_one);
    v1.send(ModifyOrder{ClientId{3}, OrderId{2}, {}, 5, 99, {}});
    EXPECT_THAT(
        v1.heard(),
        ElementsAre("modify_ack 2 #1 now #0 5@100", "modify_ack 3 #9 now #0 5@100",
                    "modify_ack 2 #2 now #0 0@99", "modify_ack 2 #2 now #0 18446744073709551615@99",
                    "modify_ack 2 #2 now #0 5@0", "modify_ack 2 #2 now #0 5@-1",
                    "modify_ack 2 #2 now #0 5@99"));
    v1.modify(2, 9, 99);
    EXPECT_THAT(v1.heard(), ElementsAre("modify_ack 1 #2 now #2 9@99")) << "no modify was applied";
}

TEST_F(BinaryOrders, Version2ModifiesToZero) {
    v2.buy(10, 100);
    v2.heard_bytes();
    v2.modify(1, 0, 100);
    EXPECT_THAT(v2.heard(), ElementsAre("modify_ack 1 #1 now #1 0@100"));
    v2.modify(1, 0, 100);
    EXPECT_THAT(v2.heard(), ElementsAre("modify_ack 3 #1 now #0 0@100"));
    v2.buy(10, 100);
    v2.modify(2, 5, 0);
    EXPECT_THAT(v2.heard(),
                ElementsAre("order_ack 1 #2 10@100 named 2", "modify_ack 2 #2 now #0 5@0"));
}

TEST_F(BinaryOrders, Version2NamesTheInstrumentOfCancelAndModify) {
    v2.buy(10, 100);
    v2.heard_bytes();
    v2.send(CancelOrder{v2.session().client_id(), OrderId{1}, {}, InstrumentId{2}});
    v2.send(ModifyOrder{v2.session().client_id(), OrderId{1}, {}, 5, 100, InstrumentId{9}});
    EXPECT_THAT(v2.heard(), ElementsAre("cancel_ack 2 #1", "modify_ack 2 #1 now #0 5@100"));
}

TEST_F(BinaryOrders, OwnOrdersAreSkippedAndStopMatching) {
    other.sell(5, 101);
    v1.sell(5, 100);
    v1.heard_bytes();
    v1.buy(5, 101);
    EXPECT_THAT(v1.heard(), ElementsAre("order_ack 1 #3 5@101"))
        << "skips the own order at 100, does not reach the deeper one, and rests";
    other.buy(5, 100);
    EXPECT_THAT(v1.heard(), ElementsAre("trade 1 #2 5@100", "trade 2 #3 5@101"))
        << "no own order stops it now";
}

TEST_F(BinaryOrders, TradesOfARestingOrderRepeatItsNameUntilItIsGone) {
    v2.send([&] {
        NewOrder order = v2.order_of(0, 10, 100);
        order.client_order_id = ClientOrderId{77};
        return order;
    }());
    v2.heard_bytes();
    other.sell(3, 100);
    v2.modify(1, 9, 101);
    other.sell(9, 100);
    EXPECT_THAT(v2.heard(), ElementsAre("trade 1 #1 3@100 named 77", "modify_ack 1 #1 now #3 9@101",
                                        "trade 2 #3 9@101 named 77"));
    EXPECT_EQ(exchange.names().size(), 0U);
}

TEST_F(BinaryOrders, TradeIdsCountBySessionInVersion1AndByExchangeInVersion2) {
    v1.buy(1, 100);
    other.sell(1, 100);
    v2.buy(1, 100);
    other.sell(1, 100);
    EXPECT_THAT(v1.heard(), ElementsAre("order_ack 1 #1 1@100", "trade 1 #1 1@100"));
    EXPECT_THAT(v2.heard(),
                ElementsAre("order_ack 1 #3 1@100 named 1", "trade 2 #3 1@100 named 1"));
    EXPECT_THAT(other.heard(), ElementsAre("order_ack 1 #2 1@100", "trade 1 #2 1@100",
                                           "order_ack 1 #4 1@100", "trade 2 #4 1@100"));
}

TEST_F(BinaryOrders, AHaltIsReportedAsAReject) {
    Command halt{};
    halt.kind = CommandKind::set_trading_state;
    halt.instrument = InstrumentId{1};
    halt.trading_state = TradingState::halted;
    exchange.apply(halt);
    v1.buy(10, 100);
    v2.buy(10, 100);
    EXPECT_THAT(v1.heard(), ElementsAre("order_ack 2 #0 10@0"));
    EXPECT_THAT(v2.heard(), ElementsAre("order_ack 2 #0 10@0 named 1"));
}

// More events than a slice holds: the order still matches completely, and is answered once.
TEST(BinaryModify, IsAnsweredOnceAlthoughItsTradesFillSlices) {
    BinaryExchange exchange{{.output_bytes = 1'000'000}};
    BinaryClient& maker = exchange.connect();
    maker.hello();
    constexpr int k_orders = 2'100;
    for (int i = 0; i < k_orders; ++i) maker.sell(1, 100);
    BinaryClient& taker = exchange.connect();
    taker.hello();
    taker.buy(5'000, 99);
    static_cast<void>(taker.heard());
    taker.modify(k_orders + 1, 5'000, 100);
    const std::vector<std::string> heard = taker.heard();
    ASSERT_EQ(heard.size(), std::size_t{k_orders} + 1);
    EXPECT_THAT(heard.front(), ::testing::StartsWith("modify_ack 1 "));
    for (std::size_t i = 1; i < heard.size(); ++i)
        ASSERT_THAT(heard[i], ::testing::StartsWith("trade "));
}

}  // namespace
}  // namespace damrak::testing::binary_orders_test
