// `damrak replay`: recorded order flow through books and engine, and what the market was like.
#include <algorithm>
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_of_day.hpp>
#include <damrak/plot/picture_file.hpp>
#include <damrak/replay/day_plot.hpp>

#include "cli.hpp"
#include "journal/jobs.hpp"
#include "lobster_options.hpp"
#include "modify_option.hpp"
#include "replay/commands.hpp"
#include "replay/recording.hpp"
#include "replay/report.hpp"
#include "replay/venues.hpp"

namespace damrak::app {

namespace {

constexpr const char* k_replay_command = "replay";

template <class Result>
void show(const ReplayOptions& options, const Result& result) {
    if (options.json) {
        print_json(to_json(result));
    } else if (result.reading.error.empty() || result.reading.messages > 0) {
        print_tables(result);
    }
}

// The busiest instrument's, unless one was requested.
std::expected<void, std::string> plot(const ReplayOptions& options,
                                      const replay::MarketStatistics& statistics) {
    if (!options.plot) return {};
    for (const std::size_t index : busiest_first(statistics)) {
        const auto& series = statistics.instruments()[index].series;
        if (series) return replay::write_day_plot(*options.plot, *series);
    }
    return std::unexpected{std::string{"nothing to plot: no trades"}};
}

int finish(const ReplayOptions& options, const Reading& reading,
           const replay::MarketStatistics& statistics) {
    const auto plotted = plot(options, statistics);
    if (!reading.error.empty()) return fail(reading.error);
    if (!plotted) return fail(plotted.error());
    if (options.plot && !options.json) fmt::print("\nplot: {}\n", options.plot->string());
    return k_exit_success;
}

int verify(const ReplayOptions& options, files::ByteSource source) {
    auto day = open_lobster(options, std::move(source));
    if (!day) return fail(day.error());
    Reading reading;
    if (const auto read = day->read([](const wire::itch::Message&) {}); !read)
        reading.error = read.error();
    reading.whole = reading.error.empty();
    reading.messages = day->files().messages();
    reading.depth = archive::depth_of(*day);
    reading.notes = day->files().notes();
    show(options, VerificationResult{options, reading, *day});
    if (!reading.error.empty()) return fail(reading.error);
    const convert::RowsReport& rows = day->report();
    if (rows.equal == rows.checked) return k_exit_success;
    return fail(fmt::format("{} of {} order book rows do not follow from the messages",
                            grouped(static_cast<std::int64_t>(rows.checked - rows.equal)),
                            grouped(static_cast<std::int64_t>(rows.checked))));
}

int replay_recording(const ReplayOptions& options, Recording recording) {
    const int depth = levels_known(recording.depth(), options.depth);
    const replay::StatisticsSettings settings{.depth_levels = depth,
                                              .series = options.plot.has_value()};
    const RecordingFormat format = recording.format;
    if (options.mode == ReplayMode::build) {
        using Books = order_flow::BookBuilder<replay::MarketStatistics>;
        const auto [reading, books] = read_into(options, std::move(recording), [&] {
            return std::make_unique<Books>(Books::k_first_capacity,
                                           replay::MarketStatistics{settings});
        });
        books->observer().finish();
        show(options, ReplayResult{options, format, reading, *books});
        return finish(options, reading, books->observer());
    }
    if (const auto why = archive::why_no_orders(recording.depth()); !why.empty())
        return fail(fmt::format("{}: {}: --mode rematch needs orders", options.file.string(), why));
    const auto [reading, rematch] = read_into(options, std::move(recording), [&] {
        return std::make_unique<replay::Rematch>(capacity_for(options, format), settings);
    });
    rematch->finish();
    show(options, ReplayResult{options, format, reading, rematch->books(), &rematch->report()});
    return finish(options, reading, rematch->books().observer());
}

int run(ReplayOptions options) {
    if (!options.venues.empty()) {
        if (options.mode != ReplayMode::build || options.plot || options.verify)
            return fail_usage("--venue goes without --mode, --plot and --verify", k_replay_command);
        if (options.venues.size() > 1 && options.file == "-")
            return fail_usage("standard input is read once: give one --venue, or a file",
                              k_replay_command);
    }
    if (options.csv) return fail_usage("--csv needs a journal directory", k_replay_command);
    if (options.verify && options.trust_messages)
        return fail_usage("--verify needs the order book file, not --trust-messages",
                          k_replay_command);
    if (!options.modification_file.empty()) {
        if (options.verify)
            return fail_usage("--verify checks the recorded day: it goes without --modify",
                              k_replay_command);
        auto modification = modify::read_modification(options.modification_file);
        if (!modification) return fail(modification.error());
        options.modification = *std::move(modification);
    }
    if (options.plot) {
        if (const auto named = plot::check_picture_name(*options.plot); !named)
            return fail_usage(named.error(), k_replay_command);
    }
    if (options.book == options.file)
        return fail_usage("FILE and --book must be different files", k_replay_command);
    auto source = files::ByteSource::open(options.file);
    if (!source) return fail(source.error());
    RecordingFormat format = options.format;
    if (format == RecordingFormat::automatic) {
        const auto detected = detect_format(*source);
        if (!detected) return fail(detected.error());
        format = *detected;
    }
    if (options.book && format != RecordingFormat::lobster)
        return fail_usage("--book needs a LOBSTER message file", k_replay_command);
    if (options.verify && format != RecordingFormat::lobster)
        return fail_usage("--verify needs a LOBSTER message file", k_replay_command);
    if (options.verify) return verify(options, std::move(*source));
    if (!options.venues.empty()) return replay_by_venues(options, format, std::move(*source));
    auto recording = open_recording(options, format, std::move(*source));
    if (!recording) return fail(recording.error());
    return replay_recording(options, std::move(*recording));
}

// The exchange's own commands again: what it holds at the end is checked; what was traded is shown
// where that is asked for.
int replay_journal(const ReplayOptions& options) {
    if (options.book || options.verify || options.mode != ReplayMode::build ||
        !options.venues.empty() || !options.modification_file.empty())
        return fail_usage(
            "--book, --verify, --venue, --mode and --modify need a recorded file, not a journal",
            k_replay_command);
    if (options.plot || options.csv || !options.symbol.empty() ||
        options.until_ns != ReplayOptions{}.until_ns)
        return replay_journal_market(options);
    return verify_journal({.directory = options.file, .json = options.json});
}

bool holds_journal(const std::filesystem::path& path) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(path, ignored))
        if (entry.path().extension() == ".seg") return true;
    return false;
}

