// Measures of a price whose law is known. Trades a second apart, each a random buy or sell of 100
// shares at half a spread c from the mid, which then moves by theta in their direction and by
// normal noise: the model of Glosten and Harris (1988).
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <damrak/measures/information_share.hpp>
#include <damrak/validation/detail/checks.hpp>

namespace damrak::validation::detail {
namespace {

using views::PublicChange;

constexpr std::uint64_t k_trades = 40'000;
constexpr std::int64_t k_half_spread = 500;  // price units; a tick is 100
constexpr double k_theta = 200;
constexpr double k_noise = 300;
constexpr std::int64_t k_quantity = 100;

views::PublicChange top(std::int64_t time_ns, std::int64_t mid) {
    views::PublicChange change{};
    change.kind = views::PublicChange::Kind::state;
    change.trading_state = TradingState::trading;
    change.time = {time_ns};
    change.bid = {mid - k_half_spread};
    change.ask = {mid + k_half_spread};
    change.bid_quantity = change.ask_quantity = {k_quantity};
    return change;
}

/// A sign follows the one before with probability (1 + persistence) / 2.
std::vector<views::PublicChange> day(double persistence) {
    market_kernel::Draws draws{market_kernel::key_of(31, "validation", 0, "day")};
    constexpr std::int64_t k_begin_ns = 34'200'000'000'000;
    double mid = 10'000'000;
    double sign = 1;
    std::vector<views::PublicChange> changes{top(k_begin_ns, std::llround(mid))};
    for (std::uint64_t i = 0; i < k_trades; ++i) {
        const std::int64_t second_ns = k_begin_ns + static_cast<std::int64_t>(i) * 1'000'000'000;
        if (!draws.chance((1 + persistence) / 2)) sign = -sign;
        views::PublicChange trade = top(second_ns + 500'000'000, std::llround(mid));
        trade.kind = views::PublicChange::Kind::trade;
        trade.side = sign > 0 ? Side::buy : Side::sell;
        trade.price = sign > 0 ? trade.ask : trade.bid;
        trade.quantity = {k_quantity};
        changes.push_back(trade);
        mid += k_theta * sign + k_noise * draws.normal();
        changes.push_back(top(second_ns + 750'000'000, std::llround(mid)));
    }
    return changes;
}

/// Looks values up, and fails where one is missing.
class Measured {
  public:
    Measured(const Subjects& subjects, const std::vector<views::PublicChange>& changes)
        : results_(subjects.measure(changes, {})) {}
    [[nodiscard]] Finding operator()(const std::string& name, double theory, double error,
                                     double tolerance = 1e-9) const {
        const measures::Value* const value = results_.find(name);
        if (value == nullptr) throw std::runtime_error{"no measure " + name};
        return equals(name, theory, value->value, error, tolerance, value->count, "observations");
    }

