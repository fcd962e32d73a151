// The configuration of `damrak serve` as TOML: read over settings, and written so that it can be
// read again, both from the rows of settings; docs/reference/configuration.md is made of them, too.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/gateway/setting.hpp>

#include "serve/settings.hpp"

namespace damrak::app {

/// The settings of the exchange and of the program.
[[nodiscard]] const std::vector<gateway::Setting<ServeSettings>>& serve_rows();
/// Those of the program alone.
[[nodiscard]] const std::vector<gateway::Setting<ServeSettings>>& own_rows();

/// The rows that a file may have, by section, in the order in which those are printed.
struct ConfigSection {
    std::string_view name;
    std::vector<const gateway::Setting<ServeSettings>*> rows;
};
[[nodiscard]] std::vector<ConfigSection> config_sections();

/// Changes what the file names, and nothing else. The error has file, line, key and what was
/// expected.
[[nodiscard]] std::expected<void, std::string> read_config(const std::filesystem::path& file,
                                                           ServeSettings& settings);

/// As the file has it; the mark if it is a secret.
[[nodiscard]] std::string value_text(const gateway::SettingInfo& row,
                                     const gateway::SettingValue& value);

/// All of it, with the defaults. A secret is a mark, which read_config() refuses.
[[nodiscard]] std::string config_text(const ServeSettings& settings);

/// All keys as tables of Markdown: type, default, flag, whether a reload applies them, and meaning.
[[nodiscard]] std::string config_reference();

}  // namespace damrak::app
