// Ticks of an axis at round numbers, and their labels: plain numbers with thousands separators, and
// times of day in nanoseconds since midnight. Called by svg.cpp, a few times each.
#pragma once

#include <string>
#include <vector>

namespace damrak::plot {

/// The values that an axis shows.
struct Range {
    double low{};
    double high{};

    [[nodiscard]] double width() const { return high - low; }
};

/// Round values on an axis.
struct Ticks {
    double step{};
    std::vector<double> at;  // ascending, within the requested range
};

/// At most `most` ticks at multiples of 1, 2 or 5 times a power of ten.
[[nodiscard]] Ticks number_ticks(Range range, int most);
/// At most `most` ticks at round times: hours, minutes, seconds and decimals of a second.
[[nodiscard]] Ticks time_ticks(Range range_ns, int most);

/// With as many decimals as the step needs: 1,234.50 for a step of 0.05.
[[nodiscard]] std::string number_label(double value, double step);
/// 09:30, 09:30:05 or 09:30:05.125, as fine as the step needs.
[[nodiscard]] std::string time_label(double time_ns, double step_ns);

}  // namespace damrak::plot
