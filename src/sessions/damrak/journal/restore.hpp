// First step of a restart: loads the newest valid snapshot and replays the journal to its end.
// Called once, before the journal continues (journal.hpp) with the new owner of the state. Costs
// the size of the snapshot and a replay of the records after it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/journal/folder.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::journal {

/// What a restart found.
struct Restored {
    Recovery journal;
    JournalIdentity identity;
    std::uint64_t snapshot = 0;      ///< where the replay began; zero: the first record
    std::vector<std::string> notes;  ///< why other snapshots were passed over
};

/// Hooks for callers that keep state beside the journal.
struct RestoreHooks {
    /// Passes over snapshots of later records, if the journal begins early enough.
    std::uint64_t latest_snapshot = UINT64_MAX;
    /// `state` is that of the snapshot with this record; zero: new.
    std::function<void(std::uint64_t position)> on_loaded{};
    /// Called before the records are applied.
    std::function<void(std::span<const Record>)> on_records{};
};

/// `state` must be new; `begin` is the identity for a new journal. An error if the journal cannot
/// be read, was made for an incompatible engine, or has a checkpoint that differs from the state.
template <class State>
[[nodiscard]] Result<Restored> restore(FileSystem& files, const std::filesystem::path& folder,
                                       const JournalIdentity& begin, State& state,
                                       const RestoreHooks& hooks = {}) {
    const auto contents = look_into(files, folder);
    if (!contents) return std::unexpected{contents.error()};
    Restored restored;
    restored.identity =
        contents->segments.empty() ? begin : contents->segments.front().header.identity;
    if (const auto fits = check_engine(restored.identity.engine, begin.engine); !fits)
        return std::unexpected{fits.error()};
    state.begin(restored.identity.engine);
    auto loaded =
        load_newest_snapshot(files, folder, restored.identity, state, hooks.latest_snapshot);
    // A journal that begins later cannot be replayed without a snapshot.
    const bool is_whole =
        contents->segments.empty() || contents->segments.front().header.first_sequence == 1;
    if (loaded && !loaded->info && !is_whole)
        loaded = load_newest_snapshot(files, folder, restored.identity, state);
    if (!loaded) return std::unexpected{std::move(loaded.error())};
    restored.notes = std::move(loaded->notes);
    if (loaded->info) restored.snapshot = loaded->info->sequence;
    if (hooks.on_loaded) hooks.on_loaded(restored.snapshot);
    auto recovered =
        recover(files, folder, {.from = restored.snapshot + 1, .synced = restored.snapshot},
                [&](std::span<const Record> records) {
                    if (hooks.on_records) hooks.on_records(records);
                    state.apply(records);
                });
    if (!recovered)
        return std::unexpected{
            restored.notes.empty()
                ? std::move(recovered.error())
                : fmt::format("{} ({})", recovered.error(), fmt::join(restored.notes, "; "))};
    restored.journal = std::move(*recovered);
    if (const auto fits = check_engine(state.engine().config(), begin.engine); !fits)
        return std::unexpected{fits.error()};
    if (const auto& divergence = state.divergence())
        return std::unexpected{fmt::format(
            "the state after record {} has the hash {:016x}, and the journal says {:016x}: this "
            "program matches differently from the one that wrote it; use that version, or "
            "begin in an empty directory",
            divergence->sequence, divergence->replayed, divergence->recorded)};
    return restored;
}

}  // namespace damrak::journal
