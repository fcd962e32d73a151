// The contents of a LOBSTER file name: TICKER_YYYY-MM-DD_START_END_{message,orderbook}_LEVELS.csv,
// times in milliseconds after midnight, optionally followed by .gz or .zst. Called once for each
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace damrak::lobster {

enum class FileKind : std::uint8_t { message, orderbook };

struct FileName {
    std::string ticker;
    std::string date;  // YYYY-MM-DD
    std::int64_t start_ms{};
    std::int64_t end_ms{};
    FileKind kind{};
    std::size_t levels{};

    friend bool operator==(const FileName&, const FileName&) = default;
};

// Empty if the name has another form; only the last part of the path counts.
[[nodiscard]] std::optional<FileName> parse_file_name(const std::filesystem::path& path);

// The name without a folder, ending in .csv.
[[nodiscard]] std::string to_string(const FileName& name);

}  // namespace damrak::lobster
