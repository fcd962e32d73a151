// What settings cannot be together or on this machine: looked for before anything is
// opened. May ask for the address of a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

struct Misfit {
    std::string key;   ///< as in the configuration file
    std::string what;  ///< is wrong with it
};

/// Resolves the address and the cores that `settings` name, on the way. The first misfit.
[[nodiscard]] std::optional<Misfit> complete_settings(Settings& settings);

/// Whether the doors can be opened, as far as that is known without opening them.
[[nodiscard]] std::optional<Misfit> check_ports(const Settings& settings);

}  // namespace damrak::exchange
