// The FIX door in the configuration file: [fix] and [[fix.session]]. docs/fix.md has the keys.
#pragma once

#include <cstdint>
#include <string>

#include "serve/settings.hpp"

namespace damrak::app {

class ConfigTable;

/// Reads [fix]; what is wrong is told through the table. There is room for so many `participants`.
void read_fix(ConfigTable& root, FixSettings& settings, std::uint32_t participants);
/// The same as a file.
[[nodiscard]] std::string fix_text(const FixSettings& settings);

}  // namespace damrak::app
