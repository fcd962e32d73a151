// The commands that give an instrument the rules of a venue, as far as it has others. At start and
// at a reload.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/engine/instrument_state.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue {

/// `there` are the rules that it has. A static reference that it has
/// stays, as auctions have moved it. The error says which rule the instrument cannot have.
[[nodiscard]] std::expected<std::vector<Command>, std::string> rule_commands(
    const Rules& wanted, const InstrumentDefinition& instrument, const InstrumentRules& there);

}  // namespace damrak::venue
