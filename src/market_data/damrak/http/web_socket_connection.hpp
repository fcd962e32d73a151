// The WebSockets of the HTTP server: they read at a limited rate, answer pings, and end if the
// client is silent or takes nothing. Server's thread only. Uses Boost.Beast.
#pragma once

#include <expected>
#include <set>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <damrak/http/detail/client_host.hpp>
#include <damrak/http/detail/stream.hpp>
#include <damrak/http/server.hpp>
#include <damrak/http/web_socket.hpp>

namespace damrak::http {

class WebSocketConnection;

class WebSocketConnections {
  public:
    using UpgradeRequest = boost::beast::http::request<boost::beast::http::string_body>;

    explicit WebSocketConnections(const WebSocketConfig& config)
        : config_(&config), places_(places_of(config.maximum, config.maximum_of_address)) {}

    [[nodiscard]] std::expected<budget::Row::Place, budget::Refusal> take_place(
        const boost::asio::ip::address& client) {
        return places_.take(who_is(client));
    }
    /// Answers the request and serves the connection.
    void serve(Stream stream, budget::Row::Place place, const UpgradeRequest& request,
               WebSocketWelcome welcome);
    /// Pings silent clients, and ends the connections of those that do not answer or take nothing;
    /// to be called from time to time.
    void look_after_all();

  private:
    friend class WebSocketConnection;

    const WebSocketConfig* config_;
    budget::Row places_;
    std::set<WebSocketConnection*> open_;
};

}  // namespace damrak::http
