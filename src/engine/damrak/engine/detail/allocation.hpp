// Instruments where the orders at one price share what comes in otherwise than by time
// (docs/rule-book/allocation.md): their rules, their matching, and their top orders.
#pragma once

#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

[[nodiscard]] Reason set_allocation(EngineState& engine, const Command& command);
[[nodiscard]] Reason set_lead_maker(EngineState& engine, const Command& command);
/// The participant is a lead market maker nowhere any more.
void forget_lead_maker(EngineState& engine, ParticipantId participant);

/// Linear in the orders of each price that it reaches, or n log n if the policy ranks them.
[[nodiscard]] Matched match_sharing(EngineState& engine, Incoming& order);
/// After an order came to rest, which may be the top order of its side from now on.
void note_top(const EngineState& engine, InstrumentState& in, OrderIndex index);

}  // namespace damrak::detail
