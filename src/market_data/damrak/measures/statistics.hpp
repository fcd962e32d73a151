// Sums from which means, variances, slopes and correlations follow, one observation at a time.
// Constant memory; updated around the running mean, so that large prices lose no digits.
// Source of the updates: Pébay (2008), SAND2008-6212.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace damrak::measures {

/// Mean and variance of a series, in one pass.
class Moments {
  public:
    void add(double x) {
        const auto before = static_cast<double>(count_++);
        const auto n = static_cast<double>(count_);
        const double d = x - mean_;
        const double step = d / n;
        const double square = step * step;
        const double term = d * step * before;
        mean_ += step;
        m4_ += term * square * (n * n - 3 * n + 3) + 6 * square * m2_ - 4 * step * m3_;
        m3_ += term * step * (n - 2) - 3 * step * m2_;
        m2_ += term;
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] double mean() const { return mean_; }
    /// Of the population: divided by the count.
    [[nodiscard]] double variance() const {
        return count_ == 0 ? 0 : m2_ / static_cast<double>(count_);
    }
    [[nodiscard]] double deviation() const { return std::sqrt(variance()); }
    [[nodiscard]] double mean_square() const { return variance() + mean_ * mean_; }
    /// Zero for the normal distribution. Meaningless without variance.
    [[nodiscard]] double excess_kurtosis() const {
        return static_cast<double>(count_) * m4_ / (m2_ * m2_) - 3;
    }

  private:
    std::uint64_t count_ = 0;
    double mean_ = 0;
    double m2_ = 0;
    double m3_ = 0;
    double m4_ = 0;
};

/// Of y on x, with a constant.
class Regression {
  public:
    void add(double x, double y) {
        const auto n = static_cast<double>(++count_);
        const double dx = x - mean_x_;
        const double dy = y - mean_y_;
        mean_x_ += dx / n;
        mean_y_ += dy / n;
        xx_ += dx * (x - mean_x_);
        yy_ += dy * (y - mean_y_);
        xy_ += dx * (y - mean_y_);
    }
    /// All pairs of another one.
    void add(const Regression& other) {
        if (other.count_ == 0) return;
        const auto n = static_cast<double>(count_);
        const auto m = static_cast<double>(other.count_);
        const double dx = other.mean_x_ - mean_x_;
        const double dy = other.mean_y_ - mean_y_;
        mean_x_ += dx * m / (n + m);
        mean_y_ += dy * m / (n + m);
        xx_ += other.xx_ + dx * dx * n * m / (n + m);
        yy_ += other.yy_ + dy * dy * n * m / (n + m);
        xy_ += other.xy_ + dx * dy * n * m / (n + m);
        count_ += other.count_;
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] bool has_slope() const { return count_ > 1 && xx_ > 0; }
    [[nodiscard]] bool has_correlation() const { return has_slope() && yy_ > 0; }
    [[nodiscard]] double slope() const { return xy_ / xx_; }
    [[nodiscard]] double correlation() const { return xy_ / std::sqrt(xx_ * yy_); }
    [[nodiscard]] double r_squared() const { return xy_ * xy_ / (xx_ * yy_); }
    [[nodiscard]] double covariance() const { return xy_ / static_cast<double>(count_); }

  private:
    std::uint64_t count_ = 0;
    double mean_x_ = 0;
    double mean_y_ = 0;
    double xx_ = 0;
    double yy_ = 0;
    double xy_ = 0;
};

/// Mean of a value that stands for some time, such as a spread.
class TimeWeighted {
  public:
    void add(double x, std::int64_t duration_ns) {
        if (duration_ns <= 0) return;
        const auto weight = static_cast<double>(duration_ns);
        weight_ += weight;
        mean_ += (x - mean_) * (weight / weight_);
        ++count_;
    }
    [[nodiscard]] double mean() const { return mean_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }

  private:
    double weight_ = 0;
    double mean_ = 0;
    std::uint64_t count_ = 0;
};

/// Correlation of a series with itself some places earlier.
class Autocorrelation {
  public:
    explicit Autocorrelation(std::vector<std::size_t> lags)
        : lags_(std::move(lags)), pairs_(lags_.size()) {
        for (const std::size_t lag : lags_)
            if (lag > last_.size()) last_.resize(lag);
    }
    void add(double x) {
        for (std::size_t i = 0; i < lags_.size(); ++i)
            if (count_ >= lags_[i]) pairs_[i].add(last_[(count_ - lags_[i]) % last_.size()], x);
        last_[count_++ % last_.size()] = x;
    }
    /// What follows is not next to what was.
    void interrupt() { count_ = 0; }
    [[nodiscard]] const std::vector<std::size_t>& lags() const { return lags_; }
    [[nodiscard]] const Regression& of(std::size_t i) const { return pairs_[i]; }

  private:
    std::vector<std::size_t> lags_;
    std::vector<Regression> pairs_;
    std::vector<double> last_;
    std::size_t count_ = 0;
};

}  // namespace damrak::measures
