#include <damrak/domain/instrument.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace damrak {

namespace {

constexpr std::int64_t k_largest = std::numeric_limits<std::int64_t>::max();

bool printable(char c) { return c > ' ' && c < '\x7f'; }

std::int64_t multiple_below(std::int64_t value, std::int64_t tick) {
    const std::int64_t rest = value % tick;
    return value - rest - (rest < 0 ? tick : 0);
}

}  // namespace

Reason InstrumentDefinition::check() const {
    const std::string_view ticker = symbol.view();
    const bool named = !ticker.empty() && std::ranges::all_of(ticker, printable);
    const bool positive = tick_bands[0].tick_size.value > 0 && lot_size.value > 0 &&
                          maximum_price.value > 0 && maximum_quantity.value > 0;
    if (!named || !positive || !is_valid(policy) || price_decimals > 9)
        return Reason::invalid_instrument;
    if (!unpublished && (maximum_price > k_published_maximum_price ||
                         maximum_quantity > k_published_maximum_quantity))
        return Reason::invalid_instrument;
    if (maximum_quantity > k_largest_maximum_quantity) return Reason::invalid_instrument;
    const std::int64_t minimum = minimum_price().value;
    if (minimum > 0 || (minimum < 0 && !unpublished) ||
        minimum % tick_bands[0].tick_size.value != 0)
        return Reason::invalid_instrument;
    // The notional of the largest order and the distance between two prices must not overflow, and
    // at least one tick must be valid.
    const std::int64_t most = k_largest / maximum_quantity.value / (minimum < 0 ? 4 : 1);
    if (maximum_price.value > most || minimum < -most || tick_bands[0].tick_size > maximum_price ||
        lot_size > maximum_quantity)
        return Reason::invalid_instrument;
    return Reason::none;
}

Reason InstrumentDefinition::add_band(TickBand band) {
    const TickBand& last = tick_bands[band_count - 1U];
    const bool sound = band_count < k_maximum_bands && band.tick_size.value > 0 &&
                       band.from_price > std::max(last.from_price, Price{0}) &&
                       band.from_price < maximum_price &&
                       band.from_price.value % last.tick_size.value == 0 &&
                       band.from_price.value % band.tick_size.value == 0;
    if (!sound) return Reason::invalid_instrument;
    tick_bands[band_count++] = band;
    return Reason::none;
}

Price InstrumentDefinition::tick_size_at(Price price) const {
    std::size_t band = band_count - 1U;
    while (band > 0 && price < tick_bands[band].from_price) --band;
    return tick_bands[band].tick_size;
}

Price InstrumentDefinition::common_tick() const {
    std::int64_t common = tick_bands[0].tick_size.value;
    for (std::size_t i = 1; i < band_count; ++i)
        common = std::gcd(common, tick_bands[i].tick_size.value);
    return Price{common};
}

Price InstrumentDefinition::next_price_below(Price price) const {
    const Price below = price - Price{1};
    if (below <= floor() || below < minimum_price()) return floor();
    return Price{multiple_below(below.value, tick_size_at(below).value)};
}

Price InstrumentDefinition::next_price_above(Price price) const {
    const std::int64_t tick = tick_size_at(price).value;
    return Price{multiple_below(price.value, tick) + tick};
}

}  // namespace damrak
