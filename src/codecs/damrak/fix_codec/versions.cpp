#include <damrak/fix_codec/versions.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace damrak::fix_codec {
namespace {

constexpr std::array<std::string_view, 7> k_begin_strings{
    "FIX.4.0", "FIX.4.1", "FIX.4.2", "FIX.4.3", "FIX.4.4", "FIXT.1.1", ""};
constexpr std::array<std::string_view, 8> k_appl_versions{"2", "3", "4", "5", "6", "7", "8", "9"};
constexpr std::array<std::string_view, 8> k_names{"FIX.4.0", "FIX.4.1", "FIX.4.2",    "FIX.4.3",
                                                  "FIX.4.4", "FIX.5.0", "FIX.5.0SP1", "FIX.5.0SP2"};

}  // namespace

std::string_view text(BeginString version) { return k_begin_strings[std::to_underlying(version)]; }

BeginString parse_begin_string(std::string_view text) {
    std::size_t index = 0;
    while (index + 1 < k_begin_strings.size() && k_begin_strings[index] != text) ++index;
    return static_cast<BeginString>(index);
}

std::string_view text(ApplVersion version) { return k_appl_versions[std::to_underlying(version)]; }

std::optional<ApplVersion> parse_appl_version(std::string_view text) {
    for (std::size_t index = 0; index < k_appl_versions.size(); ++index)
        if (k_appl_versions[index] == text) return static_cast<ApplVersion>(index);
    return std::nullopt;
}

std::string_view name(ApplVersion version) { return k_names[std::to_underlying(version)]; }

std::optional<ApplVersion> appl_version(BeginString version) {
    if (version >= BeginString::fixt11) return std::nullopt;
    return static_cast<ApplVersion>(std::to_underlying(version));
}

}  // namespace damrak::fix_codec
