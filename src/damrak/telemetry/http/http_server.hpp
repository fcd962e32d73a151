// A small HTTP server for those who watch and those who administer: it answers GET and HEAD, and
// POST where that is allowed, on a thread of its own, with what a function says. Made, and ended by
// its destructor, on the thread that sets things up.
//
// Nobody who talks to it can take much: a request has at most a few KiB of headers and no body
// beyond what is allowed, a few seconds to arrive and to be answered, and connections are few; one
// too many is closed at once. Over Boost.Beast, which is known in this folder only.
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

/// What was asked; good while it is answered.
struct HttpRequest {
    bool is_post = false;   ///< else GET, or HEAD, which is answered as GET
    bool is_local = false;  ///< it came from a loopback address
    std::string_view path;
    std::string_view query;  ///< what stands behind a question mark
    std::string_view host;
    std::string_view origin;  ///< a browser names here the page that asks
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
    std::uint16_t port = 8080;  ///< zero takes a free one
    /// Called on the server's thread.
    std::function<HttpAnswer(const HttpRequest&)> answer;
    std::uint32_t maximum_body_bytes = 0;  ///< of a POST; zero: there is none
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
