// What a check found: a number of theory, and the estimate of it from models and markets. Plain
// values. An estimate that is no number has failed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace damrak::validation {

/// What a number comes from.
enum class Tested : std::uint8_t {
    formula,  ///< functions of the product alone, without a market: draws, models, measures
    kernel,   ///< what participants send and when, in virtual time; matching has no part in it
    engine,   ///< orders that the engine matched in a market
};
[[nodiscard]] constexpr std::string_view name_of(Tested tested) {
    switch (tested) {
        case Tested::formula:
            return "formula";
        case Tested::kernel:
            return "kernel";
        case Tested::engine:
            return "engine";
    }
    return {};
}

struct Finding {
    std::string name;
    /// What theory allows; equal for a number.
    double low = 0;
    double high = 0;
    double estimate = 0;
    double standard_error = 0;  ///< zero: the estimate is exact, or its error is not known
    double tolerance = 0;
    std::uint64_t sample = 0;
    std::string_view unit = "runs";  ///< of the sample
    std::optional<Tested> tested{};  ///< empty: as the check says

    /// From what theory allows; zero inside.
    [[nodiscard]] double distance() const {
        if (std::isnan(estimate)) return estimate;
        return std::max({low - estimate, estimate - high, 0.0});
    }
    [[nodiscard]] double allowed() const { return std::max(4 * standard_error, tolerance); }
    [[nodiscard]] bool passed() const { return distance() <= allowed(); }
};

/// A number of theory.
[[nodiscard]] inline Finding equals(std::string name, double theory, double estimate,
                                    double standard_error, double tolerance, std::uint64_t sample,
                                    std::string_view unit) {
    return {std::move(name), theory, theory, estimate, standard_error, tolerance, sample, unit, {}};
}

/// The findings of one check.
struct CheckResult {
    std::string name;
    std::string source;
    std::vector<Finding> findings;
    std::string error;  ///< what kept it from an end; empty: nothing did

    /// A check without a finding has shown nothing.
    [[nodiscard]] bool passed() const {
        return error.empty() && !findings.empty() &&
               std::ranges::all_of(findings, [](const Finding& f) { return f.passed(); });
    }
};

}  // namespace damrak::validation
