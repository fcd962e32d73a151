// The parts of the tick-to-trade path, one type per choice: memory layout and owner of an order,
// its allocation, and the sides of the book.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <damrak/domain/order_terms.hpp>

namespace damrak::lab::tick_to_trade {

/// One message of the feed: an order.
struct Tick {
    std::uint64_t id = 0;
    std::int32_t price_ticks = 0;
    std::uint32_t quantity = 0;
    Side side{};
};

/// Unaligned: 24 bytes.
struct PackedOrder {
    std::uint64_t id = 0;
    std::int32_t price_ticks = 0;
    std::uint32_t quantity = 0;
    Side side{};
};
/// Each on its own cache line.
struct alignas(64) AlignedOrder : PackedOrder {};

/// Owners: `make(tick)` returns a handle that works like a pointer; `drop(handle)` ends it.
template <class Order>
void fill(Order& order, const Tick& tick) {
    order.id = tick.id;
    order.price_ticks = tick.price_ticks;
    order.quantity = tick.quantity;
    order.side = tick.side;
}

/// Orders by plain pointers.
template <class Order>
class RawOwner {
  public:
    using Handle = Order*;
    RawOwner() = default;
    RawOwner(const RawOwner&) = delete;
    RawOwner& operator=(const RawOwner&) = delete;
    ~RawOwner() = default;
    Handle make(const Tick& tick) {
        auto* const order = new Order;  // NOLINT(cppcoreguidelines-owning-memory): it is the point
        fill(*order, tick);
        return order;
    }
    void drop(Handle order) { delete order; }  // NOLINT(cppcoreguidelines-owning-memory)
};

/// Orders by `std::unique_ptr`.
template <class Order>
class UniqueOwner {
  public:
    using Handle = std::unique_ptr<Order>;
    Handle make(const Tick& tick) {
        auto order = std::make_unique<Order>();
        fill(*order, tick);
        return order;
    }
    void drop(Handle order) { order.reset(); }
};

/// Orders by `std::shared_ptr`.
template <class Order>
class SharedOwner {
  public:
    using Handle = std::shared_ptr<Order>;
    Handle make(const Tick& tick) {
        auto order = std::make_shared<Order>();
        fill(*order, tick);
        return order;
    }
    void drop(Handle order) { order.reset(); }
};

/// Blocks of many orders, with a linked free list.
template <class Order>
class PoolOwner {
  public:
    using Handle = Order*;
    Handle make(const Tick& tick) {
        if (free_.empty()) grow();
        Order* const order = free_.back();
        free_.pop_back();
        fill(*order, tick);
        return order;
    }
    void drop(Handle order) { free_.push_back(order); }

  private:
    static constexpr std::size_t k_block = 4'096;

    void grow() {
        std::vector<Order>& block = blocks_.emplace_back(k_block);
        free_.reserve(blocks_.size() * k_block);
        for (std::size_t i = k_block; i-- > 0;) free_.push_back(&block[i]);
    }

    std::deque<std::vector<Order>> blocks_;
    std::vector<Order*> free_;
};

/// Sides of a book, in price-time priority.
///   best()  null if empty    take_best()    insert(handle)    clear(f)  f(handle) for each left
template <class Handle>
class MapSide {
  public:
    explicit MapSide(Side side) : sign_(side == Side::sell ? 1 : -1) {}
    [[nodiscard]] bool empty() const { return levels_.empty(); }
    [[nodiscard]] Handle& best() { return levels_.begin()->second.front(); }
    Handle take_best() {
        const auto level = levels_.begin();
        Handle order = std::move(level->second.front());
        level->second.pop_front();
        if (level->second.empty()) levels_.erase(level);
        return order;
    }
    void insert(Handle order) {
        const std::int32_t key = sign_ * order->price_ticks;
        levels_[key].push_back(std::move(order));
    }

  private:
    std::int32_t sign_;
    std::map<std::int32_t, std::deque<Handle>> levels_;
};

/// All orders in one sorted vector, the best at its end.
template <class Handle>
class FlatSide {
  public:
    explicit FlatSide(Side side) : sign_(side == Side::sell ? 1 : -1) {}
    [[nodiscard]] bool empty() const { return orders_.empty(); }
    [[nodiscard]] Handle& best() { return orders_.back(); }
    Handle take_best() {
        Handle order = std::move(orders_.back());
        orders_.pop_back();
        return order;
    }
    void insert(Handle order) {
        // A later order of the same price comes earlier in the vector.
        const std::int32_t key = sign_ * order->price_ticks;
        const auto place =
            std::ranges::lower_bound(orders_, key, std::ranges::greater{},
                                     [this](const Handle& h) { return sign_ * h->price_ticks; });
        orders_.insert(place, std::move(order));
    }

  private:
    std::int32_t sign_;
    std::vector<Handle> orders_;
};

}  // namespace damrak::lab::tick_to_trade
