// A small HTTP server. It answers GET and HEAD, and POST if allowed, with the result of a function:
// at once on its own thread or, if that may take long, on a low-priority worker, where clients take
// turns: for one request, for one piece of an answer, or until an answer gives way. Constructed and
// destroyed on the set-up thread.
//
// Limits protect it from clients: a few KiB of headers, a bounded body, a few seconds for a request
// and for each 64 KiB of its answer. Connections, WebSockets and requests for the worker are rows
// (budget/row.hpp), with a part for each address; who finds no place gets 503. If the function
// throws, the answer is 500, or is cut off. Uses Boost.Beast.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <damrak/budget/row.hpp>
#include <damrak/http/web_socket.hpp>
#include <damrak/net/tls.hpp>

namespace damrak::http {

/// The request; valid while it is answered.
struct Request {
    bool is_post = false;   ///< otherwise GET, or HEAD, which is answered like GET
    bool is_local = false;  ///< from a loopback address
    std::string_view path;
    std::string_view query;  ///< the part after the question mark
    std::string_view host;
    std::string_view origin;  ///< Origin header: the page whose script sent the request
    std::string_view content_type;
    std::string_view authorization;
    std::string_view cookie;
    std::string_view web_socket_protocols;  ///< those that a client offers, separated by commas
    std::string_view body;
    std::string_view if_none_match;  ///< the entity tags that the client has
    std::string_view accept_encoding;
};

/// An answer to a request.
struct Answer {
    unsigned status = 200;
    std::string content_type = "text/plain; charset=utf-8";
    std::string body{};
    /// The whole body compressed by gzip, for clients that take it; must outlive the server. Empty:
    /// none.
    std::string_view gzip_body{};
    /// Entity tag with its quotes: if the client has it, the answer is 304 without a body. Empty:
    /// none.
    std::string etag{};
    std::string cache_control = "no-store";
    /// Of a 401: what the client must show.
    std::string www_authenticate{};
    /// Empty: none.
    std::string set_cookie{};
    /// Of an HTML document: what the browser may do on its behalf. Empty: none.
    std::string content_security_policy{};
    /// Produces the rest of the answer piece by piece, as fast as the client reads: appends to the
    /// text, and returns false with the last piece. Called on the worker. If empty, the body is the
    /// whole answer.
    std::function<bool(std::string&)> next_piece{};
};

/// Called now and then while an answer or a piece of one is made: if it is made on the worker, the
/// other clients that wait there have a turn each first, and the answer ends here, by an exception,
/// if the server ends. Elsewhere it does nothing.
void give_way();

/// Whether one of the entity tags of If-None-Match is this one.
[[nodiscard]] bool has_tag(std::string_view if_none_match, std::string_view etag);

/// Whether a client that sends this Accept-Encoding takes gzip.
[[nodiscard]] bool takes_gzip(std::string_view accept_encoding);

/// The usual maxima.
inline constexpr std::uint32_t k_connections = 128;
inline constexpr std::uint32_t k_web_sockets = 1'024;

/// The WebSockets of a server.
struct WebSocketConfig {
    /// How to take the connection of a client that asks for a WebSocket, or what to answer.
    /// Empty: the server has none.
    std::function<std::expected<WebSocketWelcome, Answer>(const Request&)> upgrade{};
    std::size_t maximum = k_web_sockets;
    std::uint32_t maximum_message_bytes = 4'096;  ///< of a client's message
    unsigned reads_per_second = 20;               ///< messages, or parts of one
    /// For a client to take a message, and longest silence of a client. After half of it the client
    /// gets a ping, whose answer breaks the silence.
    std::chrono::milliseconds patience{30'000};
};

/// Where a server listens, and its limits.
struct ServerConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;  ///< zero: any free port
    net::TlsFiles tls{};        ///< with a certificate: HTTPS, and nothing else
    /// Called on the server's thread, or on the worker's.
    std::function<Answer(const Request&)> answer;
    /// Which requests the worker answers; empty: none. Called on the server's thread.
    std::function<bool(const Request&)> is_long{};
    /// Requests that the worker has, those whose answer it makes included; more get 503.
    std::size_t maximum_waiting = 32;
    std::uint32_t maximum_body_bytes = 0;  ///< of a POST; zero: none allowed
    std::uint32_t maximum_header_bytes = 8'192;
    /// For a request to arrive, and for each 64 KiB of its answer to be read.
    std::chrono::milliseconds patience{5'000};
    std::size_t maximum_connections = k_connections;
    /// An eighth of the places at the worker and of the WebSockets is for these requests alone. Who
    /// it is is not known when a connection opens: of the connections this part is for clients on
    /// this machine. Empty: nobody's. Called on the server's thread.
    std::function<bool(const Request&)> is_operator{};
    unsigned requests_per_second = 500;  ///< of a connection; further ones wait
    WebSocketConfig web_sockets{};       ///< they do not count as connections
    /// Called at regular times, so that a service can send to its WebSockets. Empty: never.
    std::function<void()> on_tick{};
    std::chrono::milliseconds tick{50};
};

/// The rows of a server: who has which part of what is finite.
struct ServerPlaces {
    budget::Row::Figures connections{};
    budget::Row::Figures web_sockets{};
    budget::Row::Figures waiting{};  ///< requests for the worker
};

class Server {
  public:
    [[nodiscard]] static std::expected<std::unique_ptr<Server>, std::string> start(
        ServerConfig config);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    /// Ends all connections.
    ~Server();

    [[nodiscard]] std::uint16_t port() const;
    /// Any thread.
    [[nodiscard]] ServerPlaces places() const;

  private:
    class Implementation;
    explicit Server(std::unique_ptr<Implementation> implementation);

    std::unique_ptr<Implementation> implementation_;
};

}  // namespace damrak::http
