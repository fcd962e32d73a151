// What a path of datagrams is: where those of one port come in and the answers go out, many at a
// time, without copying, and never waiting to send. SocketPath, XdpPath and AnyPath are such paths,
// and so is the one in memory of the tests. A gateway is a template over it. One thread a path.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace damrak::net {

/// No claim is larger: what a frame of Ethernet carries behind the headers of IPv4 and UDP.
inline constexpr std::size_t k_largest_claim_bytes = 1'472;

/// One end of a conversation in datagrams. Those that differ only in the link address are one.
struct Endpoint {
    /// Of its Ethernet card, or of the last router. Sockets: 0, but for a link-local address of
    /// IPv6, whose network interface has its number in the first four.
    std::array<std::uint8_t, 6> link{};
    std::array<std::uint8_t, 4> address{};  ///< of IPv4
    std::uint16_t port = 0;
    std::array<std::uint8_t, 16> address6{};  ///< of IPv6; zeros: it is of IPv4

    [[nodiscard]] constexpr bool is_ipv6() const {
        return address6 != std::array<std::uint8_t, 16>{};
    }
    friend constexpr bool operator==(const Endpoint& a, const Endpoint& b) {
        return a.address == b.address && a.port == b.port && a.address6 == b.address6;
    }
};

/// One that came in. Its bytes are the path's own and valid while the receiver's call lasts.
struct Datagram {
    std::span<const std::byte> bytes;
    Endpoint source;
};

/// Why what came to us was not taken. Over sockets it is only ever too long.
enum class Unusable : std::uint8_t {
    too_long,   ///< for a datagram of the door
    fragment,   ///< one part of a datagram
    options,    ///< of IP
    vlan,       ///< with the tag of one
    link,       ///< to a group of cards, or to all
    length,     ///< lengths that do not agree
    checksum,   ///< of IP or UDP, is wrong
    source,     ///< that nobody outside can have: ours, loopback, zero, a group
    no_socket,  ///< by a queue of the card without a socket of ours
    elsewhere,  ///< past the program on the card: from this machine, or it was taken off
};
inline constexpr std::size_t k_unusable_reasons = 10;

/// What a path counted since it was opened. Sums: what was received was either given to the
/// receiver or is `unusable`; what was committed is sent, waits, or is `send_failed`.
struct PathCounters {
    std::uint64_t received = 0;      ///< given to the receiver
    std::uint64_t sent = 0;          ///< taken by the kernel
    std::uint64_t no_room = 0;       ///< claims refused: the kernel is behind with sending
    std::uint64_t unusable = 0;      ///< came to us, but is none that the path takes
    std::uint64_t send_failed = 0;   ///< refused by the kernel for their destination
    std::uint64_t kernel_drops = 0;  ///< lost before we could take them: we were behind
    std::uint64_t fill_empty = 0;    ///< AF_XDP: the card found no free frame of ours
    std::uint64_t wakeups = 0;       ///< calls into the kernel to make it receive or send
    std::uint64_t passed = 0;        ///< AF_XDP: frames that the program left to the kernel
    std::array<std::uint64_t, k_unusable_reasons> unusable_by{};  ///< by Unusable; its sum

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

/// - `receive(quota, wait_ms, f)` calls `f(const Datagram&)` for each that waits, `quota` at most,
///   and returns how many; there being none it waits up to that long for one (zero: looks only,
///   negative: for ever). `f` may claim and commit.
/// - `claim(to, at_most)` is where the payload of the next datagram to that end is written. Empty:
///   there is no room; it is counted, and never waited for. A claim that is not committed is void.
/// - `commit(bytes)` makes the claimed one ready, with as many bytes of it.
/// - `flush()` hands all that is ready to the kernel, in one batch. What it does not take is kept
///   for the next call.
/// - `descriptor()` becomes readable, for epoll, when there is something to receive.
/// - `describe()` says in plain words what this path is and why it was chosen.
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
