// What a restart does first: it takes over what was read from a snapshot, goes on with work that
// was begun, and ends the sessions that were open when the journal ended. The same in both wirings.
// Set-up only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <damrak/base/archive.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/journal/progress.hpp>

namespace damrak::sequencer {

/// The bytes of a part of the state, anything with `transfer(part, archive)`, and the part that has
/// them from then on.
template <class Part>
[[nodiscard]] std::vector<std::byte> bytes_of(const Part& part) {
    return saved_bytes([&part](auto& archive) { Part::transfer(part, archive); });
}
template <class Part>
void load_bytes(Part& part, std::span<const std::byte> bytes) {
    LoadArchive loaded{bytes};
    Part::transfer(part, loaded);
    DAMRAK_ASSERT(loaded.complete());
}

struct Ending {
    Command command;
    Origin origin;
    bool goes_on = false;  ///< with the last command of the journal: nothing may come between
};

/// The commands for it, in order. `instrument(id)` gives the state of one that exists, or null; ids
/// are from 1 to `instruments`.
template <class F>
[[nodiscard]] std::vector<Ending> endings_of(const journal::Progress& progress,
                                             std::size_t instruments, F&& instrument) {
    std::vector<Ending> endings;
    // What concerns all instruments goes on at once in both wirings, so the last record tells it.
    const std::optional<Command>& begun = progress.unfinished();
    const Command first = begun ? continuation_of(*begun) : Command{};
    if (begun) endings.push_back({.command = first, .origin = {}, .goes_on = true});
    // A cascade goes on later than the command that began it where matching has its own threads,
    // and others may have begun meanwhile: the engine tells them.
    for (std::uint32_t id = 1; id <= instruments; ++id) {
        const InstrumentState* const in = instrument(InstrumentId{id});
        if (in == nullptr || !in->stops.any_elected() || in->state != TradingState::trading)
            continue;
        if (first.kind == CommandKind::continue_cascade && first.instrument.value == id) continue;
        Command cascade{};
        cascade.kind = CommandKind::continue_cascade;
        cascade.instrument = InstrumentId{id};
        endings.push_back({cascade, {}});
    }
    for (const auto& [id, session] : progress.open_sessions()) {
        Command command{};
        command.participant = session.participant;
        if (session.cancel_on_disconnect != 0) {
            command.kind = CommandKind::mass_cancel;
            command.flags = CommandFlags::k_both_sides;
            endings.push_back({command, {}});
            command.flags = 0;
        }
        command.kind = CommandKind::session_closed;
        endings.push_back({command, {.session = id}});
    }
    return endings;
}

}  // namespace damrak::sequencer
