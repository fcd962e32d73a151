#include <damrak/replay/detail/spread_statistics.hpp>

#include <algorithm>
#include <bit>

namespace damrak::replay {

namespace {

// Log-linear buckets: 64 per doubling.
std::size_t bucket_of(std::int64_t spread) {
    constexpr unsigned k_bits = 6;
    const auto value = static_cast<std::uint64_t>(spread);
    const auto width = static_cast<unsigned>(std::bit_width(value));
    if (width <= k_bits + 1) return value;
    const unsigned shift = width - k_bits - 1;
    return (std::size_t{shift} << k_bits) + (value >> shift);
}

}  // namespace

void SpreadStatistics::account(std::int64_t time_ns) {
    if (current_ && time_ns > since_ns_) {
        const std::int64_t stood_ns = time_ns - since_ns_;
        const std::size_t at = bucket_of(*current_);
        if (at >= buckets_.size()) buckets_.resize(at + 1);
        buckets_[at].time_ns += stood_ns;
        buckets_[at].sum += static_cast<double>(*current_) * static_cast<double>(stood_ns);
        least_ = seen_ ? std::min(least_, *current_) : *current_;
        most_ = seen_ ? std::max(most_, *current_) : *current_;
        seen_ = true;
    }
    since_ns_ = time_ns;
}

void SpreadStatistics::update(std::int64_t time_ns, std::optional<std::int64_t> spread) {
    account(time_ns);
    current_ = spread;
}

void SpreadStatistics::restart(std::int64_t time_ns) {
    buckets_.clear();
    seen_ = false;
    since_ns_ = time_ns;
}

std::optional<SpreadSummary> SpreadStatistics::summary() const {
    if (!seen_) return std::nullopt;
    SpreadSummary summary{.least = least_, .most = most_};
    double sum = 0;
    for (const Bucket& bucket : buckets_) {
        summary.time_ns += bucket.time_ns;
        sum += bucket.sum;
    }
    summary.mean = sum / static_cast<double>(summary.time_ns);
    std::int64_t below_ns = 0;
    for (const Bucket& bucket : buckets_) {
        below_ns += bucket.time_ns;
        if (2 * below_ns < summary.time_ns) continue;
        summary.median = bucket.sum / static_cast<double>(bucket.time_ns);
        break;
    }
    return summary;
}

}  // namespace damrak::replay
