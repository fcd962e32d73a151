// Amounts of venue files, which are in billionths of the currency, in the price units of an
// instrument.
#pragma once

#include <cstdint>

#include <damrak/domain/instrument.hpp>

namespace damrak::venue::detail {

[[nodiscard]] inline std::int64_t billionths_in_unit(const InstrumentDefinition& definition) {
    std::int64_t billionths = 1'000'000'000;
    for (int i = 0; i < definition.price_decimals; ++i) billionths /= 10;
    return billionths;
}

}  // namespace damrak::venue::detail
