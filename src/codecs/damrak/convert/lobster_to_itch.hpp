// Converts a LOBSTER message file, optionally with its order book file, to an ITCH 5.0 file of one
// symbol. docs/how-to/convert.md describes the mapping and what is lost. Called by `damrak convert`
// and by tests, on one thread; two passes over the rows, some hundred nanoseconds each. Rows stay
// in memory, 40 bytes each, so that a pipe can be converted too.
//
// Orders that rested before the file mentions them are published as adds with the attribution SEED:
// those of the first row of the order book before the first message, the others directly before
// they are first needed.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/files/byte_source.hpp>

namespace damrak::convert {

inline constexpr std::string_view k_seed_attribution = "SEED";

/// Reports progress from time to time: the position in the file, and the number of rows or
/// messages.
using OnProgress = std::function<void(files::ByteSource::Progress, std::uint64_t)>;

struct LobsterToItch {
    std::filesystem::path messages;
    std::optional<std::filesystem::path> book;
    std::string symbol;  // at most eight characters
    std::filesystem::path itch;
};

struct LobsterToItchSummary {
    std::uint64_t rows{};
    std::uint64_t messages{};          // in the ITCH file
    std::uint64_t book_orders{};       // seeded before the first message
    std::uint64_t late_orders{};       // seeded when first needed
    std::uint64_t inexact_removals{};  // rows of type 3 whose size differs from the order's
    std::vector<std::string> notes;    // normalisations by the reader
};

/// The error is one sentence with the file and, if known, the row; an existing file is left
/// unchanged.
[[nodiscard]] std::expected<LobsterToItchSummary, std::string> convert(
    const LobsterToItch& conversion, const OnProgress& on_progress);
/// The same for an open source of messages.
[[nodiscard]] std::expected<LobsterToItchSummary, std::string> convert(
    const LobsterToItch& conversion, files::ByteSource messages, const OnProgress& on_progress);

}  // namespace damrak::convert
