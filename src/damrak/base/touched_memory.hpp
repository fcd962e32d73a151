// Memory of pools that is there when it is first used. What is reserved comes from the kernel page
// by page, each cleared when it is touched: of huge pages a tenth of a millisecond and more, and
// the first order touches dozens of them. Set-up only.
#pragma once

namespace damrak {

/// While it lives, what this thread reserves (reserved_array.hpp) is touched at its beginning,
/// where pools begin: as much as a huge page of each array.
class TouchedMemory {
  public:
    TouchedMemory();
    TouchedMemory(const TouchedMemory&) = delete;
    TouchedMemory& operator=(const TouchedMemory&) = delete;
    ~TouchedMemory();
};

}  // namespace damrak
