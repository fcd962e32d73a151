#include <damrak/participants/models/market_making.hpp>

#include <cmath>

namespace damrak::participants::models {

Distances avellaneda_stoikov_quotes(const MakingModel& model, double inventory, double time_left) {
    const double gamma = model.risk_aversion;
    const double risk = gamma * model.volatility * model.volatility * time_left;
    const double half_spread =
        risk / 2 + market_kernel::logarithm_of(1 + gamma / model.decay) / gamma;
    return {.bid = half_spread + inventory * risk, .ask = half_spread - inventory * risk};
}

Distances glft_quotes(const MakingModel& model, double inventory) {
    const double gamma = model.risk_aversion;
    const double growth = 1 + gamma / model.decay;
    const double c = market_kernel::logarithm_of(growth) / gamma;
    const double b = std::sqrt(model.volatility * model.volatility * gamma /
                               (2 * model.decay * model.intensity) *
                               market_kernel::power_of(growth, 1 + model.decay / gamma));
    return {.bid = c + (2 * inventory + 1) * b / 2, .ask = c - (2 * inventory - 1) * b / 2};
}

MakingResult simulate_making(const MakingModel& model, double end, int steps,
                             market_kernel::Draws& draws) {
    const double dt = end / steps;
    const double move = model.volatility * std::sqrt(dt);
    const auto is_filled = [&](double distance) {
        return draws.chance(model.intensity *
                            market_kernel::exponential_of(-model.decay * distance) * dt);
    };
    double mid = 0;  // counted from its start, which quotes do not depend on
    MakingResult result;
    for (int i = 0; i < steps; ++i) {
        const Distances at = avellaneda_stoikov_quotes(model, result.inventory, end - i * dt);
        const bool bought = is_filled(at.bid);
        const bool sold = is_filled(at.ask);
        if (bought) result.profit -= mid - at.bid;
        if (sold) result.profit += mid + at.ask;
        result.inventory += (bought ? 1 : 0) - (sold ? 1 : 0);
        mid += draws.chance(0.5) ? move : -move;
    }
    result.profit += result.inventory * mid;
    return result;
}

}  // namespace damrak::participants::models
