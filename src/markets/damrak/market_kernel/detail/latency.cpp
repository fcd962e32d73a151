#include <damrak/market_kernel/detail/latency.hpp>

#include <algorithm>

namespace damrak::market_kernel {
namespace {

constexpr double k_most_deviations = 8;

std::int64_t rounded(double ns) {
    constexpr auto k_most = static_cast<double>(Latency::k_most_ns);
    return ns <= 0 ? 0 : static_cast<std::int64_t>(std::min(ns + 0.5, k_most));
}

double bounded_normal(Draws& draws) {
    return std::clamp(draws.normal(), -k_most_deviations, k_most_deviations);
}

std::int64_t log_normal(std::int64_t median_ns, double sigma, double z) {
    return rounded(static_cast<double>(median_ns) * exponential_of(sigma * z));
}

}  // namespace

std::int64_t Latency::draw(Draws& draws) const {
    const auto base = static_cast<double>(base_ns);
    switch (kind) {
        case Kind::constant:
            return std::min(base_ns, k_most_ns);
        case Kind::uniform:
            return rounded(base + static_cast<double>(spread_ns) * draws.uniform());
        case Kind::normal:
            return rounded(base + static_cast<double>(spread_ns) * bounded_normal(draws));
        case Kind::log_normal:
            return log_normal(base_ns, sigma, bounded_normal(draws));
        case Kind::empirical:
            return std::min(base_ns + (*samples)[draws.below(samples->size())], k_most_ns);
    }
    return 0;
}

std::int64_t Latency::most_ns() const {
    const auto base = static_cast<double>(base_ns);
    switch (kind) {
        case Kind::constant:
            return std::min(base_ns, k_most_ns);
        case Kind::uniform:
            return rounded(base + static_cast<double>(spread_ns));
        case Kind::normal:
            return rounded(base + static_cast<double>(spread_ns) * k_most_deviations);
        case Kind::log_normal:
            return log_normal(base_ns, sigma, k_most_deviations);
        case Kind::empirical:
            return std::min(base_ns + *std::ranges::max_element(*samples), k_most_ns);
    }
    return 0;
}

std::int64_t Place::delay_at(std::int64_t time_ns) const {
    if (median_ns == 0) return 0;
    const auto interval = static_cast<std::uint64_t>(time_ns / interval_ns);
    Draws draws{mix_bits(key ^ mix_bits(interval))};
    return log_normal(median_ns, sigma, bounded_normal(draws));
}

std::int64_t Place::most_ns() const { return log_normal(median_ns, sigma, k_most_deviations); }

}  // namespace damrak::market_kernel
