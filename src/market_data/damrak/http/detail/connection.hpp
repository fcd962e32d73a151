// The connections of the HTTP server, and what they share. Server's thread only.
#pragma once

#include <optional>

#include <boost/asio/ssl/context.hpp>

#include <damrak/http/detail/client_host.hpp>
#include <damrak/http/detail/event_loop.hpp>
#include <damrak/http/detail/worker.hpp>
#include <damrak/http/server.hpp>
#include <damrak/http/web_socket_connection.hpp>

namespace damrak::http::detail {

inline constexpr HostPart k_half{.of = 1, .out_of = 2};

struct Shared {
    explicit Shared(ServerConfig given)
        : config(std::move(given)),
          places(places_of(config.maximum_connections, k_half)),
          waiting(places_of(config.maximum_waiting, k_half)),
          web_sockets(config.web_sockets) {}

    ServerConfig config;
    std::optional<boost::asio::ssl::context> tls{};  ///< if the server has a certificate
    budget::Row places;
    budget::Row waiting;  ///< requests that the worker has
    WebSocketConnections web_sockets;
    std::optional<Worker> worker{};
};

/// Serves a client until it closes or takes too long.
void serve(Socket socket, const boost::asio::ip::address& client, budget::Row::Place place,
           Shared& shared);

}  // namespace damrak::http::detail