// Options as they are typed.
struct Words {
    std::string mode = "build";
    std::string format = "auto";
    std::string until;
};

void add_venue_options(CLI::App& command, ReplayOptions& options) {
    command
        .add_option("--venue", options.venues,
                    "enter the orders of the day, or run a command script, by the rules and the "
                    "timetable of this venue: a name or a venue file. Several for a day: "
                    "--venue A,B")
        ->delimiter(',')
        ->allow_extra_args(false);
    command.add_option("--seed", options.seed, "seed of the random ends of the venue's calls")
        ->capture_default_str();
}

}  // namespace

void add_replay(CLI::App& program, Job& job) {
    auto options = std::make_shared<ReplayOptions>();
    auto words = std::make_shared<Words>();
    CLI::App* command = program.add_subcommand(
        k_replay_command,
        "Replays recorded order flow (ITCH 5.0, LOBSTER, archived days) and shows the market");
    command
        ->add_option("FILE", options->file,
                     "ITCH file or LOBSTER message file, raw, gzip or zstd; - for standard "
                     "input; an archived day (.dar); or a journal directory")
        ->required();
    command
        ->add_option(
            "--mode", words->mode,
            "build: rebuild the recorded books; rematch: run the orders through the engine and "
            "compare the result")
        ->check(CLI::IsMember({"build", "rematch"}))
        ->capture_default_str();
    command
        ->add_option("--format", words->format,
                     "itch, lobster, journal, commands (a script of commands), or auto: by content")
        ->check(CLI::IsMember({"auto", "itch", "lobster", "journal", "commands"}))
        ->capture_default_str();
    add_venue_options(*command, *options);
    command->add_option("--symbol", options->symbol, "only this instrument");
    command
        ->add_option("--until", words->until, "show the market at this time: HH:MM:SS[.fraction]")
        ->check([](const std::string& text) {
            return parse_time_of_day(text)
                       ? std::string{}
                       : text + " is not a time of day: expected HH:MM:SS[.fraction]";
        });
    command->add_option("--depth", options->depth, "levels of a book to show and to sum up")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
    command->add_option("--top", options->top, "instruments in the table, the busiest first")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--plot", options->plot,
                        "write a chart of the day to this file, .svg or .png");
    command->add_option("--csv", options->csv,
                        "write the trades of a journal to this CSV file, compressed if it ends in "
                        ".gz or .zst");
    add_lobster_book(*command, options->book, options->trust_messages);
    add_modify(*command, options->modification_file);
    command->add_flag("--verify", options->verify,
                      "check every row of the order book file against the messages");
    command->add_flag("--json", options->json,
                      "one JSON object on stdout; of a command script, one for each event");
    command->callback([&job, options, words] {
        if (words->mode == "rematch") options->mode = ReplayMode::rematch;
        if (words->format == "itch") options->format = RecordingFormat::itch;
        if (words->format == "lobster") options->format = RecordingFormat::lobster;
        if (!words->until.empty()) options->until_ns = *parse_time_of_day(words->until);
        if (words->format == "commands") {
            job = [options] { return replay_commands(*options); };
            return;
        }
        if (words->format == "journal" ||
            (words->format == "auto" && holds_journal(options->file))) {
            job = [options] { return replay_journal(*options); };
            return;
        }
        job = [options] { return run(*options); };
    });
}

}  // namespace damrak::app
