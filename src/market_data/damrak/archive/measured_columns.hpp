// Measures of an archived day over time: one set for each column of a window. A column is measured
// as `damrak sim measure` measures its hours. One thread; reads from the last checkpoint before the
// window, some hundred nanoseconds a message.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/archive/day_depth.hpp>
#include <damrak/measures/input.hpp>
#include <damrak/measures/results.hpp>

namespace damrak::archive {

/// Nanoseconds since midnight.
struct MeasuredColumns {
    std::int64_t begin_ns = 0;
    std::int64_t length_ns = 0;  ///< of one; above zero
    std::int64_t end_ns = 0;     ///< inclusive; the last column may be shorter
};

/// None begins after the last message of the day. Incomplete: nothing after what is missing.
[[nodiscard]] Answer<std::vector<measures::Results>> measure_columns(
    const Day& day, std::uint16_t locate, const MeasuredColumns& columns,
    const measures::Settings& settings = {});

/// Whether trades and messages are enough for a measure.
[[nodiscard]] bool needs_no_book(std::string_view name);

/// Without what such a day does not show.
[[nodiscard]] measures::Results known_of(const measures::Results& all, const DayDepth& day);

}  // namespace damrak::archive
