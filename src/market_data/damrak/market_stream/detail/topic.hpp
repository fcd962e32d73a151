// What a viewer can subscribe to: a channel of an instrument with its parameters. Viewers with the
// same topic get the same messages.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace damrak::market_stream {

enum class Channel : std::uint8_t {
    top,
    depth,
    orders,
    trades,
    candles,
    state,
    statistics,
    exchange,
};

inline constexpr std::array<std::string_view, 8> k_channel_names{
    "top", "depth", "orders", "trades", "candles", "state", "statistics", "exchange"};

[[nodiscard]] constexpr std::string_view name(Channel channel) {
    return k_channel_names[static_cast<std::size_t>(channel)];
}

inline constexpr std::array<std::uint32_t, 7> k_candle_seconds{1, 5, 10, 60, 300, 900, 3'600};
inline constexpr std::array<std::uint32_t, 4> k_intervals_ms{50, 100, 250, 1'000};
inline constexpr std::uint32_t k_maximum_levels = 1'000;

struct Topic {
    Channel channel{};
    std::string symbol{};            ///< empty: of the exchange
    std::uint32_t levels = 0;        ///< of each side; of `depth` and `orders`
    std::uint32_t seconds = 0;       ///< of a candle
    std::uint32_t interval_ms = 50;  ///< between changes
    bool is_binary = false;          ///< as frames of the binary form
    bool has_figures = false;        ///< of `exchange`: more than levels
    friend auto operator<=>(const Topic&, const Topic&) = default;
};

/// Whether the channel has a binary form.
[[nodiscard]] constexpr bool has_binary_form(Channel channel) {
    return channel == Channel::depth || channel == Channel::orders || channel == Channel::trades;
}

}  // namespace damrak::market_stream
