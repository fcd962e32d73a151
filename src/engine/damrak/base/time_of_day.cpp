#include <damrak/base/time_of_day.hpp>

#include <algorithm>
#include <cstddef>

#include <damrak/base/is_digit.hpp>
#include <damrak/base/time_units.hpp>

namespace damrak {
namespace {

constexpr std::size_t k_decimals = 9;

// Takes two digits below `bound` off the front, after `separator` (none: '\0').
std::optional<std::int64_t> take_pair(std::string_view& text, char separator, std::int64_t bound) {
    if (separator != '\0') {
        if (!text.starts_with(separator)) return std::nullopt;
        text.remove_prefix(1);
    }
    if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) return std::nullopt;
    const std::int64_t value = (text[0] - '0') * 10 + (text[1] - '0');
    text.remove_prefix(2);
    if (value >= bound) return std::nullopt;
    return value;
}

}  // namespace

std::optional<std::int64_t> parse_time_of_day(std::string_view text) {
    const auto hours = take_pair(text, '\0', 25);
    const auto minutes = take_pair(text, ':', 60);
    if (!hours || !minutes) return std::nullopt;
    std::int64_t time_ns = (*hours * 60 + *minutes) * 60 * k_second_ns;
    if (!text.empty()) {
        const auto seconds = take_pair(text, ':', 60);
        if (!seconds) return std::nullopt;
        time_ns += *seconds * k_second_ns;
    }
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        if (text.empty() || text.size() > k_decimals || !std::ranges::all_of(text, is_digit)) {
            return std::nullopt;
        }
        std::int64_t unit = k_second_ns;
        for (const char digit : text) time_ns += (digit - '0') * (unit /= 10);
        text = {};
    }
    if (!text.empty() || time_ns > k_day_ns) return std::nullopt;
    return time_ns;
}

}  // namespace damrak
