// Checks settings that contradict each other or do not fit this machine, before anything is opened.
// May resolve a host name.
#pragma once

#include <optional>

#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

/// Resolves the address and the cores in `settings`. Returns the first misfit.
[[nodiscard]] std::optional<Misfit> complete_settings(Settings& settings);

/// Whether the gateways can be opened, as far as that can be checked without opening them.
[[nodiscard]] std::optional<Misfit> check_ports(const Settings& settings);

}  // namespace damrak::exchange
