// Reads a recording and drives a consumer (damrak/order_flow/recorded.hpp) with it, with a progress
// bar. One call a run, on the main thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/lobster/reader.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/order_flow/lobster_flow.hpp>
#include <damrak/replay/lobster_files.hpp>
#include <damrak/wire/itch/file_reader.hpp>

#include "progress.hpp"
#include "replay/options.hpp"

namespace damrak::app {

/// How the reading went. An error ends it; what came before has been applied.
struct Reading {
    std::uint64_t messages = 0;
    double seconds = 0;
    bool whole = true;  // as far as the recording tells; never with an error
    std::string error;
    std::vector<std::string> notes;  // what was put right on the way
};

/// The book before a LOBSTER file's first message, from a row of its order book file.
struct LobsterSeed {
    std::uint64_t message_row = 0;  // after which the row stood
    std::vector<lobster::BookLevel> levels;
};

/// The rows of a LOBSTER message file one by one, from the file or from memory.
class LobsterRows {
  public:
    explicit LobsterRows(files::ByteSource source) : reader_{std::move(source)} {}
    explicit LobsterRows(replay::Loaded<std::vector<lobster::MessageRow>> loaded)
        : loaded_{std::move(loaded)} {}

    [[nodiscard]] std::expected<std::optional<lobster::MessageRow>, std::string> next();

    [[nodiscard]] std::uint64_t rows() const { return reader_ ? reader_->rows() : at_; }
    [[nodiscard]] files::ByteSource::Progress progress() const {
        return reader_ ? reader_->progress()
                       : files::ByteSource::Progress{at_, loaded_.content.size()};
    }
    [[nodiscard]] std::vector<std::string> notes() const {
        return reader_ ? reader_->notes() : loaded_.notes;
    }

  private:
    std::optional<lobster::MessageReader> reader_;
    replay::Loaded<std::vector<lobster::MessageRow>> loaded_;
    std::size_t at_ = 0;
};

/// Input of a replay, and the initial book.
struct LobsterInput {
    LobsterRows rows;
    LobsterSeed seed;
};

/// Detects the format of the content.
[[nodiscard]] std::expected<RecordingFormat, std::string> detect_format(files::ByteSource& source);

/// The name of the instrument of a LOBSTER file: from the file's name, or as it was requested.
[[nodiscard]] std::expected<std::string, std::string> lobster_symbol(const ReplayOptions& options);

/// With an order book file all messages are read, to find where its first row belongs.
[[nodiscard]] std::expected<LobsterInput, std::string> open_lobster(const ReplayOptions& options,
                                                                    files::ByteSource source);

/// Notes on options that exceed what the name of a LOBSTER file promises.
[[nodiscard]] std::vector<std::string> name_notes(const ReplayOptions& options);

class Stopwatch {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

template <class Consumer>
Reading read_itch(const ReplayOptions& options, files::ByteSource source, Consumer& consumer) {
    Reading reading;
    const std::string name = source.name();
    wire::itch::FileReader reader{std::move(source)};
    const Stopwatch watch;
    ProgressBar progress{"replaying", reader.progress().total_bytes};
    order_flow::ItchFlow<Consumer> flow{consumer, {options.symbol, options.until_ns}};
    for (;;) {
        const auto step = reader.read_some(flow);
        if (!step) reading.error = step.error().text;
        if (!step || *step == wire::itch::ReadStep::end || flow.past_end()) break;
        if (*step == wire::itch::ReadStep::stopped)
            consumer.anomalies().place(reader.offset() - flow.stopped_bytes());
        progress.update(reader.progress().consumed_bytes, reader.messages());
    }
    reading.seconds = watch.seconds();
    reading.messages = reader.messages() - (flow.past_end() ? 1 : 0);
    if (reading.error.empty() && !flow.found_symbol())
        reading.error = name + ": no instrument " + options.symbol;
    reading.whole = reading.error.empty() && (flow.past_end() || reader.saw_end_of_messages());
    if (reading.error.empty() && !reading.whole)
        reading.notes.emplace_back(
            "the last message is not system event C, End of Messages: the file is part of a "
            "day");
    return reading;
}

/// Enters the row's shares beyond the known orders as anonymous orders.
template <class Consumer>
bool seed_levels(const LobsterSeed& seed, std::int64_t time_ns, Consumer& consumer,
                 order_flow::LobsterFlow<Consumer>& flow) {
    bool sound = true;
    const auto level = [&](Side side, std::int64_t price_e4, std::int64_t size) {
        const Quantity missing =
            Quantity{size} - consumer.displayed_at(flow.instrument(), side, Price{price_e4});
        if (missing.value > 0)
            sound = flow.on_anonymous(time_ns, side, Price{price_e4}, missing) && sound;
    };
    for (const auto& row : seed.levels) {
        if (row.ask_size > 0) level(Side::sell, row.ask_price_e4, row.ask_size);
        if (row.bid_size > 0) level(Side::buy, row.bid_price_e4, row.bid_size);
    }
    return sound;
}

template <class Consumer>
Reading read_lobster(const ReplayOptions& options, LobsterInput& input, Consumer& consumer) {
    Reading reading;
    const auto symbol = lobster_symbol(options);
    if (!symbol) {
        reading.error = symbol.error();
        return reading;
    }
    const Stopwatch watch;
    LobsterRows& rows = input.rows;
    ProgressBar progress{"replaying", rows.progress().total_bytes};
    order_flow::LobsterFlow<Consumer> flow{consumer, *symbol};
    for (;;) {
        const auto row = rows.next();
        if (!row) reading.error = row.error();
        if (!row || !*row || (*row)->time_ns > options.until_ns) break;
        bool sound = flow.on(**row);
        ++reading.messages;
        if (reading.messages == input.seed.message_row)
            sound = seed_levels(input.seed, (*row)->time_ns, consumer, flow) && sound;
        if (!sound) consumer.anomalies().place(rows.rows());
        progress.update(rows.progress().consumed_bytes, reading.messages);
    }
    reading.seconds = watch.seconds();
    reading.whole = reading.error.empty();
    reading.notes = rows.notes();
    for (std::string& note : name_notes(options)) reading.notes.push_back(std::move(note));
    return reading;
}

}  // namespace damrak::app
