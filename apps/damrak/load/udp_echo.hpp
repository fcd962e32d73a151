// The floor under a UDP load run: a server that sends back each datagram as it came, on a path of
// the same kind as the exchange's. A process of its own, as a real server is; it ends with its
// owner. Started by `damrak load --gateway udp --echo`, and by the laboratory's like.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include <sys/types.h>

#include <damrak/net/any_path.hpp>
#include <damrak/net/network_namespace.hpp>

namespace damrak::app {

class UdpEcho {
  public:
    /// Its path is open when this returns; in that namespace, if there is one.
    [[nodiscard]] static std::expected<UdpEcho, std::string> start(
        const net::AnyPathOptions& path, const net::NetworkNamespace* where, bool spin,
        std::optional<unsigned> core);
    UdpEcho(UdpEcho&& other) noexcept;
    UdpEcho& operator=(UdpEcho&&) = delete;
    ~UdpEcho();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    UdpEcho(pid_t process, std::uint16_t port, std::string path)
        : process_(process), port_(port), path_(std::move(path)) {}

    pid_t process_;
    std::uint16_t port_;
    std::string path_;
};

}  // namespace damrak::app
