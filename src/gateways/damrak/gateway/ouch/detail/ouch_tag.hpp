// What the journal keeps with a command of the OUCH gateway besides the request, which is its
// attachment: the kind of the request and the reason for refusal. Also maps a user's name to the
// number of its session. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/session/ouch/request.hpp>

namespace damrak::gateway::ouch {

inline constexpr GatewayNumber k_ouch_gateway{3};

struct OuchTag {
    session::ouch::RequestKind kind{};
    session::ouch::Refusal refusal{};
    session::ouch::Version version{};  ///< of a login
    SelfTradePrevention self_trade{};  ///< of the order that is entered

    [[nodiscard]] Tag tag() const {
        Tag tag;
        tag.bytes[0] = static_cast<std::byte>(kind);
        tag.bytes[1] = static_cast<std::byte>(refusal);
        tag.bytes[2] = static_cast<std::byte>(version);
        tag.bytes[3] = static_cast<std::byte>(self_trade);
        return tag;
    }
    [[nodiscard]] static OuchTag of(const Tag& tag) {
        return {.kind = static_cast<session::ouch::RequestKind>(tag.bytes[0]),
                .refusal = static_cast<session::ouch::Refusal>(tag.bytes[1]),
                .version = static_cast<session::ouch::Version>(tag.bytes[2]),
                .self_trade = static_cast<SelfTradePrevention>(tag.bytes[3])};
    }
};

/// A name has up to six characters and is case-insensitive.
[[nodiscard]] constexpr SessionId ouch_session(std::string_view name) {
    std::uint64_t number = 0;
    for (const char c : name.substr(0, 6))
        number = number << 8U | static_cast<unsigned char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    return session_at(k_ouch_gateway, number);
}

}  // namespace damrak::gateway::ouch
