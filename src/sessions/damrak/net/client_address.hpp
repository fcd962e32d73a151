// What of its address a client cannot easily change, to tell clients of one host from those of
// others: all of an IPv4 address, and the first 64 bits of an IPv6 address, of which a site has
// the rest to choose from. Loopback and unknown addresses are zero: they are nobody's.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include <damrak/base/byte_order.hpp>
#include <damrak/net/datagram_path.hpp>

namespace damrak::net {

struct ClientAddress {
    std::uint64_t value = 0;

    [[nodiscard]] explicit constexpr operator bool() const { return value != 0; }
    friend constexpr auto operator<=>(ClientAddress, ClientAddress) = default;

    [[nodiscard]] static ClientAddress of(const std::array<std::uint8_t, 4>& ipv4) {
        constexpr std::uint8_t k_loopback = 127;
        if (ipv4[0] == k_loopback) return {};
        return {load_be<std::uint32_t>(reinterpret_cast<const std::byte*>(ipv4.data()))};
    }
    [[nodiscard]] static ClientAddress of(const std::array<std::uint8_t, 16>& ipv6) {
        constexpr std::array<std::uint8_t, 12> k_mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
        constexpr std::array<std::uint8_t, 16> k_loopback{0, 0, 0, 0, 0, 0, 0, 0,
                                                          0, 0, 0, 0, 0, 0, 0, 1};
        if (ipv6 == k_loopback) return {};
        if (std::ranges::equal(std::span{ipv6}.first<12>(), k_mapped))
            return of(std::array{ipv6[12], ipv6[13], ipv6[14], ipv6[15]});
        // All of a link have the first half of a link-local address.
        const bool is_link_local = ipv6[0] == 0xfe && (ipv6[1] & 0xc0U) == 0x80;
        const auto* const half = ipv6.data() + (is_link_local ? 8 : 0);
        return {load_be<std::uint64_t>(reinterpret_cast<const std::byte*>(half))};
    }
    [[nodiscard]] static ClientAddress of(const Endpoint& end) {
        return end.is_ipv6() ? of(end.address6) : of(end.address);
    }
};

}  // namespace damrak::net
