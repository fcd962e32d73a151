// What a file is that somebody gives as a recorded day, from its first bytes: the one place that
// tells them apart. The name decides nothing where the content tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>

namespace damrak::files {

enum class DayKind : std::uint8_t {
    itch,          ///< also what is not recognised: its reader says what it saw
    lobster,       ///< a text table without a header that is known to be of others
    dbn,           ///< Databento Binary Encoding
    archived_day,  ///< of `damrak archive`
};

/// Of the file's first bytes, decompressed. An error, one sentence that begins with `name`, says
/// what the file is if that is no recorded day.
[[nodiscard]] std::expected<DayKind, std::string> day_kind(std::span<const std::byte> first_bytes,
                                                           const std::string& name);
/// The same of a file, which is opened and read once more; not for pipes.
[[nodiscard]] std::expected<DayKind, std::string> day_kind(const std::filesystem::path& path);

/// "an ITCH file" and the like.
[[nodiscard]] const char* noun_of(DayKind kind);

}  // namespace damrak::files
