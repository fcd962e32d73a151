// Converts a LOBSTER message file, with its order book file, to an ITCH 5.0 file of one symbol.
// docs/how-to/convert.md describes the mapping and what is lost. Called by `damrak convert` and by
// tests, on one thread; one pass, some hundred nanoseconds a row.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <damrak/convert/lobster_day.hpp>

namespace damrak::convert {

/// Reports progress from time to time: the position in the file, and the number of rows or
/// messages.
using OnProgress = std::function<void(files::ByteSource::Progress, std::uint64_t)>;

struct LobsterToItch {
    std::filesystem::path messages;
    std::optional<std::filesystem::path> book;
    std::string symbol;  // at most eight characters
    std::filesystem::path itch;
};

/// What a conversion from LOBSTER to ITCH read and wrote.
struct LobsterToItchSummary {
    std::uint64_t rows{};
    std::uint64_t messages{};  // in the ITCH file
    std::size_t depth{};       // levels of each side that are known; 0: no order book file
    RowsReport report;
    std::vector<std::string> notes;  // normalisations by the reader
};

/// The error is one sentence with the file and, if known, the row; an existing file is left
/// unchanged.
[[nodiscard]] std::expected<LobsterToItchSummary, std::string> convert(
    const LobsterToItch& conversion, const OnProgress& on_progress);
/// The same for an open source of messages.
[[nodiscard]] std::expected<LobsterToItchSummary, std::string> convert(
    const LobsterToItch& conversion, files::ByteSource messages, const OnProgress& on_progress);

}  // namespace damrak::convert
