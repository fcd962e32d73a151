// The message lines of scenario files: from shorthand to complete FIX messages. Used only by
// fix_scenario.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/domain/measures.hpp>
#include <damrak/fix_codec/tags.hpp>

#include "support/fix_scenario.hpp"

namespace damrak::testing {

struct FixSender {
    std::string_view sender_comp_id;
    std::string_view target_comp_id;
    Timestamp now;
};

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char at);
/// "30s", "1500ms", "10m", "8h", "2d".
[[nodiscard]] std::int64_t duration_ns(std::string_view text);

/// A field, or a shorthand for several: "order=ID", times as "now-3s".
[[nodiscard]] std::vector<std::pair<fix_codec::Tag, std::string>> expanded(
    std::string_view field, const FixVersion& version, Timestamp now);

/// Completes the header and sorts it; "!56" leaves out a field that would be there.
[[nodiscard]] std::string compose(std::string_view text, const FixVersion& version,
                                  const FixSender& sender);

/// The bytes as written; adds BeginString, BodyLength and CheckSum only if they are missing.
[[nodiscard]] std::string raw_message(std::string_view text, const FixVersion& version,
                                      Timestamp now);

}  // namespace damrak::testing
