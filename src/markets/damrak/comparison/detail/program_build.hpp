// Which build of the program this is, by the identifier that the linker puts into it. Two programs
// of one version may differ; the results of one are not reused for the other.
#pragma once

#include <string>

namespace damrak::comparison::detail {

/// In hexadecimal; empty if the program has none.
[[nodiscard]] std::string program_build();

}  // namespace damrak::comparison::detail
