// The order book of one instrument: which orders rest at which price, in which order.
//
// It has queues and prices but no rules: prices may even be crossed here. Matching, ownership and
// events belong to the engine. Orders are in the BookStore that is passed to each call, so a book
// takes a few hundred bytes and an empty one owns nothing.
//
// One thread. Adding, removing and reducing are O(1) near the touch and O(log of the price
// distance) elsewhere; none of them scans.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <damrak/base/inline.hpp>
#include <damrak/book/book_store.hpp>
#include <damrak/book/detail/aside_orders.hpp>
#include <damrak/book/order.hpp>
#include <damrak/book/price_ladder.hpp>

namespace damrak {

/// Public view of a price.
struct DepthLevel {
    Tick tick;
    Quantity quantity;
    std::uint32_t orders;
    friend bool operator==(const DepthLevel&, const DepthLevel&) = default;
};

/// Calls `f(OrderIndex)` for the orders of one queue in time order until it returns false. Returns
/// whether it reached the end. `f` may remove the order it is called for.
template <class F>
bool for_each_in_queue(const BookStore& store, LevelIndex level, F&& f) {
    for (OrderIndex i = store.level(level).head; i != 0;)
        if (!f(std::exchange(i, store.order(i).next))) return false;
    return true;
}

class alignas(64) OrderBook {
  public:
    [[nodiscard]] const PriceLadder& side(Side side) const {
        return ladders_[static_cast<std::size_t>(side)];
    }

    /// Queues an order at the back of its price. Its tick, quantity and terms are set; `reserve` is
    /// its open quantity beyond the quantity in the queue.
    template <Shape k_shape = Shape::any>
    void add(BookStore& store, OrderIndex index, Quantity reserve = Quantity{0});
    /// The same for an order whose rank is already set, from next_rank().
    template <Shape k_shape = Shape::any>
    void add_ranked(BookStore& store, OrderIndex index, OrderAttributes terms, Tick tick);

    /// Removes an order; `reserve` as it was added or last changed.
    void remove(BookStore& store, OrderIndex index, Quantity reserve = Quantity{0});

    /// Reduces the quantity of an order in its queue; it keeps its place. Some quantity must
    /// remain.
    void reduce(BookStore& store, OrderIndex index, Quantity quantity) {
        Order& order = store.order(index);
        order.quantity -= quantity;
        store.level(order.level).total -= quantity;
    }
    /// Reduces the reserve of an order.
    void reduce_reserve(BookStore& store, OrderIndex index, Quantity quantity) {
        store.level(store.order(index).level).reserve -= quantity;
    }

    /// The orders of a side that are outside the queues. They count in no level and no best price.
    [[nodiscard]] const AsideOrders& aside(Side side) const {
        return aside_[static_cast<std::size_t>(side)];
    }
    /// Adds an order outside the queues, or returns it there at its place in time. Its tick,
    /// quantity and terms must be set.
    void add_aside(BookStore& store, OrderIndex index) {
        store.order(index).set_arrival(next_arrival());
        put_aside(store, index);
    }
    void put_aside(BookStore& store, OrderIndex index) {
        aside_[static_cast<std::size_t>(store.order(index).terms().side())].insert(store, index);
    }
    void take_aside(BookStore& store, OrderIndex index) {
        aside_[static_cast<std::size_t>(store.order(index).terms().side())].erase(store, index);
    }

    /// Puts an order with a used-up slice at the back of its queue with the next slice of its
    /// reserve.
    void requeue(BookStore& store, OrderIndex index, Quantity slice);

    /// Prefetches the book, and then the data at a price.
    void prefetch() const {
        const auto* lines = reinterpret_cast<const char*>(this);
        for (const std::size_t offset : {0U, 64U}) __builtin_prefetch(lines + offset, 1);
    }
    void prefetch_price(const BookStore& store, Side side, Tick tick) const {
        this->side(side).prefetch(store.nodes, price_key(side, tick));
    }
    /// Prefetches what removing the order touches, except the order itself, which is already
    /// cached.
    void prefetch_place(const BookStore& store, OrderIndex index) const {
        const Order& order = store.order(index);
        __builtin_prefetch(&store.level(order.level), 1);
        __builtin_prefetch(&store.order(order.previous), 1);
        __builtin_prefetch(&store.order(order.next), 1);
        prefetch_price(store, order.terms().side(), order.tick);
    }

