// WebSockets (RFC 6455) of the HTTP server, as a service sees them. All calls are made on the
// server's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace damrak::http {

/// The server's end of a connection.
class WebSocket {
  public:
    enum class Form : std::uint8_t { text, binary };
    /// Several connections may share a message.
    using Message = std::shared_ptr<const std::string>;

    WebSocket(const WebSocket&) = delete;
    WebSocket& operator=(const WebSocket&) = delete;

    /// Queues a message. The queue has no limit of its own: look at unsent_bytes() before.
    virtual void send(Message message, Form form) = 0;
    [[nodiscard]] virtual std::size_t unsent_bytes() const = 0;
    /// Drops the queue and ends the connection with a code of RFC 6455.
    virtual void close(std::uint16_t code, std::string_view reason) = 0;

  protected:
    WebSocket() = default;
    ~WebSocket() = default;
};

/// What the service keeps for a connection. It is destroyed with the connection.
class WebSocketUser {
  public:
    WebSocketUser() = default;
    WebSocketUser(const WebSocketUser&) = delete;
    WebSocketUser& operator=(const WebSocketUser&) = delete;
    virtual ~WebSocketUser() = default;

    virtual void on_text(std::string_view message) = 0;
};

/// How the service takes a connection.
struct WebSocketWelcome {
    std::string subprotocol{};  ///< one of those that the client offered; empty: none
    std::function<std::unique_ptr<WebSocketUser>(WebSocket&)> open;
};

}  // namespace damrak::http
