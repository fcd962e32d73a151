// Counts the instructions of a piece of work one by one, so that a test can say what work depends
// on without a clock. A child process does the work, one instruction after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace damrak::testing {

/// Instructions in user space, to within some dozens. What the work changes is not seen here. None:
/// the processor or the system does not step. Costs about a microsecond an instruction.
[[nodiscard]] std::optional<std::uint64_t> instructions_of(const std::function<void()>& work);

}  // namespace damrak::testing
