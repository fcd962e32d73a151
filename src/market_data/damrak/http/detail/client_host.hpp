// The host of a client, for its part of the places. Here loopback is a host like any other: one
// page in a browser does not take what another one needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boost/asio/ip/address.hpp>

#include <damrak/budget/row.hpp>
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

/// Places that one host may have so many of; nobody is named.
[[nodiscard]] inline budget::Row::Parts places_of(std::size_t total, std::size_t one_host) {
    const auto most = static_cast<std::uint32_t>(total);
    return {.total = most,
            .strangers = most,
            .one_host = static_cast<std::uint32_t>(one_host),
            .one_identity = most};
}

}  // namespace damrak::http
