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
        const double square = difference * difference;
        for (std::size_t lag = 1; lag < co_movements_.size() && lag <= steps_; ++lag)
            co_movements_[lag] += square * last_steps_[(steps_ - lag) % last_steps_.size()];
        last_steps_[steps_++ % last_steps_.size()] = square;
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
    return differences_[i].count() > 1 && differences_[0].variance() > 0;
}

double PathStatistics::variance_ratio(std::size_t i) const {
    return differences_[i].variance() /
           (static_cast<double>(horizons_[i]) * differences_[0].variance());
}

double PathStatistics::variance_ratio_z(std::size_t i) const {
    const auto q = static_cast<double>(horizons_[i]);
    double theta = 0;
    for (std::size_t lag = 1; lag < horizons_[i]; ++lag) {
        const double weight = 2 * (q - static_cast<double>(lag)) / q;
        theta += weight * weight * co_movements_[lag] / (squares_[0] * squares_[0]);
    }
    return theta > 0 ? (variance_ratio(i) - 1) / std::sqrt(theta) : 0;
}

}  // namespace damrak::measures
