// Replays a whole journal and reports the resulting state: checks every record and compares every
// checkpoint. Read-only; needs no configuration, as the journal contains it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/journal/exchange_state.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::journal {

/// What a verification found.
struct Verification {
    Recovery journal;
    std::uint64_t commands = 0;  ///< applied by the engine, since the first record
    std::uint64_t checkpoints = 0;
    std::uint64_t state_hash = 0;
    EventCounter events;
    std::uint64_t from_snapshot = 0;  ///< its sequence; zero: replayed from the first record
    std::optional<Divergence> divergence;
    std::vector<std::string> notes;
};

enum class ReplayFrom : std::uint8_t {
    first,     ///< the first record, or the newest snapshot if that record is gone
    snapshot,  ///< the newest snapshot if there is one, as a restart does
};

/// The state at the end of a journal, and how it was reached.
template <class State>
struct StateRead {
    Recovery journal;
    std::unique_ptr<State> state;
    std::uint64_t from_snapshot = 0;  ///< its sequence; zero: replayed from the first record
    std::vector<std::string> notes;   ///< why other snapshots were passed over
};

/// Changes and locks nothing: the journal may be written meanwhile.
template <class State>
[[nodiscard]] Result<StateRead<State>> read_state(FileSystem& files,
                                                  const std::filesystem::path& folder,
                                                  ReplayFrom from) {
    const auto contents = look_into(files, folder);
    if (!contents) return std::unexpected{contents.error()};
    if (contents->segments.empty())
        return std::unexpected{
            fmt::format("{} contains no journal (no journal-….seg file)", folder.string())};
    const SegmentHeader& oldest = contents->segments.front().header;
    StateRead<State> result;
    result.state = std::make_unique<State>(oldest.identity.engine);
    if (from == ReplayFrom::snapshot || oldest.first_sequence != 1) {
        auto loaded = load_newest_snapshot(files, folder, oldest.identity, *result.state);
        if (!loaded) return std::unexpected{loaded.error()};
        result.notes = std::move(loaded->notes);
        if (loaded->info) result.from_snapshot = loaded->info->sequence;
    }
    auto journal =
        recover(files, folder,
                {.from = result.from_snapshot + 1, .synced = result.from_snapshot, .cut = false},
                [&](std::span<const Record> records) { result.state->apply(records); });
    if (!journal) return std::unexpected{journal.error()};
    result.journal = std::move(*journal);
    return result;
}

/// `State` is an ExchangeState that counts events.
template <class State>
[[nodiscard]] Result<Verification> verify(FileSystem& files, const std::filesystem::path& folder,
                                          ReplayFrom from = ReplayFrom::first) {
    auto read = read_state<State>(files, folder, from);
    if (!read) return std::unexpected{std::move(read.error())};
    const State& state = *read->state;
    return Verification{.journal = std::move(read->journal),
                        .commands = state.progress().commands(),
                        .checkpoints = state.checkpoints(),
                        .state_hash = state.state_hash(),
                        .events = state.observer(),
                        .from_snapshot = read->from_snapshot,
                        .divergence = state.divergence(),
                        .notes = std::move(read->notes)};
}

}  // namespace damrak::journal
