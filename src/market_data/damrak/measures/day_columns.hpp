// Measures of an archived day over time: one set for each column of a window. A column is measured
// as `damrak sim measure` measures its hours. One thread; reads from the last checkpoint before the
// window, some hundred nanoseconds a message.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/measures/input.hpp>
#include <damrak/measures/results.hpp>

namespace damrak::measures {

/// Nanoseconds since midnight.
struct Columns {
    std::int64_t begin_ns = 0;
    std::int64_t length_ns = 0;  ///< of one; above zero
    std::int64_t end_ns = 0;     ///< inclusive; the last column may be shorter
};

/// None begins after the last message of the day. Incomplete: nothing after what is missing.
[[nodiscard]] archive::Answer<std::vector<Results>> measure_columns(const archive::Day& day,
                                                                    std::uint16_t locate,
                                                                    const Columns& columns,
                                                                    const Settings& settings = {});

}  // namespace damrak::measures
