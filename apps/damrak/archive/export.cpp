#include "export.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/archive/day_file.hpp>
#include <damrak/archive/export.hpp>
#include <damrak/base/duration_text.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/base/time_of_day.hpp>
#include <damrak/lobster/file_name.hpp>
#include <damrak/tables/csv.hpp>

#include "partial.hpp"
#include "progress.hpp"

namespace damrak::app {
namespace {

using archive::ExportForm;
using tables::Table;
using wire::dbn::Schema;
using Json = nlohmann::ordered_json;
constexpr const char* k_export_command = "archive export";
constexpr std::int64_t k_minute_ns = 60'000'000'000;

struct ExportOptions {
    std::filesystem::path day;
    std::optional<ExportForm> form;  ///< none: CSV
    Table table = Table::messages;
    std::string every;
    std::filesystem::path out;
    std::string symbol;
    std::string from;
    std::string until;
    Schema schema = Schema::mbo;
    std::size_t depth = 10;
    bool json = false;
    bool partial = false;
};

const std::map<std::string, std::optional<ExportForm>> k_forms{{"itch", ExportForm::itch},
                                                               {"lobster", ExportForm::lobster},
                                                               {"csv", std::nullopt},
                                                               {"dbn", ExportForm::dbn},
                                                               {"pcap", ExportForm::pcap}};
const std::map<std::string, Table> k_tables{
    {"trades", Table::trades},     {"bbo", Table::bbo},         {"depth", Table::depth},
    {"messages", Table::messages}, {"candles", Table::candles}, {"auctions", Table::auctions},
    {"halts", Table::halts}};
const std::map<std::string, Schema> k_schemas{{"mbo", Schema::mbo},
                                              {"mbp-1", Schema::mbp_1},
                                              {"mbp-10", Schema::mbp_10},
                                              {"trades", Schema::trades}};

std::string date_text(std::int32_t date) {
    return fmt::format("{:04}-{:02}-{:02}", date / 10'000, date / 100 % 100, date % 100);
}

/// Beside the day, or as LOBSTER names its files.
std::filesystem::path usual_name(const ExportOptions& options, const archive::Day& day,
                                 const std::filesystem::path& file) {
    constexpr std::int64_t k_ms = 1'000'000;
    const std::string stem = file.stem().string();
    if (!options.form) return fmt::format("{}_{}.csv", stem, tables::name_of(options.table));
    switch (*options.form) {
        case ExportForm::itch:
            return stem + ".itch";
        case ExportForm::dbn:
            return stem + ".dbn.zst";
        case ExportForm::pcap:
            return stem + ".pcap";
        case ExportForm::lobster:
            break;
    }
    const auto instruments = day.instruments();
    const std::string symbol = options.symbol.empty() && !instruments.empty()
                                   ? instruments.front().symbol
                                   : options.symbol;
    return lobster::to_string({.ticker = symbol,
                               .date = date_text(day.date()),
                               .start_ms = day.first_time_ns() / k_ms,
                               .end_ms = day.last_time_ns() / k_ms,
                               .kind = lobster::FileKind::message,
                               .levels = options.depth});
}

/// What an option cannot mean for the form; empty: all is well.
std::string misuse(const ExportOptions& options) {
    const bool window = !options.from.empty() || !options.until.empty();
    if (window && (options.form == ExportForm::itch || options.form == ExportForm::pcap))
        return "--from and --until: a part of the messages has no book: csv, dbn and lobster "
               "take a window";
    if (!options.symbol.empty() && options.form == ExportForm::pcap)
        return "--symbol: a capture has the numbers of the session, and all of its messages";
    if (options.every.empty()) return {};
    if (options.form) return "--every: of the CSV tables bbo, depth and candles";
    if (parse_duration(options.every).value_or(0) == 0)
        return fmt::format("--every: '{}' is no time between rows: write it like 1s or 100ms",
                           options.every);
    return {};
}

void report(const ExportOptions& options, const archive::Exported& exported) {
    if (options.json) {
        Json files = Json::array();
        for (const auto& file : exported.files) files.push_back(file.string());
        Json object{{"files", files}, {"messages", exported.messages}, {"rows", exported.rows}};
        add_completeness(object, exported.completeness);
        print_json(object);
        return;
    }
    for (const auto& file : exported.files)
        if (file != "-")
            fmt::print("{}: {} of {}\n", file.string(),
                       counted(static_cast<std::int64_t>(exported.rows), "row"),
                       counted(static_cast<std::int64_t>(exported.messages), "message"));
}

archive::Result<archive::Exported> export_table(const ExportOptions& options,
                                                const archive::Day& day,
                                                const archive::Export& wanted,
                                                const archive::OnExported& on_messages) {
    tables::TableQuery query{.table = options.table, .levels = options.depth};
    tables::DayWindow window{.from_ns = wanted.from_ns, .until_ns = wanted.until_ns};
    if (!wanted.symbol.empty()) {
        auto instrument = archive::find_instrument(day, wanted.symbol);
        if (!instrument) return std::unexpected{std::move(instrument.error())};
        window.locate = instrument->locate;
    }
    if (!options.every.empty())
        query.every_ns = *parse_duration(options.every);
    else if (options.table == Table::candles)
        query.every_ns = k_minute_ns;
    auto written =
        tables::write_csv(day, query, window, wanted.to, wanted.takes_a_part, on_messages);
    if (!written) return std::unexpected{std::move(written.error())};
    if (day.date() == 0) say("damrak: note: the day has no date: ts_event counts from midnight\n");
    for (const std::string& sentence : archive::sentences(day.depth()))
        say("damrak: note: {}\n", sentence);
    return archive::Exported{.messages = written->messages,
                             .rows = written->rows,
                             .files = {wanted.to},
                             .completeness = std::move(written->completeness)};
}

int run(const ExportOptions& options) {
    if (const std::string why = misuse(options); !why.empty())
        return fail_usage(why, k_export_command);
    archive::Export wanted{.form = options.form.value_or(ExportForm::itch),
                           .to = options.out,
                           .symbol = options.symbol,
                           .schema = options.schema,
                           .depth = options.depth,
                           .takes_a_part = options.partial};
    for (const auto& [text, time, name] :
         {std::tuple{&options.from, &wanted.from_ns, "--from"},
          std::tuple{&options.until, &wanted.until_ns, "--until"}}) {
        if (text->empty()) continue;
        const auto parsed = parse_time_of_day(*text);
        if (!parsed)
            return fail_usage(
                fmt::format("{}: '{}' is no time of day: write it like 10:31:05.5", name, *text),
                k_export_command);
        *time = *parsed;
    }
    if (wanted.until_ns < wanted.from_ns)
        return fail_usage("--until is before --from", k_export_command);
    const auto path = archive::day_file(options.day);
    if (!path) return fail(path.error());
    const auto day = archive::Day::open(*path);
    if (!day) return fail(day.error());
    if (options.form == ExportForm::lobster && options.symbol.empty() &&
        day->instruments().size() != 1)
        return fail_usage("--symbol: a LOBSTER pair has one instrument", k_export_command);
    if (wanted.to.empty()) wanted.to = usual_name(options, *day, *path);
    ProgressBar bar{"exporting", day->messages()};
    const auto on_messages = [&bar](std::uint64_t messages) { bar.update(messages, messages); };
    const auto exported = options.form ? archive::export_day(*day, wanted, on_messages)
                                       : export_table(options, *day, wanted, on_messages);
    bar.clear();
    if (!exported) return fail(exported.error());
    report(options, *exported);
    return end_answer(exported->completeness, options.partial);
}

}  // namespace

void add_archive_export(CLI::App& archive, Job& job) {
    CLI::App* const command = archive.add_subcommand(
        "export", "Writes an archived day as ITCH, LOBSTER pair, CSV, DBN, or capture of the feed");
    const auto options = std::make_shared<ExportOptions>();
    command->add_option("DAY", options->day, "archived day, or the folder of a kept run")
        ->required();
    const auto words_of = [](const auto& values) {
        std::vector<std::string> words;
        words.reserve(values.size());
        for (const auto& [word, value] : values) words.push_back(word);
        return words;
    };
    command
        ->add_option_function<std::string>(
            "--to", [options](const std::string& word) { options->form = k_forms.at(word); },
            "format of the output")
        ->required()
        ->check(CLI::IsMember(words_of(k_forms)));
    command->add_option("--out", options->out,
                        "output file; .gz or .zst compresses it; - for standard output; default: "
                        "named after the day, in the current directory");
    command->add_option("--symbol", options->symbol, "only this instrument; LOBSTER needs one");
    command->add_option(
        "--from", options->from,
        "csv, dbn, lobster: from this time of day on; books include earlier orders");
    command->add_option("--until", options->until, "csv, dbn, lobster: up to this time of day");
    command
        ->add_option_function<std::string>(
            "--schema",
            [options](const std::string& word) { options->schema = k_schemas.at(word); },
            "DBN: kind of records")
        ->default_str("mbo")
        ->check(CLI::IsMember(words_of(k_schemas)));
    command
        ->add_option("--depth", options->depth,
                     "LOBSTER: price levels of the order book file; 0: no such file, and a row for "
                     "each message. CSV: levels of the table depth")
        ->capture_default_str();
    command
        ->add_option_function<std::string>(
            "--table", [options](const std::string& word) { options->table = k_tables.at(word); },
            "CSV: which table; docs/reference/tables.md has their columns")
        ->default_str("messages")
        ->check(CLI::IsMember(words_of(k_tables)));
    command->add_option("--every", options->every,
                        "CSV: of bbo and depth not the changes, but the book at each multiple of "
                        "this time, such as 1s or 100ms; of candles the length of their intervals "
                        "(1min)");
    command->add_flag("--json", options->json, "one JSON object on stdout");
    add_partial(*command, options->partial);
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
