// Result of passing bytes to a session. Plain values, returned by every protocol's receive().
#pragma once

#include <cstddef>
#include <cstdint>

namespace damrak::session {

struct Received {
    std::size_t consumed_bytes = 0;  ///< the caller must pass the remaining bytes again
    std::uint32_t messages = 0;
    /// Stopped at a message that must wait for answers to earlier ones, or for its turn.
    bool blocked = false;
};

}  // namespace damrak::session
