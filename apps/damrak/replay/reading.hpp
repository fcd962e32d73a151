// Reads a recording and drives a consumer (damrak/order_flow/recorded.hpp) with it, with a progress
// bar. One call a run, on the main thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <expected>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/convert/lobster_day.hpp>
#include <damrak/modify/modified_flow.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/file_reader.hpp>

#include "progress.hpp"
#include "replay/options.hpp"

namespace damrak::app {

/// How many of the requested levels are known.
[[nodiscard]] int levels_known(const archive::DayDepth& depth, int wanted);

/// How the reading went. An error ends it; what came before has been applied.
struct Reading {
    std::uint64_t messages = 0;
    double seconds = 0;
    bool whole = true;  // as far as the recording tells; never with an error
    archive::DayDepth depth;
    std::string error;
    std::vector<std::string> notes;  // what was put right or changed on the way
    std::optional<modify::Changes> changes;
    order_flow::BrokenTrades broken;  // that the recording breaks
};

/// Detects the format of the content; an error says what it is if it is no recording.
[[nodiscard]] std::expected<RecordingFormat, std::string> detect_format(files::ByteSource& source);

/// The pair of the message file with --book, or with the order book file beside it. An error if
/// there is none, and the messages are not to be trusted alone.
[[nodiscard]] std::expected<convert::LobsterDay, std::string> open_lobster(
    const ReplayOptions& options, files::ByteSource source);

class Stopwatch {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Has `read(into)` read the recording into the flow, through the modification if there is one.
template <class Flow, class Read>
void read_modified(const ReplayOptions& options, Flow& flow, Reading& reading, const Read& read) {
    if (!options.modification) return read(flow);
    modify::ModifiedFlow<Flow> modified{flow, *options.modification};
    read(modified);
    modified.finish();
    reading.messages = modified.passed();
    reading.changes = modified.modifier().changes();
    reading.notes = modify::sentences(*reading.changes);
    if (modified.modifier().error().empty()) return;
    reading.error = modified.modifier().error();
    reading.messages = 0;
}

/// `broken`: the trades that are known to be broken later.
template <class Consumer>
Reading read_itch(const ReplayOptions& options, files::ByteSource source,
                  order_flow::BrokenTrades broken, Consumer& consumer) {
    Reading reading;
    const std::string name = source.name();
    wire::itch::FileReader reader{std::move(source)};
    const Stopwatch watch;
    ProgressBar progress{"replaying", reader.progress().total_bytes};
    order_flow::ItchFlow<Consumer> flow{
        consumer, {options.symbol, options.until_ns, std::move(broken), true}};
    read_modified(options, flow, reading, [&](auto& into) {
        for (;;) {
            const auto step = reader.read_some(into);
            reading.messages = reader.messages();
            if (!step) reading.error = step.error().text;
            if (!step || *step == wire::itch::ReadStep::end || into.past_end()) break;
            if (*step == wire::itch::ReadStep::stopped)
                consumer.anomalies().place(reader.offset() - into.stopped_bytes());
            progress.update(reader.progress().consumed_bytes, reader.messages());
        }
    });
    reading.seconds = watch.seconds();
    if (!options.modification && flow.past_end()) --reading.messages;
    if (reading.error.empty() && flow.has_another_session())
        reading.error = fmt::format(
            "{}: another session begins after message {}: damrak archive import makes a day of "
            "each",
            name, grouped(static_cast<std::int64_t>(reading.messages)));
    reading.broken = flow.broken();
    if (reading.error.empty() && !flow.found_symbol())
        reading.error = name + ": no instrument " + options.symbol;
    std::ranges::move(reader.notes(), std::back_inserter(reading.notes));
    if (const auto levels = flow.known_levels()) {
        reading.depth = archive::depth_of(*levels);
        reading.depth.book_from_ns = flow.marks().known_from_ns();
        reading.depth.book_until_ns = flow.marks().known_until_ns();
        for (std::string& note : archive::sentences(reading.depth))
            reading.notes.push_back(std::move(note));
    }
    reading.whole = reading.error.empty() && (flow.past_end() || reader.saw_end_of_messages());
    if (reading.error.empty() && !reading.whole)
        reading.notes.emplace_back(
            "the last message is not system event C, End of Messages: the file is part of a "
            "day");
    return reading;
}

template <class Consumer>
Reading read_archived(const ReplayOptions& options, const archive::Day& day,
                      order_flow::BrokenTrades broken, Consumer& consumer) {
    Reading reading;
    reading.depth = day.depth();
    const Stopwatch watch;
    ProgressBar progress{"replaying", day.messages()};
    order_flow::ItchFlow<Consumer> flow{consumer,
                                        {.symbol = options.symbol,
                                         .until_ns = options.until_ns,
                                         .broken = std::move(broken),
                                         .marks = day.marks()}};
    archive::Completeness completeness;
    read_modified(options, flow, reading, [&](auto& into) {
        completeness = archive::for_each_message(
            day, {.until_ns = options.until_ns},
            [&](std::uint64_t sequence, const wire::itch::Message& message) {
                std::visit(
                    [&](const auto& m) {
                        if constexpr (requires { into.on(m); })
                            if (!into.on(m)) consumer.anomalies().place(sequence);
                    },
                    message);
                ++reading.messages;
                progress.update(sequence, reading.messages);
            });
    });
    reading.seconds = watch.seconds();
    if (reading.error.empty() && !completeness.is_complete())
        reading.error = completeness.missing.front();
    if (reading.error.empty() && !flow.found_symbol())
        reading.error = options.file.string() + ": no instrument " + options.symbol;
    reading.whole = reading.error.empty() && !completeness.is_being_written;
    reading.broken = flow.broken();
    std::ranges::move(archive::sentences(reading.depth), std::back_inserter(reading.notes));
    return reading;
}

template <class Consumer>
Reading read_lobster(const ReplayOptions& options, convert::LobsterDay& day, Consumer& consumer) {
    Reading reading;
    const Stopwatch watch;
    ProgressBar progress{"replaying", day.files().progress().total_bytes};
    order_flow::ItchFlow<Consumer> flow{consumer, {.until_ns = options.until_ns}};
    read_modified(options, flow, reading, [&](auto& into) {
        const auto take = [&](const wire::itch::Message& message) {
            std::visit(
                [&](const auto& m) {
                    if constexpr (requires { into.on(m); })
                        if (!into.on(m) && !into.past_end())
                            consumer.anomalies().place(day.files().messages());
                },
                message);
        };
        for (;;) {
            const auto more = day.next(take);
            if (!more) reading.error = more.error();
            if (!more || !*more || into.past_end()) break;
            ++reading.messages;
            progress.update(day.files().progress().consumed_bytes, reading.messages);
        }
    });
    reading.seconds = watch.seconds();
    reading.whole = reading.error.empty();
    reading.depth = archive::depth_of(day);
    for (const std::string& note : day.files().notes()) reading.notes.push_back(note);
    for (std::string& note : convert::sentences(day.report()))
        reading.notes.push_back(std::move(note));
    for (std::string& note : archive::sentences(reading.depth))
        reading.notes.push_back(std::move(note));
    return reading;
}

}  // namespace damrak::app
