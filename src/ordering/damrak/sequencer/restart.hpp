// First step of a sequencer after a restart: adopts the recovered state, and ends the sessions that
// were open at the end of the journal. The same in both wirings. Set-up only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/base/serialize.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/journal/progress.hpp>

namespace damrak::sequencer {

/// Copies a part of the state, anything with `transfer(part, archive)`, through its saved bytes.
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

/// A command that ends what a killed exchange left open.
struct Ending {
    Command command;
    Origin origin;
};

/// The commands that end these sessions, in order.
[[nodiscard]] inline std::vector<Ending> endings_of(const journal::Progress& progress) {
    std::vector<Ending> endings;
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
