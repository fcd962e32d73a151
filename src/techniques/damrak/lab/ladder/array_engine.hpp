// Rungs 2 to 8: prices are counts of ticks that index an array of levels, and queues are intrusive
// lists. Each rung differs from the one before in one member of its `Steps`:
//
//   Orders            who owns an order        SharedOrders, PooledOrders
//   Ids               from id to order         HashedIds, VectorIds, LiveIds
//   Prices            the next best price      ScannedPrices, MarkedPrices
//   k_returns_trades  trades in a returned vector, or into a sink that is a template parameter
//   Reason            reason of a refusal: std::string, or Refusal
//
// Memory holds an array of levels for all prices, per side and symbol.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <damrak/lab/ladder/array_parts.hpp>
#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ladder {

template <class Steps>
class ArrayEngine {
  public:
    using Reason = typename Steps::Reason;
    using Fill = Trade<std::int32_t>;
    static constexpr bool k_returns_trades = Steps::k_returns_trades;

    explicit ArrayEngine(const Setup& setup)
        : ids_(setup), orders_(setup), price_max_ticks_(setup.price_max_ticks) {
        const auto prices = static_cast<std::size_t>(setup.price_max_ticks);
        for (std::uint32_t i = 0; i < setup.symbols; ++i)
            books_.push_back({BookSide{prices}, BookSide{prices}});
    }

    [[nodiscard]] Outcome<std::int32_t> submit(const Request& request)
        requires k_returns_trades
    {
        Outcome<std::int32_t> outcome;
        const auto collect = [&](const Fill& fill) { outcome.trades.push_back(fill); };
        outcome.reason = apply(request, collect);
        return outcome;
    }

    /// Calls `trades(const Fill&)` for each.
    template <class Trades>
    [[nodiscard]] Reason submit(const Request& request, Trades&& trades)
        requires(!k_returns_trades)
    {
        return apply(request, trades);
    }

  private:
    using Orders = typename Steps::Orders;
    using Order = typename Orders::Order;
    using Handle = typename Orders::Handle;

    struct Level {
        Handle head{};
        Order* tail = nullptr;
    };
    struct BookSide {
        explicit BookSide(std::size_t prices) : levels(prices), occupied(prices) {}
        std::vector<Level> levels;  ///< best first
        typename Steps::Prices occupied;
    };
    using Book = std::array<BookSide, 2>;

    static Reason reason(Refusal refusal) {
        if constexpr (std::is_same_v<Reason, Refusal>)
            return refusal;
        else
            return std::string{text_of(refusal)};
    }

    // Slots are ordered best first on either side: asks from the lowest price up, bids from the
    // highest down.
    [[nodiscard]] std::size_t slot_of(Side side, std::int32_t ticks) const {
        return static_cast<std::size_t>(side == Side::sell ? ticks - 1 : price_max_ticks_ - ticks);
    }
    [[nodiscard]] BookSide& side_of(std::uint32_t symbol, Side side) {
        return books_[symbol][static_cast<std::size_t>(side)];
    }
    [[nodiscard]] bool is_price(std::int32_t ticks) const {
        return ticks >= 1 && ticks <= price_max_ticks_;
    }

    template <class Trades>
    Reason apply(const Request& request, Trades&& trades) {
        switch (request.op) {
            case Op::limit:
            case Op::market:
                return enter_new(request, trades);
            case Op::cancel:
                return cancel(request);
            case Op::replace:
                return replace(request, trades);
        }
        return reason(Refusal::unknown);
    }

    template <class Trades>
    Reason enter_new(const Request& request, Trades& trades) {
        if (request.quantity == 0) return reason(Refusal::invalid_quantity);
        if (request.op == Op::limit && !is_price(request.price_ticks))
            return reason(Refusal::invalid_price);
        if (ids_.find(request.id) != nullptr) return reason(Refusal::duplicate_id);
        enter(request, request.side, trades);
        return reason(Refusal::none);
    }

    Reason cancel(const Request& request) {
        const Handle order = ids_.find(request.id);
        if (order == nullptr) return reason(Refusal::unknown);
        take_out(*order);
        return reason(Refusal::none);
    }

