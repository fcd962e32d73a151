#include <damrak/base/duration_text.hpp>

#include <array>
#include <charconv>
#include <cmath>

#include <damrak/base/time_units.hpp>

namespace damrak {
namespace {

struct Unit {
    std::string_view name;
    std::int64_t ns;
};
constexpr std::array k_time_units{Unit{"h", k_hour_ns},         Unit{"min", 60 * k_second_ns},
                                  Unit{"s", k_second_ns},       Unit{"ms", k_millisecond_ns},
                                  Unit{"us", k_microsecond_ns}, Unit{"ns", 1}};
constexpr double k_most_ns = 3.2e18;

}  // namespace

std::optional<std::int64_t> parse_duration(std::string_view text) {
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    const std::string_view unit = text.substr(static_cast<std::size_t>(rest - text.data()));
    for (const Unit& known : k_time_units) {
        if (unit != known.name) continue;
        const double ns = std::round(number * static_cast<double>(known.ns));
        if (!(ns >= 0 && ns < k_most_ns)) return std::nullopt;
        return static_cast<std::int64_t>(ns);
    }
    return std::nullopt;
}

std::string duration_text(std::int64_t ns) {
    if (ns == 0) return "0s";
    for (const Unit& unit : k_time_units)
        if (ns % unit.ns == 0) return std::to_string(ns / unit.ns).append(unit.name);
    return {};
}

}  // namespace damrak