    /// Best displayed prices first, `f(DepthLevel)` for each until it returns false.
    template <class F>
    void for_each_level(const BookStore& store, Side side, F&& f) const {
        for_each_level_from(store, side, this->side(side).best(), f);
    }
    /// The same for the prices behind this one.
    template <class F>
    void for_each_level_behind(const BookStore& store, Side side, Tick tick, F&& f) const {
        const PriceLadder& ladder = this->side(side);
        for_each_level_from(store, side, ladder.next(store.nodes, price_key(side, tick)), f);
    }

    /// Calls `f(OrderIndex)` for every order of a side in the order in which they would trade, then
    /// for those outside the queues, until it returns false. Returns whether it reached the end.
    /// `f` may remove the order it is called for.
    template <class F>
    bool for_each_order(const BookStore& store, Side side, F&& f) const {
        const PriceLadder& ladder = ladders_[static_cast<std::size_t>(side)];
        for (auto at = ladder.best(); at.level != 0;) {
            const auto after = ladder.next(store.nodes, at.key);
            const LevelIndex companion = store.level(at.level).companion;
            for (const LevelIndex queue : {at.level, companion})
                if (queue != 0 && !for_each_in_queue(store, queue, f)) return false;
            at = after;
        }
        const AsideOrders& aside = aside_[static_cast<std::size_t>(side)];
        AsideOrders::Place place;
        while (const OrderIndex i = aside.first(store, place, k_any_quantity)) {
            place = AsideOrders::place_of(store, i);
            if (!f(i)) return false;
        }
        return true;
    }

    /// Best displayed level; quantity zero if the side is empty.
    [[nodiscard]] DepthLevel best(const BookStore& store, Side side) const {
        DepthLevel found{};
        for_each_level(store, side, [&](const DepthLevel& level) {
            found = level;
            return false;
        });
        return found;
    }

    /// The order that would trade next on a side that is not empty.
    [[nodiscard]] OrderIndex front(const BookStore& store, Side side) const {
        const Level& level = store.level(ladders_[static_cast<std::size_t>(side)].best_level());
        return level.head != 0 ? level.head : store.level(level.companion).head;
    }

    /// Removes all orders at the best price of a side. None of them may be hidden. Calls
    /// `f(OrderIndex)` for each in time order; `f` may free the order. Cheaper than single
    /// removals, as it does not maintain the queue.
    template <class F>
    void take_best(BookStore& store, Side side, F&& f) {
        PriceLadder& ladder = ladders_[static_cast<std::size_t>(side)];
        const LevelIndex level = ladder.best_level();
        for_each_in_queue(store, level, [&](OrderIndex index) {
            f(index);
            return true;
        });
        ladder.erase(store.nodes, ladder.best_key());
        store.level_pool.give_back(level);
    }

    /// A rank in time after all orders that ever queued here.
    [[nodiscard]] std::uint64_t next_arrival() { return ++arrivals_; }
    /// The last one of these.
    [[nodiscard]] std::uint64_t last_arrival() const { return arrivals_; }
    [[nodiscard]] std::uint64_t next_rank(OrderAttributes terms) {
        return Order::rank_of(next_arrival(), terms);
    }

    /// Asserts the invariants between calls. Slow: for tests.
    void check_invariants(const BookStore& store) const;

  private:
    template <class F>
    void for_each_level_from(const BookStore& store, Side side, PriceLadder::Place at, F& f) const {
        for (; at.level != 0; at = this->side(side).next(store.nodes, at.key)) {
            const Level& level = store.level(at.level);
            // A price may hold hidden orders only.
            if (level.count > 0 && !f(DepthLevel{tick_of(side, at.key), level.total, level.count}))
                return;
        }
    }
    static LevelIndex hidden_level(BookStore& store, LevelIndex displayed);
    void drop_queue(BookStore& store, LevelIndex level, OrderAttributes terms, Tick tick);

    static constexpr Quantity k_any_quantity{std::numeric_limits<std::int64_t>::max()};

