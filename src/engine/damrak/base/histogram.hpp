// Counts values in log-linear buckets, for percentiles of durations without keeping the samples.
//
// As in HdrHistogram, each power of two is cut into 128 equal buckets, so a reported value is
// within 1/128 of the recorded one over the whole range of 64 bits. The buckets equal
// HdrHistogram's for two significant digits (telemetry/detail/hdr_export.hpp). Recording costs a
// few instructions and one increment, and never allocates. 58 KiB each. One thread writes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace damrak {

class Histogram {
  public:
    static constexpr unsigned k_precision_bits = 7;

    constexpr void record(std::uint64_t value, std::uint64_t times = 1) {
        counts_[bucket_of(value)] += times;
        count_ += times;
        const auto number = static_cast<double>(value);
        sum_ += number * static_cast<double>(times);
        squares_ += number * number * static_cast<double>(times);
        min_ = std::min(min_, value);
        max_ = std::max(max_, value);
    }

    constexpr void merge(const Histogram& other) {
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
        count_ += other.count_;
        sum_ += other.sum_;
        squares_ += other.squares_;
        min_ = std::min(min_, other.min_);
        max_ = std::max(max_, other.max_);
    }

    [[nodiscard]] constexpr std::uint64_t count() const { return count_; }
    [[nodiscard]] constexpr std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
    [[nodiscard]] constexpr std::uint64_t max() const { return max_; }
    [[nodiscard]] constexpr double mean() const {
        return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_);
    }
    /// Of the exact values, not of their buckets.
    [[nodiscard]] double standard_deviation() const {
        if (count_ == 0) return 0.0;
        const double variance = squares_ / static_cast<double>(count_) - mean() * mean();
        return std::sqrt(std::max(variance, 0.0));
    }
    /// The count of each bucket, up to the bucket of the largest value.
    [[nodiscard]] std::span<const std::uint64_t> counts() const {
        return {counts_.data(), count_ == 0 ? 0 : bucket_of(max_) + 1};
    }

    /// Smallest bucket bound that at least `percent` of the values do not exceed, never above the
    /// largest value; 0 while empty. `percent` from 0 to 100.
    [[nodiscard]] std::uint64_t percentile(double percent) const {
        if (count_ == 0) return 0;
        // Reduced by less than one rank, so that rounding does not turn 99.9% of 1,000 values into
        // 1,000.
        const double exact_rank =
            std::clamp(percent, 0.0, 100.0) * static_cast<double>(count_) / 100.0;
        const auto rank = static_cast<std::uint64_t>(std::ceil(exact_rank * (1.0 - 1e-14)));
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            seen += counts_[i];
            if (seen != 0 && seen >= rank) return std::min(bucket_bound(i), max_);
        }
        return max_;
    }

    /// The bucket that counts a value: exact below 128, then 128 buckets for each power of two.
    [[nodiscard]] static constexpr std::size_t bucket_of(std::uint64_t value) {
        if (value < k_buckets_per_octave) return value;
        const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - k_precision_bits;
        return shift * k_buckets_per_octave + (value >> shift);
    }

    /// Largest value that falls into a bucket.
    [[nodiscard]] static constexpr std::uint64_t bucket_bound(std::size_t bucket) {
        if (bucket < 2 * k_buckets_per_octave) return bucket;
        const std::size_t shift = bucket / k_buckets_per_octave - 1;
        const std::uint64_t mantissa = bucket - shift * k_buckets_per_octave;
        return (mantissa << shift) + ((std::uint64_t{1} << shift) - 1);
    }

  private:
    static constexpr std::uint64_t k_buckets_per_octave = std::uint64_t{1} << k_precision_bits;
    static constexpr std::size_t k_buckets = (64 - k_precision_bits + 1) * k_buckets_per_octave;

    std::array<std::uint64_t, k_buckets> counts_{};
    std::uint64_t count_ = 0;
    std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t max_ = 0;
    double sum_ = 0.0;
    double squares_ = 0.0;
};

}  // namespace damrak
