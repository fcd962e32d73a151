// Which instruments may have phases other than continuous trading.
#pragma once

#include <cstdint>

#include <damrak/auction/price_range.hpp>
#include <damrak/domain/instrument.hpp>

namespace damrak {

/// The largest maximum quantity: the sum of all open orders must fit in 64 bits.
inline constexpr Quantity k_auction_maximum_quantity{std::int64_t{1} << 32U};

[[nodiscard]] constexpr bool suits_auctions(const InstrumentDefinition& definition) {
    return definition.maximum_quantity <= k_auction_maximum_quantity &&
           auction::k_any_price.contains(definition.maximum_price);
}

}  // namespace damrak
