// What a client sends over a WebSocket, after the handshake: frames as RFC 6455 has them, and
// anything else. The service hears whole messages within the limit, and the connection always ends.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>
#include <damrak/http/web_socket_connection.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_web_socket {

using damrak::http::WebSocket;
using damrak::http::WebSocketConfig;
using damrak::http::WebSocketConnections;
using damrak::http::WebSocketUser;

namespace {

constexpr std::uint32_t k_most_bytes = 4'096;
int open_users = 0;

class Listener final : public WebSocketUser {
  public:
    explicit Listener(WebSocket& socket) : socket_(&socket) { ++open_users; }
    ~Listener() override { --open_users; }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    void on_text(std::string_view message) override {
        DAMRAK_ASSERT(message.size() <= k_most_bytes);
        socket_->send(std::make_shared<const std::string>(message), WebSocket::Form::text);
    }

  private:
    WebSocket* socket_;
};

WebSocketConnections::UpgradeRequest upgrade_request() {
    namespace bhttp = boost::beast::http;
    WebSocketConnections::UpgradeRequest request{bhttp::verb::get, "/v1/stream", 11};
    request.set(bhttp::field::host, "localhost");
    request.set(bhttp::field::connection, "Upgrade");
    request.set(bhttp::field::upgrade, "websocket");
    request.set(bhttp::field::sec_websocket_version, "13");
    request.set(bhttp::field::sec_websocket_key, "AQIDBAUGBwgJCgsMDQ4PEA==");
    return request;
}

}  // namespace

DAMRAK_FUZZ_TARGET(web_socket)(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t k_most = 65'536;  // what the socket takes at once
    if (size > k_most) return 0;
    std::array<int, 2> ends{};
    DAMRAK_ASSERT(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    DAMRAK_ASSERT(::send(ends[1], data, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size));
    ::shutdown(ends[1], SHUT_WR);
    {
        const WebSocketConfig config{.maximum_message_bytes = k_most_bytes,
                                     .reads_per_second = 1'000'000};
        WebSocketConnections connections{config};
        damrak::http::EventLoop context;
        damrak::http::Socket socket{context};
        socket.assign(boost::asio::ip::tcp::v4(), ends[0]);
        connections.serve({std::move(socket), nullptr}, *connections.take_place({}),
                          upgrade_request(),
                          {.open = [](WebSocket& one) { return std::make_unique<Listener>(one); }});
        context.run();
        DAMRAK_ASSERT(open_users == 0);
    }
    ::close(ends[1]);
    return 0;
}

}  // namespace damrak::fuzz_web_socket
