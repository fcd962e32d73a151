// The .inc files are the texts of dictionaries/ as string literals, made when CMake
// configures.
#include <damrak/fix_codec/builtin_dictionaries.hpp>

#include <sstream>
#include <string_view>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/fix_codec/detail/compact_dictionary.hpp>

namespace damrak::fix_codec {
namespace {

#if defined(__clang__)
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif

using namespace std::string_view_literals;  // NOLINT(google-build-using-namespace)
using detail::CompactVersion;

// With explicit lengths, because clang does not compute them here.
constexpr std::string_view k_messages =
#include "messages.inc"
    ;
constexpr std::string_view k_fields =
#include "fields.inc"
    ;

void write(CompactVersion version, pugi::xml_document& document) {
    detail::CompactDictionary{k_messages, k_fields, version}.write(document);
}

template <class Version>
[[nodiscard]] std::string as_file(Version version) {
    pugi::xml_document document;
    write_builtin_dictionary(version, document);
    std::ostringstream text;
    document.save(text, "  ");
    return std::move(text).str();
}

}  // namespace

void write_builtin_dictionary(BeginString version, pugi::xml_document& document) {
    DAMRAK_ASSERT(version != BeginString::unknown);
    write(static_cast<CompactVersion>(std::to_underlying(version)), document);
}

void write_builtin_dictionary(ApplVersion version, pugi::xml_document& document) {
    const auto place = std::to_underlying(version);
    const bool over_transport = version >= ApplVersion::fix50;
    write(static_cast<CompactVersion>(over_transport ? place + 1 : place), document);
}

std::string builtin_dictionary(BeginString version) { return as_file(version); }
std::string builtin_dictionary(ApplVersion version) { return as_file(version); }

}  // namespace damrak::fix_codec
