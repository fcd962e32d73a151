// What markets are compared by: the features of a day, and the observations of each, in blocks of
// time. A recorded day and the day that a run leaves go through the same code, so that a difference
// is one of the markets. docs/reference/score.md defines the features.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day_depth.hpp>
#include <damrak/market_runs/recorded_measures.hpp>
#include <damrak/measures/statistics.hpp>

namespace damrak::score {

/// How two days are compared in a feature (score/distance.hpp).
enum class Method : std::uint8_t { wasserstein, kolmogorov_smirnov, curve };
[[nodiscard]] std::string_view name_of(Method method);

struct Feature {
    /// Distributions of values first, then curves.
    enum Id : std::uint8_t {
        spread,
        depth,
        imbalance,
        order_size,
        interarrival,
        time_to_cancel,
        volume,
        sign_memory,
        volatility,
        trade_response,
        order_response,
        cancel_response,
        impact,
    };
    static constexpr std::size_t k_count = 13;

    Id id{};
    std::string_view name;
    std::string_view unit;
    Method method{};
    std::string_view what;
    std::span<const std::string_view> points{};  ///< of a curve
};

/// By Feature::Id.
[[nodiscard]] const std::array<Feature, Feature::k_count>& features();

/// Why a day that shows this much of its book does not have a feature; empty: it has.
[[nodiscard]] std::string why_unknown(Feature::Id feature, const archive::DayDepth& depth);

/// A mean that can be put together from parts.
struct Mean {
    double sum = 0;
    double count = 0;
    void add(double x) {
        sum += x;
        ++count;
    }
};

/// What was observed from one moment of the day to another.
struct Block {
    std::int64_t begin_ns = 0;  ///< since midnight
    std::array<std::vector<double>, Feature::k_count> values;
    std::array<std::vector<Mean>, Feature::k_count> means;  ///< by point of the curve
    std::vector<measures::Regression> signs;                ///< by point of sign_memory
};

struct SampleSet {
    std::string symbol;
    std::vector<Block> blocks{};  ///< ascending; those without a message or a price are left out
    std::uint64_t anomalies = 0;
    archive::DayDepth depth{};
    archive::Completeness completeness{};
};

inline constexpr std::int64_t k_block_ns = 300'000'000'000;

/// In blocks of this length. One pass; a message costs some hundred nanoseconds; memory is the
/// observations. The error is one sentence with the file.
[[nodiscard]] std::expected<SampleSet, std::string> sample_day(
    const market_runs::RecordedDay& day, const market_runs::MeasuredHours& hours = {},
    std::int64_t block_ns = k_block_ns);

}  // namespace damrak::score
