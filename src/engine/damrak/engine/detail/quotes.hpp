// Quotes: two orders, one for each side, that replace those of the participant's last quote
// (docs/rule-book/quotes.md).
#pragma once

#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

[[nodiscard]] Reason quote(EngineState& engine, const Command& command);
/// The ask, after a slice was full while the bid matched.
void go_on_with_quote(EngineState& engine);
[[nodiscard]] Reason set_quote_protection(EngineState& engine, const Command& command);
/// Takes an order with an extension that is about to trade out of the hash. If it is a quote's, its
/// protection may become due.
void begin_fill_of_extended(EngineState& engine, InstrumentState& in, const Order& order,
                            Quantity fill);

}  // namespace damrak::detail
