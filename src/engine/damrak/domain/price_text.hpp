// Prices of an instrument, to and from text: 10.01 is 100'100 units of an instrument with four
// decimals. For programs around the engine, which counts units and knows no text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <damrak/base/decimal_text.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak {

/// With as many decimals as it needs, but two where the instrument has two: "10.00", "10.005".
[[nodiscard]] inline std::string price_text(Price price, const InstrumentDefinition& instrument) {
    return decimal_text(price.value, instrument.price_decimals);
}

/// Exact, or nothing if the text is no number with at most the decimals of the instrument. The
/// price may be off tick or out of range, which the engine rejects with its reason.
[[nodiscard]] inline std::optional<Price> parse_price(std::string_view text,
                                                      const InstrumentDefinition& instrument) {
    const auto units = parse_decimal(text, instrument.price_decimals);
    return units ? std::optional{Price{*units}} : std::nullopt;
}

}  // namespace damrak
