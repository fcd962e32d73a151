// `damrak archive`: recorded days into the archive, and what is in it.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_date.hpp>
#include <damrak/archive/day_file.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/archive/journal_import.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/base/time_zone.hpp>

#include "archive/events.hpp"
#include "archive/journal.hpp"
#include "cli.hpp"
#include "day_text.hpp"
#include "export.hpp"
#include "lobster_options.hpp"
#include "partial.hpp"
#include "progress.hpp"
#include "say.hpp"

namespace damrak::app {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* k_import_command = "archive import";
constexpr const char* k_extension = ".dar";

struct ImportOptions {
    std::vector<std::filesystem::path> from;
    std::filesystem::path folder = ".";
    std::string symbol;
    std::string date;
    std::string zone;
    std::optional<std::filesystem::path> book;
    bool trust_messages = false;
    bool partial = false;
    bool json = false;
};

/// The input's name, without what its form and compression add to it; of a journal, its folder's.
std::filesystem::path archive_of(const ImportOptions& options, const std::filesystem::path& from) {
    std::filesystem::path name = from.filename();
    std::error_code error;
    if (const auto folder = archive::journal_folder(from))
        name = std::filesystem::weakly_canonical(*folder, error).filename();
    for (const char* const known : {".gz", ".zst", ".csv", ".itch", ".bin", ".dbn", ".dar"})
        if (name.extension() == known) name.replace_extension();
    name += k_extension;
    return options.folder / name;
}

/// The date of a day, or that it is not known.
Json date_json(std::int32_t date) {
    return date == 0 ? Json(nullptr) : Json(archive::date_text(date));
}

void print_imported(const archive::ImportedDay& day, bool is_whole, bool json) {
    const archive::DayTotals& totals = day.totals;
    for (const std::string& sentence : archive::sentences(day.depth))
        say("damrak: note: {}: {}\n", day.file.filename().string(), sentence);
    if (totals.anomalies > 0)
        say("damrak: note: {}: {} did not fit the book; damrak replay says which\n",
            day.file.filename().string(),
            counted(static_cast<std::int64_t>(totals.anomalies), "message"));
    if (json)
        return print_json({{"file", day.file.string()},
                           {"date", date_json(day.date)},
                           {"not_known", archive::sentences(day.depth)},
                           {"complete", is_whole},
                           {"messages", totals.messages},
                           {"message_bytes", totals.message_bytes},
                           {"archive_bytes", totals.archive_bytes},
                           {"checkpoint_bytes", totals.checkpoint_bytes},
                           {"anomalies", totals.anomalies}});
    fmt::print("{}: {}, {}, {} bytes, {:.2f} a message\n", day.file.string(),
               day.date == 0 ? "no date" : archive::date_text(day.date),
               counted(static_cast<std::int64_t>(totals.messages), "message"),
               grouped(static_cast<std::int64_t>(totals.archive_bytes)),
               static_cast<double>(totals.archive_bytes) /
                   static_cast<double>(std::max<std::uint64_t>(totals.messages, 1)));
}

int import_one(const ImportOptions& options, const std::filesystem::path& from) {
    archive::Import import;
    import.from = from;
    import.to = archive_of(options, from);
    import.symbol = options.symbol;
    if (!options.date.empty()) {
        import.date = archive::date_of_text(options.date);
        if (import.date == 0)
            return fail_usage(
                fmt::format("--date: '{}' is no date: write it like 2012-06-21", options.date),
                k_import_command);
    }
    const bool is_journal = archive::journal_folder(from).has_value();
    if (!options.zone.empty()) {
        if (!is_journal)
            return fail_usage(fmt::format("--zone: {} is no journal: leave it out", from.string()),
                              k_import_command);
        auto zone = TimeZone::find(options.zone);
        if (!zone) return fail_usage("--zone: " + zone.error(), k_import_command);
        import.zone = *std::move(zone);
    }
    import.book = options.book;
    import.trust_messages = options.trust_messages;
    ProgressBar bar{"importing", is_journal ? 0 : size_of(from)};
    const auto imported = (is_journal ? import_journal : archive::import_day)(
        import,
        [&bar](std::uint64_t bytes, std::uint64_t messages) { bar.update(bytes, messages); });
    bar.clear();
    if (!imported) return fail(imported.error());
    for (const std::string& note : imported->notes) say("damrak: note: {}\n", note);
    for (const archive::ImportedDay& day : imported->days)
        print_imported(day, imported->cut.empty() || &day != &imported->days.back(), options.json);
    for (const std::string& fault : imported->faults)
        static_cast<void>(fail(fmt::format("{}: {}", from.string(), fault)));
    if (!imported->cut.empty()) {
        say("damrak: {}\n", imported->cut);
        say("damrak: the day is archived up to there{}\n",
            options.partial ? "" : "; --partial takes it as it is");
    }
    const bool is_right = imported->faults.empty() && (imported->cut.empty() || options.partial);
    return is_right ? k_exit_success : k_exit_failure;
}

int import(const ImportOptions& options) {
    for (const std::filesystem::path& from : options.from)
        if (const int code = import_one(options, from); code != k_exit_success) return code;
    return k_exit_success;
}

struct FileOptions {
    std::filesystem::path file;
    bool json = false;
    bool partial = false;
};

/// What follows in a line about a day that has no end.
const char* end_text(const archive::Day& day) {
    if (day.is_complete()) return "";
    return day.is_being_written() ? "; it is being written"
                                  : "; incomplete: it was not written to its end";
}

std::string date_text_of(const archive::Day& day) {
    return day.date() == 0 ? "not known; damrak archive import --date says it"
                           : archive::date_text(day.date());
}

int show_info(const FileOptions& options) {
    if (is_event_file(options.file)) return show_event_info(options.file, options.json);
    const auto day = archive::open_day(options.file);
    if (!day) return fail(day.error());
    const auto instruments = day->instruments();
    const archive::Completeness completeness = day->completeness();
    if (options.json) {
        Json symbols = Json::array();
        for (const archive::Instrument& one : instruments)
            symbols.push_back({{"locate", one.locate}, {"symbol", one.symbol}});
        Json object{{"file", options.file.string()},
                    {"source", day->source()},
                    {"date", date_json(day->date())},
                    {"messages", day->messages()},
                    {"bytes", day->bytes()},
                    {"blocks", day->blocks()},
                    {"checkpoints", day->checkpoints()},
                    {"first_time", time_text(day->first_time_ns())},
                    {"last_time", time_text(day->last_time_ns())},
                    {"not_known", archive::sentences(day->depth())},
                    {"instruments", std::move(symbols)}};
        add_completeness(object, completeness);
        print_json(object);
        return end_answer(completeness, options.partial);
    }
    fmt::print("source       {}\n", day->source());
    fmt::print("date         {}\n", date_text_of(*day));
    fmt::print("messages     {} from {} to {}\n",
               grouped(static_cast<std::int64_t>(day->messages())), time_text(day->first_time_ns()),
               time_text(day->last_time_ns()));
    fmt::print(
        "file         {} bytes, {}, {}{}\n", grouped(static_cast<std::int64_t>(day->bytes())),
        counted(static_cast<std::int64_t>(day->blocks()), "block"),
        counted(static_cast<std::int64_t>(day->checkpoints()), "checkpoint"), end_text(*day));
    for (const std::string& sentence : archive::sentences(day->depth()))
        fmt::print("not known    {}\n", sentence);
    fmt::print("instruments ");
    for (const archive::Instrument& one : instruments) fmt::print(" {}", one.symbol);
    fmt::print("\n");
    return end_answer(completeness, options.partial);
}

int verify(const FileOptions& options) {
    if (is_event_file(options.file)) return verify_events(options.file, options.json);
    const auto day = archive::open_day(options.file);
    if (!day) return fail(day.error());
    const archive::Completeness completeness = day->verify([] {});
    if (options.json) {
        Json object{{"file", options.file.string()},
                    {"messages", day->messages()},
                    {"damage", completeness.missing}};
        add_completeness(object, completeness);
        print_json(object);
    }
    if (completeness.is_complete() && !options.json)
        fmt::print("{}: {}, all sound{}\n", options.file.string(),
                   counted(static_cast<std::int64_t>(day->messages()), "message"), end_text(*day));
    return end_answer(completeness, options.partial);
}

int list(const FileOptions& options) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{options.file, error})
        if (entry.path().extension() == k_extension) files.push_back(entry.path());
    if (error) return fail(fmt::format("{}: {}", options.file.string(), error.message()));
    std::ranges::sort(files);
    Json days = Json::array();
    for (const std::filesystem::path& file : files) {
        const auto day = archive::Day::open(file);
        if (!day) {
            say("damrak: note: {}\n", day.error());
            continue;
        }
        days.push_back({{"file", file.string()},
                        {"date", date_json(day->date())},
                        {"messages", day->messages()},
                        {"bytes", day->bytes()},
                        {"complete", day->is_complete()}});
        if (!options.json)
            fmt::print("{:<40} {:<10} {:>15} messages {:>15} bytes{}\n", file.filename().string(),
                       day->date() == 0 ? "no date" : archive::date_text(day->date()),
                       grouped(static_cast<std::int64_t>(day->messages())),
                       grouped(static_cast<std::int64_t>(day->bytes())),
                       day->is_complete() ? "" : "  incomplete");
    }
    if (options.json) print_json({{"days", std::move(days)}});
    return k_exit_success;
}

