// Linked orders, quotes and quote protection of version 2, and what is reported of them without a
// request. Rules: docs/rule-book/linked-orders.md and quotes.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/binary_exchange.hpp"

namespace damrak::testing::binary_quotes_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using wire::binary::CancelOrder;
using wire::binary::ClientId;
using wire::binary::LinkedOrder;
using wire::binary::Quote;
using wire::binary::QuoteProtection;
using wire::binary::Version;

constexpr std::uint8_t k_sell = 1;
constexpr std::uint8_t k_stop = 3;
constexpr std::uint8_t k_stop_limit = 4;
constexpr std::uint8_t k_cancels = 1;
constexpr std::uint8_t k_triggers = 2;
constexpr std::uint64_t k_too_large = ~std::uint64_t{0};

struct BinaryQuotes : ::testing::TestWithParam<bool> {
    BinaryExchange exchange{{.deferred = GetParam()}};
    BinaryClient& maker = exchange.entered(Version::v2);
    BinaryClient& other = exchange.entered(Version::v1);
    BinaryClient& third = exchange.entered(Version::v1);

    void sell(std::uint64_t quantity, std::uint64_t price_e2) {
        other.sell(quantity, price_e2);
        exchange.heard(other);
    }
    void buy(std::uint64_t quantity, std::uint64_t price_e2) {
        other.buy(quantity, price_e2);
        exchange.heard(other);
    }
    [[nodiscard]] Quote quote_of(std::uint64_t bid, std::uint64_t bid_price, std::uint64_t ask,
                                 std::uint64_t ask_price) const {
        return {.client_id = maker.session().client_id(),
                .client_order_id = ClientOrderId{70},
                .instrument = InstrumentId{1},
                .bid_quantity = bid,
                .bid_price_e2 = bid_price,
                .ask_quantity = ask,
                .ask_price_e2 = ask_price};
    }
    std::vector<std::string> answer(const Quote& quote) {
        maker.send(quote);
        return exchange.heard(maker);
    }
    std::vector<std::string> protect(std::uint64_t maximum, std::uint64_t window_us,
                                     std::uint32_t instrument = 1) {
        maker.send(QuoteProtection{maker.session().client_id(), InstrumentId{instrument}, maximum,
                                   window_us});
        return exchange.heard(maker);
    }
    /// A trade of others at that price, which leaves a buy of one less than the quantity.
    void trade_at(std::uint64_t price_e2, std::uint64_t quantity = 1) {
        buy(quantity, price_e2);
        third.sell(1, price_e2);
        exchange.heard(third);
    }
    /// A sell stop of 10 at 0.90 that cancels order `named`, after `change`.
    template <class F>
    std::vector<std::string> link(std::uint64_t named, F change) {
        LinkedOrder order{maker.order_of(k_sell, 10, 0), 90, OrderId{named}, k_cancels};
        order.order_type = k_stop;
        change(order);
        maker.send(order);
        return exchange.heard(maker);
    }
    std::vector<std::string> link(std::uint64_t named) {
        return link(named, [](LinkedOrder&) {});
    }
};

INSTANTIATE_TEST_SUITE_P(Answers, BinaryQuotes, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "Later" : "AtOnce"; });

TEST_P(BinaryQuotes, AnswerPrecedesTheTradesAndHasTheirOutcome) {
    sell(3, 100);
    EXPECT_THAT(answer(quote_of(10, 100, 20, 110)),
                ElementsAre("quote_ack 1 #2 7 #3 20 none named 70", "trade 1 #2 3@100 named 70"));
    sell(7, 100);
    buy(4, 110);
    EXPECT_THAT(exchange.heard(maker),
                ElementsAre("trade 2 #2 7@100 named 70", "trade 3 #3 4@110 named 70"));
}

TEST_P(BinaryQuotes, ReplacesWhatChangesAndKeepsWhatOnlyShrinks) {
    answer(quote_of(10, 100, 20, 110));
    EXPECT_THAT(answer(quote_of(12, 100, 15, 110)),
                ElementsAre("quote_ack 1 #3 12 #2 15 none named 70",
                            "order_changed 1 #1 lost 10, open 0 quote_replaced named 70"));
    EXPECT_THAT(answer(quote_of(0, 0, 15, 110)),
                ElementsAre("quote_ack 1 #0 0 #2 15 none named 70",
                            "order_changed 1 #3 lost 12, open 0 quote_replaced named 70"));
    EXPECT_THAT(answer(quote_of(0, 0, 0, 0)),
                ElementsAre("quote_ack 1 #0 0 #0 0 none named 70",
                            "order_changed 1 #2 lost 15, open 0 quote_replaced named 70"));
    EXPECT_THAT(answer(quote_of(0, 0, 0, 0)),
                ElementsAre("quote_ack 2 #0 0 #0 0 unknown_order named 70"));
    EXPECT_EQ(exchange.names().size(), 0U);
}

