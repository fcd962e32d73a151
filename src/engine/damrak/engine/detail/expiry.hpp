// Orders that expire at a given time (rule book, section 11).
#pragma once

#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

[[nodiscard]] Reason tick(EngineState& engine, const Command& command);
/// Expires orders due by the time of the suspended tick. A full slice leaves the rest to the next
/// one.
void expire(EngineState& engine);
/// When the next order expires, and its rank among those that expire at the same time.
[[nodiscard]] ExpiryQueue::Rank next_expiry_rank(const EngineState& engine);
/// The largest time if no order expires.
[[nodiscard]] Timestamp next_expiry(const EngineState& engine);

}  // namespace damrak::detail
