// The network of a TCP gateway over real sockets: one listening socket, its accepted connections,
// their readiness, and the time of day. A gateway is a template over this class; a simulation
// substitutes its own network. One thread; no allocation after open().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>

#include <damrak/base/system_time.hpp>
#include <damrak/net/client_descriptors.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::net {

class TcpNetwork {
  public:
    using Socket = Descriptor;

    /// Listens and returns the port; if zero was requested, the one that was assigned.
    [[nodiscard]] std::expected<std::uint16_t, std::string> open(const std::string& address,
                                                                 std::uint16_t port);
    void close() { listening_.reset(); }

    /// The next pending connection; an unopened socket if there is none, or no listening socket.
    [[nodiscard]] Socket accept() { return accept_tcp(listening_); }
    /// Whether a client may have this descriptor of the process.
    [[nodiscard]] static bool is_for_client(const Socket& socket) {
        return net::is_for_client(socket.number());
    }
    /// From now on wait() reports events of this socket with `handle`.
    [[nodiscard]] bool watch(const Socket& socket, WatchHandle handle) {
        return poller_->add(socket, handle);
    }
    /// Readable whenever wait() has something to report; valid after open().
    [[nodiscard]] int descriptor() const { return poller_->descriptor(); }
    /// The same for a descriptor owned elsewhere, such as that of another network.
    [[nodiscard]] bool watch_also(int descriptor, WatchHandle handle) {
        return poller_->add(descriptor, handle);
    }
    [[nodiscard]] static Peer peer(const Socket& socket) { return peer_of(socket); }
    [[nodiscard]] static ClientAddress host_of(const Socket& socket) {
        return net::host_of(socket);
    }
    [[nodiscard]] static Moved receive(const Socket& socket, std::span<std::byte> into) {
        return net::receive(socket, into);
    }
    [[nodiscard]] static Moved send(const Socket& socket, std::span<const std::byte> bytes) {
        return net::send(socket, bytes);
    }

    /// Waits for at most that long for events, and calls `on_ready(handle, readable, writable,
    /// ended)` for each socket that has one, each change once. Ended: the peer sends nothing after
    /// what can be read now, and no later event will say so.
    template <class OnReady>
    void wait(int wait_ms, OnReady&& on_ready) {
        for (const epoll_event& event : poller_->wait(events_, wait_ms))
            on_ready(Poller::handle_of(event), (event.events & ~std::uint32_t{EPOLLOUT}) != 0,
                     (event.events & EPOLLOUT) != 0,
                     (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0);
    }

    /// Nanoseconds since the Unix epoch; never decreases.
    [[nodiscard]] std::int64_t now_ns() { return clock_.now_ns(); }

  private:
    static constexpr std::size_t k_events_a_turn = 512;

    Descriptor listening_;
    std::optional<Poller> poller_;
    std::array<epoll_event, k_events_a_turn> events_{};
    ForwardClock clock_;
};

}  // namespace damrak::net
