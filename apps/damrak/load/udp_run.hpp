// A run of `damrak load --gateway udp`: a sender and its path against the exchange, or against a
// bare echo on a path of the same kind. Used by load/udp.cpp.
#pragma once

#include <expected>
#include <string>

#include <damrak/client/packet_load.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/net/datagram_path.hpp>

#include "load/options.hpp"

namespace damrak::app {

struct UdpResult {
    client::PacketLoadTally tally{};
    double seconds = 0;            ///< that were measured
    std::uint64_t asked = 0;       ///< orders, in that time
    std::uint64_t answered = 0;    ///< the same
    std::uint64_t accepted = 0;    ///< of them
    std::uint64_t trades = 0;      ///< the same
    std::uint64_t given_up = 0;    ///< requests that the window waited for in vain
    net::PathCounters counters{};  ///< of our own path
    std::string path{};            ///< in words
    std::string far_path{};        ///< of the echo
};

[[nodiscard]] std::expected<client::PacketLoadSettings, std::string> packet_settings(
    const LoadOptions& options);

/// Against the exchange of the options.
[[nodiscard]] std::expected<UdpResult, std::string> run_udp(const LoadOptions& options);

/// Against a bare echo in a process of its own: on the loopback interface, or, where an interface
/// was named, between two virtual cards made for it.
[[nodiscard]] std::expected<UdpResult, std::string> run_udp_echo(const LoadOptions& options);

}  // namespace damrak::app
