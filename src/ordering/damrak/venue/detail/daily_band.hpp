// The price band of a day: its reference is the close of the day before, and its limits are around
// that (docs/rule-book/price-limits.md). From the state of the engine alone, so that a restart
// changes nothing.
#pragma once

#include <optional>

#include <damrak/domain/command.hpp>
#include <damrak/engine/instrument_state.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue::detail {

/// The command that begins the next day, if the last one has ended since. A day without a trade
/// changes nothing.
[[nodiscard]] std::optional<Command> next_daily_band(const Daily& rules, const InstrumentState& in);

}  // namespace damrak::venue::detail
