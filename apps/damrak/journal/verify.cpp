// `damrak journal verify`, and `damrak replay` of a journal.
#include <damrak/journal/verify.hpp>

#include <chrono>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/standard_exchange/gateway_states.hpp>

#include "cli.hpp"
#include "journal/jobs.hpp"
#include "journal/text.hpp"

namespace damrak::app {

namespace {

// Why the state is not the one that is expected, or nothing.
std::string disagreement(const JournalOptions& options, const journal::Verification& found) {
    if (found.divergence)
        return fmt::format(
            "{}: the state hash after record {} is {}, but the journal says {}: it was "
            "written by another version of the engine, or the replay diverged",
            options.directory.string(), found.divergence->sequence - 1,
            hash_text(found.divergence->replayed), hash_text(found.divergence->recorded));
    if (!options.state_hash.empty() && options.state_hash != hash_text(found.state_hash))
        return fmt::format("{}: the state hash is {}, not {}", options.directory.string(),
                           hash_text(found.state_hash), options.state_hash);
    return {};
}

nlohmann::ordered_json to_json(const JournalOptions& options, const journal::Verification& found,
                               const std::string& wrong, double seconds) {
    nlohmann::ordered_json object{{"ok", wrong.empty()},
                                  {"directory", options.directory.string()},
                                  {"commands", found.commands},
                                  {"state_hash", hash_text(found.state_hash)},
                                  {"records", found.journal.records},
                                  {"first_sequence", found.journal.first_sequence},
                                  {"last_sequence", found.journal.last_sequence},
                                  {"synced", found.journal.synced},
                                  {"segments", found.journal.segments},
                                  {"checkpoints", found.checkpoints},
                                  {"from_snapshot", found.from_snapshot},
                                  {"trades", found.events.trades},
                                  {"rejects", found.events.rejects},
                                  {"cut_records", found.journal.cut_records},
                                  {"in_use", found.journal.in_use},
                                  {"seconds", seconds}};
    if (found.journal.last_sequence != 0)
        object["last_time"] = utc_text(found.journal.last_timestamp);
    if (!found.journal.cut.empty()) object["cut"] = found.journal.cut;
    if (!found.notes.empty()) object["notes"] = found.notes;
    if (!wrong.empty()) object["error"] = wrong;
    return object;
}

std::string records_text(std::uint64_t count) { return grouped(static_cast<std::int64_t>(count)); }

void print(const journal::Verification& found, double seconds) {
    const journal::Recovery& journal = found.journal;
    const double rate = static_cast<double>(journal.records) / seconds;
    fmt::print("records      {} ({} to {}) in {} segments\n", records_text(journal.records),
               journal.last_sequence - journal.records + 1, journal.last_sequence,
               journal.segments);
    if (found.from_snapshot != 0)
        fmt::print("from         the snapshot of record {}\n", found.from_snapshot);
    fmt::print("commands     {}; {} trades, {} rejects\n", records_text(found.commands),
               records_text(found.events.trades), records_text(found.events.rejects));
    fmt::print("checkpoints  {}\n", records_text(found.checkpoints));
    fmt::print("state hash   {}\n", hash_text(found.state_hash));
    fmt::print("replayed in  {:.3f} s ({} records/s)\n", seconds,
               grouped(static_cast<std::int64_t>(rate)));
    if (journal.in_use) fmt::print("note         an exchange is writing this journal\n");
    if (!journal.cut.empty()) fmt::print("note         {}\n", journal.cut);
    for (const std::string& note : found.notes) fmt::print("note         {}\n", note);
}

}  // namespace

int verify_journal(const JournalOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const auto found = journal::verify<standard_exchange::ExchangeState<>>(
        journal::real_files(), options.directory,
        options.from_snapshot ? journal::ReplayFrom::snapshot : journal::ReplayFrom::first);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!found) {
        if (options.json) print_json({{"ok", false}, {"error", found.error()}});
        return fail(found.error());
    }
    const std::string wrong = disagreement(options, *found);
    if (options.json) {
        print_json(to_json(options, *found, wrong, seconds));
    } else {
        print(*found, seconds);
    }
    return wrong.empty() ? k_exit_success : fail(wrong);
}

}  // namespace damrak::app
