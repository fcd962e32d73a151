#include <damrak/session/fix/settings.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace damrak::session::fix {
namespace {

using fix_codec::BeginString;
using fix_codec::TimePrecision;

[[nodiscard]] std::string with_sub_id(const std::string& comp_id, const std::string& sub_id) {
    return sub_id.empty() ? comp_id : comp_id + '/' + sub_id;
}

[[nodiscard]] bool is_printable(std::string_view value) {
    for (const char c : value)
        if (c < ' ' || c > '~') return false;
    return true;
}

}  // namespace

std::string text(const SessionName& name) {
    return fmt::format("{}:{}->{}", fix_codec::text(name.begin_string),
                       with_sub_id(name.sender_comp_id, name.sender_sub_id),
                       with_sub_id(name.target_comp_id, name.target_sub_id));
}

std::expected<SessionName, std::string> parse_session_name(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::size_t arrow = text.find("->");
    SessionName name;
    name.begin_string = fix_codec::parse_begin_string(text.substr(0, colon));
    if (colon == std::string_view::npos || arrow == std::string_view::npos || arrow < colon ||
        name.begin_string == BeginString::unknown)
        return std::unexpected{
            std::string{"expected a session name such as FIX.4.4:DAMRAK->CLIENT1, with the "
                        "BeginString of its Logon (FIX.4.0 to FIX.4.4, FIXT.1.1)"}};
    const auto take = [](std::string_view side, std::string& comp_id, std::string& sub_id) {
        const std::size_t slash = std::min(side.find('/'), side.size());
        comp_id = side.substr(0, slash);
        if (slash < side.size()) sub_id = side.substr(slash + 1);
    };
    take(text.substr(colon + 1, arrow - colon - 1), name.sender_comp_id, name.sender_sub_id);
    take(text.substr(arrow + 2), name.target_comp_id, name.target_sub_id);
    return name;
}

std::expected<SessionSettings, std::string> checked(SessionSettings settings) {
    const SessionName& name = settings.name;
    const auto complaint = [&](std::string_view what) {
        return std::unexpected(fmt::format("FIX session {}: {}", text(name), what));
    };
    if (name.begin_string == BeginString::unknown)
        return complaint("begin_string must be one of FIX.4.0 to FIX.4.4 and FIXT.1.1");
    if (name.sender_comp_id.empty() || name.target_comp_id.empty())
        return complaint("both sides need a comp id");
    for (const std::string_view id :
         {std::string_view{name.sender_comp_id}, std::string_view{name.target_comp_id},
          std::string_view{name.sender_sub_id}, std::string_view{name.target_sub_id},
          std::string_view{settings.user_name}, std::string_view{settings.password}})
        if (!is_printable(id)) return complaint("an id contains characters that FIX cannot carry");
    if (settings.user_name.empty() && !settings.password.empty())
        return complaint("a password needs a user_name");
    if (!settings.user_name.empty() && name.begin_string < BeginString::fix43)
        return complaint("user_name and password need FIX.4.3 or later");
    if (settings.next_expected && name.begin_string < BeginString::fix44)
        return complaint("NextExpectedMsgSeqNum needs FIX.4.4 or later");
    if (settings.drop_copy && name.target_comp_id == "*")
        return complaint("a drop-copy session needs the client's comp id (target_comp_id)");
    if (!settings.drop_copy && !settings.copied_participants.empty())
        return complaint("copied_participants need drop_copy = true");
    if (settings.resend_batch_messages == 0) return complaint("resend_batch must be at least 1");
    if (settings.maximum_message_bytes < 512)
        return complaint("maximum_message_bytes must be at least 512");
    if (name.begin_string < BeginString::fix42) settings.time_precision = TimePrecision::seconds;
    return settings;
}

std::string_view text(OnThrottle what) {
    switch (what) {
        case OnThrottle::wait:
            return "wait";
        case OnThrottle::reject:
            return "reject";
        case OnThrottle::disconnect:
            return "disconnect";
    }
    std::unreachable();
}

std::string printable(std::string_view text) {
    constexpr std::size_t k_most = 160;
    std::string shown{text.substr(0, k_most)};
    for (char& c : shown)
        if (c < ' ' || c > '~') c = '?';
    return shown;
}

}  // namespace damrak::session::fix
