#include <damrak/journal/verify.hpp>

#include <memory>
#include <utility>

#include <fmt/format.h>

#include <damrak/journal/snapshot.hpp>

namespace damrak::journal {

Result<Verification> verify(FileSystem& files, const std::filesystem::path& folder,
                            ReplayFrom from) {
    const auto contents = look_into(files, folder);
    if (!contents) return std::unexpected{contents.error()};
    if (contents->segments.empty())
        return std::unexpected{
            fmt::format("{} holds no journal (no file journal-….seg)", folder.string())};
    const SegmentHeader& oldest = contents->segments.front().header;
    const auto state = std::make_unique<ExchangeState<>>(oldest.identity.engine);
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
