#include <damrak/calibration/detail/hawkes_fit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <damrak/calibration/detail/linear.hpp>

namespace damrak::calibration {
namespace {

using detail::Matrix;
using Vector = std::vector<double>;

constexpr double k_least_decay = 1e-2;
constexpr double k_most_decay = 1e4;

/// The likelihood of the parameters of all types for one decay. The rate of type i at an event is
/// the product of its parameters (base, branching from each type) with the event's row, and its
/// compensator the product with its totals: the integrals of the same over the time in which the
/// type could happen.
class Likelihood {
  public:
    Likelihood(const std::vector<FlowEvent>& events, std::size_t types, double seconds,
               double decay)
        : width_(types + 1), totals_(types, Vector(width_)), rows_(types) {
        Vector excited(types);
        Vector row(width_);
        row[0] = 1;
        double last_s = 0;
        std::uint8_t possible = FlowEvent::k_all;
        for (std::size_t first = 0; first < events.size();) {
            const double now_s = events[first].time_s;
            const double kept = std::exp(-decay * (now_s - last_s));
            pass(now_s - last_s, kept, excited, possible);
            for (std::size_t j = 0; j < types; ++j) {
                excited[j] *= kept;
                row[j + 1] = decay * excited[j];
            }
            std::size_t end = first;
            for (; end < events.size() && events[end].time_s == now_s; ++end) {
                Vector& rows = rows_[events[end].type];
                rows.insert(rows.end(), row.begin(), row.end());
                possible = events[end].possible;
            }
            for (; first < end; ++first) excited[events[first].type] += 1;
            last_s = now_s;
        }
        pass(seconds - last_s, std::exp(-decay * (seconds - last_s)), excited, possible);
    }

    [[nodiscard]] std::size_t width() const { return width_; }
    [[nodiscard]] std::size_t count(std::size_t type) const { return rows_[type].size() / width_; }

    [[nodiscard]] double value(std::size_t type, const Vector& p) const {
        double sum = 0;
        for (std::size_t i = 0; i < width_; ++i) sum -= p[i] * totals_[type][i];
        for (const double* row = rows_[type].data(); row != rows_[type].data() + rows_[type].size();
             row += width_)
            sum += std::log(rate(row, p));
        return sum;
    }
    /// Also minus the second derivatives, which are positive semidefinite.
    [[nodiscard]] Vector gradient(std::size_t type, const Vector& p, Matrix* information) const {
        Vector sum(width_);
        for (std::size_t i = 0; i < width_; ++i) sum[i] = -totals_[type][i];
        for (const double* row = rows_[type].data(); row != rows_[type].data() + rows_[type].size();
             row += width_) {
            const double inverse_rate = 1 / rate(row, p);
            for (std::size_t i = 0; i < width_; ++i) {
                const double x = row[i] * inverse_rate;
                sum[i] += x;
                if (information == nullptr) continue;
                for (std::size_t j = 0; j <= i; ++j)
                    (*information)(i, j) += x * row[j] * inverse_rate;
            }
        }
        if (information != nullptr)
            for (std::size_t i = 0; i < width_; ++i)
                for (std::size_t j = 0; j < i; ++j) (*information)(j, i) = (*information)(i, j);
        return sum;
    }
    /// A step of expectation and maximisation; never worse.
    void improve(std::size_t type, Vector& p) const {
        const Vector slope = gradient(type, p, nullptr);
        for (std::size_t i = 0; i < width_; ++i)
            if (const double total = totals_[type][i]; total > 0)
                p[i] *= (slope[i] + total) / total;
    }

  private:
    /// Time without an event, after which the share `kept` of all excitement is left.
    void pass(double wait_s, double kept, const Vector& excited, std::uint8_t possible) {
        for (std::size_t type = 0; type < totals_.size(); ++type) {
            if ((static_cast<unsigned>(possible) >> type & 1U) == 0) continue;
            totals_[type][0] += wait_s;
            for (std::size_t j = 0; j < excited.size(); ++j)
                totals_[type][j + 1] += excited[j] * (1 - kept);
        }
    }
    [[nodiscard]] double rate(const double* row, const Vector& p) const {
        double sum = 0;
        for (std::size_t i = 0; i < width_; ++i) sum += row[i] * p[i];
        return sum;
    }

    std::size_t width_;
    std::vector<Vector> totals_;  ///< by type
    std::vector<Vector> rows_;    ///< by type, of `width_` numbers each
};

/// Newton's direction for the parameters that are free; the others stay.
Vector direction_of(const Matrix& information, const Vector& slope, const std::vector<bool>& free) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < free.size(); ++i)
        if (free[i]) places.push_back(i);
    Matrix part{places.size()};
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = 0; j < places.size(); ++j)
            part(i, j) = information(places[i], places[j]) * (i == j ? 1 + 1e-10 : 1);
    const Matrix inverted = inverse(part);
    Vector direction(free.size());
    if (inverted.size == 0) return direction;
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = 0; j < places.size(); ++j)
            direction[places[i]] += inverted(i, j) * slope[places[j]];
    return direction;
}

/// The best parameters of a type, none below zero. Starts from `p` and ends there.
double maximise(const Likelihood& likelihood, std::size_t type, Vector& p) {
    for (double& value : p) value = std::max(value, 1e-6);
    for (int i = 0; i < 10; ++i) likelihood.improve(type, p);
    double best = likelihood.value(type, p);
    for (int iteration = 0; iteration < 60; ++iteration) {
        Matrix information{likelihood.width()};
        const Vector slope = likelihood.gradient(type, p, &information);
        std::vector<bool> free(p.size());
        for (std::size_t i = 0; i < p.size(); ++i)
            free[i] = information(i, i) > 0 && (p[i] > 0 || slope[i] > 0);
        const Vector direction = direction_of(information, slope, free);
        double gained = 0;
        for (double step = 1; step > 1e-6; step /= 2) {
            Vector tried = p;
            for (std::size_t i = 0; i < p.size(); ++i)
                tried[i] = std::max(p[i] + step * direction[i], i == 0 ? 1e-9 : 0.0);
            const double value = likelihood.value(type, tried);
            if (!(value > best)) continue;
            gained = value - best;
            best = value;
            p = std::move(tried);
            break;
        }
        if (gained < 1e-9) break;
    }
    return best;
}

