#include "serve/replay.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <damrak/base/number_text.hpp>
#include <damrak/base/time_of_day.hpp>
#include <damrak/exchange/recorded_market.hpp>

#include "cli.hpp"
#include "day_text.hpp"
#include "lobster_options.hpp"
#include "modify_option.hpp"
#include "say.hpp"

namespace damrak::app {

namespace {

std::string check_time(const std::string& text) {
    return parse_time_of_day(text)
               ? ""
               : fmt::format("expected a time of day like 10:31 or 10:31:05.5; found '{}'", text);
}

}  // namespace

void add_replay_options(CLI::App& command, RecordedDayOptions& options) {
    CLI::Option* const replay = command.add_option(
        "--replay", options.file,
        "recorded day to replay as the market: an archived day, or a file for damrak archive "
        "import");
    command
        .add_option("--speed", options.speed,
                    "speed of the day: 1 as recorded, 60 a minute per second, or max")
        ->needs(replay)
        ->capture_default_str()
        ->check([](const std::string& text) {
            const auto speed = recorded_market::parse_speed(text);
            return speed ? "" : speed.error();
        });
    command
        .add_option(
            "--from", options.from,
            "begin at this time of day, with its books; default: with the first message, or "
            "with the first trade of a day without a date, such as a generated one")
        ->needs(replay)
        ->check(check_time);
    command.add_option("--until", options.until, "end the day at this time of day")
        ->needs(replay)
        ->check(check_time);
    add_modify(command, options.modification)->needs(replay);
    add_trust_messages(command, options.trust_messages)->needs(replay);
    command
        .add_flag("--partial", options.partial,
                  "replay a day that lacks messages up to where they are missing")
        ->needs(replay);
}

Pace pace_of(const RecordedDayOptions& options) {
    return {.speed = *recorded_market::parse_speed(options.speed)};
}

archive::Result<void> open_replay(const RecordedDayOptions& options, const Pace& pace,
                                  ServeSettings& settings) {
    if (options.file.empty()) return exchange::check_no_recorded_day(settings);
    recorded_market::ReplaySettings replay{.file = options.file,
                                           .speed = pace.speed,
                                           .paused = pace.paused,
                                           .window = {},
                                           .takes_a_part = options.partial,
                                           .begins_at_first_trade = options.from.empty(),
                                           .trust_messages = options.trust_messages,
                                           .modification = {}};
    if (!options.modification.empty()) {
        auto modification = modify::read_modification(options.modification);
        if (!modification) return std::unexpected{std::move(modification.error())};
        replay.modification = *std::move(modification);
    }
    if (!options.from.empty()) replay.window.from_ns = *parse_time_of_day(options.from);
    if (!options.until.empty()) replay.window.until_ns = *parse_time_of_day(options.until);
    if (replay.window.until_ns <= replay.window.from_ns)
        return std::unexpected{
            fmt::format("--until {} is not after --from {}", options.until, options.from)};
    return exchange::open_recorded_day(replay, settings);
}

void tell_replay(const recorded_market::ReplayedDay& day) {
    const recorded_market::ReplayStatus status = day.status();
    say("replay       {}: {} messages of {}, from {}\n", day.file().string(),
        grouped(static_cast<std::int64_t>(day.messages())),
        counted(static_cast<std::int64_t>(day.instruments().size()), "instrument"),
        time_text(status.time_ns));
    for (const std::string& sentence : archive::sentences(day.depth()))
        say("replay       note: {}\n", sentence);
    if (!day.changes()) return;
    for (const std::string& sentence : modify::sentences(*day.changes()))
        say("             {}\n", sentence);
}

void DifferenceTeller::tell() {
    for (const archive::Instrument& one : day_->instruments()) {
        const auto since_ns = day_->drift().differs_since_ns(InstrumentId{one.locate});
        if (since_ns && told_.insert(one.locate).second)
            say("replay       {} differs from the recording since {}\n", one.symbol,
                time_text(*since_ns));
    }
}

void tell_drift(const recorded_market::ReplayedDay& day) {
    const recorded_market::DriftCounts drift = day.drift().total();
    const auto number = [](std::uint64_t count) {
        return grouped(static_cast<std::int64_t>(count));
    };
    say("replay       {} up to {}; clients took {}; {}; {} of the recorded quantity did not "
        "trade\n",
        counted(static_cast<std::int64_t>(drift.messages), "message"),
        time_text(day.status().time_ns), number(drift.taken),
        counted(static_cast<std::int64_t>(drift.differences), "difference"),
        number(drift.missed_quantity));
}

}  // namespace damrak::app
