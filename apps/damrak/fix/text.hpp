// FIX messages as people read them: names beside numbers. Used by `damrak fix print`; costs an
// allocation a field.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/fix_codec/message.hpp>

namespace damrak::app {

/// "MsgSeqNum(34)=7 ClOrdID(11)=a Side(54)=1 BUY …", the type of the message first.
[[nodiscard]] std::string fix_line(const fix_codec::Message& message);

/// Filter given by --tag.
struct FixFilter {
    fix_codec::Tag tag{};
    std::optional<std::string> value{};  ///< nothing: any
};
[[nodiscard]] std::expected<std::vector<FixFilter>, std::string> parse_fix_filters(
    const std::vector<std::string>& texts);
[[nodiscard]] bool passes(const fix_codec::Message& message, const std::vector<FixFilter>& filters);

}  // namespace damrak::app
