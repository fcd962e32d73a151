// What the public learns of a market: one record for each change of a displayed level, each trade
// and each change of the trading state, with the top of the book and the last trade after the
// command that caused it. Made by the market (virtual time) or from the feed (live); read by
// participants, measures and charts. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <ranges>

#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::views {

struct PublicChange {
    enum class Kind : std::uint8_t {
        none,   ///< nothing was published yet
        level,  ///< `price` of `side` displays `quantity` in `orders` orders now
        trade,  ///< `quantity` traded at `price`; `side` is the aggressor's
        state,  ///< trading or halted
    };
    Kind kind{};
    Side side{};
    TradingState trading_state{};
    Side last_side{};  ///< of the last trade, the aggressor's
    std::uint32_t orders = 0;
    Timestamp time{};
    Price price{};
    Quantity quantity{};

    // After the command that caused the change. While orders collect, both sides show the
    // indicative price and quantity, if the auction would have a price now and is not sealed.
    Price bid{};  ///< meaningless while bid_quantity is zero
    Price ask{};
    Quantity bid_quantity{};
    Quantity ask_quantity{};
    Price last_price{};        ///< meaningless while trades is zero
    std::uint64_t trades = 0;  ///< so far
    std::uint64_t volume = 0;

    [[nodiscard]] bool has_bid() const { return bid_quantity.value > 0; }
    [[nodiscard]] bool has_ask() const { return ask_quantity.value > 0; }
    [[nodiscard]] bool has_both() const { return has_bid() && has_ask(); }
    /// Bid plus ask: twice the mid price, which is no price unit in general.
    [[nodiscard]] std::int64_t twice_mid() const { return bid.value + ask.value; }
    [[nodiscard]] double mid() const { return static_cast<double>(twice_mid()) / 2; }
};

/// A displayed price.
struct VisibleLevel {
    Quantity quantity{};
    std::uint32_t orders = 0;
};

/// The displayed levels of an instrument at a moment.
class VisibleDepth {
  public:
    /// By price; best bid last, best ask first.
    using Levels = std::map<std::int64_t, VisibleLevel>;

    void apply(const PublicChange& change) {
        if (change.kind != PublicChange::Kind::level) return;
        Levels& levels = sides_[static_cast<std::size_t>(change.side)];
        if (change.quantity.value == 0)
            levels.erase(change.price.value);
        else
            levels[change.price.value] = {change.quantity, change.orders};
    }
    [[nodiscard]] const Levels& levels(Side side) const {
        return sides_[static_cast<std::size_t>(side)];
    }
    /// `f(Price, VisibleLevel)` from the best price on until it returns false.
    template <class F>
    void for_each_level(Side side, F&& f) const {
        const Levels& levels = this->levels(side);
        if (side == Side::buy) {
            for (const auto& [price, level] : std::views::reverse(levels))
                if (!f(Price{price}, level)) return;
        } else {
            for (const auto& [price, level] : levels)
                if (!f(Price{price}, level)) return;
        }
    }
    /// Displayed quantity of the best `count` prices of a side.
    [[nodiscard]] Quantity quantity_within(Side side, std::size_t count) const {
        Quantity sum{};
        for_each_level(side, [&](Price, const VisibleLevel& level) {
            if (count-- == 0) return false;
            sum += level.quantity;
            return true;
        });
        return sum;
    }

  private:
    Levels sides_[2];
};

}  // namespace damrak::views
