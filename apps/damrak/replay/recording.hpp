// A recording that is open: a LOBSTER pair, ITCH, or an archived day. One call a run, on the main
// thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

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
    if (recording.archived) return read_archived(options, *recording.archived, consumer);
    if (recording.itch) return read_itch(options, std::move(*recording.itch), consumer);
    return read_lobster(options, *recording.lobster, consumer);
}

/// Of an engine for the orders of a recording.
[[nodiscard]] inline replay::RematchCapacity capacity_for(const ReplayOptions& options,
                                                          RecordingFormat format) {
    // An order takes at least so many bytes of content to enter, so a file bounds how many can
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
