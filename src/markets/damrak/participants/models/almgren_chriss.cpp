#include <damrak/participants/models/almgren_chriss.hpp>

#include <cstddef>

#include <damrak/market_kernel/numeric.hpp>

namespace damrak::participants::models {

double net_impact(const ExecutionModel& model, double step) {
    return model.temporary_impact - model.permanent_impact * step / 2;
}

double execution_urgency(const ExecutionModel& model, double step) {
    const double squared =
        model.risk_aversion * model.volatility * model.volatility / net_impact(model, step);
    const double excess = squared * step * step / 2;  // cosh(kappa tau) - 1
    const double root = market_kernel::square_root_of(excess * (excess + 2));
    return market_kernel::logarithm_of(1 + excess + root) / step;
}

double held_share(double urgency, double end, double gone) {
    if (gone >= end) return 0;
    const double whole = urgency * end;
    if (whole < 1e-6) return 1 - gone / end;
    // sinh(a) / sinh(b) = e^(a - b) (1 - e^(-2a)) / (1 - e^(-2b)), which never overflows.
    const double left = urgency * (end - gone);
    return market_kernel::exponential_of(left - whole) *
           (1 - market_kernel::exponential_of(-2 * left)) /
           (1 - market_kernel::exponential_of(-2 * whole));
}

ExecutionCost execution_cost(const ExecutionModel& model, const std::vector<double>& holdings,
                             double step) {
    double squared_trades = 0;
    double squared_holdings = 0;
    for (std::size_t i = 1; i < holdings.size(); ++i) {
        const double trade = holdings[i - 1] - holdings[i];
        squared_trades += trade * trade;
        squared_holdings += holdings[i] * holdings[i];
    }
    const double order = holdings.front();
    return {.mean = model.permanent_impact * order * order / 2 + model.half_spread * order +
                    net_impact(model, step) / step * squared_trades,
            .deviation = model.volatility * market_kernel::square_root_of(step * squared_holdings)};
}

}  // namespace damrak::participants::models
