#include <damrak/base/decimal_text.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>

#include <damrak/base/decimal_digits.hpp>
#include <damrak/base/is_digit.hpp>

namespace damrak {

std::string decimal_text(std::int64_t units, unsigned decimals) {
    std::string text = std::to_string(magnitude(units));
    if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
    if (decimals > 0) {
        text.insert(text.size() - decimals, ".");
        const std::size_t least = text.size() - decimals + std::min(decimals, 2U);
        text.resize(std::max(least, text.find_last_not_of('0') + 1));
    }
    return units < 0 ? "-" + text : text;
}

std::expected<std::int64_t, std::errc> parse_decimal(std::string_view text, unsigned decimals) {
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string digits{text.substr(0, point)};
    if (digits.empty() || !is_digit(digits.back()))
        return std::unexpected{std::errc::invalid_argument};
    if (point < text.size()) {
        const std::string_view behind = text.substr(point + 1);
        if (behind.empty() || behind.size() > decimals)
            return std::unexpected{std::errc::invalid_argument};
        digits += behind;
        decimals -= static_cast<unsigned>(behind.size());
    }
    digits.append(decimals, '0');
    std::int64_t units = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), units);
    if (end != digits.data() + digits.size()) return std::unexpected{std::errc::invalid_argument};
    if (error != std::errc{}) return std::unexpected{error};
    if (units < -std::numeric_limits<std::int64_t>::max())
        return std::unexpected{std::errc::result_out_of_range};
    return units;
}

}  // namespace damrak
