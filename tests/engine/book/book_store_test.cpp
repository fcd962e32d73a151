// The memory of all books: look-up by id, timely detection of full level pools, and total size.

#include <damrak/book/book_store.hpp>

#include <cstdint>

#include <gtest/gtest.h>

#include <damrak/book/order_book.hpp>

namespace damrak::book_store_test {
namespace {

OrderIndex add(BookStore& store, OrderBook& book, Tick tick, OrderAttributes terms) {
    const OrderIndex index = store.order_pool.take();
    Order& order = store.order(index);
    order = {};
    order.tick = tick;
    order.quantity = Quantity{1};
    order.rank = terms.bits();
    book.add(store, index);
    return index;
}

OrderAttributes terms_of(Side side, std::uint16_t bits = 0) {
    OrderAttributes terms(side, OrderType::limit, TimeInForce::day, SelfTradePrevention::none);
    terms.set(bits);
    return terms;
}

TEST(BookStore, FindsAnOrderByInstrumentAndId) {
    BookStore store({.orders = 10, .extensions = 1, .levels = 10, .ladder_nodes = 30});
    for (std::uint32_t instrument = 1; instrument <= 3; ++instrument) {
        const OrderIndex index = store.order_pool.take();
        store.order(index).id = OrderId{42};
        store.order(index).instrument = InstrumentId{instrument};
        store.ids.insert(store.ids.key_of(InstrumentId{instrument}, OrderId{42}), index);
    }
    EXPECT_EQ(store.find(InstrumentId{1}, OrderId{42}), 1U);
    EXPECT_EQ(store.find(InstrumentId{3}, OrderId{42}), 3U);
    EXPECT_EQ(store.find(InstrumentId{4}, OrderId{42}), 0U);
    EXPECT_EQ(store.find(InstrumentId{1}, OrderId{41}), 0U);
}

// In so small a store all ids share one bucket, and these two have equal lower halves.
TEST(BookStore, ComparesWholeIds) {
    BookStore store({.orders = 3, .extensions = 1, .levels = 10, .ladder_nodes = 30});
    const OrderIndex index = store.order_pool.take();
    store.order(index).id = OrderId{42};
    store.order(index).instrument = InstrumentId{1};
    store.ids.insert(store.ids.key_of(InstrumentId{1}, OrderId{42}), index);
    EXPECT_EQ(store.find(InstrumentId{1}, OrderId{42}), index);
    EXPECT_EQ(store.find(InstrumentId{1}, OrderId{42 + (std::uint64_t{1} << 32U)}), 0U);
}

// The engine checks this before it accepts an order: any price of the next order must fit.
TEST(BookStore, ChecksCapacityForAnyFurtherPrice) {
    BookStore store({.orders = 1'000, .extensions = 1, .levels = 60, .ladder_nodes = 150});
    OrderBook book;
    Tick tick = 1;
    int added = 0;
    while (store.has_room_for_price()) {
        // Ever more distant prices on both sides, hidden and displayed: the most that a price can
        // need.
        const Side side = added % 2 == 0 ? Side::buy : Side::sell;
        add(store, book, tick, terms_of(side, added % 3 == 0 ? OrderAttributes::k_hidden : 0));
        tick = added % 2 == 0 ? -tick : tick * -7;
        ++added;
    }
    EXPECT_GT(added, 10);
    EXPECT_LE(store.level_pool.used(), 60U);
}

TEST(BookStore, HasRoomAgainAfterPricesAreRemoved) {
    BookStore store({.orders = 10, .extensions = 1, .levels = 4, .ladder_nodes = 44});
    OrderBook book;
    const OrderIndex first = add(store, book, 1, terms_of(Side::buy));
    const OrderIndex second = add(store, book, 2, terms_of(Side::buy));
    EXPECT_FALSE(store.has_room_for_price())
        << "a hidden order needs two levels, elected stops one";
    book.remove(store, first);
    EXPECT_TRUE(store.has_room_for_price());
    book.remove(store, second);
    EXPECT_EQ(store.level_pool.available(), 4U);
}

TEST(BookStoreDeathTest, StopsRatherThanOverrunsAFullPool) {
    BookStore store({.orders = 10, .extensions = 1, .levels = 1, .ladder_nodes = 44});
    OrderBook book;
    add(store, book, 1, terms_of(Side::buy));
    EXPECT_DEATH(add(store, book, 2, terms_of(Side::buy)), "assertion failed");
}

// Counts all bytes, so that the memory of an exchange is known before it starts.
TEST(BookStore, AddsUpItsBytes) {
    const BookCapacity capacity{
        .orders = 1'000, .extensions = 100, .levels = 500, .ladder_nodes = 200};
    const BookStore store(capacity);
    const std::size_t orders = 1'001 * sizeof(Order) + 1'000 * 4;
    const std::size_t extensions = 101 * sizeof(OrderExtension) + 100 * 4;
    const std::size_t levels = 501 * sizeof(Level) + 500 * 4;
    const std::size_t nodes =
        201 * (sizeof(LadderNodes::Head) + sizeof(LadderNodes::Children)) + 200 * 4;
    EXPECT_EQ(store.bytes(), orders + extensions + levels + nodes + store.ids.bytes());
    EXPECT_EQ(store.ids.bytes(), 512U * 64U) << "at most half full: 1,000 in 512 x 7 entries";
}

}  // namespace
}  // namespace damrak::book_store_test
