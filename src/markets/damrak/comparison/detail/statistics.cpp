#include <damrak/comparison/detail/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/market_kernel/draws.hpp>
#include <damrak/market_kernel/numeric.hpp>

namespace damrak::comparison {
namespace {

constexpr double k_tail = (1 - k_confidence) / 2;

double sum_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

double normal_probability(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

// The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by the
// modified method of Lentz.
double beta_fraction(double a, double b, double x) {
    constexpr double k_tiny = 1e-300;
    constexpr double k_exact = 1e-15;
    const auto away_from_zero = [](double value) {
        return std::abs(value) < k_tiny ? k_tiny : value;
    };
    double c = 1;
    double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (double m = 1; m < 10'000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        fraction *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        fraction *= d * c;
        if (std::abs(d * c - 1) < k_exact) break;
    }
    return fraction;
}

// I_x(a, b).
double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                  a * std::log(x) + b * std::log1p(-x));
    // The fraction converges fast on this side of the mean.
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

std::vector<double> bootstrap_means(std::span<const double> values, std::uint64_t key) {
    market_kernel::Draws draws{key};
    std::vector<double> means(k_bootstrap_drawings);
    for (double& mean : means) {
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) sum += values[draws.below(values.size())];
        mean = sum / static_cast<double>(values.size());
    }
    std::ranges::sort(means);
    return means;
}

// The share of drawings below the mean, those at it by half; never 0 or 1.
double share_below(const std::vector<double>& sorted, double mean) {
    const auto [first, last] = std::ranges::equal_range(sorted, mean);
    const auto below = static_cast<double>(first - sorted.begin());
    const auto at = static_cast<double>(last - first);
    const auto all = static_cast<double>(sorted.size());
    return std::clamp((below + at / 2) / all, 0.5 / all, 1 - 0.5 / all);
}

// How skewed the mean is, from leaving out one value after the other.
double acceleration_of(std::span<const double> values, double mean) {
    double squares = 0;
    double cubes = 0;
    for (const double value : values) {
        const double apart = value - mean;
        squares += apart * apart;
        cubes += apart * apart * apart;
    }
    return cubes / (6 * std::pow(squares, 1.5));
}

}  // namespace

double quantile_of(std::span<const double> sorted, double p) {
    const double at = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double share = at - static_cast<double>(below);
    return sorted[below] * (1 - share) + sorted[above] * share;
}

double mean_of(std::span<const double> values) {
    return values.empty() ? 0 : sum_of(values) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
    if (values.size() < 2) return 0;
    const double first = values.front();
    if (std::ranges::all_of(values, [first](double value) { return value == first; })) return 0;
    const double mean = mean_of(values);
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return squares / static_cast<double>(values.size() - 1);
}

std::optional<double> correlation_of(std::span<const double> a, std::span<const double> b) {
    DAMRAK_ASSERT(a.size() == b.size());
    const double variances = variance_of(a) * variance_of(b);
    if (variances <= 0) return std::nullopt;
    const double mean_a = mean_of(a);
    const double mean_b = mean_of(b);
    double products = 0;
    for (std::size_t i = 0; i < a.size(); ++i) products += (a[i] - mean_a) * (b[i] - mean_b);
    const double covariance = products / static_cast<double>(a.size() - 1);
    return std::clamp(covariance / std::sqrt(variances), -1.0, 1.0);
}

double student_two_sided(double t, double degrees) {
    if (std::isinf(t)) return 0;
    return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

double student_quantile(double p, double degrees) {
    if (p < 0.5) return -student_quantile(1 - p, degrees);
    const double outside = 2 * (1 - p);
    double low = 0;
    double high = 1;
    while (student_two_sided(high, degrees) > outside) high *= 2;
    for (int i = 0; i < 200 && low < high; ++i) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        (student_two_sided(middle, degrees) > outside ? low : high) = middle;
    }
    return high;
}

double paired_p_value(std::span<const double> differences) {
    DAMRAK_ASSERT(differences.size() >= 2);
    const double mean = mean_of(differences);
    const double variance = variance_of(differences);
    if (variance <= 0) return mean == 0 ? 1 : 0;
    const auto pairs = static_cast<double>(differences.size());
    return student_two_sided(mean / std::sqrt(variance / pairs), pairs - 1);
}

double student_width(double deviation, std::size_t count) {
    DAMRAK_ASSERT(count >= 2);
    const auto values = static_cast<double>(count);
    return 2 * student_quantile(1 - k_tail, values - 1) * deviation / std::sqrt(values);
}

Interval student_interval(std::span<const double> values) {
    DAMRAK_ASSERT(values.size() >= 2);
    const double half = student_width(std::sqrt(variance_of(values)), values.size()) / 2;
    const double mean = mean_of(values);
    return {mean - half, mean + half};
}

Interval mean_interval(std::span<const double> values, std::uint64_t key) {
    DAMRAK_ASSERT(values.size() >= 2);
    if (variance_of(values) <= 0) return {values.front(), values.front()};
    if (values.size() < k_least_for_bootstrap) return student_interval(values);
    const double mean = mean_of(values);
    const std::vector<double> means = bootstrap_means(values, key);
    const double bias = market_kernel::normal_quantile(share_below(means, mean));
    const double acceleration = acceleration_of(values, mean);
    const auto count = static_cast<double>(values.size());
    const double reach = std::sqrt(count / (count - 1)) * student_quantile(1 - k_tail, count - 1);
    const auto limit = [&](double z) {
        const double moved = bias + z;
        // Beyond this the correction turns round; it needs a skewness that no eight values have.
        const double shrink = std::max(1 - acceleration * moved, 1e-3);
        return quantile_of(means, normal_probability(bias + moved / shrink));
    };
    return {limit(-reach), limit(reach)};
}

std::vector<double> holm(std::span<const double> p_values) {
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair{p_values[i], i}; });
    std::vector<double> adjusted(p_values.size());
    double largest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const auto left = static_cast<double>(order.size() - rank);
        largest = std::max(largest, std::min(1.0, left * p_values[order[rank]]));
        adjusted[order[rank]] = largest;
    }
    return adjusted;
}

double detectable_effect(double deviation, std::size_t pairs) {
    DAMRAK_ASSERT(pairs >= 2);
    const auto degrees = static_cast<double>(pairs - 1);
    return (student_quantile(1 - k_tail, degrees) + student_quantile(k_power, degrees)) *
           deviation / std::sqrt(static_cast<double>(pairs));
}

std::uint64_t pairs_needed(double deviation, double effect) {
    DAMRAK_ASSERT(effect != 0);
    const double wanted = std::abs(effect);
    const double reach =
        market_kernel::normal_quantile(1 - k_tail) + market_kernel::normal_quantile(k_power);
    const double ratio = reach * deviation / wanted;
    constexpr double k_most = 1e15;
    // Student's t asks for some more than the normal distribution, by two or three pairs.
    auto pairs = static_cast<std::uint64_t>(std::clamp(ratio * ratio, 2.0, k_most));
    while (pairs < 1'000'000 && detectable_effect(deviation, pairs) > wanted) ++pairs;
    return pairs;
}

}  // namespace damrak::comparison
