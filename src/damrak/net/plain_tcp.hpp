// TCP for those who connect, and for small servers: non-blocking sockets that are asked again and
// again. Nothing but the C library's socket, connect, accept4, poll, recv and send, so that a
// library which is loaded before it and takes the kernel's place has all of the traffic. Any class
// with the same members stands in for it: a test gives one with a network and a clock of its own.
//
// One thread a socket. A call of recv or send is one of the kernel's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

#include <damrak/base/system_time.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::net {

class PlainTcp {
  public:
    using Socket = Descriptor;

    [[nodiscard]] std::expected<Socket, std::string> connect(const std::string& host,
                                                             std::uint16_t port) {
        return connect_tcp(host, port);
    }
    /// Whether a connection that was begun is there; or why it will not be.
    [[nodiscard]] std::expected<bool, std::string> connected(const Socket& socket) {
        return net::connected(socket);
    }

    /// Returns the port, which is the one that was taken if zero was asked for.
    [[nodiscard]] std::expected<std::uint16_t, std::string> listen(const std::string& address,
                                                                   std::uint16_t port);
    /// The next connection that waits; none: an unopened socket.
    [[nodiscard]] Socket accept() { return accept_tcp(listening_); }

    [[nodiscard]] Moved receive(const Socket& socket, std::span<std::byte> into);
    [[nodiscard]] Moved send(const Socket& socket, std::span<const std::byte> bytes);

    /// Nanoseconds since the Unix epoch; never before what it told last.
    [[nodiscard]] std::int64_t now_ns() { return clock_.now_ns(); }

  private:
    Descriptor listening_;
    ForwardClock clock_;
};

}  // namespace damrak::net
