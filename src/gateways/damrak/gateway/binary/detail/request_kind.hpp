// The kind of a binary request, for statistics: one look-up in a table made from the codec's
// descriptors. Also counts the requests that the session refused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <damrak/telemetry/records.hpp>
#include <damrak/wire/binary/decode.hpp>

namespace damrak::gateway::binary::detail {

template <wire::binary::Version version>
[[nodiscard]] consteval auto request_kinds() {
    using namespace wire::binary;
    using telemetry::RequestKind;
    std::array<RequestKind, 256> kinds{};
    kinds.fill(RequestKind::other);
    const auto put = [&kinds]<class M>(RequestKind kind) {
        if constexpr (Layout<version, M>::k_exists) kinds[Layout<version, M>::k_type] = kind;
    };
    put.template operator()<Hello>(RequestKind::hello);
    put.template operator()<Logout>(RequestKind::logout);
    put.template operator()<Heartbeat>(RequestKind::heartbeat);
    put.template operator()<NewOrder>(RequestKind::new_order);
    put.template operator()<CancelOrder>(RequestKind::cancel);
    put.template operator()<ModifyOrder>(RequestKind::modify);
    return kinds;
}

[[nodiscard]] inline telemetry::RequestKind request_kind(const wire::binary::Header& header) {
    using wire::binary::Version;
    static constexpr auto k_v1 = request_kinds<Version::v1>();
    static constexpr auto k_v2 = request_kinds<Version::v2>();
    return header.version == Version::v2 ? k_v2[header.type] : k_v1[header.type];
}

/// Taken from the client's answer.
template <class M>
[[nodiscard]] telemetry::Refusal refusal(SessionId session, const wire::binary::Header& header,
                                         const M& answer, Timestamp now) {
    telemetry::Refusal told{.request = request_kind(header),
                            .wire_type = header.type,
                            .sequence = header.client_sequence,
                            .time = now,
                            .session = session};
    if constexpr (requires { answer.status; })
        told.wire_status = answer.status;
    else
        told.wire_status = static_cast<std::uint8_t>(answer.code);
    if constexpr (requires { answer.old_order_id; })
        told.order = answer.old_order_id;
    else if constexpr (requires { answer.order_id; })
        told.order = answer.order_id;
    if constexpr (requires { answer.quantity; }) {
        told.quantity = answer.quantity;
        told.price_e2 = answer.price_e2;
    }
    if constexpr (requires { answer.instrument; })
        // Version 1 carries the instrument only in a new order.
        told.instrument =
            answer.instrument || !told.order ? answer.instrument : instrument_of(told.order);
    return told;
}

}  // namespace damrak::gateway::binary::detail
