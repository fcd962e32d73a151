// Hawkes processes: rates, variance of counts, compensated times; and the memory of trade signs.
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <damrak/participants/hawkes_flow.hpp>
#include <damrak/participants/models/hawkes_process.hpp>
#include <damrak/validation/detail/arena.hpp>
#include <damrak/validation/detail/checks.hpp>

namespace damrak::validation::detail {
namespace {

using participants::models::HawkesDescription;
using participants::models::HawkesProcess;

// Hawkes (1971): the Fano factor of one type with decay 1, by its closed form.
double fano_of(double n, double seconds) {
    const double k = 1 - n;
    const double c = n * (2 - n) / (2 * k);
    return 1 + 2 * c * (seconds / k - (1 - std::exp(-k * seconds)) / (k * k)) / seconds;
}

void add_counts(std::vector<Finding>& findings, double branching, double seconds, int windows) {
    HawkesProcess process{HawkesDescription{{1}, {branching}, 1}};
    market_kernel::Draws draws{market_kernel::key_of(17, "validation", 0, "hawkes")};
    double next = process.next(draws).wait_s - 200;  // burn in
    while (next < 0) next += process.next(draws).wait_s;
    measures::Moments counts;
    for (int i = 1; i <= windows; ++i) {
        double count = 0;
        for (; next < seconds * i; next += process.next(draws).wait_s) ++count;
        counts.add(count);
    }
    const double rate = 1 / (1 - branching);
    const double error = std::sqrt(rate * rate * rate / (seconds * windows));
    const auto sample = static_cast<std::uint64_t>(windows);
    findings.push_back(equals(fmt::format("rate_n{}_T{}", branching, seconds), rate,
                              counts.mean() / seconds, error, 0, sample, "windows"));
    findings.push_back(equals(fmt::format("fano_n{}_T{}", branching, seconds),
                              fano_of(branching, seconds), counts.variance() / counts.mean(), 0,
                              0.05 * fano_of(branching, seconds), sample, "windows"));
}

std::vector<Finding> counts(const Subjects& /*subjects*/) {
    std::vector<Finding> findings;
    add_counts(findings, .3, 1, 200'000);
    add_counts(findings, .5, 10, 40'000);
    add_counts(findings, .8, 10, 40'000);
    return findings;
}

// Waits in the compensated time of each type are exponential with mean one (Meyer 1971).
std::vector<Finding> compensated_times(const Subjects& /*subjects*/) {
    const HawkesDescription is{{.5, .3}, {.4, .2, .3, .3}, 2};
    HawkesProcess process{is};
    market_kernel::Draws draws{market_kernel::key_of(18, "validation", 0, "hawkes")};
    for (int i = 0; i < 5'000; ++i) static_cast<void>(process.next(draws));  // burn in
    std::array<double, 2> excess{};  // of what came since; what came before is forgotten
    std::array<double, 2> compensated{};
    std::array<std::vector<double>, 2> waits;
    for (int i = 0; i < 100'000; ++i) {
        const auto arrival = process.next(draws);
        const double decayed = std::exp(-is.decay_per_s * arrival.wait_s);
        for (std::size_t type = 0; type < 2; ++type) {
            compensated[type] += is.base_per_s[type] * arrival.wait_s +
                                 excess[type] * (1 - decayed) / is.decay_per_s;
            excess[type] *= decayed;
        }
        waits[arrival.type].push_back(compensated[arrival.type]);
        compensated[arrival.type] = 0;
        for (std::size_t type = 0; type < 2; ++type)
            excess[type] += is.branching[type * 2 + arrival.type] * is.decay_per_s;
    }
    std::vector<Finding> findings;
    for (std::size_t type = 0; type < 2; ++type) {
        const double distance = kolmogorov_distance(
            waits[type], [](double x) { return x <= 0 ? 0 : 1 - std::exp(-x); });
        findings.push_back({fmt::format("kolmogorov_of_type_{}", type), 0, k_kolmogorov_most,
                            distance, 0, 0, waits[type].size(), "waits"});
    }
    return findings;
}

/// Counts what was sent, by the types of the flow.
class SentByType final : public market_kernel::MarketWatcher {
  public:
    void on_sent(ParticipantId /*participant*/, const Command& command,
                 Timestamp /*time*/) override {
        if (command.kind != CommandKind::new_order) return;
        const auto side = static_cast<std::size_t>(command.side);
        ++count[(command.order_type == OrderType::market ? 0U : 2U) + side];
    }
    std::array<double, 4> count{};
};

// The rates of the default flow: row sums of a Neumann series, which converges for a spectral
// radius below one.
std::vector<Finding> market_rates(const Subjects& subjects) {
    const participants::HawkesFlow::Parameters is;
    std::vector<double> rates = is.base_per_s;
    for (int i = 0; i < 2'000; ++i) {
        std::vector<double> next = is.base_per_s;
        for (std::size_t row = 0; row < 6; ++row)
            for (std::size_t column = 0; column < 6; ++column)
                next[row] += is.branching[row * 6 + column] * rates[column];
        rates = next;
    }
    Arena arena{subjects, 3};
    arena.add("hawkes");
    SentByType sent;
    std::array<measures::Moments, 4> batches;
    constexpr int k_batches = 40;
    constexpr double k_batch_s = 1'000;
    for (int batch = 1; batch <= k_batches; ++batch) {
        sent.count = {};
        arena.run_until(batch * k_batch_s, {&sent});
        for (std::size_t type = 0; type < 4; ++type) batches[type].add(sent.count[type]);
    }
    static constexpr std::array<const char*, 4> k_names{"market_buys", "market_sells", "limit_buys",
                                                        "limit_sells"};
    std::vector<Finding> findings;
    findings.reserve(k_names.size());
    for (std::size_t type = 0; type < 4; ++type)
        findings.push_back(equals(fmt::format("rate_of_{}", k_names[type]), rates[type],
                                  batches[type].mean() / k_batch_s,
                                  standard_error(batches[type]) / k_batch_s, 0.01 * rates[type],
                                  k_batches, "batches of 1,000 s"));
    return findings;
}

/// Sizes V of hidden orders, P(V > v) = v^-alpha, and what is left of one at a random time.
class HiddenSizes {
  public:
    explicit HiddenSizes(double alpha) : alpha_(alpha) {
        constexpr int k_terms = 100'000;
        for (int v = 1; v < k_terms; ++v) zeta_ += std::pow(v, -alpha);
        zeta_ += std::pow(k_terms, 1 - alpha) / (alpha - 1);
    }
    [[nodiscard]] double whole(market_kernel::Draws& draws) const {
        return std::ceil(draws.pareto(1, alpha_));
    }
    /// 1 with probability 1 / E V, else k with probability (k - 1)^-alpha / E V, by the rejection
    /// of Devroye (1986), section X.6.1; E V = 1 + zeta(alpha).
    [[nodiscard]] double left(market_kernel::Draws& draws) const {
        if (draws.chance(1 / (1 + zeta_))) return 1;
        const double base = std::pow(2, alpha_ - 1);
        for (;;) {
            const double x = std::floor(draws.pareto(1, alpha_ - 1));
            if (x >= 1e15) return x;  // longer than any series
            const double t = std::pow(1 + 1 / x, alpha_ - 1);
            if (draws.uniform() * x * (t - 1) / (base - 1) <= t / base) return 1 + x;
        }
    }

  private:
    double alpha_;
    double zeta_ = 0;
};

// Signs of ten hidden orders at a time, split into units. Stationary from the start, as orders that
// live longer than the series carry the memory. Their mean is known to be zero.
double exponent_of_signs(double alpha, std::uint64_t seed) {
    struct Hidden {
        double left = 0;
        int sign = 0;
    };
    constexpr std::size_t k_signs = 1 << 20;
    const HiddenSizes sizes{alpha};
    market_kernel::Draws draws{market_kernel::key_of(seed, "validation", 0, "signs")};
    const auto random_sign = [&] { return draws.chance(.5) ? 1 : -1; };
    std::array<Hidden, 10> orders{};
    for (Hidden& order : orders) order = {sizes.left(draws), random_sign()};
    std::vector<int> signs;
    for (std::size_t i = 0; i < k_signs; ++i) {
        Hidden& order = orders[draws.below(orders.size())];
        if (order.left <= 0) order = {sizes.whole(draws), random_sign()};
        signs.push_back(order.sign);
        order.left -= 1;
    }
    measures::Regression line;
    for (const std::size_t lag : {30U, 60U, 120U, 240U, 480U, 960U, 1'600U}) {
        std::int64_t sum = 0;
        for (std::size_t i = lag; i < k_signs; ++i) sum += std::int64_t{signs[i]} * signs[i - lag];
        const double c = static_cast<double>(sum) / static_cast<double>(k_signs - lag);
        if (c > 0) line.add(std::log(static_cast<double>(lag)), std::log(c));
    }
    return -line.slope();
}

std::vector<Finding> long_memory(const Subjects& /*subjects*/) {
    constexpr std::uint64_t k_series = 16;
    std::vector<Finding> findings;
    for (const auto& [alpha, tolerance] : {std::pair{1.3, .08}, {1.5, .08}, {1.7, .2}}) {
        measures::Moments exponents;
        for (std::uint64_t seed = 1; seed <= k_series; ++seed)
            exponents.add(exponent_of_signs(alpha, seed));
        findings.push_back(equals(fmt::format("exponent_at_alpha_{}", alpha), alpha - 1,
                                  exponents.mean(), standard_error(exponents), tolerance, k_series,
                                  "series of 2^20 signs"));
    }
    return findings;
}

}  // namespace

std::vector<Check> hawkes_checks() {
    return {
        {"hawkes-counts", "Hawkes (1971), mean and variance of counts", Tested::formula, counts},
        {"hawkes-compensated-times", "Meyer (1971); Ogata (1988), residual analysis",
         Tested::formula, compensated_times},
        {"hawkes-market", "Hawkes (1971), stationary rates", Tested::kernel, market_rates},
        {"long-memory", "Lillo, Mike and Farmer (2005), exponent alpha - 1", Tested::formula,
         long_memory}};
}

}  // namespace damrak::validation::detail
