#include <damrak/telemetry/detail/latency_history.hpp>

#include <algorithm>

#include <damrak/base/histogram.hpp>
#include <damrak/telemetry/detail/latencies.hpp>

namespace damrak::telemetry {

namespace {

/// Adds the rows to the column of their time, a new one if it has begun since.
void merge_into(auto& columns, std::int64_t column_s, const LatencyColumn& part) {
    const std::int64_t begin_s = part.begin_s / column_s * column_s;
    if (columns.empty() || columns.back().begin_s != begin_s)
        columns.push_back({.begin_s = begin_s});
    for (const auto& [key, times] : part.rows) columns.back().rows[key].merge(times);
}

void forget_until(std::deque<LatencyColumn>& columns, std::int64_t last_s) {
    while (!columns.empty() && columns.front().begin_s <= last_s) columns.pop_front();
}

}  // namespace

void Distribution::add(std::uint64_t bound, std::uint64_t count) {
    auto at = std::ranges::lower_bound(buckets_, bound, {}, &Bucket::bound);
    if (at == buckets_.end() || at->bound != bound) at = buckets_.insert(at, {.bound = bound});
    at->count += count;
}

void Distribution::record(std::uint64_t value) {
    constexpr std::size_t k_last_of_four = 3;
    add(Histogram::bucket_bound(Histogram::bucket_of(value) | k_last_of_four), 1);
    max_ = std::max(max_, value);
}

void Distribution::merge(const Distribution& other) {
    for (const auto& [bound, count] : other.buckets_) add(bound, count);
    max_ = std::max(max_, other.max_);
}

void LatencyHistory::advance(std::int64_t now_s) {
    if (!seconds_.empty()) {
        if (now_s <= seconds_.back().begin_s) return;
        merge_into(tens_, k_ten_s, seconds_.back());
    }
    seconds_.push_back({.begin_s = now_s});
    forget_until(seconds_, now_s - k_minute_s);
    forget_until(tens_, now_s - k_longest_s - k_ten_s);
}

void LatencyHistory::record(const Timing& timing, const CycleClock& clock) {
    each_span(timing, clock, [&](std::size_t span, std::uint64_t ns) {
        seconds_.back().rows[{timing.gateway, span}].record(ns);
    });
}

std::int64_t LatencyHistory::column_s(std::int64_t window_s) {
    constexpr std::int64_t k_most_columns = 60;
    if (window_s <= k_minute_s) return 1;
    return (window_s + k_most_columns * k_ten_s - 1) / (k_most_columns * k_ten_s) * k_ten_s;
}

std::vector<LatencyColumn> LatencyHistory::columns(std::int64_t window_s) const {
    std::vector<LatencyColumn> columns;
    if (seconds_.empty()) return columns;
    const std::int64_t length_s = column_s(window_s);
    const std::int64_t now_s = seconds_.back().begin_s;
    const std::int64_t first_s = now_s / length_s * length_s - window_s + length_s;
    for (const LatencyColumn& part : length_s == 1 ? seconds_ : tens_)
        if (part.begin_s >= first_s) merge_into(columns, length_s, part);
    // The current second is not among the tens yet.
    if (length_s > 1) merge_into(columns, length_s, seconds_.back());
    return columns;
}

}  // namespace damrak::telemetry
