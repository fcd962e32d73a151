// What is due when: a monotone priority queue by time, first in first out among equal times.
//
// A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990). An entry lies in the bucket of the highest
// bit in which its time differs from the time of the last pop. A pop empties the lowest used bucket
// into lower ones, so an entry moves at most once a bit. Entries of one time are always in one
// bucket, in the order in which they came.
//
// One thread. Amortised O(bits of the time ahead) an entry, sequential memory, no comparison of
// entries with each other.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/base/assert.hpp>

namespace damrak::market_kernel {

/// `Entry` has `std::int64_t time_ns`, and is cheap to copy.
template <class Entry>
class EventQueue {
  public:
    explicit EventQueue(std::int64_t begin_ns) : last_(begin_ns) {}

    /// Not before the last pop.
    void push(const Entry& entry) {
        DAMRAK_ASSERT(entry.time_ns >= last_);
        const std::size_t bucket = bucket_of(entry.time_ns);
        buckets_[bucket].push_back(entry);
        used_ |= std::uint64_t{1} << bucket;
        ++size_;
    }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// The earliest entry of a queue that is not empty. Nothing earlier may be pushed from then on.
    Entry pop() {
        settle();
        const Entry entry = buckets_[0][head_++];
        --size_;
        if (head_ == buckets_[0].size()) {
            buckets_[0].clear();
            head_ = 0;
            used_ &= ~std::uint64_t{1};
        }
        return entry;
    }

  private:
    // Bucket 0: the time of the last pop. Bucket b: the highest bit that differs is b - 1. Times
    // are less than 2^62 ns apart, which is a hundred years.
    static constexpr std::size_t k_buckets = 64;

    [[nodiscard]] std::size_t bucket_of(std::int64_t time_ns) const {
        return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(time_ns) ^
                                                       static_cast<std::uint64_t>(last_)));
    }
    // Brings the earliest entries into bucket 0.
    void settle() {
        DAMRAK_ASSERT(size_ > 0);
        if ((used_ & 1U) != 0) return;
        const auto lowest = static_cast<std::size_t>(std::countr_zero(used_));
        std::vector<Entry>& from = buckets_[lowest];
        std::int64_t least = from.front().time_ns;
        for (const Entry& entry : from)
            if (entry.time_ns < least) least = entry.time_ns;
        last_ = least;
        used_ &= ~(std::uint64_t{1} << lowest);
        for (const Entry& entry : from) {
            const std::size_t bucket = bucket_of(entry.time_ns);
            buckets_[bucket].push_back(entry);
            used_ |= std::uint64_t{1} << bucket;
        }
        from.clear();
    }

    std::array<std::vector<Entry>, k_buckets> buckets_;
    std::uint64_t used_ = 0;  ///< a bit for each bucket with entries
    std::int64_t last_;       ///< time of the last pop
    std::size_t head_ = 0;    ///< of bucket 0
    std::size_t size_ = 0;
};

}  // namespace damrak::market_kernel
