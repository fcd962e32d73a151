// WebSockets of the HTTP server, frame by frame over real sockets: what they answer, and what
// hostile clients cannot do.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/http/server.hpp>

#include "raw_http.hpp"
#include "support/eventually.hpp"
#include "support/raw_web_socket.hpp"

namespace damrak::http::web_socket_test {
namespace {

using ::testing::HasSubstr;
using testing::RawWebSocket;
using ::testing::StartsWith;
using namespace std::chrono_literals;

// Sends back what it gets; a number is answered with this many bytes.
class Echo final : public WebSocketUser {
  public:
    Echo(WebSocket& socket, std::atomic<int>& open) : socket_(&socket), open_(&open) { ++*open_; }
    ~Echo() override { --*open_; }
    Echo(const Echo&) = delete;
    Echo& operator=(const Echo&) = delete;
    void on_text(std::string_view message) override {
        if (message == "throw") throw std::runtime_error{"as asked"};
        if (message == "close") return socket_->close(4'000, "as asked");
        std::string answer{message};
        if (message.starts_with('#')) answer.assign(std::stoul(answer.substr(1)), 'x');
        socket_->send(std::make_shared<const std::string>(std::move(answer)),
                      WebSocket::Form::text);
    }

  private:
    WebSocket* socket_;
    std::atomic<int>* open_;
};

/// Of WebSockets that are to be ended; the upgrade itself has time.
constexpr auto k_impatience = 1'000ms;  // real time: the limit is what is tested

class WebSockets : public ::testing::Test {
  protected:
    ServerConfig config(std::chrono::milliseconds patience) {
        return {.port = 0,
                .answer = [](const Request&) -> Answer { return {.body = "well\n"}; },
                .patience = 1h,
                .maximum_connections = 2,
                .is_operator = [](const Request& request) { return request.path == "/operator"; },
                .web_sockets = {.upgrade = [this](const Request& request) { return take(request); },
                                .maximum = 3,
                                .maximum_message_bytes = 512,
                                .patience = patience},
                .on_tick = [this] { ++ticks_; },
                .tick = 10ms};
    }
    std::expected<WebSocketWelcome, Answer> take(const Request& request) {
        if (request.path == "/closed")
            return std::unexpected{Answer{.status = 403, .body = "not here\n"}};
        return WebSocketWelcome{
            .subprotocol = std::string{request.web_socket_protocols},
            .open = [this](WebSocket& socket) { return std::make_unique<Echo>(socket, open_); }};
    }
    // Waits until this many are open.
    [[nodiscard]] bool has_open(int wanted) const {
        return testing::eventually([&] { return open_ == wanted; });
    }

    /// From now on the server ends who is silent for a second.
    void be_impatient() { server_ = *Server::start(config(k_impatience)); }
    /// Whether a client that continues with this stays for 2.5 times that long; again where the
    /// machine kept the client silent.
    [[nodiscard]] bool stays(const std::function<bool(const RawWebSocket&)>& goes_on) {
        constexpr int k_two_and_a_half_patiences = 250;
        bool stayed = false;
        const auto attempt = [&] {
            const RawWebSocket socket{server_->port()};
            const int end = ticks_ + k_two_and_a_half_patiences;
            while (ticks_ < end)
                if (!goes_on(socket)) return;
            socket.send("hello");
            stayed = socket.receive_text() == "hello";
        };
        return testing::turns_until(attempt, [&] { return stayed; });
    }

