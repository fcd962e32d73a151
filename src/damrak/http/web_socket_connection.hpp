// The WebSockets of the HTTP server: they read at a limited rate, answer pings, and end if the
// client is silent or takes nothing. Server's thread only. Uses Boost.Beast.
#pragma once

#include <cstddef>
#include <set>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <damrak/http/places.hpp>
#include <damrak/http/server.hpp>
#include <damrak/http/web_socket.hpp>

namespace damrak::http {

class WebSocketConnection;

class WebSocketConnections {
  public:
    using UpgradeRequest = boost::beast::http::request<boost::beast::http::string_body>;

    explicit WebSocketConnections(const WebSocketConfig& config)
        : config_(&config), places_(config.maximum, config.maximum_of_address) {}

    [[nodiscard]] std::optional<Places::Place> take_place(const Places::Address& client) {
        return places_.take(client);
    }
    /// Answers the request and serves the connection.
    void serve(boost::asio::ip::tcp::socket socket, Places::Place place,
               const UpgradeRequest& request, WebSocketWelcome welcome);
    /// Ends connections whose client takes nothing; to be called from time to time.
    void end_stalled();

  private:
    friend class WebSocketConnection;

    const WebSocketConfig* config_;
    Places places_;
    std::set<WebSocketConnection*> open_;
};

}  // namespace damrak::http
