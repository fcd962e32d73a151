// Which instruments may have phases other than continuous trading, and the prices that their
// auctions may have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include <damrak/auction/price_range.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/engine/instrument_state.hpp>

namespace damrak {

/// The largest maximum quantity: the sum of all open orders must fit in 64 bits.
inline constexpr Quantity k_auction_maximum_quantity{std::int64_t{1} << 32U};

[[nodiscard]] constexpr bool suits_auctions(const InstrumentDefinition& definition) {
    return definition.maximum_quantity <= k_auction_maximum_quantity &&
           auction::k_any_price.contains(definition.maximum_price);
}

/// The prices that the band of an instrument allows.
[[nodiscard]] inline auction::PriceRange band_of(const InstrumentState& in) {
    const PriceBandDetails& band = in.rules.price_band;
    if (!band.exists()) return auction::k_any_price;
    return {band.lower, band.upper};
}

/// The valid price of the range that is the worst for an order of this side; the floor if there is
/// none.
[[nodiscard]] inline Price worst_price(const InstrumentDefinition& definition, Side side,
                                       const auction::PriceRange& range) {
    if (side == Side::buy) {
        const Price high = std::min(range.high, definition.maximum_price);
        return definition.next_price_below(high + Price{1});
    }
    const Price low = std::max(range.low, definition.floor() + Price{1});
    const Price worst = definition.next_price_above(low - Price{1});
    return worst > definition.maximum_price ? definition.floor() : worst;
}

/// The prices that an auction may have.
[[nodiscard]] inline auction::PriceRange auction_prices(const InstrumentState& in) {
    const auction::PriceRange band = band_of(in);
    const InstrumentDefinition& definition = in.definition();
    return {std::max(band.low, definition.floor() + Price{1}),
            std::min(band.high, definition.maximum_price)};
}

/// The reference price of an auction: the one of the day until the first trade, then the last trade
/// price. None: neither exists.
[[nodiscard]] inline std::optional<Price> auction_reference(const InstrumentState& in) {
    const Price of_day = in.rules.price_band.reference;
    if (in.daily != DailyBand::none && in.untraded_today() && of_day != Price{}) return of_day;
    if (in.last_trade == 0) return std::nullopt;
    return in.price_of(in.last_trade);
}

/// The limit of an order as its auction counts it: one through the band counts as its edge.
[[nodiscard]] inline Price limit_in_auction(const InstrumentState& in, Side side, Price limit) {
    if (!in.rules.price_band.exists()) return limit;
    const Price worst = worst_price(in.definition(), side, band_of(in));
    if (worst == in.definition().floor()) return limit;
    return side == Side::buy ? std::min(limit, worst) : std::max(limit, worst);
}

}  // namespace damrak
