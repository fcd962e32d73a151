// A recording that is open: a LOBSTER pair, ITCH, or an archived day. One call a run, on the main
// thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <damrak/base/number_text.hpp>
#include <damrak/files/byte_source.hpp>
#include <damrak/replay/rematch.hpp>

#include "replay/options.hpp"
#include "replay/reading.hpp"

namespace damrak::app {

struct Recording {
    RecordingFormat format{};
    std::optional<files::ByteSource> itch;
    std::optional<convert::LobsterDay> lobster;
    std::optional<archive::Day> archived;
    order_flow::BrokenTrades broken{};  ///< as far as known before

    /// What is known of its books before it is read.
    [[nodiscard]] archive::DayDepth depth() const {
        if (archived) return archived->depth();
        return lobster ? archive::depth_of(*lobster) : archive::DayDepth{};
    }
};

[[nodiscard]] inline std::expected<Recording, std::string> open_recording(
    const ReplayOptions& options, RecordingFormat format, files::ByteSource source) {
    if (format == RecordingFormat::itch) return Recording{format, std::move(source), {}, {}};
    if (format == RecordingFormat::archive) {
        auto day = archive::Day::open(options.file);
        if (!day) return std::unexpected{day.error()};
        return Recording{format, {}, {}, std::move(*day)};
    }
    auto lobster = open_lobster(options, std::move(source));
    if (!lobster) return std::unexpected{lobster.error()};
    return Recording{format, {}, std::move(*lobster), {}};
}

template <class Consumer>
Reading read(const ReplayOptions& options, Recording& recording, Consumer& consumer) {
    if (recording.archived)
        return read_archived(options, *recording.archived, recording.broken, consumer);
    if (recording.itch)
        return read_itch(options, std::move(*recording.itch), recording.broken, consumer);
    return read_lobster(options, *recording.lobster, consumer);
}

template <class Consumer>
struct Read {
    Reading reading;
    std::unique_ptr<Consumer> consumer;
};
/// Reads the recording into the consumer that `make` makes. If it breaks trades, it is read again,
/// into another one and with these trades known; a pipe cannot be, which a note says.
template <class Make>
[[nodiscard]] auto read_into(const ReplayOptions& options, Recording recording, const Make& make) {
    Read read_once{.reading = {}, .consumer = make()};
    read_once.reading = read(options, recording, *read_once.consumer);
    Reading& reading = read_once.reading;
    if (reading.broken.size() == 0) return read_once;
    const std::string trades =
        counted(static_cast<std::int64_t>(reading.broken.size()), "trade") + " broken later: ";
    if (recording.itch) {
        std::error_code ignored;
        auto source = std::filesystem::is_regular_file(options.file, ignored)
                          ? files::ByteSource::open(options.file)
                          : std::unexpected{std::string{}};
        if (!source) {
            reading.notes.push_back(trades +
                                    "counted as traded, since the input is read only once");
            return read_once;
        }
        recording.itch = *std::move(source);
    }
    recording.broken = reading.broken;
    const double seconds = reading.seconds;
    read_once.consumer.reset();
    read_once.consumer = make();
    reading = read(options, recording, *read_once.consumer);
    reading.seconds += seconds;
    reading.notes.push_back(trades + "not counted as traded");
    return read_once;
}

/// Of an engine for the orders of a recording.
[[nodiscard]] inline replay::RematchCapacity capacity_for(const ReplayOptions& options,
                                                          RecordingFormat format) {
    // An order takes at least this many bytes of content to enter, so a file bounds how many can
    // rest.
    constexpr std::uint64_t k_bytes_an_order = 20;
    constexpr std::uint64_t k_most_compression = 12;
    constexpr std::uint64_t k_most_orders = 4'000'000;
    // More than any day of any US market had.
    constexpr std::uint32_t k_most_instruments = 16'384;
    std::error_code ignored;
    const std::uintmax_t bytes = std::filesystem::file_size(options.file, ignored);
    const std::uint64_t orders =
        ignored ? k_most_orders
                : std::min(k_most_orders, bytes * k_most_compression / k_bytes_an_order + 1'024);
    return {.instruments = format == RecordingFormat::lobster ? 1 : k_most_instruments,
            .orders = static_cast<std::uint32_t>(orders)};
}

}  // namespace damrak::app
