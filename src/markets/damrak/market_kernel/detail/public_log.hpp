// The public changes of one instrument in order, kept as long as anybody may still have to see
// them. All participants read the one log, each up to the changes that its data delay lets it see:
// a view is a place in the log, not a copy of the market.
//
// One thread. Adding is O(1) amortised; looking up what is visible at a time is O(log n) in the
// changes since the place of the last look.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/views/public_change.hpp>

namespace damrak::market_kernel {

class PublicLog {
  public:
    /// The first change, which says that there is nothing yet.
    explicit PublicLog(const views::PublicChange& nothing) : ring_(k_first_size) {
        ring_[0] = nothing;
    }

    void add(const views::PublicChange& change) {
        if (end_ - begin_ == ring_.size()) grow();
        ring_[end_++ & (ring_.size() - 1)] = change;
    }
    /// Changes have numbers from 0.
    [[nodiscard]] std::uint64_t end() const { return end_; }
    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    [[nodiscard]] const views::PublicChange& operator[](std::uint64_t number) const {
        DAMRAK_ASSERT(number >= begin_ && number < end_);
        return ring_[number & (ring_.size() - 1)];
    }
    [[nodiscard]] const views::PublicChange& last() const { return (*this)[end_ - 1]; }

    /// The last change at or before `time`, not before number `from`.
    [[nodiscard]] std::uint64_t visible_at(Timestamp time, std::uint64_t from) const {
        if (last().time <= time) return end_ - 1;
        std::uint64_t low = from < begin_ ? begin_ : from;  // visible, or the first that is left
        std::uint64_t high = end_ - 1;                      // not visible
        while (high - low > 1) {
            const std::uint64_t middle = low + (high - low) / 2;
            ((*this)[middle].time <= time ? low : high) = middle;
        }
        return low;
    }

    /// Changes before this number are needed no more; the last one always stays.
    void forget_before(std::uint64_t number) {
        if (number > begin_) begin_ = number < end_ ? number : end_ - 1;
    }
    [[nodiscard]] bool full() const { return end_ - begin_ == ring_.size(); }

  private:
    static constexpr std::size_t k_first_size = 256;

    void grow() {
        std::vector<views::PublicChange> larger(ring_.size() * 2);
        for (std::uint64_t i = begin_; i < end_; ++i)
            larger[i & (larger.size() - 1)] = ring_[i & (ring_.size() - 1)];
        ring_ = std::move(larger);
    }

    std::vector<views::PublicChange> ring_;
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 1;
};

}  // namespace damrak::market_kernel
