// The concept of a datagram path: receives the datagrams of one port and sends the answers, many at
// a time, without copying, and never waits to send. SocketPath, XdpPath and AnyPath are models, and
// so is the in-memory path of the tests. A gateway is a template over its path. One thread per
// path.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace damrak::net {

/// Largest claim: the payload of an Ethernet frame after the headers of IPv4 and UDP.
inline constexpr std::size_t k_largest_claim_bytes = 1'472;

/// One end of an exchange of datagrams. Endpoints that differ only in the link address are equal.
struct Endpoint {
    /// MAC address of its network card, or of the last router. Sockets: 0, except that a link-local
    /// IPv6 address has the number of its network interface in the first four bytes.
    std::array<std::uint8_t, 6> link{};
    std::array<std::uint8_t, 4> address{};  ///< of IPv4
    std::uint16_t port = 0;
    std::array<std::uint8_t, 16> address6{};  ///< IPv6 address; zeros for IPv4

    [[nodiscard]] constexpr bool is_ipv6() const {
        return address6 != std::array<std::uint8_t, 16>{};
    }
    friend constexpr bool operator==(const Endpoint& a, const Endpoint& b) {
        return a.address == b.address && a.port == b.port && a.address6 == b.address6;
    }
};

/// A received datagram. Its bytes belong to the path and are valid during the receiver's call.
struct Datagram {
    std::span<const std::byte> bytes;
    Endpoint source;
};

/// Why a datagram addressed to us was discarded. Over sockets the only reason is its length.
enum class Unusable : std::uint8_t {
    too_long,   ///< for any message of the gateway
    fragment,   ///< an IP fragment
    options,    ///< IP options
    vlan,       ///< VLAN-tagged
    link,       ///< sent to a multicast or broadcast MAC address
    length,     ///< inconsistent lengths
    checksum,   ///< wrong IP or UDP checksum
    source,     ///< an impossible source: our own address, loopback, zero, multicast
    no_socket,  ///< received on a queue of the card without a socket of ours
    elsewhere,  ///< bypassed the program on the card: sent from this machine, or the program was
                ///< detached
};
inline constexpr std::size_t k_unusable_reasons = 10;

/// Counters since the path was opened. Invariants: each arrival was given to the receiver or is
/// `unusable`; each commit is sent, pending, or `send_failed`.
struct PathCounters {
    std::uint64_t received = 0;      ///< given to the receiver
    std::uint64_t sent = 0;          ///< accepted by the kernel
    std::uint64_t no_room = 0;       ///< claims refused because the kernel is behind with sending
    std::uint64_t unusable = 0;      ///< addressed to us, but discarded
    std::uint64_t send_failed = 0;   ///< rejected by the kernel because of their destination
    std::uint64_t kernel_drops = 0;  ///< lost before they were read, because the reader was behind
    std::uint64_t fill_empty = 0;    ///< AF_XDP: the card found no free frame
    std::uint64_t wakeups = 0;       ///< system calls that make the kernel receive or send
    std::uint64_t passed = 0;        ///< AF_XDP: frames that the program left to the kernel
    std::array<std::uint64_t, k_unusable_reasons> unusable_by{};  ///< `unusable` by reason

    void note(Unusable reason, std::uint64_t count = 1) {
        unusable += count;
        unusable_by[static_cast<std::size_t>(reason)] += count;
    }
};

namespace detail {
struct AnyReceiver {
    void operator()(const Datagram&) const {}
};
}  // namespace detail

/// - `receive(quota, wait_ms, f)` calls `f(const Datagram&)` for each waiting datagram, at most
/// `quota`, and returns their number. If there is none, it waits up to `wait_ms` for one (zero: not
/// at all, negative: for ever). `f` may claim and commit.
/// - `claim(to, at_most)` returns memory for the payload of the next datagram to that endpoint, and
/// never waits. Empty if there is no room, which is counted. An uncommitted claim has no effect.
/// - `commit(bytes)` completes the claimed datagram with that many bytes.
/// - `flush()` passes all committed datagrams to the kernel in one batch. Those that it does not
/// accept wait for the next call.
/// - `descriptor()` becomes readable, for epoll, when there is something to receive.
/// - `describe()` returns a text that says what this path is and why it was chosen.
template <class Path>
concept DatagramPath = requires(Path& path, const Path& seen, const Endpoint& to) {
    { path.receive(std::size_t{}, int{}, detail::AnyReceiver{}) } -> std::same_as<std::size_t>;
    { path.claim(to, std::size_t{}) } -> std::same_as<std::span<std::byte>>;
    path.commit(std::size_t{});
    path.flush();
    { seen.port() } -> std::same_as<std::uint16_t>;
    { seen.descriptor() } -> std::same_as<int>;
    { seen.describe() } -> std::same_as<std::string>;
    { seen.counters() } -> std::same_as<PathCounters>;
};

}  // namespace damrak::net
