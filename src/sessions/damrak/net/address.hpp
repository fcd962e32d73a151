// The address where a socket listens or connects: an IPv4 or IPv6 address and a port, resolved from
// a name, parsed from text, formatted as text. For set-up only: resolving a name may use the
// network.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <sys/socket.h>

namespace damrak::net {

/// An address with a port, IPv4 or IPv6.
class SocketAddress {
  public:
    /// No address, with room for one that the system returns.
    SocketAddress() = default;
    SocketAddress(const sockaddr* address, socklen_t length);

    [[nodiscard]] int family() const { return storage_.ss_family; }
    [[nodiscard]] bool is_ipv4() const { return family() == AF_INET; }
    /// Reachable only from this machine.
    [[nodiscard]] bool is_loopback() const;
    [[nodiscard]] std::uint16_t port() const;
    void set_port(std::uint16_t port);
    /// Without the port: 127.0.0.1, ::1.
    [[nodiscard]] std::string host() const;
    /// With the port: 127.0.0.1:80, [::1]:80.
    [[nodiscard]] std::string text() const;

    // For system calls.
    [[nodiscard]] const sockaddr* data() const {
        return reinterpret_cast<const sockaddr*>(&storage_);
    }
    [[nodiscard]] sockaddr* data() { return reinterpret_cast<sockaddr*>(&storage_); }
    [[nodiscard]] socklen_t size() const { return size_; }
    [[nodiscard]] socklen_t* size_pointer() { return &size_; }

  private:
    sockaddr_storage storage_{};
    socklen_t size_ = sizeof(sockaddr_storage);
};

/// The addresses of a name, or an address as text: IPv4 first, without duplicates; at least one.
[[nodiscard]] std::expected<std::vector<SocketAddress>, std::string> resolve_all(
    const std::string& host, std::uint16_t port);
/// The first of these: a socket listens on one.
[[nodiscard]] std::expected<SocketAddress, std::string> resolve(const std::string& host,
                                                                std::uint16_t port);

/// `host` as written before a port: an IPv6 address in brackets.
[[nodiscard]] std::string host_and_port(std::string_view host, std::uint16_t port);

/// A host and a port, as a user writes them.
struct HostAndPort {
    std::string host;  ///< an address, without brackets, or a name
    std::uint16_t port = 0;
};
/// Parses the reverse: 127.0.0.1:80, [::1]:80, or localhost:80, or several separated by commas.
/// Empty text is an empty list.
[[nodiscard]] std::expected<std::vector<HostAndPort>, std::string> parse_hosts_and_ports(
    std::string_view text);

}  // namespace damrak::net
