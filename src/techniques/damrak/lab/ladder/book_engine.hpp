// Rung 9: the product's book (book/) with plain price-time matching, and nothing else: no owners,
// limits, events or state hash.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <damrak/book/order_book.hpp>
#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ladder {

/// The most ladder nodes that books with prices from 1 to a maximum can need.
[[nodiscard]] constexpr std::uint32_t ladder_nodes_of(const Setup& setup) {
    std::uint64_t nodes = 0;
    auto span = static_cast<std::uint64_t>(setup.price_max_ticks);
    for (unsigned height = 0; height < LadderNodes::k_path; ++height) {
        span /= LadderNodes::k_slots;
        nodes += span + 2;
    }
    return static_cast<std::uint32_t>(nodes * 2 * setup.symbols +
                                      std::uint64_t{2} * LadderNodes::k_path);
}

class BookEngine {
  public:
    explicit BookEngine(const Setup& setup)
        : price_max_ticks_(setup.price_max_ticks),
          store_({.orders = setup.orders + 1,
                  .extensions = 1,
                  .levels = setup.orders + 4,
                  .ladder_nodes = ladder_nodes_of(setup)}),
          books_(setup.symbols) {}

    /// Calls `trades(const Trade<std::int32_t>&)` for each.
    template <class Trades>
    [[nodiscard]] Refusal submit(const Request& request, Trades&& trades) {
        const InstrumentId instrument{request.symbol + 1};
        const OrderId id{request.id};
        const OrderIdMap::Key key = store_.ids.key_of(instrument, id);
        const OrderIndex found = store_.find(key, instrument, id);
        if (request.op == Op::cancel) {
            if (found == 0) return Refusal::unknown;
            take_out(request.symbol, found, key);
            return Refusal::none;
        }
        if (request.quantity == 0) return Refusal::invalid_quantity;
        if (request.op != Op::market &&
            (request.price_ticks < 1 || request.price_ticks > price_max_ticks_))
            return Refusal::invalid_price;
        Side side = request.side;
        if (request.op == Op::replace) {
            if (found == 0) return Refusal::unknown;
            side = store_.order(found).terms().side();
            take_out(request.symbol, found, key);
        } else if (found != 0) {
            return Refusal::duplicate_id;
        }
        const Quantity open = match(request, side, trades);
        if (open.value > 0 && request.op != Op::market && !request.ioc)
            rest(request, side, open, key);
        return Refusal::none;
    }

  private:
    template <class Trades>
    Quantity match(const Request& request, Side side, Trades& trades) {
        OrderBook& book = books_[request.symbol];
        const Side resting = opposite(side);
        const PriceKey limit =
            request.op == Op::market ? k_no_price - 1 : price_key(resting, request.price_ticks);
        Quantity open{request.quantity};
        while (open.value > 0 && book.side(resting).best_key() <= limit) {
            const OrderIndex index = book.front(store_, resting);
            const Order& maker = store_.order(index);
            const Quantity filled = std::min(open, maker.quantity);
            open -= filled;
            trades(Trade<std::int32_t>{request.id, maker.id.value,
                                       static_cast<std::int32_t>(maker.tick),
                                       static_cast<std::uint32_t>(filled.value)});
            if (filled == maker.quantity)
                take_out(request.symbol, index, store_.ids.key_of(maker.instrument, maker.id));
            else
                book.reduce(store_, index, filled);
        }
        return open;
    }

    void rest(const Request& request, Side side, Quantity open, OrderIdMap::Key key) {
        const OrderIndex index = store_.order_pool.take();
        Order& order = store_.order(index);
        order.id = OrderId{request.id};
        order.instrument = InstrumentId{request.symbol + 1};
        order.rank = static_cast<std::uint64_t>(side);  // the first bit of the terms
        order.quantity = open;
        order.tick = request.price_ticks;
        store_.ids.insert(key, index);
        books_[request.symbol].add(store_, index);
    }

    void take_out(std::uint32_t symbol, OrderIndex index, OrderIdMap::Key key) {
        books_[symbol].remove(store_, index);
        store_.ids.erase(key, index);
        store_.order_pool.give_back(index);
    }

    std::int32_t price_max_ticks_;
    BookStore store_;
    std::vector<OrderBook> books_;
};

}  // namespace damrak::lab::ladder
