// Small symmetric systems. At set-up only.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace damrak::calibration::detail {

/// By row.
struct Matrix {
    std::size_t size = 0;
    std::vector<double> values;

    explicit Matrix(std::size_t n) : size(n), values(n * n) {}
    double& operator()(std::size_t row, std::size_t column) { return values[row * size + column]; }
    double operator()(std::size_t row, std::size_t column) const {
        return values[row * size + column];
    }
};

/// Gauss and Jordan with pivots. Empty (size zero) if the matrix is singular.
[[nodiscard]] inline Matrix inverse(Matrix a) {
    Matrix result{a.size};
    for (std::size_t i = 0; i < a.size; ++i) result(i, i) = 1;
    for (std::size_t k = 0; k < a.size; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < a.size; ++i)
            if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
        if (!(std::abs(a(pivot, k)) > 0)) return Matrix{0};
        for (std::size_t j = 0; j < a.size; ++j) {
            std::swap(a(k, j), a(pivot, j));
            std::swap(result(k, j), result(pivot, j));
        }
        const double scale = 1 / a(k, k);
        for (std::size_t j = 0; j < a.size; ++j) {
            a(k, j) *= scale;
            result(k, j) *= scale;
        }
        for (std::size_t i = 0; i < a.size; ++i) {
            if (i == k) continue;
            const double factor = a(i, k);
            for (std::size_t j = 0; j < a.size; ++j) {
                a(i, j) -= factor * a(k, j);
                result(i, j) -= factor * result(k, j);
            }
        }
    }
    return result;
}

}  // namespace damrak::calibration::detail
