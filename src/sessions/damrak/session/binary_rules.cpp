#include <damrak/session/binary_rules.hpp>

#include <utility>

namespace damrak::session {

std::string_view name(Disconnect reason) {
    switch (reason) {
        case Disconnect::none:
            return "none";
        case Disconnect::wrong_version:
            return "wrong_version";
        case Disconnect::message_too_long:
            return "message_too_long";
        case Disconnect::slow_reader:
            return "slow_reader";
        case Disconnect::timed_out:
            return "timed_out";
    }
    return "unknown";
}

std::string_view text(Disconnect reason) {
    switch (reason) {
        case Disconnect::none:
            return "the session continues";
        case Disconnect::wrong_version:
            return "the version byte is neither 1 nor 2, or not that of the first message";
        case Disconnect::message_too_long:
            return "a header announces a payload longer than any message";
        case Disconnect::slow_reader:
            return "the client does not read its answers and its output buffer is full";
        case Disconnect::timed_out:
            return "no message within the session timeout";
    }
    return "unknown";
}

namespace binary {

std::uint8_t cancel_status(wire::binary::Version version, Reason reason) {
    if (version == wire::binary::Version::v2) return k_v2_rejected;
    // In version 1 the instrument is part of the order id.
    const bool unknown = reason == Reason::unknown_order || reason == Reason::not_owner ||
                         reason == Reason::unknown_instrument;
    return std::to_underlying(unknown ? CancelStatus::not_found : CancelStatus::invalid);
}

std::uint8_t modify_status(wire::binary::Version version, Reason reason) {
    const bool unknown = reason == Reason::unknown_order || (reason == Reason::unknown_instrument &&
                                                             version == wire::binary::Version::v1);
    return std::to_underlying(unknown ? ModifyStatus::not_found : ModifyStatus::invalid);
}

}  // namespace binary

}  // namespace damrak::session
