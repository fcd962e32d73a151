#include <damrak/participants/models/asymmetric_information.hpp>

#include <algorithm>
#include <cmath>

namespace damrak::participants::models {

// Kyle (1985), theorem 2, backwards from the last auction with a variance of one after it.
// Variances of the value scale with lambda^2, so the result is scaled to the given one in the end.
// In an auction with the coefficient a of the value function after it, lambda solves
// 2 noise lambda^2 (1 - a lambda) = variance (1 - 2 a lambda), with one solution in (0, 1 / 2a).
std::vector<KyleAuction> kyle_auctions(int auctions, double value_variance, double noise_variance) {
    std::vector<KyleAuction> all(static_cast<std::size_t>(std::max(auctions, 1)));
    const double noise = noise_variance / static_cast<double>(all.size());
    double variance = 1;
    double a = 0;
    for (auto auction = all.rbegin(); auction != all.rend(); ++auction) {
        double low = 0;
        double high = a > 0 ? 1 / (2 * a) : 2 * std::sqrt(variance / (2 * noise));
        for (int i = 0; i < 200; ++i) {
            const double middle = (low + high) / 2;
            const double excess =
                2 * noise * middle * middle * (1 - a * middle) - variance * (1 - 2 * a * middle);
            (excess < 0 ? low : high) = middle;
        }
        const double lambda = (low + high) / 2;
        const double beta = (1 - 2 * a * lambda) / (2 * lambda * (1 - a * lambda));
        *auction = {lambda, beta, variance};
        variance /= 1 - beta * lambda;
        a = 1 / (4 * lambda * (1 - a * lambda));
    }
    const double scale = value_variance / variance;
    for (KyleAuction& auction : all) {
        auction.lambda *= std::sqrt(scale);
        auction.beta /= std::sqrt(scale);
        auction.variance *= scale;
    }
    return all;
}

}  // namespace damrak::participants::models
