// Options of an order besides quantity and limit, as typed: `stop 99.00`, `ioc`, `until 16:00`,
// `show 10`, `min 50`, `post`, `opening`, `peg mid`, `trail 0.50`, `cancels 3`. Pure functions
// except local_moment(), which uses the time zone of the machine.
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
    std::int64_t stop_e2 = 0;               ///< zero: no stop order
    std::optional<TimeInForce> in_force{};  ///< nothing: good till cancelled
    std::string until{};                    ///< gtd: as typed
    Timestamp expires{};                    ///< gtd: the same as a time
    std::optional<std::uint64_t> shown{};   ///< of an iceberg; zero hides it
    std::uint64_t least = 0;                ///< minimum quantity of the first trade
    bool post = false;                      ///< refused if it could trade at once
    bool to_limit = false;                  ///< at the market; the rest keeps the price it found
    bool imbalance = false;                 ///< trades only with the imbalance of an auction
    PegReference peg{};
    std::int64_t offset_e2 = 0;  ///< of a peg: away from the market
    std::int64_t trail_e2 = 0;   ///< of a trailing stop: distance from the last trade
    Contingency contingency{};
    std::uint32_t other = 0;  ///< number of the order that it is linked to
    [[nodiscard]] bool is_linked() const { return contingency != Contingency::none; }
    [[nodiscard]] bool is_stop() const { return stop_e2 > 0 || trail_e2 > 0; }
    /// Whether it may wait without a limit.
    [[nodiscard]] bool waits() const {
        return is_stop() || to_limit || peg != PegReference::none ||
               (in_force && is_for_auctions(*in_force));
    }
    [[nodiscard]] bool is_immediate() const { return in_force && damrak::is_immediate(*in_force); }
    friend bool operator==(const OrderExtras&, const OrderExtras&) = default;
};

/// Words that begin an option; those for times in force take no operand.
inline constexpr std::array<std::string_view, 21> k_order_words{
    "limit", "stop",   "ioc",   "fok",      "day",       "gtc",     "until",
    "show",  "hidden", "min",   "post",     "opening",   "closing", "auction",
    "peg",   "offset", "trail", "to-limit", "imbalance", "cancels", "after"};

/// Reads the words after the symbol of an order or the quantity of a modify. Returns what is wrong
/// with them, or nothing after setting `price_e2` (zero: at the market) and `into`.
[[nodiscard]] std::optional<std::string> read_order_words(std::span<const std::string_view> words,
                                                          std::int64_t& price_e2,
                                                          OrderExtras& into);

/// The price, followed by the options: "stop 99.00 limit 98.50 ioc".
[[nodiscard]] std::string order_words(bool market, std::int64_t price_e2,
                                      const OrderExtras& extras);
/// "101.25", or "stop 99.00" for a stop order.
[[nodiscard]] std::string price_words(bool market, std::int64_t price_e2,
                                      const OrderExtras& extras);

/// "16:00", "16:00:30" today, or with a date "2026-03-02T16:00", in local time.
[[nodiscard]] std::optional<Timestamp> local_moment(std::string_view text, Timestamp now);

}  // namespace damrak::client
