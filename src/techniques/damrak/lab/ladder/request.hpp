// Requests and answers of every rung of the ladder: the smallest exchange that does all the work of
// a matching engine. Prices are counts of a tick, from 1 to a known maximum; a market order takes
// what is there and never rests.
//
// A rung's answers go into a sink, any type with
//   trade(const Trade<P>&)      for each fill, in order; P is the rung's price type
//   refused(R)                  instead of trades; R is a text or a Refusal
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/order_terms.hpp>

namespace damrak::lab::ladder {

enum class Op : std::uint8_t {
    limit,
    market,
    cancel,
    replace,  ///< new price and quantity, the same id, the back of the queue
};

struct Request {
    Op op{};
    Side side{};
    bool ioc = false;  ///< of a limit order: cancel the rest
    std::uint32_t symbol = 0;
    std::uint32_t quantity = 0;
    std::int32_t price_ticks = 0;
    std::uint64_t id = 0;  ///< from 1; unique over all symbols
};

enum class Refusal : std::uint8_t { none, invalid_quantity, invalid_price, duplicate_id, unknown };

[[nodiscard]] constexpr std::string_view text_of(Refusal refusal) {
    switch (refusal) {
        case Refusal::none:
            return "";
        case Refusal::invalid_quantity:
            return "the quantity must be positive";
        case Refusal::invalid_price:
            return "the price is outside the limits of the instrument";
        case Refusal::duplicate_id:
            return "an order with this id is already open";
        case Refusal::unknown:
            return "no open order has this id";
    }
    return "";
}

/// A trade of a rung.
template <class Price>
struct Trade {
    std::uint64_t taker = 0;
    std::uint64_t maker = 0;
    Price price{};
    std::uint32_t quantity = 0;
};

/// Start parameters of an engine.
struct Setup {
    std::uint32_t symbols = 1;
    std::int32_t price_max_ticks = 0;
    std::uint32_t orders = 0;  ///< most open orders over all symbols
};

/// The name of a symbol, for rungs that use names.
[[nodiscard]] inline std::string symbol_name(std::uint32_t symbol) {
    return "SYMBOL" + std::to_string(symbol);
}

/// The floating-point price of a tick count, and the reverse.
inline constexpr double k_tick = 0.01;
[[nodiscard]] constexpr double price_of(std::int32_t ticks) { return ticks * k_tick; }
[[nodiscard]] inline std::int32_t ticks_of(double price) {
    return static_cast<std::int32_t>(std::lround(price / k_tick));
}
[[nodiscard]] constexpr std::int32_t ticks_of(std::int32_t ticks) { return ticks; }

/// The answer type of the lower rungs.
template <class Price>
struct Outcome {
    std::string reason;  ///< empty: the request was accepted
    std::vector<Trade<Price>> trades;
};

}  // namespace damrak::lab::ladder
