#include <damrak/archive/import.hpp>

#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/detail/dbn_import.hpp>
#include <damrak/archive/detail/view_depth.hpp>
#include <damrak/base/is_digit.hpp>
#include <damrak/convert/lobster_day.hpp>
#include <damrak/wire/dbn/reader.hpp>
#include <damrak/wire/itch/file_reader.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

/// Stops at a message that is earlier than the previous one: the index by time needs ascending
/// times.
struct IntoWriter {
    DayWriter& writer;
    std::int64_t last_time_ns = 0;
    ViewDepth view{};

    bool on(const auto& message) {
        if (message.timestamp_ns < last_time_ns) return false;
        last_time_ns = message.timestamp_ns;
        writer.add(message);
        view.on(message);
        return true;
    }
};

std::expected<Imported, std::string> import_itch(const Import& from,
                                                 const OnImported& on_imported) {
    const std::filesystem::path& file = from.from;
    auto reader = itch::FileReader::open(file);
    if (!reader) return std::unexpected{std::move(reader.error().text)};
    auto writer =
        DayWriter::create(from.to, {.date = from.date, .source = from.from.filename().string()});
    if (!writer) return std::unexpected{std::move(writer.error())};
    IntoWriter visitor{*writer};
    Imported imported;
    for (;;) {
        const auto step = reader->read_some(visitor);
        if (!step) {
            // A truncated file gives a day up to its end.
            if (step.error().cause.offset == 0 || reader->messages() == 0)
                return std::unexpected{step.error().text};
            imported.notes.push_back(step.error().text);
            break;
        }
        if (*step == itch::ReadStep::stopped)
            return std::unexpected{fmt::format(
                "{}: message {} is earlier than the one before it: sort the messages by time",
                file.string(), reader->messages())};
        on_imported(reader->progress().consumed_bytes, reader->messages());
        if (*step == itch::ReadStep::end) break;
    }
    writer->set_depth(visitor.view.depth());
    auto totals = writer->close();
    if (!totals) return std::unexpected{std::move(totals.error())};
    imported.totals = *totals;
    return imported;
}

/// The UTC date of a time since the epoch, as yyyymmdd.
std::int32_t utc_date(std::uint64_t time_ns) {
    using namespace std::chrono;
    const year_month_day date{
        floor<days>(sys_time<nanoseconds>{nanoseconds{static_cast<std::int64_t>(time_ns)}})};
    return static_cast<int>(date.year()) * 10'000 +
           static_cast<std::int32_t>(static_cast<unsigned>(date.month()) * 100 +
                                     static_cast<unsigned>(date.day()));
}

std::expected<Imported, std::string> import_dbn(const Import& from, const OnImported& on_imported) {
    auto reader = wire::dbn::Reader::open(from.from);
    if (!reader) return std::unexpected{std::move(reader.error())};
    const std::int32_t date = from.date != 0 ? from.date : utc_date(reader->metadata().start_ns);
    auto writer =
        DayWriter::create(from.to, {.date = date, .source = from.from.filename().string()});
    if (!writer) return std::unexpected{std::move(writer.error())};
    DbnImport into{*writer, reader->metadata()};
    Imported imported;
    constexpr std::uint64_t k_report_every = 1U << 16U;
    for (std::uint64_t records = 0;; ++records) {
        const auto event = reader->next();
        if (!event) {
            // A truncated file gives a day up to its end.
            if (records == 0) return std::unexpected{event.error()};
            imported.notes.push_back(event.error());
            break;
        }
        if (!*event) break;
        into.on(**event);
        if (records % k_report_every == 0) on_imported(reader->progress().consumed_bytes, records);
    }
    if (into.left_out() > 0)
        imported.notes.push_back(fmt::format(
            "{} orders are left out: their prices are negative, undefined or finer than 0.0001, "
            "or they have no side",
            into.left_out()));
    if (into.too_many_instruments())
        imported.notes.emplace_back("only the first 65,535 instruments are taken");
    auto totals = writer->close();
    if (!totals) return std::unexpected{std::move(totals.error())};
    imported.totals = *totals;
    return imported;
}

bool has_extension(const std::filesystem::path& path, const char* extension) {
    std::filesystem::path name = path.filename();
    if (name.extension() == ".gz" || name.extension() == ".zst") name.replace_extension();
    return name.extension() == extension;
}

/// 20120621 for 2012-06-21; the form of the name has been checked.
std::int32_t date_in(std::string_view text) {
    std::int32_t date = 0;
    for (const char c : text)
        if (is_digit(c)) date = date * 10 + (c - '0');
    return date;
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
    if (from.date == 0 && name) from.date = date_in(name->date);
    if (from.symbol.empty())
        return std::unexpected{
            fmt::format("{}: its name does not begin with a ticker; give --symbol, or import it "
                        "with damrak archive import --symbol",
                        from.from.string())};
    const auto pair = lobster::find_pair(from.from, from.book, from.trust_messages);
    if (!pair) return std::unexpected{pair.error()};
    auto day = convert::LobsterDay::open(*pair, from.symbol);
    if (!day) return std::unexpected{day.error()};
    auto writer = DayWriter::create(
        from.to,
        {.date = from.date, .source = from.from.filename().string(), .depth = depth_of(*day)});
    if (!writer) return std::unexpected{std::move(writer.error())};
    const auto write = [&](const itch::Message& message) {
        std::visit([&](const auto& one) { writer->add(one); }, message);
    };
    for (;;) {
        const auto more = day->next(write);
        if (!more) return std::unexpected{more.error()};
        if (!*more) break;
        on_imported(day->files().progress().consumed_bytes, day->files().messages());
    }
    writer->set_depth(depth_of(*day));
    auto totals = writer->close();
    if (!totals) return std::unexpected{std::move(totals.error())};
    return Imported{.totals = *totals, .notes = notes_of(*day)};
}

}  // namespace

DayDepth depth_of(const convert::LobsterDay& day) {
    DayDepth depth = depth_of(static_cast<std::uint16_t>(day.depth()));
    depth.book_until_ns = day.book_until_ns();
    return depth;
}

bool is_lobster(const std::filesystem::path& path) { return has_extension(path, ".csv"); }

std::expected<Imported, std::string> import_day(const Import& from, const OnImported& on_imported) {
    if (has_extension(from.from, ".dbn")) return import_dbn(from, on_imported);
    if (is_lobster(from.from)) return import_lobster(from, on_imported);
    return import_itch(from, on_imported);
}

}  // namespace damrak::archive
