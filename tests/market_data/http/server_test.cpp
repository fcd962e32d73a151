// The monitoring server over real sockets: its answers, and its limits on what clients can use.

#include <damrak/http/server.hpp>

#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_http.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"

namespace damrak::http::server_test {
namespace {

using ::testing::HasSubstr;
using testing::RawClient;
using ::testing::StartsWith;
using namespace std::chrono_literals;

ServerConfig config_of_test(std::chrono::milliseconds patience = 1h) {
    return {.port = 0,
            .answer = [](const Request& request) -> Answer {
                if (request.path == "/health")
                    return {.body = "well " + std::string{request.query} + "\n"};
                return {.status = 404, .body = "nothing here\n"};
            },
            .maximum_header_bytes = 1'024,
            .patience = patience,
            .maximum_connections = 4};
}

class Http : public ::testing::Test {
  protected:
    std::string ask(std::string_view request) const {
        const RawClient client{server_->port()};
        send_text(client, request);
        return rest_of(client);
    }

    std::unique_ptr<Server> server_ = *Server::start(config_of_test());
};

TEST_F(Http, AnswersRequests) {
    const std::string answer =
        ask("GET /health?how HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(answer, HasSubstr("Content-Length: 9\r\n"));
    EXPECT_THAT(answer, HasSubstr("\r\n\r\nwell how\n"));
    EXPECT_THAT(ask("GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
                StartsWith("HTTP/1.1 404"));
}

TEST(Gzip, IsForThoseWhoTakeIt) {
    for (const char* const takes :
         {"gzip", "gzip, deflate, br", "br,gzip", "identity;q=0.5, gzip;q=0.1", "gzip; q=1.0"})
        EXPECT_TRUE(takes_gzip(takes)) << takes;
    for (const char* const takes_not : {"", "br", "identity", "gzip;q=0", "br, gzip; q=0.0", ", ,"})
        EXPECT_FALSE(takes_gzip(takes_not)) << takes_not;
}

TEST_F(Http, AnswersHeadWithoutTheBody) {
    const std::string answer = ask("HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(answer, HasSubstr("Content-Length: 6\r\n"));
    EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST_F(Http, KeepsAConnectionForTheNextRequest) {
    const std::string answer =
        ask("GET /health?1 HTTP/1.1\r\nHost: x\r\n\r\n"
            "GET /health?2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(answer, HasSubstr("well 1\n"));
    EXPECT_THAT(answer, HasSubstr("well 2\n"));
}

TEST_F(Http, RefusesUnsupportedRequests) {
    EXPECT_THAT(ask("DELETE /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
                StartsWith("HTTP/1.1 405"));
    EXPECT_THAT(ask("POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"),
                StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(ask("\x16\x03\x01 what is that\r\n\r\n"), StartsWith("HTTP/1.1 400"));
}

TEST(HttpPost, IsPassedToHandlersThatAcceptIt) {
    ServerConfig config = config_of_test();
    config.maximum_body_bytes = 10;
    config.answer = [](const Request& request) -> Answer {
        return {.body = fmt::format("{} {} {} {} {} {}|", request.is_post ? "POST" : "GET",
                                    request.is_local ? "local" : "remote", request.host,
                                    request.origin, request.content_type, request.body)};
    };
    const auto server = *Server::start(config);
    const auto ask = [&](std::string_view request) {
        const RawClient client{server->port()};
        send_text(client, request);
        return rest_of(client);
    };
    EXPECT_THAT(ask("POST /x HTTP/1.1\r\nHost: h\r\nOrigin: o\r\nContent-Type: t\r\n"
                    "Connection: close\r\nContent-Length: 10\r\n\r\n0123456789"),
                HasSubstr("POST local h o t 0123456789|"));
    EXPECT_THAT(ask("GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
                HasSubstr("GET local h   |"));
    EXPECT_THAT(ask("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n0123456789a"),
                StartsWith("HTTP/1.1 400"));
}

TEST_F(Http, RefusesHeadersWithoutEnd) {
    const std::string answer =
        ask("GET /health HTTP/1.1\r\nX: " + std::string(5'000, 'x') + "\r\n\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 400"));
}

TEST_F(Http, EndsASilentConnection) {
    constexpr auto k_patience = 300ms;  // real time: the limit is what is tested
    server_ = *Server::start(config_of_test(k_patience));
    const RawClient client{server_->port()};
    EXPECT_TRUE(client.is_closed());
    const RawClient half{server_->port()};
    send_text(half, "GET /health HTT");
    EXPECT_TRUE(half.is_closed());
}

TEST_F(Http, ClosesOneConnectionTooManyAtOnceAndServesTheOthers) {
    std::vector<std::unique_ptr<RawClient>> many;
    for (int i = 0; i < 4; ++i) {
        many.push_back(std::make_unique<RawClient>(server_->port()));
        send_text(*many.back(), "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_EQ(many.back()->receive(15).size(), 15U);
    }
    const RawClient one_more{server_->port()};
    EXPECT_TRUE(one_more.is_closed());
    many.clear();
    EXPECT_TRUE(testing::eventually([&] {
        return ask("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .starts_with("HTTP/1.1 200");
    })) << "its connections were not released";
}

TEST_F(Http, EndsWithConnectionsOpen) {
    const RawClient client{server_->port()};
    send_text(client, "GET /health HTTP/1.1\r\n");
    server_.reset();
    EXPECT_TRUE(client.is_closed());
}

TEST(Server, ReportsWhyItCannotListen) {
    const auto first = Server::start(config_of_test());
    ASSERT_TRUE(first);
    ServerConfig config = config_of_test();
    config.port = (*first)->port();
    const auto second = Server::start(config);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error(), HasSubstr("cannot listen for HTTP on 127.0.0.1:"));
    config.address = "nowhere";
    EXPECT_FALSE(Server::start(config));
}

}  // namespace
}  // namespace damrak::http::server_test
