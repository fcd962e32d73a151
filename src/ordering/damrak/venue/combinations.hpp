// The combinations of a venue in a market: what their instruments and legs are there
// (docs/rule-book/combinations.md). At start and at a reload.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue {

/// A combination of a venue with its instrument.
struct CombinedInstrument {
    /// That of the market with its symbol, or else one from its legs, without an id.
    InstrumentDefinition definition;
    CombinationDetails details;
    friend bool operator==(const CombinedInstrument&, const CombinedInstrument&) = default;
};

/// None: the market has not all legs. The error names the place in the venue file, and what the
/// legs or the instrument must be.
[[nodiscard]] std::expected<std::optional<CombinedInstrument>, std::string> combine(
    const Combination& combination, std::span<const InstrumentDefinition> market);

[[nodiscard]] Command combination_command(InstrumentId id, const CombinationDetails& details);

/// For those combinations whose instrument and legs the market has.
[[nodiscard]] std::expected<std::vector<Command>, std::string> combination_commands(
    const Venue& venue, std::span<const InstrumentDefinition> market);

}  // namespace damrak::venue
