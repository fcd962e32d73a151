// The network that a door of clients listens on, over real sockets: one listening socket, the
// connections that came of it, which of them became ready, and the time of day. A gateway is a
// template over this class; a simulation puts a network of its own in its place. One thread; no
// allocation after open().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>

#include <damrak/base/system_time.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::net {

class TcpNetwork {
  public:
    using Socket = Descriptor;

    /// Listens; returns the port, which is the one that was taken if zero was asked for.
    [[nodiscard]] std::expected<std::uint16_t, std::string> open(const std::string& address,
                                                                 std::uint16_t port);
    void close() { listening_.reset(); }

    /// The next connection that waits; none: an unopened socket. A closed door has none.
    [[nodiscard]] Socket accept() { return accept_tcp(listening_); }
    /// From here on wait() tells of it, with `owner`.
    [[nodiscard]] bool watch(const Socket& socket, void* owner) {
        return poller_->add(socket, owner);
    }
    /// The same for whatever `other` would tell, as long as that is so.
    [[nodiscard]] bool watch_also(const TcpNetwork& other, void* owner) {
        return poller_->add(*other.poller_, owner);
    }
    /// The same for a descriptor of somebody else's.
    [[nodiscard]] bool watch_also(int descriptor, void* owner) {
        return poller_->add(descriptor, owner);
    }
    [[nodiscard]] static Peer peer(const Socket& socket) { return peer_of(socket); }
    [[nodiscard]] static Moved receive(const Socket& socket, std::span<std::byte> into) {
        return net::receive(socket, into);
    }
    [[nodiscard]] static Moved send(const Socket& socket, std::span<const std::byte> bytes) {
        return net::send(socket, bytes);
    }

    /// Waits for at most that long until something happens, and calls `on_ready(owner, readable,
    /// writable, ended)` for each socket to which it did, each change once; a null owner: a
    /// connection waits to be accepted. Ended: the peer sends nothing more, behind what can be
    /// read; no other change will tell of that.
    template <class OnReady>
    void wait(int wait_ms, OnReady&& on_ready) {
        for (const epoll_event& event : poller_->wait(events_, wait_ms))
            on_ready(event.data.ptr, (event.events & ~std::uint32_t{EPOLLOUT}) != 0,
                     (event.events & EPOLLOUT) != 0,
                     (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0);
    }

    /// Nanoseconds since the Unix epoch; never before what it told last.
    [[nodiscard]] std::int64_t now_ns() { return clock_.now_ns(); }

  private:
    static constexpr std::size_t k_events_a_turn = 512;

    Descriptor listening_;
    std::optional<Poller> poller_;
    std::array<epoll_event, k_events_a_turn> events_{};
    ForwardClock clock_;
};

}  // namespace damrak::net
