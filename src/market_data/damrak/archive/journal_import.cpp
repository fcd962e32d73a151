#include <damrak/archive/journal_import.hpp>

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <vector>

#include <damrak/archive/day_date.hpp>
#include <damrak/journal/reader.hpp>
#include <damrak/journal/segment.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace {

constexpr std::size_t k_block_bytes = std::size_t{1} << 16U;

bool is_segment(const std::filesystem::path& path) {
    return journal::parse_segment_name(path.filename().string()).has_value();
}

}  // namespace

std::optional<std::filesystem::path> journal_folder(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
        if (!is_segment(path)) return std::nullopt;
        return path.has_parent_path() ? path.parent_path() : ".";
    }
    for (const auto& entry : std::filesystem::directory_iterator{path, error})
        if (is_segment(entry.path())) return path;
    return std::nullopt;
}

std::expected<bool, std::string> opens_days(const std::filesystem::path& folder,
                                            std::uint64_t from) {
    auto reader = journal::JournalReader::open(journal::real_files(), folder, from);
    if (!reader) return std::unexpected{std::move(reader.error())};
    for (auto records = reader->next(); !records.empty(); records = reader->next())
        if (std::ranges::any_of(records, [](const journal::Record& record) {
                return record.head.kind == static_cast<std::uint8_t>(CommandKind::day_opened);
            }))
            return true;
    return false;
}

JournalDays::JournalDays(const Import& import) : import_(&import), files_(import) {
    if (import.date != 0)
        error_ = fmt::format("{}: a journal has its dates: leave --date out", import.from.string());
}

std::int32_t JournalDays::date_of(Timestamp time) const {
    const auto& zone = import_->zone;
    return utc_date_of(
        static_cast<std::uint64_t>(zone == nullptr ? time.value : zone->local_of(time.value)));
}

void JournalDays::begin(const Engine& engine, const std::optional<journal::SnapshotInfo>& snapshot,
                        TradingDay day, bool opens_days) {
    opens_days_ = opens_days;
    publisher_.emplace(engine.config(),
                       feed::ItchSettings{.zone = import_->zone, .attributed = {}});
    publisher_->load(engine, false);
    if (!snapshot) return;
    notes_.push_back(
        fmt::format("the journal has no records before {} any more: what is earlier is missing",
                    snapshot->sequence + 1));
    if (day.is_open != 0) begin_day(day.date, snapshot->timestamp);
}

void JournalDays::begin_day(std::int32_t date, Timestamp time) {
    if (auto begun = files_.begin(date); !begun) {
        error_ = std::move(begun.error());
        return;
    }
    date_ = date;
    last_ns_ = 0;
    is_open_ = true;
    publisher_->begin_session(time, block_);
}

void JournalDays::end_day(Timestamp time) {
    publisher_->end_session(time, block_);
    write();
    is_open_ = false;
}

void JournalDays::on_command(const Command& command, const CommandStamp& stamp) {
    publisher_->end_command(block_);
    if (!error_.empty()) return;
    switch (command.kind) {
        case CommandKind::day_opened:
            // A further feed session of a day repeats what is in its file.
            if (is_open_ && command.trading_day.date == date_) return;
            if (is_open_) end_day(stamp.timestamp);
            return begin_day(command.trading_day.date, stamp.timestamp);
        case CommandKind::day_closed:
            return end_day(stamp.timestamp);
        case CommandKind::breaker_levels:
            return publisher_->set_levels(command.breaker_levels, stamp, block_);
        default:
            break;
    }
    if (!is_open_ && !opens_days_) begin_day(date_of(stamp.timestamp), stamp.timestamp);
    // A day may be ended long after its hours.
    if (command.kind != CommandKind::end_day) publisher_->on_time(stamp, block_);
    publisher_->on_command(command);
}

void JournalDays::on_event(const Event& event, const CommandStamp& stamp) {
    publisher_->on_event(event, stamp, block_);
    if (block_.bytes().size() >= k_block_bytes) write();
}

void JournalDays::write() {
    if (block_.empty()) return;
    IntoDay into{*this};
    if (wire::itch::walk(block_.bytes(), into).end == wire::itch::WalkEnd::stopped &&
        error_.empty())
        error_ = fmt::format(
            "{}: the day of {} passes midnight of the clock: give the time zone of the exchange "
            "with --zone",
            import_->from.string(), date_text(date_));
    block_.clear();
}

std::expected<Imported, std::string> JournalDays::close(const journal::Recovery& read) {
    publisher_->end_command(block_);
    write();
    if (!error_.empty()) return std::unexpected{error_};
    if (!files_.has_begun())
        return std::unexpected{fmt::format("{}: the journal has no trading day: nothing was traded",
                                           import_->from.string())};
    Imported imported;
    imported.notes = std::move(notes_);
    if (is_open_)
        imported.notes.push_back(
            read.in_use ? "an exchange is writing the journal: the day is as far as it was"
                        : "the journal ends before the day");
    if (!read.cut.empty() && is_open_) {
        imported.cut = fmt::format("{}: {}", import_->from.string(), read.cut);
        files_.note_cut();
    }
    auto closed = files_.close();
    if (!closed) return std::unexpected{std::move(closed.error())};
    imported.days = *std::move(closed);
    return imported;
}

}  // namespace damrak::archive
