// What was traded in an instrument, for `damrak replay`, for the measures of a day and for what a
// venue's rules make of it. docs/reference/measures.md has the definition.
#pragma once

#include <cstdint>

#include <damrak/domain/measures.hpp>

namespace damrak::measures {

/// Number of trades and their volume.
struct TradeCount {
    std::uint64_t trades{};
    std::uint64_t volume{};  ///< shares

    void add(Quantity quantity) {
        ++trades;
        volume += static_cast<std::uint64_t>(quantity.value);
    }
};

/// Traded is what continuous trading printed and nobody broke later, against displayed and against
/// hidden orders. Crosses are counted beside it: their executions do not print one by one.
struct Traded {
    TradeCount displayed;
    TradeCount hidden;
    TradeCount crosses;

    [[nodiscard]] std::uint64_t trades() const { return displayed.trades + hidden.trades; }
    [[nodiscard]] std::uint64_t volume() const { return displayed.volume + hidden.volume; }
};

}  // namespace damrak::measures