TEST_P(BinaryQuotes, ASideThatKeepsItsPlaceKeepsItsName) {
    answer(quote_of(10, 100, 20, 110));
    Quote quote = quote_of(12, 100, 15, 110);
    quote.client_order_id = ClientOrderId{71};
    answer(quote);
    buy(4, 110);
    EXPECT_THAT(exchange.heard(maker), ElementsAre("trade 1 #2 4@110 named 70"));
    sell(4, 100);
    EXPECT_THAT(exchange.heard(maker), ElementsAre("trade 2 #3 4@100 named 71"));
}

TEST_P(BinaryQuotes, SidesAreOrders) {
    answer(quote_of(10, 100, 20, 110));
    maker.cancel(2);
    maker.modify(1, 5, 100);
    EXPECT_THAT(exchange.heard(maker),
                ElementsAre("cancel_ack 1 #2", "modify_ack 2 #1 now #0 5@100"));
}

TEST_P(BinaryQuotes, AreRejectedWithAReasonAndCount) {
    EXPECT_THAT(answer(quote_of(10, 110, 10, 100)),
                ElementsAre("quote_ack 2 #0 0 #0 0 invalid_quote named 70"));
    EXPECT_THAT(answer(quote_of(k_too_large, 100, 0, 0)),
                ElementsAre("quote_ack 2 #0 0 #0 0 invalid_quantity named 70"));
    EXPECT_THAT(answer(quote_of(0, 0, 10, k_too_large)),
                ElementsAre("quote_ack 2 #0 0 #0 0 invalid_price named 70"));
    Quote quote = quote_of(10, 100, 10, 110);
    quote.client_id = ClientId{2};
    EXPECT_THAT(answer(quote), ElementsAre("quote_ack 2 #0 0 #0 0 unknown_participant named 70"));
    quote = quote_of(10, 100, 10, 110);
    quote.instrument = InstrumentId{9};
    EXPECT_THAT(answer(quote), ElementsAre("quote_ack 2 #0 0 #0 0 unknown_instrument named 70"));
    EXPECT_THAT(answer(quote_of(10, 100, 20, 110)),
                ElementsAre("quote_ack 1 #1 10 #2 20 none named 70"));
}

TEST_P(BinaryQuotes, NeedALogin) {
    maker.logout();
    exchange.heard(maker);
    const std::uint32_t last = maker.last_sequence();
    maker.send(quote_of(10, 100, 20, 110));
    maker.send(QuoteProtection{maker.session().client_id(), InstrumentId{1}, 1, 1}, last + 1);
    EXPECT_THAT(exchange.heard(maker), IsEmpty());
    maker.hello(last + 1);
    EXPECT_THAT(exchange.heard(maker), ElementsAre("hello_ack 1"))
        << "what is ignored uses no number";
}

TEST_P(BinaryQuotes, Version1HasNoneOfIt) {
    Bytes bytes(wire::binary::frame_length<Quote>(Version::v2));
    encode(Version::v2, {.client = 2, .server = 0}, quote_of(10, 100, 20, 110), bytes);
    bytes[wire::binary::k_version_offset] = std::byte{1};
    other.send_bytes(bytes);
    EXPECT_THAT(exchange.heard(other), ElementsAre("error 1"));
}

TEST_P(BinaryQuotes, ProtectionCancelsTheQuoteThatTradedTooMuch) {
    EXPECT_THAT(protect(10, 1'000'000), ElementsAre("quote_protection_ack 1 none"));
    answer(quote_of(100, 90, 100, 110));
    sell(9, 90);
    buy(2, 110);
    EXPECT_THAT(exchange.heard(maker),
                ElementsAre("trade 1 #1 9@90 named 70", "trade 2 #2 2@110 named 70",
                            "order_changed 1 #1 lost 91, open 0 quote_protection named 70",
                            "order_changed 1 #2 lost 98, open 0 quote_protection named 70"));
    EXPECT_THAT(protect(0, 0), ElementsAre("quote_protection_ack 1 none"));
    answer(quote_of(100, 90, 100, 110));
    sell(20, 90);
    EXPECT_THAT(exchange.heard(maker), ElementsAre("trade 3 #5 20@90 named 70"));
}

TEST_P(BinaryQuotes, ProtectionIsRejectedWithAReason) {
    EXPECT_THAT(protect(10, 0), ElementsAre("quote_protection_ack 2 invalid_rules"));
    EXPECT_THAT(protect(10, k_too_large), ElementsAre("quote_protection_ack 2 invalid_rules"));
    EXPECT_THAT(protect(k_too_large, 10), ElementsAre("quote_protection_ack 2 invalid_rules"));
    EXPECT_THAT(protect(10, 10, 9), ElementsAre("quote_protection_ack 2 unknown_instrument"));
    maker.send(QuoteProtection{ClientId{2}, InstrumentId{1}, 10, 10});
    EXPECT_THAT(exchange.heard(maker), ElementsAre("quote_protection_ack 2 unknown_participant"));
}

