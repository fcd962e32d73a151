// The lines of a command script that set the rules of an instrument, and the attributes of a new
// order, as the engine's commands have them.
#pragma once

#include <functional>
#include <string_view>

#include <damrak/domain/command.hpp>
#include <damrak/script/detail/script_line.hpp>

namespace damrak::script::detail {

/// Words of a new order, and what it follows.
void read_attributes(ScriptLine& line, unsigned decimals, Command& command);
void read_phase(ScriptLine& line, unsigned decimals, Command& command);
void read_trading_state(ScriptLine& line, unsigned decimals, Command& command);
void read_bust(ScriptLine& line, unsigned decimals, Command& command);
void read_allocation(ScriptLine& line, unsigned decimals, Command& command);
void read_price_limits(ScriptLine& line, unsigned decimals, Command& command);
void read_price_band(ScriptLine& line, unsigned decimals, Command& command);
void read_lead_maker(ScriptLine& line, unsigned decimals, Command& command);
/// All but the ids.
void read_quote(ScriptLine& line, unsigned decimals, Command& command);
void read_quote_protection(ScriptLine& line, unsigned decimals, Command& command);
void read_limits(ScriptLine& line, Command& command);
void read_participant_state(ScriptLine& line, Command& command);
void read_tick_band(ScriptLine& line, unsigned decimals, Command& command);
/// `find` gives the instrument of a symbol, or zero.
void read_combination(ScriptLine& line, const std::function<InstrumentId(std::string_view)>& find,
                      Command& command);

}  // namespace damrak::script::detail
