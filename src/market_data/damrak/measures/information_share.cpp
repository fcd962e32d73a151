#include <damrak/measures/information_share.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace damrak::measures {
namespace {

/// Solves for both right sides at once, with pivots. False: singular.
template <std::size_t N>
bool solve(std::array<std::array<double, N>, N> matrix,
           std::array<std::array<double, N>, 2>& right) {
    for (std::size_t k = 0; k < N; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < N; ++i)
            if (std::abs(matrix[i][k]) > std::abs(matrix[pivot][k])) pivot = i;
        if (!(std::abs(matrix[pivot][k]) > 0)) return false;
        std::swap(matrix[k], matrix[pivot]);
        for (auto& side : right) std::swap(side[k], side[pivot]);
        for (std::size_t i = 0; i < N; ++i) {
            if (i == k) continue;
            const double factor = matrix[i][k] / matrix[k][k];
            for (std::size_t j = k; j < N; ++j) matrix[i][j] -= factor * matrix[k][j];
            for (auto& side : right) side[i] -= factor * side[k];
        }
    }
    for (auto& side : right)
        for (std::size_t k = 0; k < N; ++k) side[k] /= matrix[k][k];
    return true;
}

}  // namespace

void InformationShare::add(double first, double second) {
    const std::array<double, 2> now{first, second};
    if (steps_ == 0) {
        last_ = now;
        steps_ = 1;
        return;
    }
    const std::array<double, 2> change{now[0] - last_[0], now[1] - last_[1]};
    if (steps_ > k_lags) {
        std::array<double, k_width> row{1, last_[0] - last_[1]};
        for (std::size_t k = 0; k < k_lags; ++k) {
            row[2 + 2 * k] = lagged_[k][0];
            row[3 + 2 * k] = lagged_[k][1];
        }
        for (std::size_t i = 0; i < k_width; ++i) {
            for (std::size_t j = 0; j < k_width; ++j) products_[i][j] += row[i] * row[j];
            for (std::size_t s = 0; s < 2; ++s) with_changes_[s][i] += row[i] * change[s];
        }
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t r = 0; r < 2; ++r) changes_[s][r] += change[s] * change[r];
        ++count_;
    }
    std::shift_right(lagged_.begin(), lagged_.end(), 1);
    lagged_[0] = change;
    last_ = now;
    ++steps_;
}

std::optional<InformationShare::Bounds> InformationShare::bounds() const {
    if (count_ < 10 * k_width) return std::nullopt;
    auto coefficients = with_changes_;
    if (!solve(products_, coefficients)) return std::nullopt;
    // The covariance of the residuals, times the count.
    std::array<std::array<double, 2>, 2> omega = changes_;
    for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t r = 0; r < 2; ++r)
            for (std::size_t i = 0; i < k_width; ++i)
                omega[s][r] -= coefficients[s][i] * with_changes_[r][i];
    const double trend_1 = -coefficients[1][1];
    const double trend_2 = coefficients[0][1];
    const double common = (omega[0][1] + omega[1][0]) / 2;
    const double total = trend_1 * trend_1 * omega[0][0] + 2 * trend_1 * trend_2 * common +
                         trend_2 * trend_2 * omega[1][1];
    if (!(total > 0) || !(omega[0][0] > 0) || !(omega[1][1] > 0)) return std::nullopt;
    // First in the factor: it gets what is common. Second: what is its own.
    const double as_first = trend_1 + trend_2 * common / omega[0][0];
    const double when_first = as_first * as_first * omega[0][0] / total;
    const double own = omega[0][0] - common * common / omega[1][1];
    const double when_second = trend_1 * trend_1 * own / total;
    return Bounds{std::min(when_first, when_second), std::max(when_first, when_second)};
}

void InformationShare::report(Results& results) const {
    const auto found = bounds();
    if (!found) return;
    results.add("information_share_low", "share", found->low, count_);
    results.add("information_share_high", "share", found->high, count_);
}

}  // namespace damrak::measures
