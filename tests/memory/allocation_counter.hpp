// Counts what the test program allocates: linking allocation_counter.cpp replaces the operators new
// and delete of the whole program.
#pragma once

#include <cstdint>

namespace damrak::testing {

// Counts allocations since its construction.
class AllocationCounter {
  public:
    /// Calls of operator new.
    [[nodiscard]] std::int64_t news() const;
    /// Growth of the bytes in use by malloc.
    [[nodiscard]] std::int64_t malloc_bytes() const;

  private:
    static std::int64_t in_use();
    static std::int64_t news_so_far();
    std::int64_t in_use_ = in_use();
    std::int64_t news_ = news_so_far();
};

}  // namespace damrak::testing
