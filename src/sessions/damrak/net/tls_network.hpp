// A network of clients like TcpNetwork, with TLS on its connections if a context is given. Each
// turn processes one handshake only, which bounds what new connections cost the others.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include <damrak/net/tcp_network.hpp>
#include <damrak/net/tls.hpp>

namespace damrak::net {

class TlsNetwork : public TcpNetwork {
  public:
    using Socket = TlsSocket;

    /// For connections from now on; null: without TLS.
    void use(TlsContext::Shared context) { context_ = std::move(context); }

    [[nodiscard]] Socket accept() { return {TcpNetwork::accept(), context_.get()}; }
    [[nodiscard]] static bool is_for_client(const Socket& socket) {
        return TcpNetwork::is_for_client(socket.descriptor());
    }
    [[nodiscard]] bool watch(const Socket& socket, WatchHandle handle) {
        return TcpNetwork::watch(socket.descriptor(), handle);
    }
    [[nodiscard]] static Peer peer(const Socket& socket) { return peer_of(socket.descriptor()); }
    [[nodiscard]] static ClientAddress host_of(const Socket& socket) {
        return net::host_of(socket.descriptor());
    }
    [[nodiscard]] Moved receive(const Socket& socket, std::span<std::byte> into) {
        if (!socket.ready() && std::exchange(has_shaken_hands_, true)) [[unlikely]]
            return {.again = true};
        return socket.receive(into);
    }
    [[nodiscard]] static Moved send(const Socket& socket, std::span<const std::byte> bytes) {
        return socket.send(bytes);
    }
    [[nodiscard]] static std::string_view trouble(const Socket& socket) { return socket.trouble(); }

    template <class OnReady>
    void wait(int wait_ms, OnReady&& on_ready) {
        has_shaken_hands_ = false;
        TcpNetwork::wait(wait_ms, std::forward<OnReady>(on_ready));
    }

  private:
    TlsContext::Shared context_;
    bool has_shaken_hands_ = false;  ///< in this turn
};

}  // namespace damrak::net
