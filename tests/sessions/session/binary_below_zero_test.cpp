// Instruments with prices at and below zero: version 2 trades in them, with prices in two's
// complement; to version 1 there are none. Rules: docs/rule-book/prices.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/binary_exchange.hpp"
#include "support/commands.hpp"

namespace damrak::testing::binary_below_zero_test {
namespace {

using ::testing::ElementsAre;
using wire::binary::LinkedOrder;
using wire::binary::ModifyOrder;
using wire::binary::NewOrder;
using wire::binary::Quote;
using wire::binary::Version;

constexpr InstrumentId k_spread{3};
constexpr InstrumentId k_stock{1};
constexpr std::uint8_t k_market = 1;

// Numbers of trades and orders of the third instrument.
std::string no(std::uint64_t nth) { return std::to_string((std::uint64_t{2} << 40U) + nth); }
std::string id(std::uint64_t nth) { return "#" + no(nth); }

constexpr std::uint64_t e2(std::int64_t price) { return static_cast<std::uint64_t>(price); }

struct BinaryBelowZero : ::testing::TestWithParam<bool> {
    BinaryExchange exchange{{.deferred = GetParam()}};
    BinaryClient& v1 = exchange.entered(Version::v1);
    BinaryClient& v2 = exchange.entered(Version::v2);
    BinaryClient& other = exchange.entered(Version::v2);

    BinaryBelowZero() {
        InstrumentDetails spread = test_stock();
        spread.minimum_price = Price{-100'0000};
        spread.maximum_price = Price{100'0000};
        spread.unpublished = 1;
        exchange.apply(instrument_command(k_spread.value, spread));
    }
    template <class F>
    std::vector<std::string> answer(BinaryClient& client, std::uint8_t side, std::int64_t price,
                                    F change) {
        NewOrder order = client.order_of(side, 10, e2(price));
        order.instrument = k_spread;
        change(order);
        client.send(order);
        return exchange.heard(client);
    }
    std::vector<std::string> answer(BinaryClient& client, std::uint8_t side, std::int64_t price) {
        return answer(client, side, price, [](NewOrder&) {});
    }
    std::vector<std::string> modify(std::uint64_t nth, std::int64_t price) {
        v2.send(ModifyOrder{.client_id = v2.session().client_id(),
                            .order_id = OrderId{(std::uint64_t{2} << 40U) + nth},
                            .quantity = 10,
                            .price_e2 = e2(price),
                            .instrument = k_spread});
        return exchange.heard(v2);
    }
};

INSTANTIATE_TEST_SUITE_P(Answers, BinaryBelowZero, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "Later" : "AtOnce"; });

TEST_P(BinaryBelowZero, PricesAreSignedInOrdersAnswersAndTrades) {
    EXPECT_THAT(answer(v2, 0, -250), ElementsAre("order_ack 1 " + id(1) + " 10@-250 named 1"));
    EXPECT_THAT(answer(v2, 0, 0), ElementsAre("order_ack 1 " + id(2) + " 10@0 named 2"));
    EXPECT_THAT(answer(v2, 1, 300), ElementsAre("order_ack 1 " + id(3) + " 10@300 named 3"));
    EXPECT_THAT(answer(other, 1, -300, [](NewOrder& o) { o.quantity = 12; }),
                ElementsAre("order_ack 4 " + id(4) + " 0@-300 named 1",
                            "trade " + no(1) + " " + id(4) + " 10@0 named 1",
                            "trade " + no(2) + " " + id(4) + " 2@-250 named 1"));
    EXPECT_THAT(exchange.heard(v2),
                ElementsAre("trade " + no(1) + " " + id(2) + " 10@0 named 2",
                            "trade " + no(2) + " " + id(1) + " 2@-250 named 1"));
}

TEST_P(BinaryBelowZero, AModifyMayCrossZero) {
    answer(v2, 1, 300);
    EXPECT_THAT(modify(1, 0), ElementsAre("modify_ack 1 " + id(1) + " now " + id(2) + " 10@0"));
    EXPECT_THAT(modify(2, -1), ElementsAre("modify_ack 1 " + id(2) + " now " + id(3) + " 10@-1"));
    EXPECT_THAT(modify(3, -10'001), ElementsAre("modify_ack 2 " + id(3) + " now #0 10@-10001"));
}

TEST_P(BinaryBelowZero, OutsideTheRangeOrOnAMarketOrderAPriceIsInvalid) {
    const auto refusal = [](int nth) {
        return ElementsAre("order_ack 2 #0 10@0 named " + std::to_string(nth));
    };
    EXPECT_THAT(answer(v2, 0, -10'001), refusal(1));
    EXPECT_THAT(answer(v2, 0, 10'001), refusal(2));
    EXPECT_THAT(answer(v2, 0, std::numeric_limits<std::int64_t>::min()), refusal(3));
    EXPECT_THAT(answer(v2, 0, std::numeric_limits<std::int64_t>::max()), refusal(4));
    EXPECT_THAT(answer(v2, 0, -1, [](NewOrder& o) { o.order_type = k_market; }), refusal(5));
    EXPECT_THAT(answer(v2, 0, -1, [](NewOrder& o) { o.instrument = k_stock; }), refusal(6));
}

TEST_P(BinaryBelowZero, QuotesAndStopsHaveSuchPrices) {
    v2.send(Quote{.client_id = v2.session().client_id(),
                  .client_order_id = ClientOrderId{70},
                  .instrument = k_spread,
                  .bid_quantity = 10,
                  .bid_price_e2 = e2(-20),
                  .ask_quantity = 10,
                  .ask_price_e2 = 0});
    EXPECT_THAT(exchange.heard(v2),
                ElementsAre("quote_ack 1 " + id(1) + " 10 " + id(2) + " 10 none named 70"));
    // A stop to buy at zero, cancelled once the order that it is linked to trades.
    answer(other, 0, -30);
    LinkedOrder stop{other.order_of(0, 5, 0), 0, OrderId{(std::uint64_t{2} << 40U) + 3}, 1};
    stop.instrument = k_spread;
    stop.order_type = 3;
    other.send(stop);
    EXPECT_THAT(exchange.heard(other), ElementsAre("order_ack 1 " + id(4) + " 5@0 named 2"));
    answer(v1, 1, 1);
    v2.send(wire::binary::CancelOrder{.client_id = v2.session().client_id(),
                                      .order_id = OrderId{(std::uint64_t{2} << 40U) + 1},
                                      .instrument = k_spread});
    exchange.heard(v2);
    EXPECT_THAT(answer(v2, 1, -30, [](NewOrder& o) { o.quantity = 10; }),
                ElementsAre("order_ack 4 " + id(5) + " 0@-30 named 1",
                            "trade " + no(1) + " " + id(5) + " 10@-30 named 1"));
    EXPECT_THAT(exchange.heard(other),
                ElementsAre("trade " + no(1) + " " + id(3) + " 10@-30 named 1",
                            "order_changed 1 " + id(4) + " lost 5, open 0 linked_order named 2"));
}

TEST_P(BinaryBelowZero, ToVersion1ThereIsNoSuchInstrument) {
    EXPECT_THAT(answer(v1, 0, 100), ElementsAre("order_ack 2 #0 10@0"));
    EXPECT_THAT(answer(v1, 0, -100), ElementsAre("order_ack 2 #0 10@0"));
}

}  // namespace
}  // namespace damrak::testing::binary_below_zero_test
