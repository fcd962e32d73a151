// Converts one symbol of an ITCH 5.0 file to a LOBSTER message file, optionally with its order book
// file. docs/how-to/convert.md describes the mapping and what is lost. Called by `damrak convert`
// and by tests, on one thread; one pass, some hundred nanoseconds for each message of the symbol.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include <damrak/convert/lobster_to_itch.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::convert {

struct ItchToLobster {
    std::filesystem::path itch;
    std::string symbol;       // empty: the only symbol of the file
    std::int64_t begin_ns{};  // since midnight; earlier messages only build the book
    std::int64_t end_ns{};    // inclusive
    std::size_t levels{};     // writes only messages that change this many best levels; 0: all
    std::filesystem::path messages;
    std::optional<std::filesystem::path> book;  // only with levels
    wire::itch::ViewMarks marks{};              // as far as known before
};

/// What a conversion from ITCH to LOBSTER read and wrote.
struct ItchToLobsterSummary {
    std::string symbol;
    std::uint64_t messages{};  // in the ITCH file, all symbols
    std::uint64_t rows{};
    std::uint64_t revealed_orders{};  // adds made by the view: they make no row
    std::uint64_t other_prices{};     // executions away from the order's price, written at it
    std::uint64_t anomalies{};        // messages that contradict the book
};

/// The error is one sentence with the file and, if known, the offset; existing files are left
/// unchanged.
[[nodiscard]] std::expected<ItchToLobsterSummary, std::string> convert(
    const ItchToLobster& conversion, const OnProgress& on_progress);
/// The same for an open source.
[[nodiscard]] std::expected<ItchToLobsterSummary, std::string> convert(
    const ItchToLobster& conversion, files::ByteSource source, const OnProgress& on_progress);

}  // namespace damrak::convert
