// Decimal numbers as counts of their last place, to and from text, without floating point: 100'100
// units of four decimals are "10.01". For people and files, not on the path of an order.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>

namespace damrak {

/// With as many decimals as it needs, but two where there are two.
[[nodiscard]] std::string decimal_text(std::int64_t units, unsigned decimals);

/// The whole text must be a number: `invalid_argument` if it is none or has more decimals,
/// `result_out_of_range` if its units exceed 63 bits.
[[nodiscard]] std::expected<std::int64_t, std::errc> parse_decimal(std::string_view text,
                                                                   unsigned decimals);

}  // namespace damrak
