// The UDP door in the configuration file: the section [udp].
#pragma once

#include <string>

#include "serve/config_reader.hpp"
#include "serve/settings.hpp"

namespace damrak::app {

void read_udp(ConfigTable& root, UdpSettings& settings);
[[nodiscard]] std::string udp_text(const UdpSettings& settings);

}  // namespace damrak::app
