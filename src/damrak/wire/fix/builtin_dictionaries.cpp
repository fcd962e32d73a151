// The .inc files are the XML files of dictionaries/ as string literals, made when CMake configures.
#include <damrak/wire/fix/builtin_dictionaries.hpp>

#include <array>
#include <string_view>
#include <utility>

#include <damrak/base/assert.hpp>

namespace damrak::wire::fix {
namespace {

#if defined(__clang__)
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif

using namespace std::string_view_literals;  // NOLINT(google-build-using-namespace)

// By ApplVersion; FIXT.1.1 behind them. With their lengths, which clang would not count for us.
constexpr std::array<std::string_view, 9> k_dictionaries{
#include "FIX40.inc"
    ,
#include "FIX41.inc"
    ,
#include "FIX42.inc"
    ,
#include "FIX43.inc"
    ,
#include "FIX44.inc"
    ,
#include "FIX50.inc"
    ,
#include "FIX50SP1.inc"
    ,
#include "FIX50SP2.inc"
    ,
#include "FIXT11.inc"
};

}  // namespace

std::string_view builtin_dictionary(BeginString version) {
    DAMRAK_ASSERT(version != BeginString::unknown);
    if (version == BeginString::fixt11) return k_dictionaries.back();
    return k_dictionaries[std::to_underlying(version)];
}

std::string_view builtin_dictionary(ApplVersion version) {
    return k_dictionaries[std::to_underlying(version)];
}

}  // namespace damrak::wire::fix
