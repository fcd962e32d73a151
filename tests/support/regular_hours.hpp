// Sessions of a venue file whose regular hours are between an opening and a closing call.
#pragma once

#include <string_view>

namespace damrak::testing {

inline constexpr std::string_view k_regular_hours = R"([[session]]
at = "09:28"
phase = "call"
call = "opening"
auction = "nasdaq"
[[session]]
at = "09:30"
phase = "continuous"
[[session]]
at = "15:58"
phase = "call"
call = "closing"
auction = "nasdaq"
[[session]]
at = "16:00"
phase = "closed"
)";

}  // namespace damrak::testing