    template <class Trades>
    Reason replace(const Request& request, Trades& trades) {
        if (request.quantity == 0) return reason(Refusal::invalid_quantity);
        if (!is_price(request.price_ticks)) return reason(Refusal::invalid_price);
        const Handle order = ids_.find(request.id);
        if (order == nullptr) return reason(Refusal::unknown);
        const Side side = order->side;
        take_out(*order);
        enter(request, side, trades);
        return reason(Refusal::none);
    }

    template <class Trades>
    void enter(const Request& request, Side side, Trades& trades) {
        const std::uint32_t open = match(request, side, trades);
        if (open > 0 && request.op != Op::market && !request.ioc) rest(request, side, open);
    }

    template <class Trades>
    std::uint32_t match(const Request& request, Side side, Trades& trades) {
        const Side resting = opposite(side);
        BookSide& book = side_of(request.symbol, resting);
        // The first slot beyond the limit price.
        const std::size_t end = request.op == Op::market
                                    ? book.levels.size()
                                    : slot_of(resting, request.price_ticks) + 1;
        std::uint32_t open = request.quantity;
        while (open > 0 && book.occupied.best() < end) {
            Order& maker = *book.levels[book.occupied.best()].head;
            const std::uint32_t filled = std::min(open, maker.quantity);
            open -= filled;
            maker.quantity -= filled;
            trades(Fill{request.id, maker.id, maker.price_ticks, filled});
            if (maker.quantity == 0) take_out(maker);
        }
        return open;
    }

    void rest(const Request& request, Side side, std::uint32_t open) {
        Handle order = orders_.make();
        order->id = request.id;
        order->symbol = request.symbol;
        order->quantity = open;
        order->price_ticks = request.price_ticks;
        order->side = side;
        BookSide& book = side_of(request.symbol, side);
        const std::size_t slot = slot_of(side, request.price_ticks);
        Level& level = book.levels[slot];
        order->next = Handle{};
        order->previous = level.tail;
        Order* const last = std::exchange(level.tail, &*order);
        ids_.insert(request.id, order);
        if (last == nullptr) {
            level.head = std::move(order);
            book.occupied.add(slot);
        } else {
            last->next = std::move(order);
        }
    }

    void take_out(Order& order) {
        BookSide& book = side_of(order.symbol, order.side);
        const std::size_t slot = slot_of(order.side, order.price_ticks);
        Level& level = book.levels[slot];
        Order* const previous = order.previous;
        Handle next = std::move(order.next);
        (next != nullptr ? next->previous : level.tail) = previous;
        // The table of ids still holds the order when its neighbour releases it.
        (previous != nullptr ? previous->next : level.head) = std::move(next);
        if (level.head == nullptr)
            book.occupied.remove(
                slot, [&](std::size_t other) { return book.levels[other].head != nullptr; });
        const std::uint64_t id = order.id;
        orders_.drop(&order);
        ids_.erase(id);
    }

    // Declared before the books, so destroyed after them: orders that are still held here release
    // their neighbours one by one instead of recursively.
    typename Steps::template Ids<Handle> ids_;
    Orders orders_;
    std::int32_t price_max_ticks_;
    std::vector<Book> books_;
};

// clang-format off
struct ArraySteps2 {  // price-indexed arrays, intrusive lists, integer prices
    using Orders = SharedOrders;
    template <class Handle> using Ids = HashedIds<Handle>;
    using Prices = ScannedPrices;
    static constexpr bool k_returns_trades = true;
    using Reason = std::string;
};
/// Step 3: ids in a vector.
struct ArraySteps3 : ArraySteps2 { template <class Handle> using Ids = VectorIds<Handle>; };
/// Step 4: orders in a pool.
struct ArraySteps4 : ArraySteps3 { using Orders = PooledOrders; };
/// Step 5: trades are passed on instead of returned.
struct ArraySteps5 : ArraySteps4 { static constexpr bool k_returns_trades = false; };
/// Step 6: a refusal is a number instead of a text.
struct ArraySteps6 : ArraySteps5 { using Reason = Refusal; };
/// Step 7: occupied prices are marked in a bitmap.
struct ArraySteps7 : ArraySteps6 { using Prices = MarkedPrices; };
/// Step 8: the product's table of ids.
struct ArraySteps8 : ArraySteps7 { template <class Handle> using Ids = LiveIds<Handle>; };
// clang-format on

}  // namespace damrak::lab::ladder
