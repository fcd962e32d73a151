// Recorded messages on books, one rule a test. Source of the rules: TotalView-ITCH 5.0
// specification, "add order", "modify order" and "trade" messages.
#include <damrak/order_flow/book_builder.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_day.hpp"

namespace damrak::order_flow::book_builder_test {
namespace {

using damrak::testing::SmallDay;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr InstrumentId k_first{1};

// "shares@price in units" of each order, in matching order.
template <class Builder>
std::vector<std::string> queue(const Builder& books, Side side, InstrumentId instrument = k_first) {
    std::vector<std::string> orders;
    const BuiltBook& built = books.book(instrument);
    built.book.for_each_order(books.store(), side, [&](OrderIndex index) {
        const Order& order = books.store().order(index);
        orders.push_back(fmt::format("{}:{}@{}", order.id.value, order.quantity.value,
                                     books.price_of(order).value));
        return true;
    });
    return orders;
}

BookBuilder<> built(const SmallDay& day) {
    BookBuilder<> books;
    day.replay(books);
    return books;
}

TEST(BookBuilder, AnAddedOrderJoinsTheBackOfItsPrice) {
    const auto books = built(SmallDay{}
                                 .add(1, 7, Side::buy, 1000, 300)
                                 .add(2, 8, Side::buy, 1001, 100)
                                 .add(3, 9, Side::buy, 1000, 200)
                                 .add(4, 10, Side::sell, 1002, 50));
    EXPECT_THAT(queue(books, Side::buy),
                ElementsAre("8:100@100100", "7:300@100000", "9:200@100000"));
    EXPECT_THAT(queue(books, Side::sell), ElementsAre("10:50@100200"));
    EXPECT_EQ(books.anomalies().total(), 0U);
}

TEST(BookBuilder, APartialExecutionOrCancelKeepsThePlaceInTheQueue) {
    const auto books = built(SmallDay{}
                                 .add(1, 7, Side::sell, 1000, 300)
                                 .add(2, 8, Side::sell, 1000, 100)
                                 .execute(3, 7, 100)
                                 .cancel(4, 7, 50));
    EXPECT_THAT(queue(books, Side::sell), ElementsAre("7:150@100000", "8:100@100000"));
}

TEST(BookBuilder, AnOrderLeavesWhenItsQuantityIsZero) {
    const auto books = built(SmallDay{}
                                 .add(1, 7, Side::sell, 1000, 300)
                                 .add(2, 8, Side::sell, 1000, 100)
                                 .add(3, 9, Side::sell, 1000, 10)
                                 .execute(4, 7, 300)
                                 .cancel(5, 8, 100)
                                 .remove(6, 9));
    EXPECT_THAT(queue(books, Side::sell), IsEmpty());
    EXPECT_EQ(books.store().order_pool.used(), 0U);
    EXPECT_EQ(books.store().level_pool.used(), 0U);
}

TEST(BookBuilder, AnExecutionAtAnotherPriceLeavesTheLevelOfTheDisplayPrice) {
    const auto books = built(
        SmallDay{}.add(1, 7, Side::buy, 1000, 300).execute_at(2, 7, 100, 999).cross(3, 990, 5'000));
    EXPECT_THAT(queue(books, Side::buy), ElementsAre("7:200@100000"));
}

TEST(BookBuilder, AReplaceHasANewIdTheSameSideAndTheBackOfTheQueue) {
    const auto books = built(SmallDay{}
                                 .add(1, 7, Side::buy, 1000, 300)
                                 .add(2, 8, Side::buy, 1000, 100)
                                 .replace(3, 7, 9, 1000, 200));
    EXPECT_THAT(queue(books, Side::buy), ElementsAre("8:100@100000", "9:200@100000"));
    EXPECT_EQ(books.find(k_first, OrderId{7}), nullptr);
}

TEST(BookBuilder, AnIdIsUniqueWithinItsInstrument) {
    const auto books = built(SmallDay{}
                                 .add(1, 7, Side::buy, 1000, 300, 1)
                                 .add(2, 7, Side::buy, 2000, 100, 2)
                                 .remove(3, 7, 2));
    EXPECT_THAT(queue(books, Side::buy, InstrumentId{1}), ElementsAre("7:300@100000"));
    EXPECT_THAT(queue(books, Side::buy, InstrumentId{2}), IsEmpty());
}

TEST(BookBuilder, AMessageAboutAnUnknownOrderIsCountedWithTheFirstPosition) {
    SmallDay day;
    day.add(1, 7, Side::buy, 1000, 300);
    const std::size_t first = day.size();
    day.execute(2, 99, 1).remove(3, 98).replace(4, 97, 96, 1000, 5).cancel(5, 95, 1);
    const auto books = built(day);
    EXPECT_EQ(books.anomalies().of(Anomaly::unknown_order).count, 4U);
    EXPECT_EQ(books.anomalies().of(Anomaly::unknown_order).first_place, first);
    EXPECT_EQ(books.anomalies().total(), 4U);
    EXPECT_THAT(queue(books, Side::buy), ElementsAre("7:300@100000"));
}

TEST(BookBuilder, TakingMoreThanAnOrderHasTakesAllOfIt) {
    SmallDay day;
    day.add(1, 7, Side::buy, 1000, 300);
    const std::size_t place = day.size();
    day.execute(2, 7, 301);
    const auto books = built(day);
    EXPECT_EQ(books.anomalies().of(Anomaly::quantity_too_large).count, 1U);
    EXPECT_EQ(books.anomalies().of(Anomaly::quantity_too_large).first_place, place);
    EXPECT_THAT(queue(books, Side::buy), IsEmpty());
}

TEST(BookBuilder, AnInvalidOrderIsNotAdded) {
    const auto books = built(SmallDay{}
                                 .add(1, 7, Side::buy, 1000, 300)
                                 .add(2, 7, Side::sell, 1010, 1)
                                 .add(3, 8, Side::buy, 0, 100)
                                 .add(4, 9, Side::buy, 1000, 0)
                                 .execute(5, 7, 0));
    EXPECT_EQ(books.anomalies().of(Anomaly::duplicate_order).count, 1U);
    EXPECT_EQ(books.anomalies().of(Anomaly::invalid_price).count, 1U);
    EXPECT_EQ(books.anomalies().of(Anomaly::invalid_quantity).count, 2U);
    EXPECT_THAT(queue(books, Side::buy), ElementsAre("7:300@100000"));
    EXPECT_THAT(queue(books, Side::sell), IsEmpty());
}

TEST(BookBuilder, AReplaceByAnInvalidOrderRemovesTheOldOne) {
    const auto books = built(SmallDay{}
                                 .add(1, 7, Side::buy, 1000, 300)
                                 .add(2, 8, Side::buy, 1000, 100)
                                 .add(2, 6, Side::buy, 1000, 100)
                                 .replace(3, 7, 8, 1001, 50)
                                 .replace(4, 8, 9, 1001, 0)
                                 .replace(5, 6, 10, 0, 50));
    EXPECT_EQ(books.anomalies().of(Anomaly::duplicate_order).count, 1U);
    EXPECT_EQ(books.anomalies().of(Anomaly::invalid_quantity).count, 1U);
    EXPECT_EQ(books.anomalies().of(Anomaly::invalid_price).count, 1U);
    EXPECT_THAT(queue(books, Side::buy), IsEmpty());
}

// "B 7@100": the aggressor buys 7.
struct Trades {
    static constexpr bool k_observes = true;
    std::vector<std::string> told{};

    void declare(InstrumentId, std::string_view) {}
    void changed(const At&, Change, const BookStore&, const BuiltBook&) {}
    void executed(const At&, Price price, Quantity quantity, Side aggressor) {
        const char side = aggressor == Side::buy ? 'B' : 'S';
        told.push_back(fmt::format("{} {}@{}", side, quantity.value, price.value));
    }
    void traded(const At& at, TradeKind, Price price, Quantity quantity, std::optional<Side> side) {
        executed(at, price, quantity, *side);
    }
};

TEST(BookBuilder, AnExecutionIsATradeWithTheOrderUnlessItDoesNotCount) {
    BookBuilder<Trades> books;
    const At at{.instrument = books.declare("ONE")};
    const At broken{.instrument = at.instrument, .is_broken = true};
    const OrderId offer{1};
    const OrderId bid{2};
    EXPECT_TRUE(books.on_add(at, offer, Side::sell, Price{200}, Quantity{50}));
    EXPECT_TRUE(books.on_add(at, bid, Side::buy, Price{100}, Quantity{50}));
    EXPECT_TRUE(books.on_execute(at, offer, Quantity{7}));
    EXPECT_TRUE(books.on_execute_at(at, bid, Quantity{8}, Price{101}, true));
    EXPECT_THAT(books.observer().told, ElementsAre("B 7@200", "S 8@101"));
    books.observer().told.clear();

    EXPECT_TRUE(books.on_execute_at(at, bid, Quantity{1}, Price{101}, false)) << "not printable";
    EXPECT_TRUE(books.on_execute(broken, offer, Quantity{1}));
    EXPECT_TRUE(books.on_execute_at(broken, bid, Quantity{1}, Price{101}, true));
    EXPECT_TRUE(books.on_trade(broken, TradeKind::hidden, Price{1}, Quantity{1}, Side::buy));
    EXPECT_THAT(books.observer().told, IsEmpty());

    EXPECT_FALSE(books.on_execute(at, offer, Quantity{43}));
    EXPECT_THAT(books.observer().told, ElementsAre("B 43@200")) << "as the message says";
}

TEST(BookBuilder, TimeThatGoesBackIsReported) {
    SmallDay day;
    day.add(5, 7, Side::buy, 1000, 300);
    const std::size_t place = day.size();
    day.add(4, 8, Side::buy, 1000, 100).add(6, 9, Side::buy, 1000, 100);
    const auto books = built(day);
    EXPECT_EQ(books.anomalies().of(Anomaly::time_went_back).count, 1U);
    EXPECT_EQ(books.anomalies().of(Anomaly::time_went_back).first_place, place);
    EXPECT_EQ(queue(books, Side::buy).size(), 3U);
}

TEST(BookBuilder, FractionsOfACentMoveTheBookToAFinerScale) {
    const auto books = built(SmallDay{}
                                 .add(1, 7, Side::buy, 1000, 300)
                                 .add(2, 8, Side::buy, 1000, 100)
                                 .add(3, 9, Side::sell, 1001, 10)
                                 .add_e4(4, 10, Side::buy, 100'001, 5)
                                 .add(5, 11, Side::buy, 1000, 1)
                                 .execute(6, 7, 100));
    EXPECT_THAT(queue(books, Side::buy),
                ElementsAre("10:5@100001", "7:200@100000", "8:100@100000", "11:1@100000"));
    EXPECT_THAT(queue(books, Side::sell), ElementsAre("9:10@100100"));
    EXPECT_EQ(books.anomalies().total(), 0U);
}

TEST(BookBuilder, AFullStoreGrowsWithoutLoss) {
    BookBuilder<> small{{.orders = 8, .extensions = 0, .levels = 8, .ladder_nodes = 32}};
    SmallDay day;
    // Distant prices need the most nodes, and the queue at one price must keep its order.
    for (std::uint32_t i = 1; i <= 2'000; ++i)
        day.add(i, i, i % 2 == 0 ? Side::buy : Side::sell,
                i % 5 == 0 ? 1000 : i * 9'973 % 1'000'003, i);
    day.replay(small);
    const auto ample = built(day);
    EXPECT_EQ(small.anomalies().total(), ample.anomalies().total());
    EXPECT_EQ(queue(small, Side::buy), queue(ample, Side::buy));
    EXPECT_EQ(queue(small, Side::sell), queue(ample, Side::sell));
    EXPECT_EQ(queue(small, Side::buy).size(), 1'000U);
}

TEST(BookBuilder, PrefetchingAmongManyOrdersChangesNothing) {
    // More orders than fit the caches, so that all hints are used.
    BookBuilder<> books;
    SmallDay day;
    constexpr std::uint64_t k_orders = 40'000;
    for (std::uint64_t i = 1; i <= k_orders; ++i)
        day.add(1, i, Side::buy, 1000 + static_cast<std::uint32_t>(i % 50), 10);
    for (std::uint64_t i = 1; i <= k_orders; i += 2) day.remove(2, i);
    day.replay(books);
    EXPECT_EQ(books.anomalies().total(), 0U);
    EXPECT_EQ(books.store().order_pool.used(), k_orders / 2);
}

TEST(ItchFlow, ASelectedSymbolExcludesTheOthers) {
    SmallDay day;
    day.listed(1, "AAPL")
        .listed(2, "MSFT")
        .add(1, 7, Side::buy, 1000, 300, 1)
        .add(2, 8, Side::buy, 2000, 100, 2)
        .remove(3, 99, 2)
        .remove(4, 98, 3);
    BookBuilder<> books;
    day.replay(books, {.symbol = "AAPL"});
    EXPECT_EQ(books.instruments(), 1U);
    EXPECT_THAT(queue(books, Side::buy), ElementsAre("7:300@100000"));
    EXPECT_EQ(books.anomalies().total(), 0U);
}

TEST(ItchFlow, TheSelectedEndTimeIsInclusive) {
    SmallDay day;
    day.add(1, 7, Side::buy, 1000, 300).add(2, 8, Side::buy, 1000, 100).remove(3, 7);
    BookBuilder<> books;
    day.replay(books, {.symbol = {}, .until_ns = SmallDay::time_ns(2)});
    EXPECT_THAT(queue(books, Side::buy), ElementsAre("7:300@100000", "8:100@100000"));
}

TEST(ItchFlow, AnUnlistedInstrumentGetsTheNameOfItsFirstOrder) {
    SmallDay day;
    day.add(1, 7, Side::buy, 2000, 300, 2);
    BookBuilder<> books;
    day.replay(books, {.symbol = "MSFT"});
    EXPECT_EQ(books.instruments(), 1U);
}

TEST(ItchFlow, ASecondNameForALocateIsAMismatch) {
    SmallDay day;
    day.listed(1, "AAPL").listed(1, "AAPL");
    const std::size_t place = day.size();
    day.listed(1, "MSFT").add(1, 7, Side::buy, 1000, 300);
    const auto books = built(day);
    EXPECT_EQ(books.anomalies().of(Anomaly::mismatch).count, 1U);
    EXPECT_EQ(books.anomalies().of(Anomaly::mismatch).first_place, place);
    EXPECT_EQ(books.instruments(), 1U);
}

TEST(ItchFlow, ACrossWithTooManySharesIsRejected) {
    const auto books = built(SmallDay{}.listed(1, "AAPL").cross(1, 1000, std::uint64_t{1} << 40U));
    EXPECT_EQ(books.anomalies().of(Anomaly::invalid_quantity).count, 1U);
}

}  // namespace
}  // namespace damrak::order_flow::book_builder_test
