// Replays a whole journal and tells what state it gives: every record is checked, every checkpoint
// compared. For those who look; changes nothing, and needs no configuration, as the journal has it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/journal/exchange_state.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::journal {

struct Verification {
    Recovery journal;
    std::uint64_t commands = 0;  ///< of the engine, since the first record
    std::uint64_t checkpoints = 0;
    std::uint64_t state_hash = 0;
    EventCounter events;
    std::uint64_t from_snapshot = 0;  ///< its sequence; zero: replayed from the first record
    std::optional<Divergence> divergence;
    std::vector<std::string> notes;
};

enum class ReplayFrom : std::uint8_t {
    first,     ///< the first record, or the newest snapshot if that is no longer there or matched
               ///< by earlier rules
    snapshot,  ///< the newest snapshot if there is one, as a restart does
};

/// `State` is an ExchangeState that counts events.
template <class State>
[[nodiscard]] Result<Verification> verify(FileSystem& files, const std::filesystem::path& folder,
                                          ReplayFrom from = ReplayFrom::first);

template <class State>
Result<Verification> verify(FileSystem& files, const std::filesystem::path& folder,
                            ReplayFrom from) {
    const auto contents = look_into(files, folder);
    if (!contents) return std::unexpected{contents.error()};
    if (contents->segments.empty())
        return std::unexpected{
            fmt::format("{} holds no journal (no file journal-….seg)", folder.string())};
    const SegmentHeader& oldest = contents->segments.front().header;
    const auto state = std::make_unique<State>(oldest.identity.engine);
    Verification result;
    const bool whole = oldest.first_sequence == 1 && oldest.rules_version == k_rules_version;
    if (from == ReplayFrom::snapshot || !whole) {
        auto loaded = load_newest_snapshot(files, folder, oldest.identity, *state);
        if (!loaded) return std::unexpected{loaded.error()};
        result.notes = std::move(loaded->notes);
        if (loaded->info) result.from_snapshot = loaded->info->sequence;
    }
    if (const auto ours = check_rules(files, folder, *contents, result.from_snapshot + 1); !ours)
        return std::unexpected{ours.error()};
    auto journal =
        recover(files, folder,
                {.from = result.from_snapshot + 1, .synced = result.from_snapshot, .cut = false},
                [&](std::span<const Record> records) { state->apply(records); });
    if (!journal) return std::unexpected{journal.error()};
    result.journal = std::move(*journal);
    result.commands = state->progress().commands();
    result.checkpoints = state->checkpoints();
    result.state_hash = state->state_hash();
    result.events = state->observer();
    result.divergence = state->divergence();
    return result;
}

}  // namespace damrak::journal
