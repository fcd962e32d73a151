// Two markets over the same seeds, measure by measure: the difference of each pair of runs, and
// what can be said of its mean. Called after the runs; some milliseconds a measure.
//
//   std::vector<Comparison> all{compare(runs_of_a, runs_of_b, options)};
//   correct(all, options.primary);
//
// Common random numbers make a pair alike, which shows in `correlation`, and its difference vary
// less than that of unrelated runs: by `variance_ratio`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/comparison/detail/statistics.hpp>
#include <damrak/comparison/detail/values.hpp>

namespace damrak::comparison {

/// A difference that one wants to be able to see.
struct Effect {
    double size = 0;        ///< in the unit of the measure, or
    bool is_share = false;  ///< of the mean in the first market
};
/// "0.5" or "5%", above zero.
[[nodiscard]] std::expected<Effect, std::string> parse_effect(std::string_view text);

/// Which measures are compared, and how.
struct CompareOptions {
    /// Only these. Empty: all, except what says the same again: in currency, beside ticks.
    std::vector<std::string> measures{};
    std::string primary{};           ///< named before; its p-value is not corrected
    std::optional<Effect> effect{};  ///< not as a share: only of the primary measure
};

/// The difference of a measure between two markets over the same seeds.
struct Difference {
    MeasureName name;
    std::string unit;
    std::size_t pairs = 0;  ///< runs in which both markets have the measure
    double mean_a = 0;
    double mean_b = 0;
    double deviation_a = 0;  ///< from seed to seed
    double mean = 0;         ///< of b less a
    double deviation = 0;    ///< of b less a, from seed to seed
    Interval interval{};     ///< of the mean, 95 %
    double p = 1;
    double p_corrected = 1;                  ///< after correct()
    std::optional<double> correlation{};     ///< of both markets; empty where one does not vary
    std::optional<double> variance_ratio{};  ///< of the paired difference, to unrelated runs
    double detectable = 0;                   ///< the effect that this many pairs show at 80 %
    std::optional<std::uint64_t> seeds_needed{};  ///< for the effect asked for

    [[nodiscard]] bool is_significant() const { return p_corrected < 1 - k_confidence; }
};

struct Comparison {
    std::size_t pairs = 0;
    std::size_t equal_hashes = 0;
    std::vector<Difference> differences;  ///< measures with two pairs or more
    std::vector<MeasureName> left_out;    ///< the others: absent in one market, or nearly so
    /// Those in ticks, where the ticks of the markets differ, unless asked for by name: the same in
    /// basis points tells what is different.
    std::vector<MeasureName> in_other_ticks;

    /// The first that answers to the name; null: there is none.
    [[nodiscard]] const Difference* find(std::string_view name) const;
};

/// Runs in the same place are a pair; as many of both.
[[nodiscard]] Comparison compare(std::span<const MeasuredRun> a, std::span<const MeasuredRun> b,
                                 const CompareOptions& options);
/// Holm over all measures of all comparisons except the primary one.
void correct(std::span<Comparison> comparisons, std::string_view primary);

}  // namespace damrak::comparison
