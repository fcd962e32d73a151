#include <damrak/archive/import.hpp>

#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <damrak/archive/detail/dbn_import.hpp>
#include <damrak/convert/lobster_to_itch.hpp>
#include <damrak/wire/dbn/reader.hpp>
#include <damrak/wire/itch/file_reader.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

/// Stops at a message that is earlier than the previous one: the index by time needs ascending
/// times.
struct IntoWriter {
    DayWriter& writer;
    std::int64_t last_time_ns = 0;
    bool on(const auto& message) {
        if (message.timestamp_ns < last_time_ns) return false;
        last_time_ns = message.timestamp_ns;
        writer.add(message);
        return true;
    }
};

std::expected<Imported, std::string> import_itch(const Import& from,
                                                 const std::filesystem::path& file,
                                                 const OnImported& on_imported) {
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

}  // namespace

bool is_lobster(const std::filesystem::path& path) { return has_extension(path, ".csv"); }

std::expected<Imported, std::string> import_day(const Import& from, const OnImported& on_imported) {
    if (has_extension(from.from, ".dbn")) return import_dbn(from, on_imported);
    if (!is_lobster(from.from)) return import_itch(from, from.from, on_imported);
    std::filesystem::path between = from.to;
    between += fmt::format(".{}.itch", ::getpid());
    const auto converted = convert::convert(
        convert::LobsterToItch{
            .messages = from.from, .book = from.book, .symbol = from.symbol, .itch = between},
        [](files::ByteSource::Progress, std::uint64_t) {});
    if (!converted) return std::unexpected{converted.error()};
    auto imported = import_itch(from, between, on_imported);
    std::error_code ignored;
    std::filesystem::remove(between, ignored);
    if (imported)
        imported->notes.insert(imported->notes.begin(), converted->notes.begin(),
                               converted->notes.end());
    return imported;
}

}  // namespace damrak::archive
