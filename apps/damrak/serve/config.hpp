// The configuration of `damrak serve` as TOML: read over settings, and written so that it can be
// read again. docs/reference/configuration.md has every key. A door that comes to be adds its own
// section under [doors] as a reader of its own in config.cpp.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

#include "serve/settings.hpp"

namespace damrak::app {

/// Changes what the file names, and nothing else. The error has file, line, key and what was
/// expected.
[[nodiscard]] std::expected<void, std::string> read_config(const std::filesystem::path& file,
                                                           ServeSettings& settings);

/// In quotes, as TOML wants it.
[[nodiscard]] std::string toml_text(std::string_view text);

/// All of it, with the defaults.
[[nodiscard]] std::string config_text(const ServeSettings& settings);

}  // namespace damrak::app
