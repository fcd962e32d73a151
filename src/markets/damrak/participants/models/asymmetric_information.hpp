// Prices where some traders know more than the maker: the quotes of Glosten and Milgrom (1985), and
// the auctions of Kyle (1985). Closed forms; a model alone: no market.
#pragma once

#include <vector>

namespace damrak::participants::models {

/// The value is one or zero. A share `informed` of the traders knows it; the others buy or sell
/// with equal probability.
struct GlostenMilgrom {
    double probability = 0.5;  ///< that the value is one, by all trades so far
    double informed = 0.3;

    /// Expected values given that the next trader buys, or sells: the quotes at which a maker
    /// without costs earns nothing; also the probabilities after such a trade.
    [[nodiscard]] double ask() const { return after(informed); }
    [[nodiscard]] double bid() const { return after(-informed); }

  private:
    [[nodiscard]] double after(double share) const {
        const double one = probability * (1 + share);
        return one / (one + (1 - probability) * (1 - share));
    }
};

/// Of one auction of several. The insider orders beta · (value - last price).
struct KyleAuction {
    double lambda = 0;    ///< price change for each unit of order flow
    double beta = 0;      ///< of the auction, not of a unit of time
    double variance = 0;  ///< of the value, given the flow up to this auction
};

/// `auctions` auctions at equal intervals within a time of one. `value_variance` is that of the
/// value before the first, `noise_variance` that of the orders of others within the whole time.
[[nodiscard]] std::vector<KyleAuction> kyle_auctions(int auctions, double value_variance,
                                                     double noise_variance);

}  // namespace damrak::participants::models
