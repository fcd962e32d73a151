// Where a socket listens or connects to: an IPv4 or IPv6 address and a port, found by name, read
// from text, written as text. Set-up only: a name may be asked for over the network.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <sys/socket.h>

namespace damrak::net {

class SocketAddress {
  public:
    /// Of nobody, with room for what the system tells.
    SocketAddress() = default;
    SocketAddress(const sockaddr* address, socklen_t length);

    [[nodiscard]] int family() const { return storage_.ss_family; }
    [[nodiscard]] bool is_ipv4() const { return family() == AF_INET; }
    /// An address of this machine that only this machine can reach.
    [[nodiscard]] bool is_loopback() const;
    [[nodiscard]] std::uint16_t port() const;
    void set_port(std::uint16_t port);
    /// Without the port: 127.0.0.1, ::1.
    [[nodiscard]] std::string host() const;
    /// With it: 127.0.0.1:80, [::1]:80.
    [[nodiscard]] std::string text() const;

    // For the calls of the system.
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

/// What a name, or an address as text, stands for: those of IPv4 first, each once; at least one.
[[nodiscard]] std::expected<std::vector<SocketAddress>, std::string> resolve_all(
    const std::string& host, std::uint16_t port);
/// The first of them: where one socket listens.
[[nodiscard]] std::expected<SocketAddress, std::string> resolve(const std::string& host,
                                                                std::uint16_t port);

/// `host` as it stands before a port: in brackets where it is of IPv6.
[[nodiscard]] std::string host_and_port(std::string_view host, std::uint16_t port);

}  // namespace damrak::net
