// Orders that expire at a time (rule book, section 11).
#pragma once

#include <damrak/engine/engine_state.hpp>

namespace damrak::detail {

[[nodiscard]] Reason tick(EngineState& engine, const Command& command);
/// What is due by the time of the suspended tick; a full slice leaves the rest to the next one.
void expire(EngineState& engine);
/// When the next order expires, and which of those that expire at the same time is first.
[[nodiscard]] ExpiryQueue::Rank next_expiry_rank(const EngineState& engine);
/// The largest time if none does.
[[nodiscard]] Timestamp next_expiry(const EngineState& engine);

}  // namespace damrak::detail
