// What settings cannot be together or on this machine: looked for when file and flags are read, so
// that nothing was opened yet. Main thread; may ask for the address of a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serve/settings.hpp"

namespace damrak::app {

struct Misfit {
    std::string key;   ///< as in the file; see ServeSettings::place
    std::string what;  ///< is wrong with it
};

/// Resolves the address and the cores that `settings` name, on the way. The first misfit.
[[nodiscard]] std::optional<Misfit> complete_settings(ServeSettings& settings);

/// Whether the doors can be opened, as far as that can be told without opening them.
[[nodiscard]] std::optional<Misfit> check_ports(const ServeSettings& settings);

}  // namespace damrak::app
