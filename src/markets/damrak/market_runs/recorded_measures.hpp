// Measures of market quality (measures/measures.hpp) of a recorded day: an archived day, or a
// LOBSTER message file. One thread; some hundred nanoseconds a message; bounded memory.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day_depth.hpp>
#include <damrak/measures/input.hpp>
#include <damrak/measures/results.hpp>

namespace damrak::market_runs {

/// Of a LOBSTER message file `symbol` is only the name; any other is an archived day, which must
/// have the symbol.
struct RecordedDay {
    std::filesystem::path path;
    std::string symbol;
    /// Of a LOBSTER file: its order book file. Without it the book is what the messages alone say.
    std::optional<std::filesystem::path> lobster_book{};
};

/// Nanoseconds since midnight. What lies before the begin only builds the book.
struct MeasuredHours {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = std::numeric_limits<std::int64_t>::max();  ///< inclusive
    friend bool operator==(const MeasuredHours&, const MeasuredHours&) = default;
};

struct RecordedMeasures {
    measures::Results results;
    std::uint64_t anomalies = 0;  ///< messages that did not fit the book
    archive::DayDepth depth{};    ///< what the day shows of the book
    archive::Completeness completeness{};
};

/// What needs a book is measured in those of the hours in which it is known. The error is one
/// sentence with the file.
[[nodiscard]] std::expected<RecordedMeasures, std::string> measure_day(
    const RecordedDay& day, const MeasuredHours& hours = {},
    const measures::Settings& settings = {});

/// How much of the news reaches the price of the first day before that of the second: one share at
/// two venues, or two shares of one day (measures/information_share.hpp).
[[nodiscard]] std::expected<archive::Answer<measures::Results>, std::string> information_share_of(
    const RecordedDay& first, const RecordedDay& second, const MeasuredHours& hours = {});

}  // namespace damrak::market_runs
