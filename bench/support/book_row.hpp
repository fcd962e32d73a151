// The book row: `book/` and plain price-time matching, with no more around them than NW-1 asks for.
//
// Ids are validated and the best price is eager. The row looks ahead over a window of records that
// are already queued, as the server does over what it has read in one turn.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <damrak/base/inline.hpp>
#include <damrak/book/order_book.hpp>

#include "support/capacity.hpp"
#include "support/message.hpp"
#include "support/row_events.hpp"

namespace damrak::bench {

template <class Sink>
class BookRow {
  public:
    BookRow(const StreamInfo& info, Sink& sink)
        : store_({.orders = static_cast<std::uint32_t>(info.live_orders_max + 1),
                  .extensions = 1,
                  .levels = static_cast<std::uint32_t>(info.live_orders_max + 2),
                  .ladder_nodes = ladder_nodes_of(info)}),
          books_(info.symbols),
          many_(info.symbols > k_few_books),
          sink_(&sink) {}

    void run(std::span<const Message> records) {
        const std::size_t size = records.size();
        for (std::size_t i = 0; i < std::min(size, k_far); ++i) look_far(records, i);
        for (std::size_t i = 0; i < size; ++i) {
            if (i + k_far < size) look_far(records, i + k_far);
            if (i + k_near < size) look_near(i + k_near);
            if (many_ && i + k_close < size) look_close(records[i + k_close], i + k_close);
            apply(records[i], keys_[i % k_window]);
        }
    }

  private:
    static constexpr std::size_t k_far = 12;
    static constexpr std::size_t k_near = 6;
    static constexpr std::size_t k_close = 3;
    static constexpr std::size_t k_window = 16;
    static constexpr std::size_t k_few_books = 64;

    static Side side_of(const Message& record) { return static_cast<Side>(record.side); }
    static InstrumentId instrument_of(const Message& record) {
        return InstrumentId{record.symbol + 1U};
    }

    // A key is computed once, when its record comes into sight.
    void look_far(std::span<const Message> records, std::size_t i) {
        const OrderIdMap::Key key =
            store_.ids.key_of(instrument_of(records[i]), OrderId{records[i].order_id});
        store_.ids.prefetch(key);
        keys_[i % k_window] = key;
        if (many_) books_[records[i].symbol].prefetch();
    }

    void look_near(std::size_t i) const {
        __builtin_prefetch(&store_.order(store_.ids.hint(keys_[i % k_window])), 1);
    }

    // Prefetches what the order or the price of a record refers to, once these are in the cache.
    void look_close(const Message& record, std::size_t i) const {
        const OrderBook& book = books_[record.symbol];
        if (record.op == Nw1Op::add)
            book.prefetch_price(store_, side_of(record), record.price_ticks);
        else
            book.prefetch_place(store_, store_.ids.hint(keys_[i % k_window]));
    }

    void apply(const Message& record, OrderIdMap::Key key) {
        switch (record.op) {
            case Nw1Op::add:
                return add(record, key);
            case Nw1Op::cancel:
                return cancel(record, key);
            case Nw1Op::replace:
                return replace(record, key);
        }
    }

    void add(const Message& record, OrderIdMap::Key key) {
        const OrderId id{record.order_id};
        if (record.quantity == 0 || store_.find(key, instrument_of(record), id) != 0)
            return refuse(record);
        emit(RowEventKind::acknowledged, record, record.side, record.price_ticks, record.quantity);
        const Quantity rest = match(record);
        if (rest.value == 0) return;
        if (record.ioc != 0)
            return emit(RowEventKind::remainder_dropped, record, record.side, record.price_ticks,
                        rest.value);
        const OrderIndex index = store_.order_pool.take();
        Order& order = store_.order(index);
        order.id = id;
        order.instrument = instrument_of(record);
        order.rank = record.side;
        order.quantity = rest;
        order.tick = record.price_ticks;
        store_.ids.insert(key, index);
        books_[record.symbol].add(store_, index);
    }