    std::uint64_t arrivals_ = 0;
    std::array<PriceLadder, 2> ladders_;
    std::array<AsideOrders, 2> aside_;
};

/// Selects one of two values without a branch, because random conditions are mispredicted.
[[nodiscard]] constexpr std::uint32_t select(bool condition, std::uint32_t a, std::uint32_t b) {
    return b ^ ((a ^ b) & (0U - static_cast<std::uint32_t>(condition)));
}

/// Puts an order at the back of a queue.
DAMRAK_HOT void link_back(BookStore& store, LevelIndex level_index, OrderIndex index) {
    Level& level = store.level(level_index);
    Order& order = store.order(index);
    order.next = 0;
    order.previous = level.tail;
    order.level = level_index;
    // Order zero receives the stores for missing neighbours: cheaper than a branch.
    store.order(level.tail).next = index;
    level.head = select(level.head == 0, index, level.head);
    level.tail = index;
    level.total += order.quantity;
    ++level.count;
}

/// Takes an order out of its queue.
DAMRAK_HOT void unlink(BookStore& store, OrderIndex index) {
    const Order& order = store.order(index);
    Level& level = store.level(order.level);
    const OrderIndex previous = order.previous;
    const OrderIndex next = order.next;
    store.order(previous).next = next;
    store.order(next).previous = previous;
    level.head = select(previous == 0, next, level.head);
    level.tail = select(next == 0, previous, level.tail);
    level.total -= order.quantity;
    --level.count;
}

template <Shape k_shape>
DAMRAK_HOT void OrderBook::add(BookStore& store, OrderIndex index, Quantity reserve) {
    Order& order = store.order(index);
    const OrderAttributes terms = order.terms();
    order.set_arrival(next_arrival());
    add_ranked<k_shape>(store, index, terms, order.tick);
    if (k_shape == Shape::any) store.level(order.level).reserve += reserve;
}

template <Shape k_shape>
DAMRAK_HOT void OrderBook::add_ranked(BookStore& store, OrderIndex index, OrderAttributes terms,
                                      Tick tick) {
    PriceLadder& ladder = ladders_[static_cast<std::size_t>(terms.side())];
    LevelIndex level = ladder.find_or_insert(store.nodes, price_key(terms.side(), tick), [&] {
        const LevelIndex fresh = store.level_pool.take();
        store.level(fresh) = {};
        return fresh;
    });
    if (k_shape == Shape::any && terms.undisplayed()) [[unlikely]]
        level = hidden_level(store, level);
    link_back(store, level, index);
}

inline void OrderBook::requeue(BookStore& store, OrderIndex index, Quantity slice) {
    Order& order = store.order(index);
    const LevelIndex level = order.level;
    unlink(store, index);
    order.quantity = slice;
    order.set_arrival(++arrivals_);
    link_back(store, level, index);
    store.level(level).reserve -= slice;
}

DAMRAK_HOT void OrderBook::remove(BookStore& store, OrderIndex index, Quantity reserve) {
    const Order& order = store.order(index);
    const LevelIndex level = order.level;
    unlink(store, index);
    store.level(level).reserve -= reserve;
    if (store.level(level).count == 0) [[unlikely]]
        drop_queue(store, level, order.terms(), order.tick);
}

// If a price has both queues, the ladder refers to the displayed one, until both are empty.
DAMRAK_COLD inline void OrderBook::drop_queue(BookStore& store, LevelIndex level,
                                              OrderAttributes terms, Tick tick) {
    if (terms.undisplayed()) [[unlikely]] {
        store.level_pool.give_back(std::exchange(level, store.level(level).companion));
        store.level(level).companion = 0;
        if (store.level(level).count > 0) return;
    } else if (store.level(level).companion != 0) [[unlikely]] {
        return;
    }
    const Side side = terms.side();
    ladders_[static_cast<std::size_t>(side)].erase(store.nodes, price_key(side, tick));
    store.level_pool.give_back(level);
}

DAMRAK_COLD inline LevelIndex OrderBook::hidden_level(BookStore& store, LevelIndex displayed) {
    LevelIndex hidden = store.level(displayed).companion;
    if (hidden == 0) {
        hidden = store.level_pool.take();
        store.level(hidden) = {};
        store.level(hidden).companion = displayed;
        store.level(displayed).companion = hidden;
    }
    return hidden;
}

}  // namespace damrak
