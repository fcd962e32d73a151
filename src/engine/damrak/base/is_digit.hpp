// Whether a character is a decimal digit, independent of the locale.
#pragma once

namespace damrak {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace damrak
