// What the measures of a day are made from, besides public changes (market/public_change.hpp).
#pragma once

#include <cstdint>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::measures {

/// Constants of the measures.
struct Settings {
    std::int64_t tick = 100;          ///< price units
    std::int64_t currency = 10'000;   ///< price units
    std::int64_t vpin_bucket = 5000;  ///< shares
    std::uint32_t roll_block = 500;   ///< trades
};

/// A message about a displayed order, or a trade with a hidden one.
struct OrderMessage {
    enum class Kind : std::uint8_t {
        added,
        reduced,  ///< a part was cancelled
        removed,  ///< all of it was cancelled
        replaced,
        executed,
        executed_hidden,
    };
    Kind kind{};
    Timestamp time{};
    Quantity quantity{};
    OrderId order{};  ///< zero: unknown; needed for fills by queue position
    Side side{};      ///< of the order
    Price price{};    ///< of the order, before it is replaced; zero: hidden
};

/// The best prices and what is displayed there.
struct Top {
    Timestamp time{};
    Price bid{};
    Price ask{};
    Quantity bid_quantity{};
    Quantity ask_quantity{};
    bool is_trading = true;

    [[nodiscard]] bool has_both() const { return bid_quantity.value > 0 && ask_quantity.value > 0; }
    [[nodiscard]] bool is_quoted() const { return is_trading && has_both(); }
    [[nodiscard]] std::int64_t twice_mid() const { return bid.value + ask.value; }
    [[nodiscard]] double mid() const { return static_cast<double>(twice_mid()) / 2; }
    [[nodiscard]] std::int64_t spread() const { return ask.value - bid.value; }
    /// Of the best quantities, from -1 (all asked) to 1 (all bid).
    [[nodiscard]] double imbalance() const {
        return static_cast<double>((bid_quantity - ask_quantity).value) /
               static_cast<double>((bid_quantity + ask_quantity).value);
    }
};

/// A trade as the public sees it.
struct PublicTrade {
    Timestamp time{};
    Side aggressor{};
    Price price{};
    Quantity quantity{};
    [[nodiscard]] std::int64_t sign() const { return aggressor == Side::buy ? 1 : -1; }
};

}  // namespace damrak::measures
