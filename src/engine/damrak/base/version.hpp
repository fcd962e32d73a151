// The version of the library, as the build file states it. Set-up and reporting only.
#pragma once

#include <string_view>

namespace damrak {

[[nodiscard]] std::string_view version() noexcept;

}  // namespace damrak
