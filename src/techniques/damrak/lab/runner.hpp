// Runs a trial: all variants in turn, in a new random order each round, with the baseline again
// under another name as the control. The first round is the warm-up and is reported separately.
// Called on one thread; takes the time of the trial's repetitions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <damrak/base/histogram.hpp>
#include <damrak/lab/experiment.hpp>
#include <damrak/lab/statistics.hpp>

namespace damrak::lab {

inline constexpr std::size_t k_measures = 4;
/// Name of the control: the baseline a second time, which must show no difference.
inline constexpr const char* k_control_name = "A/A control";

/// How much is measured.
struct RunSettings {
    Effort effort{};
    /// Further rounds follow until the trial's time is used up.
    int rounds_min = 11;
    int rounds_max = 61;
    std::int64_t trial_ns = 0;
    /// Variants to slow down, by how many per cent: shows that differences are found.
    std::map<std::string, double> slowed{};
};

/// Default settings for this effort.
[[nodiscard]] RunSettings settings_for(Effort effort);

/// The figures of a variant.
struct VariantResult {
    std::string name;
    std::string what;
    /// Nanoseconds per operation, or latency percentiles: a value for each round after the first.
    std::array<std::vector<double>, k_measures> rounds{};
    std::array<double, k_measures> warm_up{};
    Histogram latency_ns{};                ///< of all rounds after the first; empty if not measured
    std::optional<double> instructions{};  ///< per operation
    /// With the baseline, for other variants.
    std::array<std::optional<Comparison>, k_measures> against_baseline{};
    double slowed_percent = 0;

    [[nodiscard]] bool has(Measure measure) const {
        return !rounds.at(static_cast<std::size_t>(measure)).empty();
    }
    [[nodiscard]] const std::vector<double>& of(Measure measure) const {
        return rounds.at(static_cast<std::size_t>(measure));
    }
    [[nodiscard]] const std::optional<Comparison>& comparison(Measure measure) const {
        return against_baseline.at(static_cast<std::size_t>(measure));
    }
};

/// The outcome of a trial.
struct TrialResult {
    Trial trial;  ///< without the variants' `run`, whose memory is freed
    std::vector<VariantResult> variants;
    VariantResult control;
    int rounds = 0;
    std::int64_t operations = 0;  ///< per repetition

    [[nodiscard]] const VariantResult* find(const std::string& variant) const;
    /// The control shows no difference by any measure.
    [[nodiscard]] bool control_holds() const;
};

/// Called after each round with the completed share of the trial.
using OnRound = std::function<void(double share)>;

[[nodiscard]] TrialResult run_trial(Trial trial, const RunSettings& settings,
                                    const OnRound& on_round);

}  // namespace damrak::lab
