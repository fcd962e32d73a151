// What an observer takes a mean-reverting value to be, from noisy observations: the Kalman filter
// of an Ornstein-Uhlenbeck process, as the value agents of ABIDES (Byrd, Hybinette and Balch 2020)
// estimate it. A model alone: no market.
#pragma once

#include <damrak/market_kernel/numeric.hpp>

namespace damrak::participants::models {

struct ValueDynamics {
    double mean = 0;
    double reversion = 0;       ///< per second
    double volatility = 0;      ///< per square root of a second
    double observation_sd = 0;  ///< of the error of an observation
};

struct ValueEstimate {
    double mean = 0;
    double variance = 0;  ///< of the value, given the observations
};

/// The estimate `seconds` later, without an observation.
[[nodiscard]] inline ValueEstimate later(const ValueDynamics& is, const ValueEstimate& now,
                                         double seconds) {
    const double kept = market_kernel::exponential_of(-is.reversion * seconds);
    const double growth = is.reversion * seconds > 1e-9 ? (1 - kept * kept) / (2 * is.reversion)
                                                        : seconds;  // the limit: a Brownian motion
    return {is.mean + kept * (now.mean - is.mean),
            kept * kept * now.variance + is.volatility * is.volatility * growth};
}

/// The estimate after an observation.
[[nodiscard]] inline ValueEstimate observed(const ValueDynamics& is, const ValueEstimate& before,
                                            double observation) {
    const double noise = is.observation_sd * is.observation_sd;
    const double gain =
        before.variance + noise > 0 ? before.variance / (before.variance + noise) : 1;
    return {before.mean + gain * (observation - before.mean), (1 - gain) * before.variance};
}

}  // namespace damrak::participants::models
