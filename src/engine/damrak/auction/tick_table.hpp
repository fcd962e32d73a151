// Tick tables: which prices are valid, when the tick size depends on the price.
//
// Called by whatever rounds a price: determination of auction prices, price bands, pegs. No
// allocation; a look-up walks at most 24 bands. Sources: Commission Delegated Regulation (EU)
// 2017/588 (RTS 11), annex; SEC Rule 612. docs/rule-book/tick-tables.md has the rules.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/auction/rounding.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::auction {

class TickTable {
  public:
    static constexpr std::size_t k_maximum_bands = 24;

    /// One tick size for all prices; it is positive.
    explicit constexpr TickTable(Price tick_size) { bands_[0] = {Price{0}, tick_size}; }
    /// Those of an instrument, whose bands are sound.
    explicit constexpr TickTable(const InstrumentDefinition& definition)
        : TickTable(definition.tick_bands[0].tick_size) {
        while (count_ < definition.band_count) {
            bands_[count_] = definition.tick_bands[count_];
            ++count_;
        }
    }

    /// Adds a band above the existing ones. False, without effect, if the table is full, the bands
    /// are not in ascending order, or the first price of the band is valid in only one of the two
    /// bands that meet there.
    [[nodiscard]] constexpr bool add(TickBand band) {
        const TickBand& last = bands_[count_ - 1];
        const bool sound = count_ < k_maximum_bands && band.tick_size.value > 0 &&
                           band.from_price > last.from_price &&
                           band.from_price.value % last.tick_size.value == 0 &&
                           band.from_price.value % band.tick_size.value == 0;
        if (sound) bands_[count_++] = band;
        return sound;
    }

    [[nodiscard]] constexpr std::span<const TickBand> bands() const {
        return std::span{bands_}.first(count_);
    }

    /// The tick size at a price. Prices below zero have that of the lowest band.
    [[nodiscard]] constexpr Price tick_size_at(Price price) const {
        std::size_t band = count_ - 1;
        while (band > 0 && price < bands_[band].from_price) --band;
        return bands_[band].tick_size;
    }
    [[nodiscard]] constexpr bool is_on_tick(Price price) const {
        return price.value % tick_size_at(price).value == 0;
    }
    /// The valid price at or below, at or above, or nearest to a price.
    [[nodiscard]] constexpr Price rounded(Price price, Rounding rounding) const {
        const std::int64_t tick = tick_size_at(price).value;
        return Price{quotient(price.value, tick, rounding) * tick};
    }
    [[nodiscard]] constexpr Price next_above(Price price) const {
        return rounded(price + Price{1}, Rounding::up);
    }
    [[nodiscard]] constexpr Price next_below(Price price) const {
        return rounded(price - Price{1}, Rounding::down);
    }

  private:
    std::array<TickBand, k_maximum_bands> bands_{};
    std::size_t count_ = 1;
};

/// Liquidity bands of RTS 11, by the average number of trades a day on the most relevant market.
enum class LiquidityBand : std::uint8_t {
    below_10 = 1,
    from_10 = 2,
    from_80 = 3,
    from_600 = 4,
    from_2000 = 5,
    from_9000 = 6,  ///< exchange-traded funds are here whatever their number of trades
};

/// The band of an instrument that had this many trades on this many days (at least one).
[[nodiscard]] constexpr LiquidityBand liquidity_band(std::int64_t trades, std::int64_t days) {
    constexpr std::array<std::int64_t, 5> k_from_average{10, 80, 600, 2'000, 9'000};
    std::size_t band = 0;
    while (band < k_from_average.size() && trades >= Wide{k_from_average[band]} * days) ++band;
    return static_cast<LiquidityBand>(band + 1);
}

/// The table of RTS 11 for a liquidity band, in units of 0.0001.
[[nodiscard]] TickTable rts11_tick_table(LiquidityBand band);

/// SEC Rule 612, in units of 0.0001: 0.0001 below 1.00, and 0.01 from there on.
[[nodiscard]] TickTable us_equity_tick_table();

}  // namespace damrak::auction