    std::atomic<int> open_ = 0;
    std::atomic<int> ticks_ = 0;
    std::unique_ptr<Server> server_ = *Server::start(config(1h));
};

TEST_F(WebSockets, UpgradeAsRfc6455Says) {
    const RawWebSocket socket{server_->port(), "/v1/stream", "Sec-WebSocket-Protocol: one\r\n"};
    EXPECT_THAT(socket.answer(), StartsWith("HTTP/1.1 101"));
    EXPECT_THAT(socket.answer(), HasSubstr("Sec-WebSocket-Protocol: one\r\n"));
    // SHA-1 of the key and the GUID of the RFC, computed elsewhere.
    EXPECT_THAT(socket.answer(),
                HasSubstr("Sec-WebSocket-Accept: C/0nmHhBztSRGR1CwL6Tf4ZjwpY=\r\n"));
    socket.send("hello");
    EXPECT_EQ(socket.receive_text(), "hello");
}

TEST_F(WebSockets, TheServiceMayRefuse) {
    const RawWebSocket socket{server_->port(), "/closed"};
    EXPECT_THAT(socket.answer(), StartsWith("HTTP/1.1 403"));
    EXPECT_EQ(open_, 0);
}

TEST_F(WebSockets, TakeFragmentsAndAnswerPings) {
    const RawWebSocket socket{server_->port()};
    socket.send_bytes(RawWebSocket::frame(RawWebSocket::text, "hel", false));
    socket.send_bytes(RawWebSocket::frame(RawWebSocket::ping, "are you there"));
    socket.send_bytes(RawWebSocket::frame(RawWebSocket::continuation, "lo"));
    const auto pong = socket.receive();
    ASSERT_TRUE(pong);
    EXPECT_EQ(pong->opcode, RawWebSocket::pong);
    EXPECT_EQ(pong->payload, "are you there");
    EXPECT_EQ(socket.receive_text(), "hello");
}

TEST_F(WebSockets, CloseWithTheCodeOfTheFault) {
    const auto code_after = [&](std::string_view bytes) {
        const RawWebSocket socket{server_->port()};
        socket.send_bytes(bytes);
        return socket.close_code();
    };
    EXPECT_EQ(code_after(RawWebSocket::frame(RawWebSocket::text, std::string(513, 'x'))), 1009U);
    EXPECT_EQ(code_after(RawWebSocket::frame(RawWebSocket::text, "\xff\xfe")), 1007U);
    EXPECT_EQ(code_after(RawWebSocket::frame(RawWebSocket::binary, "x")), 1003U);
    EXPECT_EQ(code_after(RawWebSocket::frame(RawWebSocket::text, "throw")), 1011U);
    EXPECT_EQ(code_after(RawWebSocket::frame(RawWebSocket::text, "close")), 4000U);
    EXPECT_EQ(code_after(RawWebSocket::frame(3, "x")), 1002U) << "a reserved opcode";
    EXPECT_EQ(code_after(RawWebSocket::frame(RawWebSocket::continuation, "x")), 1002U);
    EXPECT_EQ(code_after(RawWebSocket::frame(RawWebSocket::ping, "x", false)), 1002U);
    EXPECT_EQ(code_after(RawWebSocket::frame(RawWebSocket::close, "\x03\xe8")), 1000U);
    EXPECT_EQ(code_after({"\x81\x01x", 3}), 1002U) << "without a mask";
    EXPECT_TRUE(has_open(0));
}

TEST_F(WebSockets, AMessageInEndlessFragmentsIsTooLarge) {
    const RawWebSocket socket{server_->port()};
    socket.send_bytes(RawWebSocket::frame(RawWebSocket::text, "x", false));
    std::string fragments;
    for (int i = 0; i < 6; ++i)
        fragments += RawWebSocket::frame(RawWebSocket::continuation, std::string(100, 'x'), false);
    socket.send_bytes(fragments);
    EXPECT_EQ(socket.close_code(), 1009U);
}

TEST_F(WebSockets, AFloodOfMessagesWaitsItsTurn) {
    const RawWebSocket socket{server_->port()};
    std::string flood;
    constexpr int k_messages = 40;
    for (int i = 0; i < k_messages; ++i) flood += RawWebSocket::frame(RawWebSocket::text, "m");
    const int before = ticks_;
    socket.send_bytes(flood);
    for (int i = 0; i < k_messages; ++i) EXPECT_EQ(socket.receive_text(), "m");
    // 20 at once, then one every 50 ms, between which the server ticks at least once.
    EXPECT_GE(ticks_ - before, 15);
}

TEST_F(WebSockets, AFloodOfPingsEndsTheConnection) {
    const RawWebSocket socket{server_->port()};
    std::string flood;
    for (int i = 0; i < 300; ++i) flood += RawWebSocket::frame(RawWebSocket::ping, "");
    socket.send_bytes(flood);
    EXPECT_TRUE(has_open(0));
}

TEST_F(WebSockets, WhoeverTakesNothingIsDisconnected) {
    be_impatient();
    const RawWebSocket socket{server_->port()};
    socket.send("#50000000");
    EXPECT_TRUE(has_open(1));
    EXPECT_TRUE(has_open(0));
}

TEST_F(WebSockets, WhoeverDoesNotAnswerPingsIsDisconnected) {
    be_impatient();
    const RawWebSocket socket{server_->port()};
    const auto ping = socket.receive();
    ASSERT_TRUE(ping);
    EXPECT_EQ(ping->opcode, RawWebSocket::ping);
    const auto end = socket.receive();
    ASSERT_TRUE(end) << "one ping, then the close frame";
    EXPECT_EQ(end->opcode, RawWebSocket::close);
    EXPECT_EQ(end->close_code(), 1008U);
    EXPECT_THAT(end->payload, HasSubstr("no frame came for 1 seconds"));
    EXPECT_TRUE(has_open(0)) << "although the client does not answer";
}

TEST_F(WebSockets, WhoeverAnswersPingsStays) {
    be_impatient();
    EXPECT_TRUE(stays([](const RawWebSocket& socket) {
        const auto ping = socket.receive();
        if (!ping || ping->opcode != RawWebSocket::ping) return false;
        socket.send_bytes(RawWebSocket::frame(RawWebSocket::pong, ping->payload));
        return true;
    }));
}

TEST_F(WebSockets, WhoeverSendsMessagesNeedNotAnswerPings) {
    be_impatient();
    EXPECT_TRUE(stays([](const RawWebSocket& socket) {
        socket.send("hello");
        return socket.receive_text() == "hello";
    }));
}

TEST_F(WebSockets, HavePlacesOfTheirOwn) {
    std::vector<std::unique_ptr<RawWebSocket>> sockets;
    for (int i = 0; i < 3; ++i) sockets.push_back(std::make_unique<RawWebSocket>(server_->port()));
    EXPECT_TRUE(has_open(3));
    EXPECT_THAT(testing::ask_for(server_->port(), "/health"), StartsWith("HTTP/1.1 200"));
    const RawWebSocket one_more{server_->port()};
    EXPECT_THAT(one_more.answer(), StartsWith("HTTP/1.1 503"));
    sockets.clear();
    EXPECT_TRUE(has_open(0));
    const RawWebSocket again{server_->port()};
    EXPECT_THAT(again.answer(), StartsWith("HTTP/1.1 101"));
}

TEST_F(WebSockets, LeaveTheOperatorPlaces) {
    constexpr std::size_t k_all = 16;
    ServerConfig several = config(1h);
    several.web_sockets.maximum = k_all;
    server_ = *Server::start(std::move(several));
    std::vector<std::unique_ptr<RawWebSocket>> sockets;
    for (std::size_t i = 0; i < k_all - k_all / 8; ++i) {
        sockets.push_back(std::make_unique<RawWebSocket>(server_->port()));
        EXPECT_THAT(sockets.back()->answer(), StartsWith("HTTP/1.1 101"));
    }
    const RawWebSocket stranger{server_->port()};
    EXPECT_THAT(stranger.answer(), StartsWith("HTTP/1.1 503"));
    const RawWebSocket own{server_->port(), "/operator"};
    EXPECT_THAT(own.answer(), StartsWith("HTTP/1.1 101"));
    EXPECT_EQ(server_->places().web_sockets.used, k_all - k_all / 8 + 1);
}

TEST_F(WebSockets, EndWithTheServer) {
    const RawWebSocket socket{server_->port()};
    EXPECT_TRUE(has_open(1));
    server_.reset();
    EXPECT_EQ(open_, 0);
    EXPECT_TRUE(socket.client().is_closed());
}

TEST_F(WebSockets, TheServerTicks) {
    const int before = ticks_;
    EXPECT_TRUE(testing::eventually([&] { return ticks_ >= before + 5; }));
}

}  // namespace
}  // namespace damrak::http::web_socket_test
