// Imports the journal of an exchange: what its feed publishes, made again from the records, a day
// for each trading day, or one if the journal opens none (as that of a kept run). One thread. Reads
// the journal twice and changes nothing in it, so that it may be written meanwhile; costs the
// memory of the engine that the journal was begun for.
//
// What settings add to a feed is not in a journal: no order shows its owner, and no message says
// when market hours begin.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/detail/day_files.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/domain/trading_day.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/feed/itch/publisher.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/journal/exchange_state.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::archive {

/// The folder of the journal that a path names: a folder with segments, or that of a segment. None:
/// it names no journal.
[[nodiscard]] std::optional<std::filesystem::path> journal_folder(
    const std::filesystem::path& path);

/// Makes days of the commands and events of a journal; see import_journal().
class JournalDays {
  public:
    /// What the state of the exchange calls.
    struct Observer {
        JournalDays* days = nullptr;
        void on_command(const Command& command, const CommandStamp& stamp) const {
            days->on_command(command, stamp);
        }
        void on_event(const Event& event, const CommandStamp& stamp) const {
            days->on_event(event, stamp);
        }
        void on_batch_end(bool /*caught_up*/) const {}
    };

    explicit JournalDays(const Import& import);
    /// `snapshot` is what `engine` was loaded from, in this trading day; of the first record there
    /// is none. `opens_days`: there are records that do.
    void begin(const Engine& engine, const std::optional<journal::SnapshotInfo>& snapshot,
               TradingDay day, bool opens_days);
    /// Why no further records are of use; empty: they are.
    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] std::expected<Imported, std::string> close(const journal::Recovery& read);

  private:
    struct IntoDay {
        JournalDays& days;
        bool on(const auto& message) {
            if (message.timestamp_ns < days.last_ns_) return false;
            days.last_ns_ = message.timestamp_ns;
            days.files_.writer().add(message);
            return true;
        }
    };

    void on_command(const Command& command, const CommandStamp& stamp);
    void on_event(const Event& event, const CommandStamp& stamp);
    void begin_day(std::int32_t date, Timestamp time);
    void end_day(Timestamp time);
    void write();
    [[nodiscard]] std::int32_t date_of(Timestamp time) const;

    const Import* import_;
    DayFiles files_;
    std::optional<feed::ItchPublisher> publisher_;
    feed::MessageBlock block_;
    std::int32_t date_ = 0;     ///< of the day that was begun last
    std::int64_t last_ns_ = 0;  ///< of the last message of the day
    bool opens_days_ = false;
    bool is_open_ = false;  ///< a day has begun and not ended
    std::vector<std::string> notes_;
    std::string error_;
};

/// Whether records from this one on open a trading day. Ends at the first that cannot be read.
[[nodiscard]] std::expected<bool, std::string> opens_days(const std::filesystem::path& folder,
                                                          std::uint64_t from);

/// `Gateways` is the list of the states of gateways that snapshots of the journal contain. `from`
/// is a path that names a journal, see journal_folder(), and the callback hears of records. The
/// error says which file, where and what to do.
template <class Gateways>
[[nodiscard]] std::expected<Imported, std::string> import_journal(const Import& from,
                                                                  const OnImported& on_imported) {
    const std::filesystem::path folder = journal_folder(from.from).value_or(from.from);
    journal::FileSystem& files = journal::real_files();
    const auto contents = journal::look_into(files, folder);
    if (!contents) return std::unexpected{contents.error()};
    if (contents->segments.empty())
        return std::unexpected{
            fmt::format("{}: no journal (no file journal-….seg)", folder.string())};
    const journal::SegmentHeader& oldest = contents->segments.front().header;

    JournalDays days{from};
    using State = journal::ExchangeState<Gateways, JournalDays::Observer>;
    const auto state =
        std::make_unique<State>(oldest.identity.engine, JournalDays::Observer{&days});
    std::optional<journal::SnapshotInfo> snapshot;
    if (oldest.first_sequence > 1) {
        auto loaded = journal::load_newest_snapshot(files, folder, oldest.identity, *state);
        if (!loaded) return std::unexpected{std::move(loaded.error())};
        snapshot = loaded->info;
    }
    const std::uint64_t before = snapshot ? snapshot->sequence : 0;
    const auto has_days = opens_days(folder, before + 1);
    if (!has_days) return std::unexpected{has_days.error()};
    days.begin(state->engine(), snapshot, state->trading_day(), *has_days);

    auto scan = journal::RecoveryScan::begin(files, folder,
                                             {.from = before + 1, .synced = before, .cut = false});
    if (!scan) return std::unexpected{std::move(scan.error())};
    std::uint64_t done = 0;
    for (auto records = scan->next(); !records.empty(); records = scan->next()) {
        state->apply(records);
        if (!days.error().empty()) return std::unexpected{days.error()};
        done += records.size();
        on_imported(done * journal::k_record_bytes, done);
    }
    const auto read = scan->finish();
    if (!read) return std::unexpected{read.error()};
    if (const auto& divergence = state->divergence())
        return std::unexpected{fmt::format(
            "{}: the state after record {} is not that of the journal: this program matches "
            "differently from the one that wrote it; use that version",
            folder.string(), divergence->sequence)};
    return days.close(*read);
}

}  // namespace damrak::archive
