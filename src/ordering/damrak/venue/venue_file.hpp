// Reads venue files: TOML; every key is checked, and a mistake is one line with the place and what
// is allowed (docs/reference/venue-file.md). At start only.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

#include <damrak/venue/venue.hpp>

namespace damrak::venue {

/// `where` names the text in messages.
[[nodiscard]] std::expected<Venue, std::string> parse_venue(std::string_view text,
                                                            std::string_view where);
[[nodiscard]] std::expected<Venue, std::string> read_venue(const std::filesystem::path& path);

/// The venue that ships with this name (ready_made.hpp), else that of the file: a name that has a
/// slash or ends in .toml, and is relative to the folder.
[[nodiscard]] std::expected<Venue, std::string> find_venue(
    std::string_view name_or_file, const std::filesystem::path& folder = {});

}  // namespace damrak::venue
