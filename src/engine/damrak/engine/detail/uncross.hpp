// The end of a call auction (docs/rule-book/phases.md).
#pragma once

#include <damrak/auction/equilibrium.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

/// Engine::auction_if_now().
[[nodiscard]] auction::Equilibrium auction_if_now(const EngineState& engine,
                                                  const InstrumentState& in,
                                                  auction::PriceLevel* levels);
[[nodiscard]] Reason uncross(EngineState& engine, const Command& command);
void go_on_with_uncross(EngineState& engine);

}  // namespace damrak::detail
