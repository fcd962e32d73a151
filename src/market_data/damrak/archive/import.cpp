#include <damrak/archive/import.hpp>

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_date.hpp>
#include <damrak/archive/detail/day_files.hpp>
#include <damrak/archive/detail/dbn_import.hpp>
#include <damrak/archive/detail/view_depth.hpp>
#include <damrak/convert/lobster_day.hpp>
#include <damrak/files/day_kind.hpp>
#include <damrak/wire/itch/file_reader.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

/// Passes messages to the days of a file: another session begins another day. Stops at a message
/// that is earlier than the previous one: the index by time needs ascending times.
class IntoDays {
  public:
    IntoDays(DayFiles& days, std::int32_t date) : days_{days}, date_{date} {}

    bool on(const auto& message) {
        if (!days_.has_begun() || begins_session(message)) {
            if (!begin()) return false;
        } else if (message.timestamp_ns < last_time_ns_) {
            return false;
        }
        last_time_ns_ = message.timestamp_ns;
        days_.writer().add(message);
        note(message);
        return true;
    }
    /// Why a day could not begin; empty: it did.
    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    /// After the end of messages, or with the start of messages that are earlier.
    [[nodiscard]] bool begins_session(const auto& message) const {
        if (has_ended_) return true;
        if constexpr (requires { message.event_code; })
            return message.event_code == 'O' && message.timestamp_ns < last_time_ns_;
        return false;
    }
    bool begin() {
        if (auto begun = days_.begin(std::exchange(date_, 0)); !begun) {
            error_ = begun.error();
            return false;
        }
        view_ = {};
        has_ended_ = false;
        return true;
    }
    void note(const itch::SystemEvent& event) {
        view_.on(event);
        if (view_.depth().has(DayDepth::k_marked)) days_.set_depth(view_.depth());
        has_ended_ = event.event_code == 'C';
    }
    void note(const itch::StockDirectory& directory) {
        view_.on(directory);
        days_.set_depth(view_.depth());
    }
    void note(const auto& /*other*/) {}

    DayFiles& days_;
    std::int32_t date_;  ///< of the first day
    std::int64_t last_time_ns_ = 0;
    ViewDepth view_;
    bool has_ended_ = false;
    std::string error_;
};

std::expected<Imported, std::string> import_itch(const Import& from,
                                                 const OnImported& on_imported) {
    const std::filesystem::path& file = from.from;
    auto reader = itch::FileReader::open(file);
    if (!reader) return std::unexpected{std::move(reader.error().text)};
    DayFiles days{from};
    IntoDays visitor{days, from.date != 0 ? from.date : date_in_name(file)};
    Imported imported;
    for (;;) {
        const auto step = reader->read_some(visitor);
        if (!step) {
            // A truncated file gives a day up to its end.
            if (step.error().cause.offset == 0 || reader->messages() == 0)
                return std::unexpected{step.error().text};
            imported.cut = step.error().text;
            days.note_cut();
            break;
        }
        if (!visitor.error().empty()) return std::unexpected{visitor.error()};
        if (*step == itch::ReadStep::stopped)
            return std::unexpected{fmt::format(
                "{}: message {} is earlier than the one before it: sort the messages by time",
                file.string(), reader->messages())};
        on_imported(reader->progress().consumed_bytes, reader->messages());
        if (*step == itch::ReadStep::end) break;
    }
    for (std::string& note : reader->notes()) imported.notes.push_back(std::move(note));
    auto closed = days.close();
    if (!closed) return std::unexpected{std::move(closed.error())};
    imported.days = *std::move(closed);
    return imported;
}

std::vector<std::string> notes_of(const convert::LobsterDay& day) {
    std::vector<std::string> notes = day.files().notes();
    for (std::string& sentence : convert::sentences(day.report()))
        notes.push_back(std::move(sentence));
    for (std::string& sentence : sentences(depth_of(day))) notes.push_back(std::move(sentence));
    return notes;
}