struct Fit {
    double decay = 0;
    double value = 0;
    std::vector<Vector> parameters;  ///< by type
};

class Search {
  public:
    Search(const std::vector<FlowEvent>& events, std::size_t types, double seconds)
        : events_(events), types_(types), seconds_(seconds) {
        start_.assign(types, Vector(types + 1, 0.1));
        for (Vector& p : start_) p[0] = 0.1;
    }
    [[nodiscard]] Likelihood at(double decay) const { return {events_, types_, seconds_, decay}; }
    Fit fit(double log_decay) {
        Fit result{std::exp(log_decay), 0, start_};
        const Likelihood likelihood = at(result.decay);
        for (std::size_t type = 0; type < types_; ++type)
            if (likelihood.count(type) > 0)
                result.value += maximise(likelihood, type, result.parameters[type]);
            else
                result.parameters[type].assign(types_ + 1, 0);
        return result;
    }
    /// A grid first, as there may be several maxima; then the golden section around the best.
    Fit best() {
        constexpr int k_points = 13;
        const double low = std::log(k_least_decay);
        const double width = (std::log(k_most_decay) - low) / k_points;
        int chosen = 0;
        Fit result;
        for (int i = 0; i <= k_points; ++i) {
            Fit here = fit(low + i * width);
            if (i > 0 && here.value <= result.value) continue;
            result = std::move(here);
            chosen = i;
        }
        const double golden = (std::sqrt(5.) - 1) / 2;
        double from = low + std::max(chosen - 1, 0) * width;
        double to = low + std::min(chosen + 1, k_points) * width;
        start_ = result.parameters;
        Fit left = fit(to - golden * (to - from));
        Fit right = fit(from + golden * (to - from));
        while (to - from > 1e-5) {
            if (left.value > right.value) {
                to = std::log(right.decay);
                right = std::move(left);
                left = fit(to - golden * (to - from));
            } else {
                from = std::log(left.decay);
                left = std::move(right);
                right = fit(from + golden * (to - from));
            }
        }
        return left.value > right.value ? left : right;
    }

  private:
    const std::vector<FlowEvent>& events_;
    std::size_t types_;
    double seconds_;
    std::vector<Vector> start_;
};

/// Minus the second derivatives by all free parameters and the decay, which is last. Those by the
/// decay are differences.
Matrix information_of(const Search& search, const Fit& fit,
                      const std::vector<std::pair<std::size_t, std::size_t>>& free) {
    const std::size_t types = fit.parameters.size();
    const double h = 1e-3 * fit.decay;
    const Likelihood here = search.at(fit.decay);
    const Likelihood below = search.at(fit.decay - h);
    const Likelihood above = search.at(fit.decay + h);
    Matrix all{free.size() + 1};
    double bend = 0;
    for (std::size_t type = 0; type < types; ++type) {
        if (here.count(type) == 0) continue;
        const Vector& p = fit.parameters[type];
        Matrix information{here.width()};
        static_cast<void>(here.gradient(type, p, &information));
        const Vector low = below.gradient(type, p, nullptr);
        const Vector high = above.gradient(type, p, nullptr);
        bend += (below.value(type, p) - 2 * here.value(type, p) + above.value(type, p)) / (h * h);
        for (std::size_t a = 0; a < free.size(); ++a) {
            if (free[a].first != type) continue;
            for (std::size_t b = 0; b < free.size(); ++b)
                if (free[b].first == type) all(a, b) = information(free[a].second, free[b].second);
            const double cross = -(high[free[a].second] - low[free[a].second]) / (2 * h);
            all(a, free.size()) = all(free.size(), a) = cross;
        }
    }
    all(free.size(), free.size()) = -bend;
    return all;
}

}  // namespace

HawkesFit fit_hawkes(const std::vector<FlowEvent>& events, std::size_t types, double seconds) {
    Search search{events, types, seconds};
    const Fit fit = search.best();
    HawkesFit result;
    result.log_likelihood = fit.value;
    result.estimate = {Vector(types), Vector(types * types), fit.decay};
    result.standard_error = {Vector(types), Vector(types * types), 0};
    std::vector<std::pair<std::size_t, std::size_t>> free;
    for (std::size_t type = 0; type < types; ++type)
        for (std::size_t i = 0; i <= types; ++i)
            if (fit.parameters[type][i] > 1e-8) free.emplace_back(type, i);
    const Matrix covariance = inverse(information_of(search, fit, free));
    const auto error = [&](std::size_t i) {
        return covariance.size == 0 ? 0 : std::sqrt(std::max(covariance(i, i), 0.0));
    };
    for (std::size_t type = 0; type < types; ++type) {
        result.estimate.base_per_s[type] = fit.parameters[type][0];
        for (std::size_t j = 0; j < types; ++j)
            result.estimate.branching[type * types + j] = fit.parameters[type][j + 1];
    }
    for (std::size_t i = 0; i < free.size(); ++i) {
        const auto [type, place] = free[i];
        if (place == 0)
            result.standard_error.base_per_s[type] = error(i);
        else
            result.standard_error.branching[type * types + place - 1] = error(i);
    }
    result.standard_error.decay_per_s = error(free.size());
    return result;
}

}  // namespace damrak::calibration
