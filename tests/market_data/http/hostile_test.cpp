// Hostile clients: slow ones, floods, junk, and many at once.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/http/server.hpp>

#include "raw_http.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"

namespace damrak::http::hostile_test {
namespace {

using ::testing::AllOf;
using testing::ask_for;
using testing::ask_raw;
using testing::Bytes;
using ::testing::HasSubstr;
using testing::RawClient;
using testing::rest_of;
using testing::send_text;
using ::testing::StartsWith;
using namespace std::chrono_literals;

/// Only of the test whose client is cut.
constexpr auto k_impatience = 500ms;  // real time: the limit is what is tested
constexpr std::string_view k_ok = "HTTP/1.1 200";
constexpr std::string_view k_refused = "HTTP/1.1 503";

class HostileHttp : public ::testing::Test {
  protected:
    HostileHttp() { restart(1h); }

    void restart(std::chrono::milliseconds patience) {
        server_ = *Server::start(
            {.port = 0,
             .answer = [](const Request& request) -> Answer {
                 return {.body =
                             std::string{request.path} + "?" + std::string{request.query} + "\n"};
             },
             .is_long = [](const Request& request) { return request.path.starts_with("/v1"); },
             .patience = patience});
        port_ = server_->port();
    }

    std::unique_ptr<Server> server_;
    std::uint16_t port_ = 0;
};

TEST_F(HostileHttp, CutsARequestThatNeverEnds) {
    // An occasional byte does not extend the time limit.
    restart(k_impatience);
    const RawClient slow{port_};
    send_text(slow, "GET /v1 HTTP/1.1\r\nX: ");
    std::atomic<bool> closed = false;
    const std::jthread listening{[&] { closed = slow.is_closed(); }};
    EXPECT_TRUE(testing::eventually([&] {
        send_text(slow, "x");
        return closed.load();
    }));
    EXPECT_THAT(ask_for(port_, "/v1"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HostileHttp, RefusesLongTargetsAndManyHeaders) {
    EXPECT_THAT(ask_for(port_, "/v1?" + std::string(4'000, 'a')), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(ask_for(port_, "/v1?" + std::string(20'000, 'a')), StartsWith("HTTP/1.1 400"));
    std::string headers;
    for (int i = 0; i < 2'000; ++i) headers += "X-" + std::to_string(i) + ": y\r\n";
    EXPECT_THAT(ask_for(port_, "/v1", headers),
                AllOf(StartsWith("HTTP/1.1 400"), HasSubstr("have at most 8192 bytes")));
    EXPECT_THAT(ask_for(port_, "/v1"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HostileHttp, RejectsJunkAndContinues) {
    for (const std::string_view junk :
         {"\r\n\r\n\r\n\r\n", "GET\r\n\r\n", "GET /v1\r\n\r\n", "GET /v1 HTTP/9.9\r\n\r\n",
          "GET /v1 HTTP/1.1\r\nHost x\r\n\r\n", "GET /v1 HTTP/1.1\r\n: x\r\n\r\n",
          "GET /v1 HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
          "GET /v1 HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
          "GET /v1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
          "GET /v1 HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"}) {
        const std::string answer = ask_raw(port_, junk);
        EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 400") ||
                    answer.starts_with("HTTP/1.1 413"))
            << junk << ": " << answer;
    }
    for (const std::string_view junk : {std::string_view{"\0\0\0\0\r\n\r\n", 8},
                                        std::string_view{"GET /\0v1 HTTP/1.1\r\n\r\n", 21}})
        EXPECT_THAT(ask_raw(port_, junk), StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(ask_for(port_, "/v1"), StartsWith("HTTP/1.1 200"));
}

// What a proxy in front of the server could understand otherwise.
TEST_F(HostileHttp, RejectsRequestsOfTwoMeanings) {
    for (const std::string_view fields :
         {"Host: localhost\r\n", "Origin: http://a\r\nOrigin: http://b\r\n",
          "Authorization: Bearer a\r\nauthorization: Bearer b\r\n",
          "Content-Type: text/plain\r\nContent-Type: text/html\r\n", "X-A: b\r\n c\r\n",
          "X-A:\r\n\tb\r\n"})
        EXPECT_THAT(ask_for(port_, "/v1", fields), StartsWith("HTTP/1.1 400")) << fields;
    EXPECT_THAT(ask_raw(port_, "GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n"),
                AllOf(StartsWith("HTTP/1.1 400"), HasSubstr("one Host")));
    EXPECT_THAT(ask_raw(port_, "GET /v1 HTTP/1.0\r\n\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HostileHttp, RejectsUnexpectedBodies) {
    const std::string answer =
        ask_raw(port_, "GET /v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" +
                           std::string(100'000, 'x'));
    EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 4")) << answer;
    EXPECT_THAT(ask_for(port_, "/v1"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HostileHttp, ServesManyClientsAtATime) {
    constexpr int k_clients = 40;
    std::latch together{k_clients};
    std::vector<std::string> answers(k_clients);
    {
        std::vector<std::jthread> clients;
        for (int i = 0; i < k_clients; ++i)
            clients.emplace_back([&, i] {
                const RawClient client{port_};
                together.arrive_and_wait();
                std::string requests;
                for (int n = 0; n < 20; ++n)
                    requests += "GET /" + std::string{n % 2 == 0 ? "v1" : "now"} +
                                "?client=" + std::to_string(i) + "&n=" + std::to_string(n) +
                                " HTTP/1.1\r\nHost: x\r\n" +
                                (n == 19 ? "Connection: close\r\n" : "") + "\r\n";
                send_text(client, requests);
                answers[static_cast<std::size_t>(i)] = rest_of(client);
            });
    }
    for (int i = 0; i < k_clients; ++i) {
        const std::string& answer = answers[static_cast<std::size_t>(i)];
        EXPECT_THAT(answer, HasSubstr("now?client=" + std::to_string(i) + "&n=19\n"));
    }
}

TEST_F(HostileHttp, ReleasesTheConnectionsOfClientsThatLeave) {
    // Half a request, then a disconnect; more clients than connections.
    for (int i = 0; i < 300; ++i) {
        const RawClient client{port_};
        send_text(client, i % 2 == 0 ? "GET /v1 HT" : "GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    EXPECT_TRUE(testing::eventually([&] {
        return ask_for(port_, "/v1").starts_with("HTTP/1.1 200");
    })) << "its connections were not released";
}

class HttpShare : public ::testing::Test {
  protected:
    /// It has sent a request, and is answered and kept, or told that there is no room.
    [[nodiscard]] std::string come(const char* from) {
        clients_.push_back(std::make_unique<RawClient>(server_->port(), from));
        send_text(*clients_.back(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        const Bytes head = clients_.back()->receive(12);
        return {reinterpret_cast<const char*>(head.data()), head.size()};
    }

    static constexpr std::size_t k_all = 40;  ///< of which 35 are for strangers
    static constexpr std::size_t k_of_a_host = 17;
    std::unique_ptr<Server> server_ =
        *Server::start({.port = 0,
                        .answer = [](const Request&) -> Answer { return {.body = "here\n"}; },
                        .patience = 1h,
                        .maximum_connections = k_all});
    std::vector<std::unique_ptr<RawClient>> clients_;
};

TEST_F(HttpShare, LeavesConnectionsForOtherAddresses) {
    for (std::size_t i = 0; i < k_of_a_host; ++i) EXPECT_EQ(come("127.0.0.1"), k_ok) << i;
    EXPECT_EQ(come("127.0.0.1"), k_refused);
    EXPECT_EQ(come("127.0.0.2"), k_ok);
    EXPECT_EQ(server_->places().connections.used, k_of_a_host + 1);
    EXPECT_EQ(server_->places().connections.total, k_all);
}

TEST_F(HttpShare, WhoIsRefusedIsToldWhy) {
    for (std::size_t i = 0; i < k_of_a_host; ++i) EXPECT_EQ(come("127.0.0.1"), k_ok) << i;
    const RawClient one_more{server_->port()};
    const std::string answer = rest_of(one_more);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
    EXPECT_THAT(answer, AllOf(HasSubstr("Retry-After: 1\r\n"), HasSubstr("Connection: close")));
    EXPECT_THAT(answer, HasSubstr("its address uses all that one address may have"));
}

TEST_F(HttpShare, WhatStrangersCannotTakeIsForThisMachine) {
    constexpr std::size_t k_strangers = 35;
    for (std::size_t i = 0; i < k_strangers; ++i)
        EXPECT_EQ(come(i < k_of_a_host       ? "127.0.0.1"
                       : i < 2 * k_of_a_host ? "127.0.0.2"
                                             : "127.0.0.3"),
                  k_ok)
            << i;
    EXPECT_EQ(server_->places().connections.strangers, k_strangers);
    EXPECT_EQ(come("127.0.0.2"), k_ok) << "all of these addresses are this machine's";
    EXPECT_EQ(server_->places().connections.strangers, k_strangers);
    for (std::size_t i = k_strangers + 1; i < k_all; ++i) EXPECT_EQ(come("127.0.0.3"), k_ok) << i;
    EXPECT_EQ(come("127.0.0.4"), k_refused);
}

}  // namespace
}  // namespace damrak::http::hostile_test
