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

/// The WebSockets of a server, on its thread.
class WebSocketConnections {
  public:
    using UpgradeRequest = boost::beast::http::request<boost::beast::http::string_body>;

    explicit WebSocketConnections(const WebSocketConfig& config)
        : config_(&config), places_(places_of(config.maximum, k_of_one_host)) {}

    [[nodiscard]] std::expected<budget::Row::Place, budget::Refusal> take_place(
        const budget::Who& who) {
        return places_.take(who);
    }
    /// Any thread.
    [[nodiscard]] budget::Row::Figures places() const { return places_.figures(); }
    /// Answers the request and serves the connection.
    void serve(Stream stream, budget::Row::Place place, const UpgradeRequest& request,
               WebSocketWelcome welcome);
    /// Pings silent clients, and ends the connections of those that do not answer or take nothing;
    /// to be called from time to time.
    void look_after_all();

  private:
    friend class WebSocketConnection;
    /// Viewers behind one address are many.
    static constexpr HostPart k_of_one_host{.of = 3, .out_of = 4};

    const WebSocketConfig* config_;
    budget::Row places_;
    std::set<WebSocketConnection*> open_;
};

}  // namespace damrak::http
