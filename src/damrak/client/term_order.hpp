// What an order may say beside its quantity and limit, as a person types it: `stop 99.00`, `ioc`,
// `until 16:00`, `show 10`, `min 50`, `post`. Pure functions but local_moment(), which asks for the
// time zone of the machine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::client {

struct OrderExtras {
    std::uint64_t stop_e2 = 0;              ///< zero: no stop order
    std::optional<TimeInForce> in_force{};  ///< nothing: good till cancelled
    std::string until{};                    ///< gtd: as it was typed
    Timestamp expires{};                    ///< gtd: what that means
    std::optional<std::uint64_t> shown{};   ///< of an iceberg; zero hides it
    std::uint64_t least = 0;                ///< the first trade is no smaller
    bool post = false;                      ///< refused if it could trade at once
    friend bool operator==(const OrderExtras&, const OrderExtras&) = default;
};

/// Words that begin what an order may say; those of times in force stand alone.
inline constexpr std::array<std::string_view, 11> k_order_words{
    "limit", "stop", "ioc", "fok", "day", "gtc", "until", "show", "hidden", "min", "post"};

/// The words behind the symbol of an order, or the quantity of a modify. What is wrong with them;
/// nothing: `price_e2` (zero: at the market) and `into` are what they say.
[[nodiscard]] std::optional<std::string> read_order_words(std::span<const std::string_view> words,
                                                          std::uint64_t& price_e2,
                                                          OrderExtras& into);

/// The price, and behind it all that was said: "stop 99.00 limit 98.50 ioc".
[[nodiscard]] std::string order_words(bool market, std::uint64_t price_e2,
                                      const OrderExtras& extras);
/// "101.25", or "stop 99.00" for a stop order.
[[nodiscard]] std::string price_words(bool market, std::uint64_t price_e2,
                                      const OrderExtras& extras);

/// "16:00", "16:00:30" today, or with a date "2026-03-02T16:00", on the clock of this machine.
[[nodiscard]] std::optional<Timestamp> local_moment(std::string_view text, Timestamp now);

}  // namespace damrak::client