std::expected<Imported, std::string> import_lobster(Import from, const OnImported& on_imported) {
    const auto name = lobster::parse_file_name(from.from);
    if (from.symbol.empty() && name) from.symbol = name->ticker;
    if (from.date == 0) from.date = date_in_name(from.from);
    if (from.symbol.empty())
        return std::unexpected{
            fmt::format("{}: its name does not begin with a ticker; give --symbol, or import it "
                        "with damrak archive import --symbol",
                        from.from.string())};
    const auto pair = lobster::find_pair(from.from, from.book, from.trust_messages);
    if (!pair) return std::unexpected{pair.error()};
    auto day = convert::LobsterDay::open(*pair, from.symbol);
    if (!day) return std::unexpected{day.error()};
    DayFiles days{from};
    if (auto begun = days.begin(from.date, depth_of(*day)); !begun)
        return std::unexpected{std::move(begun.error())};
    const auto write = [&](const itch::Message& message) {
        std::visit([&](const auto& one) { days.writer().add(one); }, message);
    };
    for (;;) {
        const auto more = day->next(write);
        if (!more) return std::unexpected{more.error()};
        if (!*more) break;
        on_imported(day->files().progress().consumed_bytes, day->files().messages());
    }
    days.set_depth(depth_of(*day));
    auto closed = days.close();
    if (!closed) return std::unexpected{std::move(closed.error())};
    return Imported{.days = *std::move(closed), .notes = notes_of(*day), .faults = {}};
}

/// An archived day is taken as it is, if it is sound.
std::expected<Imported, std::string> copy_day(const Import& from) {
    const std::string file = from.from.string();
    if (from.date != 0)
        return std::unexpected{
            fmt::format("{}: an archived day has its date: leave --date out", file)};
    const auto day = Day::open(from.from);
    if (!day) return std::unexpected{day.error()};
    if (const Completeness sound = day->verify([] {}); !sound.is_complete())
        return std::unexpected{
            fmt::format("{}, so that it is not taken into the archive", sound.missing.front())};
    if (day->is_being_written())
        return std::unexpected{fmt::format("{}: the day is being written: wait for its end", file)};
    std::error_code error;
    if (std::filesystem::equivalent(from.from, from.to, error))
        return std::unexpected{fmt::format(
            "{}: it is an archived day and in this archive already: see damrak archive info",
            file)};
    std::filesystem::copy_file(from.from, from.to,
                               std::filesystem::copy_options::overwrite_existing, error);
    if (error) return std::unexpected{fmt::format("{}: {}", from.to.string(), error.message())};
    ImportedDay copied{.file = from.to, .date = day->date(), .depth = day->depth()};
    copied.totals.messages = day->messages();
    copied.totals.archive_bytes = day->bytes();
    return Imported{.days = {std::move(copied)},
                    .notes = {"it is an archived day already, was verified, and is copied"},
                    .faults = {}};
}

}  // namespace

DayDepth depth_of(const convert::LobsterDay& day) {
    DayDepth depth = depth_of(static_cast<std::uint16_t>(day.depth()));
    const convert::RowsReport& rows = day.report();
    depth.misfits = static_cast<std::uint16_t>(
        std::min<std::uint64_t>(rows.checked - rows.equal, DayDepth::k_most_misfits));
    depth.book_from_ns = day.book_from_ns();
    depth.book_until_ns = day.book_until_ns();
    return depth;
}

std::expected<Imported, std::string> import_day(const Import& from, const OnImported& on_imported) {
    const auto kind = files::day_kind(from.from);
    if (!kind) return std::unexpected{kind.error()};
    switch (*kind) {
        case files::DayKind::dbn:
            return import_dbn(from, on_imported);
        case files::DayKind::lobster:
            return import_lobster(from, on_imported);
        case files::DayKind::itch:
            return import_itch(from, on_imported);
        case files::DayKind::archived_day:
            return copy_day(from);
    }
    std::unreachable();
}

}  // namespace damrak::archive
