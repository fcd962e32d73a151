// What a message of the binary protocol asks, for those who count: one look into a table that is
// made from the codec's own descriptors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <damrak/telemetry/records.hpp>
#include <damrak/wire/binary/decode.hpp>

namespace damrak::gateway::detail {

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

}  // namespace damrak::gateway::detail
