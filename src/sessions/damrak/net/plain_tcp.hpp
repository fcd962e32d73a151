// TCP for clients and small servers: non-blocking sockets that are polled. Uses nothing but the C
// library's socket, connect, accept4, poll, recv and send, so that a preloaded library that
// bypasses the kernel receives all traffic. Any class with the same members can replace it: tests
// use one with its own network and clock.
//
// One thread per socket. Each recv and send is a system call.
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
    /// Whether a connection attempt has succeeded; or why it failed.
    [[nodiscard]] std::expected<bool, std::string> connected(const Socket& socket) {
        return net::connected(socket);
    }

    /// Returns the port; if zero was requested, the one that was assigned.
    [[nodiscard]] std::expected<std::uint16_t, std::string> listen(const std::string& address,
                                                                   std::uint16_t port);
    /// The next pending connection; an unopened socket if none.
    [[nodiscard]] Socket accept() { return accept_tcp(listening_); }

    [[nodiscard]] Moved receive(const Socket& socket, std::span<std::byte> into);
    [[nodiscard]] Moved send(const Socket& socket, std::span<const std::byte> bytes);

    /// Nanoseconds since the Unix epoch; never decreases.
    [[nodiscard]] std::int64_t now_ns() { return clock_.now_ns(); }

  private:
    Descriptor listening_;
    ForwardClock clock_;
};

}  // namespace damrak::net
