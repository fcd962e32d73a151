// Definition of an instrument: prices, sizes and rules. Made by `add_instrument` and
// `add_tick_band` commands, constant once it has traded. Read on the matching path; a plain table,
// no allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/reason.hpp>

namespace damrak {

/// A ticker: up to 16 printable ASCII characters, zero padded.
struct Symbol {
    std::array<char, 16> characters{};

    static constexpr Symbol of(std::string_view text) {
        Symbol symbol;
        for (std::size_t i = 0; i < text.size() && i < symbol.characters.size(); ++i)
            symbol.characters[i] = text[i];
        return symbol;
    }
    [[nodiscard]] constexpr std::string_view view() const {
        std::size_t length = 0;
        while (length < characters.size() && characters[length] != '\0') ++length;
        return {characters.data(), length};
    }
    friend constexpr bool operator==(const Symbol&, const Symbol&) = default;
};

/// From this price upwards (until the next band) valid prices are the multiples of the tick size.
struct TickBand {
    Price from_price;
    Price tick_size;
    friend constexpr bool operator==(const TickBand&, const TickBand&) = default;
};

/// Largest price and quantity that the published feeds carry (OUCH: 199,999.99 and 999,999).
inline constexpr Price k_published_maximum_price{1'999'999'900};
inline constexpr Quantity k_published_maximum_quantity{999'999};
/// Largest maximum quantity: the sum of 100,000,000 orders, which an engine has at most, is a
/// 64-bit number.
inline constexpr Quantity k_largest_maximum_quantity{std::int64_t{1} << 36U};

/// What an instrument is: its name, prices, sizes and rules. The defaults are those of a US stock.
struct InstrumentDefinition {
    static constexpr std::size_t k_maximum_bands = 20;

    InstrumentId id{};
    Symbol symbol{};
    /// The first one begins at the minimum price.
    std::array<TickBand, k_maximum_bands> tick_bands{{{Price{0}, Price{100}}}};
    std::uint8_t band_count = 1;
    std::uint8_t price_decimals = 4;  ///< one price unit is 10^-price_decimals of the currency
    MatchingPolicy policy = MatchingPolicy::price_time;
    bool unpublished = false;  ///< not in the public feeds, so their maxima do not apply
    std::uint16_t shard_group = 0;
    Quantity lot_size{1};
    Price maximum_price = k_published_maximum_price;
    Quantity maximum_quantity = k_published_maximum_quantity;

    /// `none` if the definition is valid, else what is wrong.
    [[nodiscard]] Reason check() const;
    /// Adds a band above zero and the existing ones; returns `none`, or why it is invalid.
    [[nodiscard]] Reason add_band(TickBand band);

    /// Below zero: the lowest price. Zero: prices are above zero.
    [[nodiscard]] Price minimum_price() const { return tick_bands[0].from_price; }
    /// No price: the next one above it is the lowest.
    [[nodiscard]] Price floor() const {
        return minimum_price().value < 0 ? minimum_price() - common_tick() : Price{0};
    }
    [[nodiscard]] bool in_range(Price price) const {
        return price > floor() && price <= maximum_price;
    }
    /// The most that a price counts in limits.
    [[nodiscard]] Price largest_value() const {
        return Price{std::max(maximum_price.value, -minimum_price().value)};
    }

    /// Tick size at a price. O(bands).
    [[nodiscard]] Price tick_size_at(Price price) const;
    /// The largest size of which every tick size is a multiple: the unit of the book. Mostly the
    /// smallest tick size.
    [[nodiscard]] Price common_tick() const;
    [[nodiscard]] bool on_tick(Price price) const {
        return price.value % tick_size_at(price).value == 0;
    }
    /// Nearest valid price below or above; the floor below the lowest one.
    [[nodiscard]] Price next_price_below(Price price) const;
    [[nodiscard]] Price next_price_above(Price price) const;

    friend bool operator==(const InstrumentDefinition&, const InstrumentDefinition&) = default;
};

}  // namespace damrak
