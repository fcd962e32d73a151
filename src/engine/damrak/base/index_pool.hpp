// Hands out indices 1 … capacity and takes them back, last in first out, so that the most recently
// used (and cached) slot is used next. Index 0 means "none". One thread; both calls are O(1), do
// not allocate, and touch only the top of a stack.
#pragma once

#include <cstdint>
#include <type_traits>

#include <damrak/base/assert.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/base/reserved_array.hpp>

namespace damrak {

class IndexPool {
  public:
    explicit IndexPool(std::uint32_t capacity)
        : free_(capacity), available_(capacity), capacity_(capacity) {}

    /// The caller has checked that the pool is not full.
    [[nodiscard]] DAMRAK_HOT std::uint32_t take() {
        DAMRAK_ASSERT(available_ > 0);
        const std::uint32_t index = upcoming();
        --available_;
        if (free_count_ > 0) --free_count_;
        return index;
    }
    void give_back(std::uint32_t index) {
        free_[free_count_++] = index;
        ++available_;
    }

    /// Hides `count` available slots until restore().
    void withhold(std::uint32_t count) {
        capacity_ -= count;
        available_ -= count;
    }
    void restore(std::uint32_t count) {
        capacity_ += count;
        available_ += count;
    }

    [[nodiscard]] bool empty() const { return available_ == 0; }
    [[nodiscard]] std::uint32_t used() const { return capacity_ - available_; }
    [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
    [[nodiscard]] std::uint32_t available() const { return available_; }
    [[nodiscard]] std::size_t bytes() const { return free_.bytes(); }
    /// Slots with a higher index were never taken.
    [[nodiscard]] std::uint32_t highest() const { return used() + free_count_; }
    /// The index that the next take() returns, for prefetching. Never used slots are taken only
    /// when no returned one is left, which keeps memory use small.
    [[nodiscard]] std::uint32_t upcoming() const {
        return free_count_ > 0 ? free_[free_count_ - 1] : used() + 1;
    }
    /// See base/serialize.hpp. The target pool must have at least as many slots as are in use.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        std::uint32_t used = self.used();
        archive.count(used, self.capacity_);
        if constexpr (!std::is_const_v<Self>) self.available_ = self.capacity_ - used;
        archive.count(self.free_count_, self.available_);
        archive.values(self.free_.data(), self.free_count_);
    }

  private:
    ReservedArray<std::uint32_t> free_;
    std::uint32_t free_count_ = 0;  ///< returned slots, listed in `free_`
    std::uint32_t available_;       ///< these, and the slots that were never taken
    std::uint32_t capacity_;
};

}  // namespace damrak
