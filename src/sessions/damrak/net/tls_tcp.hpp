// TCP for clients and small servers like PlainTcp, with TLS if a context is given. A connection
// counts as established once its handshake is done.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/net/plain_tcp.hpp>
#include <damrak/net/tls.hpp>

namespace damrak::net {

class TlsTcp {
  public:
    using Socket = TlsSocket;

    TlsTcp() = default;
    /// Null: without TLS.
    explicit TlsTcp(TlsContext::Shared context) : context_(std::move(context)) {}

    [[nodiscard]] std::expected<Socket, std::string> connect(const std::string& host,
                                                             std::uint16_t port) {
        auto socket = connect_tcp(host, port);
        if (!socket) return std::unexpected{std::move(socket.error())};
        return Socket{*std::move(socket), context_.get()};
    }
    [[nodiscard]] std::expected<bool, std::string> connected(const Socket& socket) {
        auto there = net::connected(socket.descriptor());
        return there && *there ? socket.shake_hands() : there;
    }

    [[nodiscard]] std::expected<std::uint16_t, std::string> listen(const std::string& address,
                                                                   std::uint16_t port) {
        return plain_.listen(address, port);
    }
    [[nodiscard]] Socket accept() { return {plain_.accept(), context_.get()}; }

    [[nodiscard]] static Moved receive(const Socket& socket, std::span<std::byte> into) {
        return socket.receive(into);
    }
    [[nodiscard]] static Moved send(const Socket& socket, std::span<const std::byte> bytes) {
        return socket.send(bytes);
    }
    /// Its TLS error; empty if there is none.
    [[nodiscard]] static std::string_view trouble(const Socket& socket) { return socket.trouble(); }
    [[nodiscard]] std::int64_t now_ns() { return plain_.now_ns(); }

  private:
    PlainTcp plain_;
    TlsContext::Shared context_;
};

}  // namespace damrak::net