TEST_P(BinaryQuotes, OneLinkedOrderCancelsTheOther) {
    maker.sell(10, 110);
    exchange.heard(maker);
    EXPECT_THAT(link(1), ElementsAre("order_ack 1 #2 10@0 named 2"));
    buy(4, 110);
    EXPECT_THAT(exchange.heard(maker),
                ElementsAre("trade 1 #1 4@110 named 1",
                            "order_changed 1 #2 lost 4, open 6 linked_order named 2"));
    maker.cancel(1);
    EXPECT_THAT(
        exchange.heard(maker),
        ElementsAre("cancel_ack 1 #1", "order_changed 1 #2 lost 6, open 0 linked_order named 2"));
}

TEST_P(BinaryQuotes, AStopThatIsTriggeredCancelsTheOther) {
    maker.sell(10, 110);
    exchange.heard(maker);
    EXPECT_THAT(link(1,
                     [](LinkedOrder& o) {
                         o.order_type = k_stop_limit;
                         o.price_e2 = 80;
                     }),
                ElementsAre("order_ack 1 #2 10@80 named 2"));
    trade_at(90);
    EXPECT_THAT(exchange.heard(maker),
                ElementsAre("order_changed 1 #1 lost 10, open 0 linked_order named 1",
                            "order_changed 2 #2 lost 0, open 10 none named 2"));
}

TEST_P(BinaryQuotes, WhatATriggeredStopCannotTradeIsReported) {
    maker.buy(10, 80);
    maker.sell(10, 110);
    exchange.heard(maker);
    link(2);
    trade_at(90, 5);
    EXPECT_THAT(
        exchange.heard(maker),
        ElementsAre("order_changed 1 #2 lost 10, open 0 linked_order named 2",
                    "order_changed 2 #3 lost 0, open 10 none named 3", "trade 2 #3 4@90 named 3",
                    "order_changed 1 #3 lost 6, open 0 unfilled_remainder named 3"));
}

TEST_P(BinaryQuotes, ATriggeredOrderThatRestsIsCancelledLikeAnyOther) {
    maker.sell(10, 110);
    exchange.heard(maker);
    link(1, [](LinkedOrder& o) {
        o.order_type = k_stop_limit;
        o.price_e2 = 80;
    });
    trade_at(90);
    exchange.heard(maker);
    maker.cancel(2);
    EXPECT_THAT(exchange.heard(maker), ElementsAre("cancel_ack 1 #2"));
}

TEST_P(BinaryQuotes, AFilledOrderTriggersTheOther) {
    maker.buy(10, 100);
    exchange.heard(maker);
    EXPECT_THAT(link(1,
                     [](LinkedOrder& o) {
                         o.contingency = k_triggers;
                         o.stop_price_e2 = 80;
                     }),
                ElementsAre("order_ack 1 #2 10@0 named 2"));
    sell(10, 100);
    EXPECT_THAT(exchange.heard(maker),
                ElementsAre("trade 1 #1 10@100 named 1",
                            "order_changed 3 #2 lost 0, open 10 none named 2"));
}

TEST_P(BinaryQuotes, InvalidLinkedOrdersUseANumberAndTheEnginesRejectsDoNot) {
    maker.buy(10, 100);
    exchange.heard(maker);
    const auto limit = [](LinkedOrder& o) {
        o.order_type = 0;
        o.price_e2 = 110;
    };
    EXPECT_THAT(link(1, limit), ElementsAre("order_ack 2 #0 10@0 named 2")) << "a stop price";
    EXPECT_THAT(link(1, [](LinkedOrder& o) { o.stop_price_e2 = 0; }),
                ElementsAre("order_ack 2 #0 10@0 named 3"));
    EXPECT_THAT(link(1, [](LinkedOrder& o) { o.stop_price_e2 = k_too_large; }),
                ElementsAre("order_ack 2 #0 10@0 named 4"));
    EXPECT_THAT(link(1, [](LinkedOrder& o) { o.price_e2 = 80; }),
                ElementsAre("order_ack 2 #0 10@0 named 5"));
    EXPECT_THAT(link(1, [](LinkedOrder& o) { o.order_type = 1; }),
                ElementsAre("order_ack 2 #0 10@0 named 6"));
    EXPECT_THAT(link(1, [](LinkedOrder& o) { o.contingency = 3; }),
                ElementsAre("order_ack 2 #0 10@0 named 7"));
    EXPECT_THAT(link(9), ElementsAre("order_ack 2 #0 10@0 named 8"));
    EXPECT_THAT(link(1), ElementsAre("order_ack 1 #7 10@0 named 9"));
}

TEST_P(BinaryQuotes, AReplacedQuoteHasTheNumbersOfItsRequests) {
    answer(quote_of(10, 100, 20, 110));
    maker.send(quote_of(11, 100, 20, 110));
    exchange.run();
    EXPECT_THAT(maker.heard_with_numbers(),
                ElementsAre("3/3 quote_ack 1 #3 11 #2 20 none named 70",
                            "3/4 order_changed 1 #1 lost 10, open 0 quote_replaced named 70"));
}

}  // namespace
}  // namespace damrak::testing::binary_quotes_test
