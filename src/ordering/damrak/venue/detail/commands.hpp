// The commands that lead an instrument, as the timetable and the supervisor of a venue need them.
#pragma once

#include <damrak/domain/command.hpp>

namespace damrak::venue::detail {

[[nodiscard]] inline Command phase_command(CommandKind kind, InstrumentId instrument,
                                           const PhaseDetails& phase) {
    Command command{};
    command.kind = kind;
    command.instrument = instrument;
    command.phase = phase;
    return command;
}

[[nodiscard]] inline Command reopening_call(InstrumentId instrument, AuctionRule auction,
                                            HaltCause cause) {
    return phase_command(
        CommandKind::set_phase, instrument,
        {.phase = Phase::call, .auction = auction, .call = CallKind::reopening, .cause = cause});
}

[[nodiscard]] inline Command resumption(InstrumentId instrument,
                                        UncrossConditions::Bits conditions) {
    return phase_command(CommandKind::uncross, instrument,
                         {.phase = Phase::continuous, .conditions = conditions});
}

}  // namespace damrak::venue::detail
