// What a run of a market leaves behind for comparisons: its seed, its hash, and all that was
// measured, by instrument and by group, under one kind of name.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_runs/run.hpp>

namespace damrak::comparison {

struct MeasureName {
    std::string instrument;
    std::string group;  ///< empty: the whole market in the instrument
    std::string measure;

    /// AAA/quoted_spread_ticks, AAA/makers/profit.
    [[nodiscard]] std::string text() const;
    /// That text, or the end of it: profit, makers/profit.
    [[nodiscard]] bool answers_to(std::string_view name) const;
    friend auto operator<=>(const MeasureName&, const MeasureName&) = default;
};

struct Measured {
    MeasureName name;
    std::string unit;
    double value = 0;
    std::uint64_t count = 0;  ///< observations that it rests on
};

struct MeasuredRun {
    std::uint64_t seed = 0;
    std::uint64_t hash = 0;
    std::uint64_t messages = 0;
    std::uint64_t trades = 0;
    std::uint64_t rejects = 0;
    std::uint64_t faults = 0;  ///< of participants that were cut off
    std::vector<Measured> values;
};

/// Values that are not finite are left out.
[[nodiscard]] MeasuredRun measured(const market_runs::RunResult& result);

}  // namespace damrak::comparison
