// The host of a client, for its part of the places. Here loopback is a host like any other: one
// page in a browser does not take what another one needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <boost/asio/ip/address.hpp>

#include <damrak/budget/row.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/net/client_address.hpp>

namespace damrak::http {

[[nodiscard]] inline budget::Who who_is(const boost::asio::ip::address& address) {
    if (address.is_v6()) {
        constexpr std::uint64_t k_this_machine = 1;
        const auto host = net::ClientAddress::of(address.to_v6().to_bytes());
        return {.identity = {}, .host = host ? host : net::ClientAddress{k_this_machine}};
    }
    return {.identity = {}, .host = net::ClientAddress{address.to_v4().to_uint()}};
}

[[nodiscard]] inline bool is_this_machine(const boost::asio::ip::address& address) {
    // An IPv4 client of a dual-stack socket.
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6())
            .is_loopback();
    return address.is_loopback();
}

/// Who is known to the server, which knows one: the operator.
[[nodiscard]] inline budget::Who the_operator() {
    return {.identity = ParticipantId{1}, .host = {}};
}

/// Of this many places an eighth is for the operator, and one host may have this part of the
/// others.
struct HostPart {
    std::uint32_t of = 1;
    std::uint32_t out_of = 1;
};
[[nodiscard]] inline budget::Row::Parts places_of(std::size_t total, HostPart one_host) {
    constexpr std::uint32_t k_operator = 8;
    const auto most = static_cast<std::uint32_t>(total);
    auto parts = budget::Row::Parts::of(most, most - most / k_operator);
    parts.one_host = std::max(parts.one_host, parts.strangers * one_host.of / one_host.out_of);
    return parts;
}

}  // namespace damrak::http
