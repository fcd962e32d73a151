// The control: the order book most programs would write first, in standard containers.
//
// A side is a `std::map` of prices to `std::list` queues, and an `unordered_map` leads from ids to
// list nodes. It is measured beside our book in every run and figures are quoted as ratios to it,
// so it has to be a fair opponent: an id is validated by the same hash look-up that inserts it, and
// a replace moves its list node between levels instead of allocating a new one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <unordered_map>

#include "support/row_events.hpp"

namespace damrak::bench {

template <class Sink>
class ControlBook {
  public:
    ControlBook(std::uint16_t symbol, Sink& sink) : symbol_(symbol), sink_(&sink) {}

    void add(std::uint64_t id, std::uint8_t side, std::int32_t price, std::uint32_t quantity,
             bool ioc) {
        if (quantity == 0) return refuse(id);
        const auto [slot, fresh] = orders_.try_emplace(id);
        if (!fresh) return refuse(id);
        emit(RowEventKind::acknowledged, side, quantity, id, price);
        const std::uint32_t rest = match(id, side, price, quantity);
        if (rest != 0 && !ioc) {
            Level& level = level_at(side, price);
            slot->second = level.insert(level.end(), Order{id, rest, price, side});
            return;
        }
        orders_.erase(slot);
        if (rest != 0) emit(RowEventKind::remainder_dropped, side, rest, id, price);
    }

    void cancel(std::uint64_t id) {
        const auto slot = orders_.find(id);
        if (slot == orders_.end()) return refuse(id);
        const Level node = take_out(slot->second);
        orders_.erase(slot);
        const Order& order = node.front();
        emit(RowEventKind::cancelled, order.side, order.quantity, id, order.price);
    }

    void replace(std::uint64_t id, std::int32_t price, std::uint32_t quantity) {
        const auto slot = orders_.find(id);
        if (slot == orders_.end() || quantity == 0) return refuse(id);
        Level node = take_out(slot->second);
        Order& order = node.front();
        emit(RowEventKind::replaced, order.side, quantity, id, price);
        order.price = price;
        order.quantity = match(id, order.side, price, quantity);
        if (order.quantity == 0) {
            orders_.erase(slot);
            return;
        }
        Level& level = level_at(order.side, price);
        level.splice(level.end(), node);
    }

    [[nodiscard]] std::size_t live_orders() const { return orders_.size(); }

    // Of a live order.
    [[nodiscard]] std::optional<std::uint8_t> side_of(std::uint64_t id) const {
        const auto slot = orders_.find(id);
        return slot == orders_.end() ? std::nullopt : std::optional(slot->second->side);
    }

  private:
    struct Order {
        std::uint64_t id;
        std::uint32_t quantity;
        std::int32_t price;
        std::uint8_t side;
    };
    using Level = std::list<Order>;
    using Place = typename Level::iterator;
    using Bids = std::map<std::int32_t, Level, std::greater<>>;
    using Asks = std::map<std::int32_t, Level>;

    std::uint32_t match(std::uint64_t id, std::uint8_t side, std::int32_t price,
                        std::uint32_t quantity) {
        return side == 0 ? match_against(asks_, id, side, price, quantity)
                         : match_against(bids_, id, side, price, quantity);
    }

    // Executes against `levels`, best first, while its prices are no worse than the limit.
    template <class Levels>
    std::uint32_t match_against(Levels& levels, std::uint64_t id, std::uint8_t side,
                                std::int32_t limit, std::uint32_t quantity) {
        while (quantity != 0 && !levels.empty()) {
            const auto best = levels.begin();
            if (levels.key_comp()(limit, best->first)) break;
            Level& queue = best->second;
            while (quantity != 0 && !queue.empty()) {
                Order& maker = queue.front();
                const std::uint32_t filled = std::min(quantity, maker.quantity);
                quantity -= filled;
                maker.quantity -= filled;
                sink_->write({RowEventKind::traded, side, symbol_, filled, id, maker.id,
                              maker.price, maker.quantity});
                if (maker.quantity == 0) {
                    orders_.erase(maker.id);
                    queue.pop_front();
                }
            }
            if (queue.empty()) levels.erase(best);
        }
        return quantity;
    }

    Level& level_at(std::uint8_t side, std::int32_t price) {
        return side == 0 ? bids_[price] : asks_[price];
    }

    // Unlinks a resting order, and its level with the last one; gives its node back alone.
    Level take_out(Place order) {
        return order->side == 0 ? take_from(bids_, order) : take_from(asks_, order);
    }

    template <class Levels>
    Level take_from(Levels& levels, Place order) {
        const auto level = levels.find(order->price);
        Level node;
        node.splice(node.end(), level->second, order);
        if (level->second.empty()) levels.erase(level);
        return node;
    }

    void emit(RowEventKind kind, std::uint8_t side, std::uint32_t quantity, std::uint64_t id,
              std::int32_t price) {
        sink_->write({kind, side, symbol_, quantity, id, 0, price, 0});
    }

    void refuse(std::uint64_t id) { emit(RowEventKind::refused, 0, 0, id, 0); }

    std::uint16_t symbol_;
    Sink* sink_;
    Bids bids_;
    Asks asks_;
    std::unordered_map<std::uint64_t, Place> orders_;
};

}  // namespace damrak::bench
