// The WebSockets of the HTTP server: they read at a limited rate, answer pings, and end if the
// client is silent or takes nothing. Server's thread only. Uses Boost.Beast.
#pragma once

#include <optional>
#include <set>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <damrak/http/detail/places.hpp>
#include <damrak/http/detail/stream.hpp>
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
    void serve(Stream stream, Places::Place place, const UpgradeRequest& request,
               WebSocketWelcome welcome);
    /// Pings silent clients, and ends the connections of those that do not answer or take nothing;
    /// to be called from time to time.
    void look_after_all();

  private:
    friend class WebSocketConnection;

    const WebSocketConfig* config_;
    Places places_;
    std::set<WebSocketConnection*> open_;
};

}  // namespace damrak::http
