#include <damrak/measures/detail/path_statistics.hpp>

#include <cmath>
#include <utility>

namespace damrak::measures {

PathStatistics::PathStatistics(std::vector<std::size_t> horizons)
    : horizons_(std::move(horizons)),
      differences_(horizons_.size()),
      squares_(horizons_.size()),
      co_movements_(horizons_.back()),
      last_(horizons_.back()),
      last_steps_(horizons_.back()) {}

void PathStatistics::add(double x) {
    for (std::size_t i = 0; i < horizons_.size(); ++i) {
        if (count_ < horizons_[i]) break;
        const double difference = x - last_[(count_ - horizons_[i]) % last_.size()];
        differences_[i].add(difference);
        squares_[i] += difference * difference;
        if (i > 0) continue;
        for (std::size_t lag = 1; lag < co_movements_.size() && lag <= steps_; ++lag)
            co_movements_[lag].add(difference, last_steps_[(steps_ - lag) % last_steps_.size()]);
        last_steps_[steps_++ % last_steps_.size()] = difference;
    }
    last_[count_++ % last_.size()] = x;
}

void PathStatistics::interrupt() {
    count_ = 0;
    steps_ = 0;
}

double PathStatistics::variance_per_step(std::size_t i) const {
    return squares_[i] / static_cast<double>(differences_[i].count()) /
           static_cast<double>(horizons_[i]);
}

bool PathStatistics::has_variance_ratio(std::size_t i) const {
    return differences_[i].count() > 0 && differences_[0].count() > horizons_[i] &&
           differences_[0].variance() > 0;
}

// The n steps have the common mean. A difference of q steps has q times their variance around q
// times it, less the part q / n that the estimate of the mean takes. For one path without
// interruption this is m = q (n - q + 1) (1 - q / n) of Lo and MacKinlay.
double PathStatistics::variance_ratio(std::size_t i) const {
    const auto n = static_cast<double>(differences_[0].count());
    const auto q = static_cast<double>(horizons_[i]);
    const Moments& over = differences_[i];
    const double off_mean = over.mean() - q * differences_[0].mean();
    const double step_variance = differences_[0].variance() * n / (n - 1);
    return (over.variance() + off_mean * off_mean) / (q * (1 - q / n)) / step_variance;
}

bool PathStatistics::has_variance_ratio_z(std::size_t i) const {
    constexpr std::size_t k_least_horizons = 10;
    return has_variance_ratio(i) && differences_[0].count() >= k_least_horizons * horizons_[i] &&
           theta(i) > 0;
}

double PathStatistics::variance_ratio_z(std::size_t i) const {
    return (variance_ratio(i) - 1) / std::sqrt(theta(i));
}

// The variance of the ratio in a random walk, whatever the variances of its steps.
double PathStatistics::theta(std::size_t i) const {
    const auto q = static_cast<double>(horizons_[i]);
    const double mean = differences_[0].mean();
    const double squares =
        differences_[0].variance() * static_cast<double>(differences_[0].count());
    double sum = 0;
    for (std::size_t lag = 1; lag < horizons_[i]; ++lag) {
        const double weight = 2 * (q - static_cast<double>(lag)) / q;
        sum += weight * weight * co_movements_[lag].around(mean) / (squares * squares);
    }
    return sum;
}

void PathStatistics::CoMovement::add(double a, double b) {
    ++count;
    firsts += a + b;
    seconds += a * a + b * b;
    products += a * b;
    thirds += a * b * (a + b);
    fourths += a * a * b * b;
}

double PathStatistics::CoMovement::around(double mean) const {
    return fourths - 2 * mean * thirds + mean * mean * (seconds + 4 * products) -
           2 * mean * mean * mean * firsts + mean * mean * mean * mean * count;
}

}  // namespace damrak::measures
