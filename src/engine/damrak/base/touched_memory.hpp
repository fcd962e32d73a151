// Prefaulted memory for pools. The kernel provides reserved memory page by page and clears each
// page on first use: a tenth of a millisecond or more for a huge page, and the first order uses
// dozens of them. Set-up only.
#pragma once

namespace damrak {

/// While it exists, arrays that this thread reserves (reserved_array.hpp) are prefaulted from their
/// start, where pools begin to allocate: up to one huge page of each array.
class TouchedMemory {
  public:
    TouchedMemory();
    TouchedMemory(const TouchedMemory&) = delete;
    TouchedMemory& operator=(const TouchedMemory&) = delete;
    ~TouchedMemory();
};

}  // namespace damrak
