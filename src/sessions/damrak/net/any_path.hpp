// A datagram path chosen at start: sockets, or AF_XDP if available, with the reason as text. Costs
// one branch per call more than the path itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <damrak/net/datagram_path.hpp>
#include <damrak/net/socket_path.hpp>
#include <damrak/net/xdp_path.hpp>

namespace damrak::net {

enum class PathChoice : std::uint8_t { automatic, socket, xdp };

/// Which path datagrams take, and where it is open.
struct AnyPathOptions {
    PathChoice choice = PathChoice::automatic;
    std::string interface = {};         ///< AF_XDP needs one
    std::string address = {};           ///< empty: the first address of the interface; without an
                                        ///< interface 127.0.0.1
    std::uint16_t port = 0;             ///< zero: any free port
    XdpMode mode = XdpMode::automatic;  ///< AF_XDP only, like the following
    bool prefer_busy_poll = false;
    std::size_t queues = 0;
    std::size_t receive_frames = k_usual_receive_frames;
    std::size_t send_frames = k_usual_send_frames;
    bool verify_checksum = true;
    std::string neighbour = {};
};

class AnyPath {
  public:
    [[nodiscard]] static std::expected<AnyPath, std::string> open(const AnyPathOptions& options);

    /// Calls `f` with the concrete path: one branch for a whole turn.
    template <class Visitor>
    decltype(auto) visit(Visitor&& visitor) {
        if (auto* const xdp = std::get_if<XdpPath>(&path_)) return visitor(*xdp);
        return visitor(*std::get_if<SocketPath>(&path_));
    }
    template <class Visitor>
    decltype(auto) visit(Visitor&& visitor) const {
        if (const auto* const xdp = std::get_if<XdpPath>(&path_)) return visitor(*xdp);
        return visitor(*std::get_if<SocketPath>(&path_));
    }

    template <class Receiver>
    std::size_t receive(std::size_t quota, int wait_ms, Receiver&& receiver) {
        return visit([&](auto& path) {
            return path.receive(quota, wait_ms, std::forward<Receiver>(receiver));
        });
    }
    [[nodiscard]] std::span<std::byte> claim(const Endpoint& to, std::size_t at_most) {
        return visit([&](auto& path) { return path.claim(to, at_most); });
    }
    void commit(std::size_t bytes) {
        visit([bytes](auto& path) { path.commit(bytes); });
    }
    void flush() {
        visit([](auto& path) { path.flush(); });
    }

    [[nodiscard]] std::uint16_t port() const {
        return visit([](const auto& path) { return path.port(); });
    }
    [[nodiscard]] int descriptor() const {
        return visit([](const auto& path) { return path.descriptor(); });
    }
    [[nodiscard]] PathCounters counters() const {
        return visit([](const auto& path) { return path.counters(); });
    }
    /// Includes the reason if the choice was automatic.
    [[nodiscard]] std::string describe() const;
    /// Why this path loses datagrams, for the operator; empty if it does not.
    [[nodiscard]] std::string warning() const;

    /// The endpoint of that address; over AF_XDP a neighbour on the same network.
    [[nodiscard]] std::expected<Endpoint, std::string> resolve(const std::string& address,
                                                               std::uint16_t port) const;

  private:
    AnyPath(std::variant<SocketPath, XdpPath> path, std::string reason)
        : path_(std::move(path)), reason_(std::move(reason)) {}

    std::variant<SocketPath, XdpPath> path_;
    std::string reason_;
};

static_assert(DatagramPath<AnyPath>);

}  // namespace damrak::net
