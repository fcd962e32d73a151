#include <damrak/participants/models/hawkes_process.hpp>

#include <utility>

#include <damrak/base/assert.hpp>

namespace damrak::participants::models {

// The rates solve (I - branching) r = base. The matrix I - branching has positive pivots exactly if
// the spectral radius is below one (it is a non-singular M-matrix then), so elimination without
// exchange of rows tells both.
std::vector<double> stationary_rates(const HawkesDescription& description) {
    const std::size_t types = description.base_per_s.size();
    DAMRAK_ASSERT(description.branching.size() == types * types);
    std::vector<double> rates = description.base_per_s;
    std::vector<double> matrix(types * types);
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = -description.branching[i];
    for (std::size_t i = 0; i < types; ++i) matrix[i * types + i] += 1;
    for (std::size_t k = 0; k < types; ++k) {
        if (matrix[k * types + k] <= 1e-12) return {};
        for (std::size_t i = k + 1; i < types; ++i) {
            const double factor = matrix[i * types + k] / matrix[k * types + k];
            for (std::size_t j = k; j < types; ++j)
                matrix[i * types + j] -= factor * matrix[k * types + j];
            rates[i] -= factor * rates[k];
        }
    }
    for (std::size_t k = types; k-- > 0;) {
        for (std::size_t j = k + 1; j < types; ++j) rates[k] -= matrix[k * types + j] * rates[j];
        rates[k] /= matrix[k * types + k];
    }
    return rates;
}

HawkesProcess::HawkesProcess(HawkesDescription description)
    : is_(std::move(description)), excess_per_s_(stationary_rates(is_)) {
    DAMRAK_ASSERT(excess_per_s_.size() == is_.base_per_s.size());
    for (std::size_t i = 0; i < excess_per_s_.size(); ++i) excess_per_s_[i] -= is_.base_per_s[i];
}

double HawkesProcess::total_per_s() const {
    double total = 0;
    for (std::size_t i = 0; i < excess_per_s_.size(); ++i)
        total += is_.base_per_s[i] + excess_per_s_[i];
    return total;
}

HawkesProcess::Arrival HawkesProcess::next(market_kernel::Draws& draws) {
    const std::size_t types = excess_per_s_.size();
    for (Arrival arrival;;) {
        const double most_per_s = total_per_s();  // rates only fall until the next event
        const double wait_s = draws.exponential(most_per_s);
        double left = draws.uniform() * most_per_s;
        arrival.wait_s += wait_s;
        const double kept = market_kernel::exponential_of(-is_.decay_per_s * wait_s);
        for (double& excess : excess_per_s_) excess *= kept;
        for (arrival.type = 0; arrival.type < types; ++arrival.type) {
            left -= is_.base_per_s[arrival.type] + excess_per_s_[arrival.type];
            if (left < 0) break;
        }
        if (arrival.type == types) continue;
        for (std::size_t i = 0; i < types; ++i)
            excess_per_s_[i] += is_.branching[i * types + arrival.type] * is_.decay_per_s;
        return arrival;
    }
}

}  // namespace damrak::participants::models
