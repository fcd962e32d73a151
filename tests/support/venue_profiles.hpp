// The profiles of command streams that stress the rule book of venues. Private to command_stream.
#pragma once

#include <vector>

#include "support/command_stream.hpp"

namespace damrak {

[[nodiscard]] std::vector<StreamProfile> venue_profiles();
/// Those of spreads and baskets, which are among them.
[[nodiscard]] std::vector<StreamProfile> combination_profiles();

}  // namespace damrak
