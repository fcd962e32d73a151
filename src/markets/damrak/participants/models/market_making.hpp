// Optimal quotes of a market maker whose mid price is a Brownian motion and whose quote at a
// distance d from it is filled at the rate A e^(-k d): Avellaneda and Stoikov (2008), and the
// asymptotic quotes of Guéant, Lehalle and Fernandez-Tapia (2013). A model alone: no market, no
// ticks. Any unit of price and time, the same in all numbers.
#pragma once

#include <damrak/market_kernel/draws.hpp>

namespace damrak::participants::models {

/// The parameters of the model.
struct MakingModel {
    double risk_aversion = 0.1;  ///< gamma, per price
    double volatility = 2;       ///< sigma, price per square root of time
    double decay = 1.5;          ///< k, per price
    double intensity = 140;      ///< A, per time
};

/// How far the quotes are from the mid price; may be negative.
struct Distances {
    double bid = 0;
    double ask = 0;
};

/// With `inventory` units in hand and `time_left` to the end.
[[nodiscard]] Distances avellaneda_stoikov_quotes(const MakingModel& model, double inventory,
                                                  double time_left);
/// The same far from the end.
[[nodiscard]] Distances glft_quotes(const MakingModel& model, double inventory);

/// The outcome of a simulated path.
struct MakingResult {
    double profit = 0;  ///< cash and inventory at the last mid price
    double inventory = 0;
};

/// The simulation of Avellaneda and Stoikov: `steps` steps to `end`, in each of which the mid price
/// goes up or down by sigma sqrt(dt) and each quote is filled with probability A e^(-k d) dt.
[[nodiscard]] MakingResult simulate_making(const MakingModel& model, double end, int steps,
                                           market_kernel::Draws& draws);

}  // namespace damrak::participants::models
