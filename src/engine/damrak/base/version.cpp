#include <damrak/base/version.hpp>

#include <string_view>

namespace damrak {

std::string_view version() noexcept { return DAMRAK_VERSION; }

}  // namespace damrak
