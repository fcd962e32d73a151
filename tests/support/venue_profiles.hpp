// The profiles of command streams that stress the rule book of venues. Private to command_stream.
#pragma once

#include <vector>

#include "support/command_stream.hpp"

namespace damrak {

[[nodiscard]] std::vector<StreamProfile> venue_profiles();

}  // namespace damrak
