// docs/rule-book/price-limits.md: ranges of prices. Private to the reference model.
#pragma once

#include <optional>

#include "support/reference/state.hpp"

namespace damrak::reference {

[[nodiscard]] inline bool exists(const PriceLimitDetails::Margin& margin) {
    return margin.basis_points != 0 || margin.at_least != 0;
}

[[nodiscard]] inline bool has_band(const Instrument& market) {
    return market.price_band.lower.value != 0 || market.price_band.upper.value != 0;
}

/// The valid price nearest to the end of the band that an order of this side must not pass. None
/// without a band, or if no price is valid.
[[nodiscard]] std::optional<Price> edge_of_band(const Instrument& market, Side side);

/// The limit with which an order that may rest enters.
[[nodiscard]] Price resting_limit(const Instrument& market, Side side, Price limit);

/// Whether the limits allow a trade at this price now.
[[nodiscard]] bool may_trade_at(const Instrument& market, Price price);

}  // namespace damrak::reference
