// The control: the order book most programs would write first, in standard containers.
//
// A side is a `std::map` of prices to `std::list` queues, and an `unordered_map` leads from ids to
// list nodes. It is measured beside our book in every run and figures are quoted as ratios to it,
// so it has to be a fair opponent: an id is validated by the same hash look-up that inserts it, and
// a replace moves its list node between levels instead of allocating a new one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <unordered_map>

#include "support/row_events.hpp"

namespace damrak::bench {

template <class Sink>
class ControlBook {
  public:
    struct Order {
        std::uint64_t id;
        std::uint8_t side;
        std::int32_t price;
        std::uint32_t quantity;
    };

    ControlBook(std::uint16_t symbol, Sink& sink) : symbol_(symbol), sink_(&sink) {}

    void add(Order order, bool ioc) {
        if (order.quantity == 0) return refuse(order.id);
        const auto [slot, fresh] = orders_.try_emplace(order.id);
        if (!fresh) return refuse(order.id);
        emit(RowEventKind::acknowledged, order);
        match(order);
        if (order.quantity != 0 && !ioc) {
            Level& level = level_of(order);
            slot->second = level.insert(level.end(), order);
            return;
        }
        orders_.erase(slot);
        if (order.quantity != 0) emit(RowEventKind::remainder_dropped, order);
    }

    void cancel(std::uint64_t id) {
        const auto slot = orders_.find(id);
        if (slot == orders_.end()) return refuse(id);
        const Level node = take_out(slot->second);
        orders_.erase(slot);
        emit(RowEventKind::cancelled, node.front());
    }

    void replace(std::uint64_t id, std::int32_t price, std::uint32_t quantity) {
        const auto slot = orders_.find(id);
        if (slot == orders_.end() || quantity == 0) return refuse(id);
        Level node = take_out(slot->second);
        Order& order = node.front();
        order.price = price;
        order.quantity = quantity;
        emit(RowEventKind::replaced, order);
        match(order);
        if (order.quantity == 0) {
            orders_.erase(slot);
            return;
        }
        Level& level = level_of(order);
        level.splice(level.end(), node);
    }

    [[nodiscard]] std::size_t live_orders() const { return orders_.size(); }

    // Side of a live order.
    [[nodiscard]] std::optional<std::uint8_t> side_of(std::uint64_t id) const {
        const auto slot = orders_.find(id);
        return slot == orders_.end() ? std::nullopt : std::optional(slot->second->side);
    }

  private:
    using Level = std::list<Order>;

    // Orders the prices of a side from best to worst: the highest bid first, the lowest ask.
    static std::int32_t key(std::uint8_t side, std::int32_t price) {
        return side == 0 ? ~price : price;
    }

    // Executes against the other side, best first, while its prices are no worse than the limit.
    void match(Order& taker) {
        const auto other = static_cast<std::uint8_t>(1 - taker.side);
        auto& levels = sides_[other];
        while (taker.quantity != 0 && !levels.empty()) {
            const auto best = levels.begin();
            if (best->first > key(other, taker.price)) break;
            Order& maker = best->second.front();
            const std::uint32_t filled = std::min(taker.quantity, maker.quantity);
            taker.quantity -= filled;
            maker.quantity -= filled;
            sink_->write({RowEventKind::traded, taker.side, symbol_, filled, taker.id, maker.id,
                          maker.price, maker.quantity});
            if (maker.quantity != 0) break;
            orders_.erase(maker.id);
            best->second.pop_front();
            if (best->second.empty()) levels.erase(best);
        }
    }

    Level& level_of(const Order& order) { return sides_[order.side][key(order.side, order.price)]; }

    // Unlinks a resting order, and its level with the last one; gives its node back alone.
    Level take_out(typename Level::iterator order) {
        auto& levels = sides_[order->side];
        const auto level = levels.find(key(order->side, order->price));
        Level node;
        node.splice(node.end(), level->second, order);
        if (level->second.empty()) levels.erase(level);
        return node;
    }

    void emit(RowEventKind kind, const Order& order) {
        sink_->write({kind, order.side, symbol_, order.quantity, order.id, 0, order.price, 0});
    }
    void refuse(std::uint64_t id) { emit(RowEventKind::refused, {id, 0, 0, 0}); }

    std::uint16_t symbol_;
    Sink* sink_;
    std::array<std::map<std::int32_t, Level>, 2> sides_;  // of the bids, of the asks
    std::unordered_map<std::uint64_t, typename Level::iterator> orders_;
};

}  // namespace damrak::bench
