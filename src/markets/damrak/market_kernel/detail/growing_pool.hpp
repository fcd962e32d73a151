// Records by index, the free ones used again; grows as needed. One thread; O(1), allocates only
// when there are more records than ever before.
#pragma once

#include <cstdint>
#include <vector>

namespace damrak::market_kernel::detail {

template <class T>
class GrowingPool {
  public:
    [[nodiscard]] std::uint32_t take(const T& record) {
        if (free_.empty()) {
            records_.push_back(record);
            return static_cast<std::uint32_t>(records_.size() - 1);
        }
        const std::uint32_t index = free_.back();
        free_.pop_back();
        records_[index] = record;
        return index;
    }
    /// A copy, as what is done with it may take others.
    [[nodiscard]] T give_back(std::uint32_t index) {
        free_.push_back(index);
        return records_[index];
    }
    [[nodiscard]] T& operator[](std::uint32_t index) { return records_[index]; }
    [[nodiscard]] const T& operator[](std::uint32_t index) const { return records_[index]; }

  private:
    std::vector<T> records_;
    std::vector<std::uint32_t> free_;
};

}  // namespace damrak::market_kernel::detail
