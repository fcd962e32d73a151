// The dictionaries that are part of the library, as XML.
#pragma once

#include <string_view>

#include <damrak/wire/fix/versions.hpp>

namespace damrak::wire::fix {

/// For FIXT.1.1 that of the transport.
[[nodiscard]] std::string_view builtin_dictionary(BeginString version);
[[nodiscard]] std::string_view builtin_dictionary(ApplVersion version);

}  // namespace damrak::wire::fix
