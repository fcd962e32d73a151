// Datagrams over an ordinary UDP socket, many at a time: recvmmsg and sendmmsg on vectors that are
// allocated once. IPv4 or IPv6; a socket at :: accepts both. receive() blocks or polls, by its
// wait. One thread. After open() it allocates nothing, and a turn costs one system call each way,
// two if it has to wait.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include <netinet/in.h>
#include <sys/socket.h>

#include <damrak/net/address.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::net {

/// Where a path over a socket is open.
struct SocketPathOptions {
    std::string address = "127.0.0.1";  ///< a local address, IPv4 or IPv6
    std::uint16_t port = 0;             ///< zero: any free port
    std::size_t batch = 64;             ///< datagrams per system call
    std::size_t send_room = 4'096;      ///< datagrams that may wait to be sent
    int buffer_bytes = 8 << 20;         ///< kernel buffers, each way; as far as permitted
};

class SocketPath {
  public:
    /// A longer datagram is counted as unusable: it would not fit an Ethernet frame either.
    static constexpr std::size_t k_largest_datagram = 2'048;

    [[nodiscard]] static std::expected<SocketPath, std::string> open(
        const SocketPathOptions& options);

    /// An address in the form that senders have.
    [[nodiscard]] static Endpoint endpoint_of(const SocketAddress& address);

    template <class Receiver>
    std::size_t receive(std::size_t quota, int wait_ms, Receiver&& receiver) {
        std::size_t done = 0;
        while (done < quota) {
            const std::size_t wanted = std::min(quota - done, options_.batch);
            const std::size_t got = take(wanted, done == 0 ? wait_ms : 0);
            for (std::size_t i = 0; i < got; ++i) {
                if ((incoming_[i].msg_hdr.msg_flags & MSG_TRUNC) != 0) {
                    counters_.note(Unusable::too_long);
                    continue;
                }
                ++counters_.received;
                receiver(Datagram{.bytes = incoming_bytes(i), .source = source(i)});
            }
            done += got;
            if (got < wanted) break;
        }
        return done;
    }

    [[nodiscard]] std::span<std::byte> claim(const Endpoint& to, std::size_t at_most);
    void commit(std::size_t bytes);
    void flush();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] int descriptor() const { return socket_.number(); }
    [[nodiscard]] std::string describe() const;
    [[nodiscard]] PathCounters counters() const;

  private:
    using Slot = std::array<std::byte, k_largest_datagram>;

    SocketPath(Descriptor socket, const SocketAddress& where, const SocketPathOptions& options);

    /// Reads as many as wait, into the memory for incoming datagrams.
    std::size_t take(std::size_t wanted, int wait_ms);
    [[nodiscard]] std::span<const std::byte> incoming_bytes(std::size_t i) const {
        return std::span{incoming_slots_[i]}.first(incoming_[i].msg_len);
    }
    [[nodiscard]] Endpoint source(std::size_t i) const;

    SocketPathOptions options_;
    Descriptor socket_;
    std::uint16_t port_;
    bool ipv6_;
    PathCounters counters_;

    // Element i of each belongs to datagram i; the headers point at the others.
    std::vector<Slot> incoming_slots_;
    std::vector<iovec> incoming_parts_;
    std::vector<sockaddr_in6> incoming_sources_;  ///< also large enough for an IPv4 address
    std::vector<mmsghdr> incoming_;

    std::vector<Slot> outgoing_slots_;
    std::vector<iovec> outgoing_parts_;
    std::vector<sockaddr_in6> outgoing_targets_;
    std::vector<mmsghdr> outgoing_;
    std::size_t send_begin_ = 0;  ///< [begin, end) is committed and not sent
    std::size_t send_end_ = 0;
};

static_assert(DatagramPath<SocketPath>);

}  // namespace damrak::net
