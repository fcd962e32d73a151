// The small book of the laboratory: one instrument, price-time priority, built from policies that
// can be replaced one at a time. The policies are the members of a struct such as the two baselines
// of books/baselines.hpp. Used by the experiments on single factors and their tests, on one thread.
//
// Ids of entering orders are unique; cancels and replaces of unknown ids are ignored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <damrak/lab/books/action.hpp>
#include <damrak/lab/books/dispatch.hpp>
#include <damrak/lab/books/layouts.hpp>

namespace damrak::lab {

template <class Policies>
class Book {
  public:
    struct Order;
    using Ownership = typename Policies::Ownership;
    using Handle = typename Ownership::template Handle<Order, typename Policies::Allocation>;
    using Link = typename Ownership::template Link<Order>;
    using Reference = typename Ownership::template Reference<Order>;
    using Output = typename Policies::Output;
    using Collector = typename Output::Collector;

  private:
    using QueuePolicy = typename Policies::Queue;
    using Hook = typename QueuePolicy::template Hook<Order, Link, Reference>;

  public:
    struct Order : Policies::Layout::template Fields<Hook> {};

    Book(const Flow& flow, Tape& tape)
        : output_(tape),
          orders_(flow.most_orders + 1),
          cold_(flow.most_orders + 1),
          ids_(flow),
          bids_(Side::buy, flow),
          asks_(Side::sell, flow) {}
    Book(const Book&) = delete;
    Book& operator=(const Book&) = delete;
    ~Book() {
        empty(bids_);
        empty(asks_);
        ids_.visit_all([this](Handle& handle) { orders_.destroy(handle); });
    }

    void apply(const Action& action) {
        switch (action.kind) {
            case Kind::cancel:
                return cancel(action.id);
            case Kind::replace:
                return replace(action);
            default:
                return output_.receive(enter(action));
        }
    }

    /// Prefetches for an action that comes later.
    void look_far(const Action& action) const { ids_.prefetch(action.id); }
    void look_near(const Action& action) {
        if (const auto& order = ids_.hint(action.id); order != Handle{})
            __builtin_prefetch(&orders_.at(orders_.reference(order)), 1);
    }

  private:
    using Orders = typename Ownership::template Orders<Order, typename Policies::Allocation>;
    using Queue = typename QueuePolicy::template Queue<Order, Link, Reference>;
    using Levels = typename Policies::Levels::template Levels<Queue>;

    auto enter(const Action& action) {
        Collector collector(output_);
        Policies::Dispatch::enter(
            action, [&](auto kind, auto side) { enter_as(action, kind, side, collector); });
        return collector.result();
    }

    // `kind` and `side` are values or compile-time constants, depending on the dispatch policy.
    template <class KindOf, class SideOf>
    void enter_as(const Action& action, KindOf kind, SideOf side, Collector& collector) {
        const std::uint32_t open =
            match(action, side == Side::buy ? asks_ : bids_, kind, side, collector);
        if (kind == Kind::limit && open > 0) rest(action, open, side);
    }

    template <class KindOf, class SideOf>
    std::uint32_t match(const Action& action, Levels& levels, KindOf kind, SideOf side,
                        Collector& collector) {
        std::uint32_t open = action.quantity;
        const std::int32_t limit = level_key(opposite(side), action.price);
        while (open > 0 && !levels.empty()) {
            const std::int32_t key = levels.best_key();
            if (kind != Kind::market && key < limit) break;
            Queue& queue = levels.best();
            const Reference maker = queue.front(orders_);
            const std::uint32_t resting = orders_.at(maker).quantity;
            const std::uint32_t filled = std::min(open, resting);
            open -= filled;
            const std::uint64_t maker_id = orders_.at(maker).id;
            collector.trade({action.id, maker_id, level_key(opposite(side), key), filled});
            if (filled < resting) {
                orders_.at(maker).quantity = resting - filled;
                break;
            }
            queue.remove(orders_, maker);
            forget(maker_id);
            if (queue.empty()) levels.drop_best();
        }
        return open;
    }

    void rest(const Action& action, std::uint32_t open, Side side) {
        Handle handle = orders_.make();
        const Reference reference = orders_.reference(handle);
        Order& order = orders_.at(reference);
        order.id = action.id;
        order.price = action.price;
        order.quantity = open;
        order.side = side;
        cold_.put(order, details_of(action));
        levels_of(side).at(action.price).push_back(orders_, orders_.link(handle), reference);
        ids_.put(action.id, std::move(handle));
    }

    void cancel(std::uint64_t id) {
        Handle handle = take(id);
        if (handle != Handle{}) leave(handle);
    }

    void replace(const Action& action) {
        Handle handle = take(action.id);
        if (handle == Handle{}) return;
        Action entering = action;
        entering.kind = Kind::limit;
        entering.side = leave(handle);
        output_.receive(enter(entering));
    }

    // Removes an order from its queue, and the level with its last order.
    Side leave(Handle& handle) {
        const Reference reference = orders_.reference(handle);
        const Order& order = orders_.at(reference);
        const Side side = order.side;
        const std::int32_t price = order.price;
        Levels& levels = levels_of(side);
        Queue& queue = levels.at(price);
        queue.remove(orders_, reference);
        if (queue.empty()) levels.drop(price);
        cold_.drop(order);
        orders_.destroy(handle);
        return side;
    }

    void forget(std::uint64_t id) {
        Handle handle = take(id);
        cold_.drop(orders_.at(orders_.reference(handle)));
        orders_.destroy(handle);
    }

    [[nodiscard]] Handle take(std::uint64_t id) {
        return ids_.take(
            id, [this](const Handle& handle) { return orders_.at(orders_.reference(handle)).id; });
    }

    [[nodiscard]] Levels& levels_of(Side side) { return side == Side::buy ? bids_ : asks_; }

    static Details details_of(const Action& action) {
        Details details{.entered_ns = action.id, .account = action.quantity, .client_id = {}};
        details.client_id.front() = static_cast<char>(action.id);
        return details;
    }

    void empty(Levels& levels) {
        while (!levels.empty()) {
            levels.best().clear(orders_);
            levels.drop_best();
        }
    }

    Output output_;
    Orders orders_;
    typename Policies::Layout::Cold cold_;
    typename Policies::Ids::template Ids<Handle> ids_;
    Levels bids_;
    Levels asks_;
};

}  // namespace damrak::lab
