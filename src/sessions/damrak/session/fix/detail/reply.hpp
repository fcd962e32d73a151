// The application's reply to a message from a session. A plain value; its texts must live until the
// session has used it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <damrak/fix_codec/reject_reason.hpp>
#include <damrak/fix_codec/tags.hpp>

namespace damrak::session::fix {

/// BusinessRejectReason (380) of FIX.4.2 to FIX.5.0SP2.
enum class BusinessRejectReason : std::uint8_t {
    other = 0,
    unknown_id = 1,
    unknown_security = 2,
    unsupported_message_type = 3,
    application_not_available = 4,
    required_field_missing = 5,
    not_authorized = 6,
    no_deliver_to_firm = 7,
    invalid_price_increment = 18,
};

struct Reply {
    enum class Kind : std::uint8_t {
        accepted,           ///< accepted; answers come through Session::send, now or later
        pending,            ///< accepted, but its number counts only from Session::complete() on
        rejected,           ///< Reject: the message itself is wrong
        business_rejected,  ///< BusinessMessageReject: well formed, but cannot be done
    };
    Kind kind = Kind::accepted;
    std::optional<fix_codec::Tag> tag;
    fix_codec::SessionRejectReason reason = fix_codec::SessionRejectReason::other;
    BusinessRejectReason business_reason = BusinessRejectReason::other;
    std::string_view text;    ///< empty: text of the reason
    std::string_view ref_id;  ///< BusinessRejectRefID

    [[nodiscard]] static Reply accept() { return {}; }
    [[nodiscard]] static Reply wait() {
        Reply reply;
        reply.kind = Kind::pending;
        return reply;
    }
    [[nodiscard]] static Reply reject(fix_codec::Tag tag, fix_codec::SessionRejectReason reason,
                                      std::string_view text = {}) {
        return {.kind = Kind::rejected,
                .tag = tag,
                .reason = reason,
                .business_reason = {},
                .text = text,
                .ref_id = {}};
    }
    [[nodiscard]] static Reply business_reject(BusinessRejectReason reason, std::string_view text,
                                               std::string_view ref_id = {}) {
        return {.kind = Kind::business_rejected,
                .tag = {},
                .reason = {},
                .business_reason = reason,
                .text = text,
                .ref_id = ref_id};
    }
    /// For a message type that the version has and the application does not support.
    [[nodiscard]] static Reply unsupported() {
        return business_reject(BusinessRejectReason::unsupported_message_type, {});
    }
};

}  // namespace damrak::session::fix
