// `damrak convert`: LOBSTER files to ITCH files and back.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_of_day.hpp>
#include <damrak/convert/itch_to_lobster.hpp>
#include <damrak/convert/lobster_to_itch.hpp>
#include <damrak/files/day_kind.hpp>
#include <damrak/lobster/descriptor.hpp>
#include <damrak/lobster/file_name.hpp>

#include "cli.hpp"
#include "lobster_options.hpp"
#include "progress.hpp"
#include "say.hpp"

namespace damrak::app {
namespace {

constexpr const char* k_convert_command = "convert";
constexpr std::size_t k_default_levels = 10;

struct ConvertOptions {
    std::filesystem::path from;
    std::filesystem::path to;
    std::optional<std::filesystem::path> book;
    std::optional<std::size_t> levels;
    std::string symbol;
    std::optional<std::string> begin;
    std::optional<std::string> end;
    bool trust_messages = false;
    bool json = false;
};

enum class Form : std::uint8_t { unknown, lobster, itch };

// Told from the name, without what compression adds to it. Standard streams and pipes tell nothing.
Form form_of(std::filesystem::path path) {
    std::error_code unknown;
    const auto type = std::filesystem::status(path, unknown).type();
    const bool stream = path == "-" || path.string().starts_with("/dev/") ||
                        type == std::filesystem::file_type::fifo;
    if (path.extension() == ".gz" || path.extension() == ".zst") path.replace_extension();
    if (path.extension() == ".csv") return Form::lobster;
    return stream ? Form::unknown : Form::itch;
}

// A file that is read must not be written as well, whatever it is called. The standard input and
// the standard output share their name only.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code unknown;
    return a == b || std::filesystem::equivalent(a, b, unknown);
}

std::string count(std::uint64_t n, std::string_view noun) {
    return counted(static_cast<std::int64_t>(n), noun);
}

void note(const std::string& text) { say("damrak: note: {}\n", text); }

convert::OnProgress shown_by(ProgressBar& bar) {
    return [&bar](files::ByteSource::Progress progress, std::uint64_t messages) {
        bar.update(progress.consumed_bytes, messages);
    };
}

// The line for people: out of the way where the file itself is on the standard output.
void tell(const ConvertOptions& options, const std::string& line) {
    if (options.to == "-") {
        say("damrak: {}\n", line);
    } else {
        fmt::print("{}: {}\n", options.to.string(), line);
    }
}

int to_itch(const ConvertOptions& options, files::ByteSource source) {
    if (options.levels || options.begin || options.end) {
        return fail_usage("--levels, --begin and --end select rows of a LOBSTER output file",
                          k_convert_command);
    }
    convert::LobsterToItch conversion{options.from, {}, options.symbol, options.to};
    if (conversion.symbol.empty()) {
        const auto name = lobster::parse_file_name(options.from);
        if (!name) {
            return fail_usage("the file's name does not begin with a ticker; give --symbol",
                              k_convert_command);
        }
        conversion.symbol = name->ticker;
    }
    auto pair = lobster::find_pair(options.from, options.book, options.trust_messages);
    if (!pair) return fail(pair.error());
    conversion.book = std::move(pair->book);
    ProgressBar bar{"converting", size_of(options.from)};
    const auto summary = convert::convert(conversion, std::move(source), shown_by(bar));
    bar.clear();
    if (!summary) return fail(summary.error());
    for (const std::string& text : summary->notes) note(text);
    const convert::RowsReport& rows = summary->report;
    for (const std::string& text : convert::sentences(rows)) note(text);
    if (options.json) {
        print_json({{"file", options.to.string()},
                    {"symbol", conversion.symbol},
                    {"rows", summary->rows},
                    {"messages", summary->messages},
                    {"depth", summary->depth},
                    {"rows_checked", rows.checked},
                    {"rows_equal", rows.equal},
                    {"revealed", rows.revealed},
                    {"concealed", rows.concealed},
                    {"inexact_removals", rows.inexact_removals}});
    } else {
        tell(options, fmt::format("{}, {}, {}", count(summary->rows, "row"),
                                  count(summary->messages, "ITCH message"),
                                  summary->depth == 0
                                      ? "the book of the messages alone"
                                      : "the book to level " + std::to_string(summary->depth)));
    }
    return k_exit_success;
}

// The number of levels that the user means, where only the name of the file says it.
std::size_t levels_of(const ConvertOptions& options) {
    if (options.levels) return *options.levels;
    if (!options.book) return 0;
    const auto name = lobster::parse_file_name(*options.book);
    return name ? name->levels : k_default_levels;
}

int to_lobster(const ConvertOptions& options, files::ByteSource source) {
    constexpr const char* k_open = "09:30";
    constexpr const char* k_close = "16:00";
    const auto begin_ns = parse_time_of_day(options.begin.value_or(k_open));
    const auto end_ns = parse_time_of_day(options.end.value_or(k_close));
    if (!begin_ns || !end_ns) {
        return fail_usage("--begin and --end take a time such as 10:31 or 10:31:05.25",
                          k_convert_command);
    }
    const convert::ItchToLobster conversion{options.from, options.symbol,     *begin_ns,
                                            *end_ns,      levels_of(options), options.to,
                                            options.book};
    ProgressBar bar{"converting", size_of(options.from)};
    const auto summary = convert::convert(conversion, std::move(source), shown_by(bar));
    bar.clear();
    if (!summary) return fail(summary.error());
    if (summary->anomalies > 0) {
        note(fmt::format("{} did not match the book and were skipped",
                         count(summary->anomalies, "message")));
    }
    if (summary->other_prices > 0) {
        note(fmt::format("{} at another price, written with the order's price",
                         count(summary->other_prices, "execution")));
    }
    if (options.json) {
        const nlohmann::ordered_json object{
            {"file", options.to.string()},
            {"symbol", summary->symbol},
            {"messages", summary->messages},
            {"rows", summary->rows},
            {"revealed_orders", summary->revealed_orders},
            {"other_prices", summary->other_prices},
            {"anomalies", summary->anomalies},
        };
        print_json(object);
    } else {
        tell(options, fmt::format("{}, {} of {}", count(summary->messages, "ITCH message"),
                                  count(summary->rows, "row"), summary->symbol));
    }
    return k_exit_success;
}

// Wrong combinations of places, as far as the names tell.
std::optional<std::string> refuse_places(const ConvertOptions& options) {
    const bool same_stream = options.from == "-" && options.to == "-";
    if ((!same_stream && is_same_file(options.from, options.to)) ||
        (options.book &&
         (is_same_file(*options.book, options.to) || is_same_file(*options.book, options.from))))
        return "IN, OUT and --book must be different files";
    if (options.json && options.to == "-")
        return "--json cannot be combined with OUT -: both write to standard output";
    return std::nullopt;
}

int run(const ConvertOptions& options) {
    constexpr const char* k_one_of_each =
        "give one LOBSTER message file (.csv) and one ITCH file as IN and OUT";
    Form in = form_of(options.from);
    const Form out = form_of(options.to);
    if (in != Form::unknown && in == out) return fail_usage(k_one_of_each, k_convert_command);
    if (const auto why = refuse_places(options)) return fail_usage(*why, k_convert_command);
    auto source = files::ByteSource::open(options.from);
    if (!source) return fail(source.error());
    const auto first = source->ahead();
    if (!first) return fail(first.error());
    const auto kind = files::day_kind(*first, source->name());
    if (!kind) return fail(kind.error());
    if (*kind == files::DayKind::dbn || *kind == files::DayKind::archived_day)
        return fail(fmt::format("{}: this is {}: damrak archive import and export convert it",
                                options.from.string(), files::noun_of(*kind)));
    if (in == Form::unknown) in = *kind == files::DayKind::lobster ? Form::lobster : Form::itch;
    if (in == out) return fail_usage(k_one_of_each, k_convert_command);
    return in == Form::lobster ? to_itch(options, std::move(*source))
                               : to_lobster(options, std::move(*source));
}

}  // namespace

