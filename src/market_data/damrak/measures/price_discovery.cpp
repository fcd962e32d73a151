#include <damrak/measures/price_discovery.hpp>

#include <cmath>
#include <cstddef>
#include <string>

#include <damrak/base/assert.hpp>
#include <damrak/measures/statistics.hpp>

namespace damrak::measures {

namespace {

constexpr double k_basis_points = 10'000;
/// News comes within a second, on average in its middle.
constexpr double k_middle_s = 0.5;
constexpr std::size_t k_longest_s = 300;

void report_errors(const PricesAndValues& of, const Settings& settings, Results& results) {
    for (const std::size_t later : {0U, 1U, 10U, 60U, 300U}) {
        Moments error;
        Moments error_bp;
        for (std::size_t t = 0; t + later < of.mids.size(); ++t) {
            if (of.mids[t + later] == 0) continue;
            const double size = std::abs(of.mids[t + later] - of.values[t]);
            error.add(size);
            error_bp.add(size / of.values[t] * k_basis_points);
        }
        const std::string name = "value_error_" + std::to_string(later) + "s";
        results.add_distance(name, error.mean(), error.count(), settings);
        results.add(name + "_bp", "bp", error_bp.mean(), error_bp.count());
    }
}

/// Of the mid so many seconds after the end of the second in which the value moved.
Regression response_after(const PricesAndValues& of, std::size_t later) {
    Regression response;
    for (std::size_t t = 1; t + later < of.mids.size(); ++t)
        if (of.mids[t - 1] != 0 && of.mids[t + later] != 0)
            response.add(of.values[t] - of.values[t - 1], of.mids[t + later] - of.mids[t - 1]);
    return response;
}

void report_news(const PricesAndValues& of, Results& results) {
    double before = 0;
    double before_s = -k_middle_s;
    bool is_found = false;
    for (std::size_t later = 0; later <= k_longest_s; ++later) {
        const Regression response = response_after(of, later);
        if (!response.has_slope()) return;  // the value did not move
        const double share = response.slope();
        if (later == 1 || later == 10 || later == 60)
            results.add("news_response_" + std::to_string(later) + "s", "1", share,
                        response.count());
        const auto at_s = static_cast<double>(later);
        if (!is_found && share >= 1. / 2) {
            is_found = true;
            const double part = (1. / 2 - before) / (share - before);
            results.add("news_half_life", "s", before_s + part * (at_s - before_s) + k_middle_s,
                        response.count());
        }
        if (is_found && later >= 60) return;
        before = share;
        before_s = at_s;
    }
}

}  // namespace

void report_price_discovery(const PricesAndValues& of, const Settings& settings, Results& results) {
    DAMRAK_ASSERT(of.mids.size() == of.values.size());
    report_errors(of, settings, results);
    report_news(of, results);
}

}  // namespace damrak::measures
