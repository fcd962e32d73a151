// A small HTTP server for monitoring and administration. It answers GET and HEAD, and POST where
// allowed, on its own thread, with the result of a function. Constructed and destroyed on the
// set-up thread.
//
// Limits protect it from clients: a few KiB of headers, a bounded body, a few seconds for a request
// and its answer, and few connections; excess connections are closed at once. Uses Boost.Beast,
// which no other folder does.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace damrak::telemetry {

/// The request; valid while it is answered.
struct HttpRequest {
    bool is_post = false;   ///< otherwise GET, or HEAD, which is answered like GET
    bool is_local = false;  ///< from a loopback address
    std::string_view path;
    std::string_view query;  ///< the part after the question mark
    std::string_view host;
    std::string_view origin;  ///< Origin header: the page whose script asks
    std::string_view content_type;
    std::string_view body;
};

struct HttpAnswer {
    unsigned status = 200;
    std::string content_type = "text/plain; charset=utf-8";
    std::string body{};
};

struct HttpServerConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;  ///< zero: any free port
    /// Called on the server's thread.
    std::function<HttpAnswer(const HttpRequest&)> answer;
    std::uint32_t maximum_body_bytes = 0;  ///< of a POST; zero: none allowed
    std::uint32_t maximum_header_bytes = 8'192;
    std::chrono::milliseconds patience{5'000};  ///< for a request to arrive, and for its answer
    std::size_t maximum_connections = 32;
};

class HttpServer {
  public:
    [[nodiscard]] static std::expected<std::unique_ptr<HttpServer>, std::string> start(
        HttpServerConfig config);
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    /// Ends all connections.
    ~HttpServer();

    [[nodiscard]] std::uint16_t port() const;

  private:
    class Implementation;
    explicit HttpServer(std::unique_ptr<Implementation> implementation);

    std::unique_ptr<Implementation> implementation_;
};

}  // namespace damrak::telemetry