  private:
    measures::Results results_;
};

std::vector<Finding> spreads(const Subjects& subjects) {
    const Measured measured{subjects, day(0)};
    const double n = std::sqrt(static_cast<double>(k_trades));
    const double c = k_half_spread / 100.;  // in ticks
    const double theta = k_theta / 100;
    const auto error = [&](double seconds) {
        return 2 * std::sqrt(k_noise * k_noise + k_theta * k_theta) / 100 * std::sqrt(seconds) / n;
    };
    const double cost = k_half_spread * (k_half_spread - k_theta);
    const double change_variance =
        cost + k_half_spread * k_theta + std::pow(k_half_spread - k_theta, 2) + k_noise * k_noise;
    return {
        measured("quoted_spread_ticks", 2 * c, 0),
        measured("effective_spread", 2 * c, 0),
        measured("price_impact_1s", 2 * theta, error(1)),
        measured("price_impact_10s", 2 * theta, error(10)),
        measured("realised_spread_1s", 2 * (c - theta), error(1)),
        measured("realised_spread_10s", 2 * (c - theta), error(10)),
        measured("roll_spread", 2 * std::sqrt(cost),
                 2 * std::sqrt(cost) * change_variance / n / cost / 2),
        measured("kyle_lambda", k_theta / k_quantity, k_noise / k_quantity / n * std::sqrt(60.))};
}

std::vector<Finding> paths(const Subjects& subjects) {
    const Measured measured{subjects, day(0)};
    const auto n = static_cast<double>(k_trades);
    const double variance = k_noise * k_noise + k_theta * k_theta;
    const auto ratio_error = [n](double q) {
        return std::sqrt(2 * (2 * q - 1) * (q - 1) / (3 * q * n));
    };
    return {measured("realised_variance_1s", variance, variance * std::sqrt(2 / n)),
            measured("variance_ratio_5s", 1, ratio_error(5)),
            measured("variance_ratio_60s", 1, ratio_error(60)),
            measured("variance_ratio_z_10s", 0, 1),
            measured("excess_kurtosis_1s", -2 * std::pow(k_theta, 4) / (variance * variance),
                     std::sqrt(24 / n)),
            measured("return_autocorrelation_1s", 0, 1 / std::sqrt(n))};
}

// E |S| / 50 for the sum S of fifty random signs is the middle binomial probability.
std::vector<Finding> signs(const Subjects& subjects) {
    double middle = 1;
    for (int i = 1; i <= 25; ++i) middle *= (25. + i) / i / 4;
    const double buckets = k_trades / 50.;
    const Measured random{subjects, day(0)};
    const Measured persistent{subjects, day(.6)};
    const double error = 1.5 / std::sqrt(static_cast<double>(k_trades));
    return {random("vpin", middle, std::sqrt((1 / 50. - middle * middle) / buckets)),
            random("sign_autocorrelation_1", 0, error),
            persistent("sign_autocorrelation_1", .6, error),
            persistent("sign_autocorrelation_2", .36, error),
            persistent("sign_autocorrelation_5", std::pow(.6, 5), error)};
}

// A walk of deviation .02 a second, seen at .01 above or below at random: in units of 1e-4.
std::vector<Finding> bounce(const Subjects& subjects) {
    constexpr double k_deviation = 200;
    constexpr double k_bounce = 100;
    market_kernel::Draws draws{market_kernel::key_of(33, "validation", 0, "bounce")};
    std::vector<views::PublicChange> changes;
    double efficient = 10'000'000;
    for (std::uint64_t i = 0; i < k_trades; ++i) {
        efficient += k_deviation * draws.normal();
        const double seen = efficient + (draws.chance(.5) ? k_bounce : -k_bounce);
        changes.push_back(
            top(static_cast<std::int64_t>(i) * 1'000'000'000 + 500'000'000, std::llround(seen)));
    }
    const Measured measured{subjects, changes};
    const auto n = static_cast<double>(k_trades);
    std::vector<Finding> findings;
    for (const auto& [steps, variance, ratio] :
         {std::tuple{1, 6.0e4, 1.}, {2, 5.0e4, .8333}, {5, 4.4e4, .7333}, {10, 4.2e4, .7}}) {
        const std::string after = "_" + std::to_string(steps) + "s";
        // The mean square of n / steps normal changes, at least.
        const double error = std::sqrt(2. * steps / n);
        findings.push_back(measured("realised_variance" + after, variance, variance * error, 1));
        if (steps > 1)
            findings.push_back(measured("variance_ratio" + after, ratio, ratio * error, 1e-4));
    }
    return findings;
}

// The price goes a tick further when the efficient price is 1/2 + eta ticks away. Steps of the
// efficient price overshoot that by .58 of their deviation, which adds to the estimate.
std::vector<Finding> uncertainty_zones(const Subjects& subjects) {
    constexpr double k_step = .02;
    std::vector<Finding> findings;
    for (const auto& [eta, moves] : {std::pair{.05, 40'000}, {.25, 10'000}}) {
        market_kernel::Draws draws{market_kernel::key_of(35, "validation", 0, "zones")};
        std::vector<views::PublicChange> changes;
        double away = 0;  // ticks, of the efficient price from the traded one
        std::int64_t ticks = 100'000;
        for (int i = 0; i < moves; ++i) {
            while (std::abs(away) < .5 + eta) away += k_step * draws.normal();
            const int direction = away > 0 ? 1 : -1;
            away -= direction;
            ticks += direction;
            views::PublicChange trade = top((i + 1) * std::int64_t{1'000'000'000}, ticks * 100);
            trade.kind = views::PublicChange::Kind::trade;
            trade.price = {ticks * 100};
            trade.quantity = {k_quantity};
            changes.push_back(trade);
        }
        const Measured measured{subjects, changes};
        const double theory = eta + .58 * k_step;
        const double share = 2 * theory / (1 + 2 * theory);  // of continuations
        const double error = std::sqrt(share / (1 - share) / moves) / (1 - share) / 2;
        findings.push_back(measured("uncertainty_zones_eta", theory, error));
        findings.back().name += "_" + std::to_string(eta).substr(0, 4);
    }
    return findings;
}

// Two prices that return to each other: dp1 = -.1 z + e1, dp2 = .3 z + 2 e2, z = p1 - p2. Their
// trend loads with .3 on e1 and with .1 on e2.
std::vector<Finding> information_share(const Subjects& /*subjects*/) {
    const auto shares = [](double a1, double a2, double s, double correlation) {
        market_kernel::Draws draws{market_kernel::key_of(37, "validation", 0, "share")};
        measures::InformationShare share;
        double p1 = 1'000;
        double p2 = 1'000;
        for (std::uint64_t i = 0; i < k_trades; ++i) {
            share.add(p1, p2);
            const double z = p1 - p2;
            const double e1 = draws.normal();
            const double e2 =
                correlation * e1 + std::sqrt(1 - correlation * correlation) * draws.normal();
            p1 += -a1 * z + e1;
            p2 += a2 * z + s * e2;
        }
        return share.bounds().value_or(measures::InformationShare::Bounds{-1, -1});
    };
    const auto finding = [](const char* name, double theory, double share) {
        return equals(name, theory, share, 0, .03, k_trades, "steps");
    };
    const auto apart = shares(.1, .3, 2, 0);
    const auto together = shares(.2, .2, 1, .5);
    return {finding("low_without_correlation", .09 / .13, apart.low),
            finding("high_without_correlation", .09 / .13, apart.high),
            finding("low_with_correlation", .25, together.low),
            finding("high_with_correlation", .75, together.high)};
}

}  // namespace

std::vector<Check> measure_checks() {
    return {{"measures-of-spread", "Glosten and Harris (1988); Roll (1984); Kyle (1985)",
             Tested::formula, spreads},
            {"measures-of-paths", "Lo and MacKinlay (1988); moments of the increments",
             Tested::formula, paths},
            {"measures-of-signs", "autocorrelation of a Markov chain; binomial law",
             Tested::formula, signs},
            {"measures-of-bounce", "variances of a walk with independent noise", Tested::formula,
             bounce},
            {"uncertainty-zones", "Robert and Rosenbaum (2011); Dayri and Rosenbaum (2015)",
             Tested::formula, uncertainty_zones},
            {"information-share", "Hasbrouck (1995), for error-correction models without lags",
             Tested::formula, information_share}};
}

}  // namespace damrak::validation::detail