void add_file_command(CLI::App& archive, Job& job, const char* name, const char* help,
                      const char* what, int (*work)(const FileOptions&)) {
    CLI::App* const command = archive.add_subcommand(name, help);
    const auto options = std::make_shared<FileOptions>();
    command->add_option(what, options->file)->required();
    command->add_flag("--json", options->json, "one JSON object on stdout");
    if (work != list) add_partial(*command, options->partial);
    command->callback([&job, options, work] { job = [options, work] { return work(*options); }; });
}

}  // namespace

void add_archive(CLI::App& program, Job& job) {
    CLI::App* const archive =
        program.add_subcommand("archive", "Archives recorded days, and shows what an archive has");
    archive->require_subcommand(1);
    CLI::App* const command = archive->add_subcommand(
        "import", "Archives days from ITCH 5.0, LOBSTER message and DBN files, and from journals");
    const auto options = std::make_shared<ImportOptions>();
    command
        ->add_option("FILE", options->from,
                     "files, raw, .gz or .zst; folders of journals, or a segment in one")
        ->required();
    command->add_option("--out", options->folder, "directory of the archived days (NAME.dar)")
        ->capture_default_str();
    command->add_option("--symbol", options->symbol,
                        "LOBSTER: symbol, if the file's name does not begin with it");
    command->add_option("--date", options->date,
                        "day of the messages, such as 2012-06-21, if the file does not say it");
    command->add_option("--zone", options->zone,
                        "journals: time zone of the exchange, such as Europe/Amsterdam, whose "
                        "midnight times count from; default: UTC");
    add_lobster_book(*command, options->book, options->trust_messages);
    add_partial(*command, options->partial);
    command->add_flag("--json", options->json, "one JSON object for each file on stdout");
    command->callback([&job, options] { job = [options] { return import(*options); }; });
    add_archive_export(*archive, job);
    add_archive_events(*archive, job);
    add_file_command(*archive, job, "info", "Says what is in an archived day, or in its events",
                     "FILE", show_info);
    add_file_command(*archive, job, "verify", "Reads all of an archived day, or of its events",
                     "FILE", verify);
    add_file_command(*archive, job, "list", "Lists the archived days of a directory", "DIR", list);
}

}  // namespace damrak::app
