// Stylised facts: what prices and orders of real markets have in common, as bands of measures, and
// where a simulated market and a recorded day are. A fact is no law: a market may be outside a band
// for a reason, so facts are shown beside the checks and do not fail them.
#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <damrak/measures/results.hpp>

namespace damrak::validation {

/// A stylised fact of markets, and the range in which it counts as met.
struct Fact {
    std::string_view name;
    std::string_view what;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    std::optional<double> market{};  ///< absent: not measured
    std::optional<double> day{};

    [[nodiscard]] bool holds(const std::optional<double>& value) const {
        return value && *value >= low && *value <= high;
    }
};

/// `day` may be null. Sources: Cont (2001), Empirical properties of asset returns; Bouchaud et al.
/// (2018), Trades, Quotes and Prices.
[[nodiscard]] std::vector<Fact> stylised_facts(const measures::Results& market,
                                               const measures::Results* day);

}  // namespace damrak::validation
