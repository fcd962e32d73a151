// The book of one symbol for converters: orders by reference, shares by price. Plain maps, as speed
// does not matter here. It applies no rules and accepts any 32-bit price. Some hundred nanoseconds
// for each change.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>

#include <damrak/domain/order_terms.hpp>
#include <damrak/lobster/descriptor.hpp>

namespace damrak::convert {

struct RestingOrder {
    Side side{Side::buy};
    std::int64_t price_e4{};
    std::int64_t shares{};
};

class SymbolBook {
  public:
    /// Null if the order is not in the book. Valid until the next change.
    [[nodiscard]] const RestingOrder* find(std::uint64_t reference) const {
        const auto found = orders_.find(reference);
        return found == orders_.end() ? nullptr : &found->second;
    }

    /// Returns false, without effect, if the reference is in the book, or shares or price are zero.
    bool add(std::uint64_t reference, const RestingOrder& order) {
        if (order.shares < 1 || order.price_e4 < 1) return false;
        if (!orders_.emplace(reference, order).second) return false;
        levels(order.side)[order.price_e4] += order.shares;
        return true;
    }

    /// Takes at most the order's shares from it, and removes it when none are left.
    void take(std::uint64_t reference, std::int64_t shares) {
        const auto found = orders_.find(reference);
        RestingOrder& order = found->second;
        const std::int64_t taken = std::min(shares, order.shares);
        order.shares -= taken;
        auto& side = levels(order.side);
        const auto level = side.find(order.price_e4);
        level->second -= taken;
        if (level->second == 0) side.erase(level);
        if (order.shares == 0) orders_.erase(found);
    }

    /// Writes the best levels of a side into its half of the row. Returns whether the row changed.
    bool show(Side side, std::span<lobster::BookLevel> row) const {
        using lobster::BookLevel;
        return side == Side::buy ? show(bids_.rbegin(), bids_.rend(), lobster::k_no_bid_e4,
                                        &BookLevel::bid_price_e4, &BookLevel::bid_size, row)
                                 : show(asks_.begin(), asks_.end(), lobster::k_no_ask_e4,
                                        &BookLevel::ask_price_e4, &BookLevel::ask_size, row);
    }

  private:
    using Levels = std::map<std::int64_t, std::int64_t>;
    using Member = std::int64_t lobster::BookLevel::*;

    Levels& levels(Side side) { return side == Side::buy ? bids_ : asks_; }

    template <class Iterator>
    static bool show(Iterator level, Iterator end, std::int64_t no_price, Member price, Member size,
                     std::span<lobster::BookLevel> row) {
        bool changed = false;
        for (lobster::BookLevel& shown : row) {
            const std::int64_t new_price = level == end ? no_price : level->first;
            const std::int64_t new_size = level == end ? 0 : level->second;
            changed = changed || shown.*price != new_price || shown.*size != new_size;
            shown.*price = new_price;
            shown.*size = new_size;
            if (level != end) ++level;
        }
        return changed;
    }

    std::unordered_map<std::uint64_t, RestingOrder> orders_;
    Levels bids_;
    Levels asks_;
};

}  // namespace damrak::convert
