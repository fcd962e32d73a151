// The orders of a recorded day while they live, with what was decided for each: what a modifier has
// to remember. About 100 bytes an order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/modify/report.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::modify::detail {

struct OrderKey {
    std::uint16_t locate{};
    std::uint64_t reference{};
    friend bool operator==(const OrderKey&, const OrderKey&) = default;
};

struct LivingOrder {
    std::uint64_t place = 0;           ///< by which the orders of a price queue
    std::int64_t delay_ns = 0;         ///< of its messages
    std::int64_t last_out_ns = 0;      ///< time of the last one passed on
    std::optional<Count> left_out_by;  ///< by which modification; empty: it is passed on
    std::uint32_t shares = 0;          ///< open, as recorded
    std::uint32_t price_e4 = 0;        ///< as passed on
    Side side{};
    wire::itch::Stock stock{};
    std::optional<wire::itch::Mpid> attribution;
};

class LivingOrders {
  public:
    /// Null: the day has no such order now.
    [[nodiscard]] LivingOrder* find(const OrderKey& key) {
        const auto found = orders_.find(key);
        return found == orders_.end() ? nullptr : &found->second;
    }
    /// An order of this key that lives already stays.
    LivingOrder& enter(const OrderKey& key, const LivingOrder& order) {
        return orders_.emplace(key, order).first->second;
    }
    void end(const OrderKey& key) { orders_.erase(key); }
    void clear() { orders_.clear(); }

    /// All, in the order in which they queue.
    [[nodiscard]] std::vector<std::pair<OrderKey, LivingOrder*>> queued() {
        std::vector<std::pair<OrderKey, LivingOrder*>> all;
        all.reserve(orders_.size());
        for (auto& [key, order] : orders_) all.emplace_back(key, &order);
        std::ranges::sort(all, {}, [](const auto& one) { return one.second->place; });
        return all;
    }

  private:
    struct Hash {
        std::size_t operator()(const OrderKey& key) const {
            return mix_bits(key.reference ^ std::uint64_t{key.locate} << 48U);
        }
    };
    std::unordered_map<OrderKey, LivingOrder, Hash> orders_;
};

}  // namespace damrak::modify::detail
