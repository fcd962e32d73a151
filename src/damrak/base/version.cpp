#include "damrak/base/version.hpp"

namespace damrak {

std::string_view version() noexcept {
    return DAMRAK_VERSION;
}

}  // namespace damrak