void add_convert(CLI::App& program, Job& job) {
    auto* command = program.add_subcommand(
        k_convert_command,
        "Converts LOBSTER files to ITCH, or one symbol of an ITCH file to LOBSTER");
    auto options = std::make_shared<ConvertOptions>();
    command
        ->add_option("IN", options->from,
                     "ITCH file or LOBSTER message file (.csv); - for standard input")
        ->required();
    command
        ->add_option(
            "OUT", options->to,
            "Output file in the other format; .gz or .zst compresses it; - for standard output")
        ->required();
    command->add_option("--book", options->book,
                        "LOBSTER order book file: input (default: that of the same name beside "
                        "IN), or output beside the message file");
    add_trust_messages(*command, options->trust_messages);
    command->add_option(
        "--symbol", options->symbol,
        "Symbol to convert; required for a LOBSTER file whose name does not contain it");
    command
        ->add_option("--levels", options->levels,
                     "Number of levels: write only messages that change these, and this many to "
                     "the book file (10, or as in its name; without --book all messages)")
        ->check(CLI::Range(std::size_t{1}, lobster::k_max_levels));
    command->add_option("--begin", options->begin, "Rows from this time of day on (09:30)");
    command->add_option("--end", options->end, "Rows up to this time of day (16:00)");
    command->add_flag("--json", options->json, "One JSON object instead of a line of text");
    command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
