#include <damrak/plot/axis.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace damrak::plot {
namespace {

constexpr double k_second_ns = 1e9;

// The smallest of 1, 2, 5 × 10^k that is at least `rough`.
double round_step(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * (1 - 1e-9)) return factor * power;
    }
    return 10.0 * power;
}

Ticks ticks_at(Range range, double step) {
    Ticks ticks{.step = step, .at = {}};
    const double slack = step * 1e-6;
    const auto last = static_cast<std::int64_t>(std::floor((range.high + slack) / step));
    for (auto n = static_cast<std::int64_t>(std::ceil((range.low - slack) / step)); n <= last;
         ++n) {
        ticks.at.push_back(static_cast<double>(n) * step);
    }
    return ticks;
}

int decimals_for(double step) {
    int decimals = 0;
    for (double unit = 1.0; decimals < 9 && step < unit * (1 - 1e-9); unit /= 10) ++decimals;
    return decimals;
}

}  // namespace

Ticks number_ticks(Range range, int most) {
    if (!(range.width() > 0)) return {.step = 1, .at = {range.low}};
    return ticks_at(range, round_step(range.width() / most));
}

Ticks time_ticks(Range range_ns, int most) {
    if (!(range_ns.width() > 0)) return {.step = k_second_ns, .at = {range_ns.low}};
    constexpr std::array k_steps_s = {1.0,    2.0,    5.0,     10.0,   15.0,  30.0,
                                      60.0,   120.0,  300.0,   600.0,  900.0, 1800.0,
                                      3600.0, 7200.0, 10800.0, 21600.0};
    const double rough_s = range_ns.width() / most / k_second_ns;
    if (rough_s <= k_steps_s.front()) return ticks_at(range_ns, round_step(rough_s) * k_second_ns);
    const auto* const step = std::ranges::lower_bound(k_steps_s, rough_s);
    return ticks_at(range_ns, (step == k_steps_s.end() ? 86400.0 : *step) * k_second_ns);
}

std::string number_label(double value, double step) {
    std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals_for(step));
    std::size_t whole = std::min(digits.find('.'), digits.size());
    while (whole > 3) digits.insert(whole -= 3, ",");
    const bool zero = digits.find_first_of("123456789") == std::string::npos;
    return (value < 0 && !zero ? "\u2212" : "") + digits;
}

std::string time_label(double time_ns, double step_ns) {
    const int decimals = decimals_for(step_ns / k_second_ns);
    const double grain_ns = k_second_ns / std::pow(10.0, decimals);
    const double time_s = std::round(time_ns / grain_ns) * grain_ns / k_second_ns;
    const auto whole_s = static_cast<std::int64_t>(time_s);
    std::string label = fmt::format("{:02}:{:02}", whole_s / 3600, whole_s / 60 % 60);
    if (step_ns < 60 * k_second_ns) label += fmt::format(":{:02}", whole_s % 60);
    if (decimals > 0) {
        const double part = time_s - static_cast<double>(whole_s);
        label += fmt::format("{:.{}f}", part, decimals).substr(1);
    }
    return label;
}

}  // namespace damrak::plot