    void cancel(const Message& record, OrderIdMap::Key key) {
        const OrderIndex index = store_.find(key, instrument_of(record), OrderId{record.order_id});
        if (index == 0) return refuse(record);
        const Order& order = store_.order(index);
        emit(RowEventKind::cancelled, record, static_cast<std::uint8_t>(order.terms().side()),
             order.tick, order.quantity.value);
        drop(record.symbol, index, key);
    }

    void replace(const Message& record, OrderIdMap::Key key) {
        const OrderIndex index = store_.find(key, instrument_of(record), OrderId{record.order_id});
        if (index == 0 || record.quantity == 0) return refuse(record);
        OrderBook& book = books_[record.symbol];
        Order& order = store_.order(index);
        const Side side = order.terms().side();
        book.remove(store_, index);
        emit(RowEventKind::replaced, record, static_cast<std::uint8_t>(side), record.price_ticks,
             record.quantity);
        order.quantity = match(record, side);
        order.tick = record.price_ticks;
        if (order.quantity.value > 0) return book.add(store_, index);
        forget(index, key);
    }

    Quantity match(const Message& record) { return match(record, side_of(record)); }

    Quantity match(const Message& record, Side side) {
        OrderBook& book = books_[record.symbol];
        Quantity open{record.quantity};
        const Side resting = opposite(side);
        const PriceKey limit = price_key(resting, record.price_ticks);
        while (open.value > 0 && book.side(resting).best_key() <= limit) {
            if (const Quantity all = store_.level(book.side(resting).best_level()).total;
                all <= open) {
                open -= all;
                take_level(record, side);
                continue;
            }
            const OrderIndex index = book.front(store_, resting);
            const Order& maker = store_.order(index);
            const Quantity fill = std::min(open, maker.quantity);
            open -= fill;
            emit_trade(record, side, maker, fill);
            if (fill == maker.quantity)
                drop(record.symbol, index, store_.ids.key_of(maker.instrument, maker.id));
            else
                book.reduce(store_, index, fill);
        }
        return open;
    }

    DAMRAK_COLD void take_level(const Message& record, Side side) {
        books_[record.symbol].take_best(store_, opposite(side), [&](OrderIndex index) {
            const Order& maker = store_.order(index);
            emit_trade(record, side, maker, maker.quantity);
            forget(index, store_.ids.key_of(maker.instrument, maker.id));
        });
    }

    void emit_trade(const Message& record, Side side, const Order& maker, Quantity fill) {
        sink_->write({RowEventKind::traded, static_cast<std::uint8_t>(side), record.symbol,
                      static_cast<std::uint32_t>(fill.value), record.order_id, maker.id.value,
                      static_cast<std::int32_t>(maker.tick),
                      static_cast<std::uint32_t>((maker.quantity - fill).value)});
    }

    void drop(std::uint16_t symbol, OrderIndex index, OrderIdMap::Key key) {
        books_[symbol].remove(store_, index);
        forget(index, key);
    }

    void forget(OrderIndex index, OrderIdMap::Key key) {
        store_.ids.erase(key, index);
        store_.order_pool.give_back(index);
    }

    void refuse(const Message& record) { emit(RowEventKind::refused, record, 0, 0, 0); }

    void emit(RowEventKind kind, const Message& record, std::uint8_t side, std::int64_t price,
              std::int64_t quantity) {
        sink_->write({kind, side, record.symbol, static_cast<std::uint32_t>(quantity),
                      record.order_id, 0, static_cast<std::int32_t>(price), 0});
    }

    BookStore store_;
    std::vector<OrderBook> books_;
    bool many_;  ///< a few books and what is in them stay in the nearest cache by themselves
    std::array<OrderIdMap::Key, k_window> keys_{};
    Sink* sink_;
};

}  // namespace damrak::bench
