// Multicast over UDP on one interface, without blocking. Transfers datagrams without regard to
// their content. Set-up calls return an error text; one thread per socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

#include <damrak/net/tcp.hpp>

namespace damrak::net {

/// Address of a group: by default on the loopback interface, with a TTL of 0.
struct MulticastGroup {
    std::string address;
    std::uint16_t port = 0;
    std::string interface = "127.0.0.1";  ///< by its address
    int time_to_live = 0;
};

/// Sends datagrams to a multicast group.
class MulticastSender {
  public:
    /// A port of zero takes any free one.
    [[nodiscard]] static std::expected<MulticastSender, std::string> open(
        const MulticastGroup& group);

    /// Returns false if the system refused it: the datagram is lost.
    bool send(std::span<const std::byte> datagram) const;
    /// Sends datagrams of `size` bytes each (the last may be shorter), which lie one after another,
    /// with one call. False: the system sent none; one that is not able to cut them refuses them.
    bool send_cut(std::span<const std::byte> datagrams, std::uint16_t size) const;
    [[nodiscard]] std::uint16_t port() const { return port_; }

  private:
    Descriptor socket_;
    std::uint16_t port_ = 0;
};

/// Receives datagrams for a group or, if the address is one of this machine, for that address.
class MulticastReceiver {
  public:
    [[nodiscard]] static std::expected<MulticastReceiver, std::string> join(
        const MulticastGroup& group);

    /// The next waiting datagram, truncated to the memory; empty if there is none.
    [[nodiscard]] std::span<const std::byte> receive(std::span<std::byte> memory) const;
    [[nodiscard]] const Descriptor& socket() const { return socket_; }

  private:
    Descriptor socket_;
};

/// Datagrams to and from one address.
class UdpPeer {
  public:
    /// `host` is IPv4, IPv6, or a name.
    [[nodiscard]] static std::expected<UdpPeer, std::string> open(const std::string& host,
                                                                  std::uint16_t port);

    /// Returns false if the system refused it: the datagram is lost.
    bool send(std::span<const std::byte> datagram) const;
    /// The next waiting datagram, truncated to the memory; empty if there is none.
    [[nodiscard]] std::span<const std::byte> receive(std::span<std::byte> memory) const;
    [[nodiscard]] const Descriptor& socket() const { return socket_; }

  private:
    Descriptor socket_;
};

}  // namespace damrak::net
