// The kind of a FIX request by its MsgType, for statistics.
#pragma once

#include <string_view>

#include <damrak/telemetry/records.hpp>

namespace damrak::gateway::fix::detail {

[[nodiscard]] constexpr telemetry::RequestKind request_kind(std::string_view msg_type) {
    using telemetry::RequestKind;
    if (msg_type.size() != 1) return RequestKind::other;
    switch (msg_type.front()) {
        case 'D':
            return RequestKind::new_order;
        case 'F':
            return RequestKind::cancel;
        case 'G':
            return RequestKind::modify;
        case 'A':
            return RequestKind::hello;
        case '5':
            return RequestKind::logout;
        case '0':
            return RequestKind::heartbeat;
        default:
            return RequestKind::other;
    }
}

/// New ones, lists of them, quotes, changes, and how they stand.
[[nodiscard]] constexpr bool is_about_orders(std::string_view msg_type) {
    return msg_type == "AF" ||
           (msg_type.size() == 1 && std::string_view{"DEFGHqiZ"}.contains(msg_type.front()));
}

}  // namespace damrak::gateway::fix::detail
