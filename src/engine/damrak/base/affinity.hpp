// CPU affinity of threads. Set-up only.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace damrak {

/// Parses a list of cores such as `0,2-5` and keeps its order; or describes the error.
[[nodiscard]] std::expected<std::vector<unsigned>, std::string> parse_cores(std::string_view text);

/// The cores that this process may use, in order.
[[nodiscard]] std::vector<unsigned> allowed_cores();

/// Pins the calling thread to one core. False if the thread may not use it.
[[nodiscard]] bool pin_this_thread(unsigned core);

}  // namespace damrak
