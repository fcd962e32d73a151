// Optimal execution of Almgren and Chriss (2001), Optimal execution of portfolio transactions:
// linear impact, trades at N equal steps, a trader who weighs the expected cost against its
// variance. A model alone: any units of money and time, the same in all numbers.
#pragma once

#include <vector>

namespace damrak::participants::models {

/// The parameters of the model.
struct ExecutionModel {
    double risk_aversion = 1e-6;       ///< lambda, per money
    double volatility = .95;           ///< sigma, money per share and square root of time
    double temporary_impact = 2.5e-6;  ///< eta, money a share for each share per time
    double permanent_impact = 2.5e-7;  ///< gamma, money a share for each share
    double half_spread = .0625;        ///< epsilon, money a share
};

/// eta less gamma tau / 2, which must be above zero.
[[nodiscard]] double net_impact(const ExecutionModel& model, double step);
/// kappa: (2 / tau^2) (cosh(kappa tau) - 1) = lambda sigma^2 / net impact.
[[nodiscard]] double execution_urgency(const ExecutionModel& model, double step);
/// Share of the order that is still held when `gone` of the time `end` has passed:
/// sinh(kappa (T - t)) / sinh(kappa T); a straight line without urgency.
[[nodiscard]] double held_share(double urgency, double end, double gone);

/// Mean and standard deviation of what an execution costs.
struct ExecutionCost {
    double mean = 0;
    double deviation = 0;
};
/// Of holdings at 0, tau, 2 tau …; the first is the order, the last is zero.
[[nodiscard]] ExecutionCost execution_cost(const ExecutionModel& model,
                                           const std::vector<double>& holdings, double step);

}  // namespace damrak::participants::models
