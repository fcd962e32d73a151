// Runs a trial: all variants in turns, in another order each round, with the baseline again
// under another name as the control. The first round is kept apart and shown as what it is, the
// warm-up. Called on one thread; takes the time of the trial's repetitions.
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
/// How the control is called: the baseline a second time, which must come out as no different.
inline constexpr const char* k_control_name = "A/A control";

struct RunSettings {
    Effort effort{};
    /// More rounds until the time of the trial is used up.
    int rounds_min = 11;
    int rounds_max = 61;
    std::int64_t trial_ns = 0;
    /// Variant and by how many per cent it is to be made slower: shows that it is found.
    std::map<std::string, double> slowed{};
};

/// Default settings for this effort.
[[nodiscard]] RunSettings settings_for(Effort effort);

struct VariantResult {
    std::string name;
    std::string what;
    /// Nanoseconds an operation, or percentiles of latency: a value for each round after the first.
    std::array<std::vector<double>, k_measures> rounds{};
    std::array<double, k_measures> warm_up{};
    Histogram latency_ns{};  ///< of all rounds after the first; empty if none was taken
    std::optional<double> instructions{};  ///< an operation
    /// With the baseline, where this is another.
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

struct TrialResult {
    Trial trial;  ///< its variants' `run` are empty by now, and what they kept is free
    std::vector<VariantResult> variants;
    VariantResult control;
    int rounds = 0;
    std::int64_t operations = 0;  ///< a repetition

    [[nodiscard]] const VariantResult* find(const std::string& variant) const;
    /// The control came out as no different, by every measure.
    [[nodiscard]] bool control_holds() const;
};

/// Told after each round, with the share of the trial that is done.
using OnRound = std::function<void(double share)>;

[[nodiscard]] TrialResult run_trial(Trial trial, const RunSettings& settings,
                                    const OnRound& on_round);

}  // namespace damrak::lab
