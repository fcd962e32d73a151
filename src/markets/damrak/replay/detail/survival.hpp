// Lifetimes of orders until they are filled or cancelled; orders that are still open are censored.
// Pure; sorts the observations once, then one pass.
//
// Two answers to "filled by then":
//   - alone: Kaplan-Meier, which counts a cancelled order as one that was no longer watched. It is
//     the chance of an order that nobody cancels, if cancels do not depend on what is to come.
//   - with cancels: Aalen-Johansen, the share of all orders filled by then.
//
// Sources: Kaplan and Meier (1958), Nonparametric estimation from incomplete observations; Aalen
// and Johansen (1978), An empirical transition matrix; Greenwood (1926) for the variance, on the
// scale log(-log S); Lo, MacKinlay and Zhang (2002), Econometric models of limit-order executions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace damrak::replay {

enum class Outcome : std::uint8_t { filled, cancelled, open };

struct Lifetime {
    std::int64_t duration_ns = 0;
    Outcome outcome = Outcome::open;
};

/// Estimates for a time after arrival, that time included.
struct SurvivalPoint {
    std::int64_t duration_ns = 0;
    std::uint64_t at_risk = 0;    ///< open and observed just before
    double filled_alone = 0;      ///< Kaplan-Meier, from 0 to 1
    double filled_alone_low = 0;  ///< its 95% confidence interval
    double filled_alone_high = 0;
    double filled = 0;     ///< Aalen-Johansen
    double cancelled = 0;  ///< Aalen-Johansen
};

class Survival {
  public:
    explicit Survival(std::vector<Lifetime> lifetimes);

    [[nodiscard]] std::uint64_t orders() const { return lifetimes_.size(); }
    [[nodiscard]] std::uint64_t count(Outcome outcome) const;
    /// Sum over all orders until each ended or was last seen.
    [[nodiscard]] double seconds_at_risk() const;
    /// Estimates at each of these times, ascending.
    [[nodiscard]] std::vector<SurvivalPoint> at(std::span<const std::int64_t> durations_ns) const;
    /// The first time by which this share is filled by Kaplan-Meier; nothing if never.
    [[nodiscard]] std::optional<std::int64_t> time_to_fill_ns(double share) const;
    /// Quantile of the orders with this outcome, by nearest rank; nothing if there are none.
    [[nodiscard]] std::optional<std::int64_t> quantile_ns(Outcome outcome, double share) const;

  private:
    std::vector<Lifetime> lifetimes_;  ///< by duration
};

}  // namespace damrak::replay
