// The live stream of a running exchange, over real sockets: exact beside /v1/book, over kill -9;
// who may open it; and trading with the operator's token.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/eventually.hpp"
#include "support/raw_web_socket.hpp"
#include "support/running_server.hpp"
#include "telemetry_run.hpp"

namespace damrak::testing::market_stream_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class MarketStreamRun : public ServeRun {
  protected:
    using Json = nlohmann::json;

    void serve_stream() {
        serve({"--demo-market", "--http-port", "0", "--ouch-port", "0", "--only",
               "http,ouch,itch,binary", "--itch-port", "0"});
        static_cast<void>(get_until("/v1/instruments", "AAPL"));
    }
    [[nodiscard]] std::string post(std::string_view target, std::string_view body,
                                   std::string_view fields = {}) const {
        const RawClient client{http_};
        const std::string request = fmt::format(
            "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{}"
            "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
            target, fields, body.size(), body);
        client.send(std::as_bytes(std::span{request}));
        std::string answer;
        for (const std::byte b : client.receive(100'000)) answer += static_cast<char>(b);
        return answer;
    }
    [[nodiscard]] std::string token() const {
        std::ifstream file{data_ + "/operator-token"};
        std::string text;
        file >> text;
        return text;
    }
    [[nodiscard]] std::string log_in() const {
        const std::string answer = post("/v1/login", fmt::format(R"({{"token": "{}"}})", token()));
        EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 204"), HasSubstr("; HttpOnly"),
                                  HasSubstr("; SameSite=Strict")));
        const std::size_t begin = answer.find("Set-Cookie: ") + 12;
        return "Cookie: " + answer.substr(begin, answer.find(';', begin) - begin) + "\r\n";
    }
    /// The first message that fits; null if none comes.
    static Json receive_until(const RawWebSocket& socket,
                              const std::function<bool(const Json&)>& fits) {
        for (int i = 0; i < 2'000; ++i) {
            const Json message = Json::parse(socket.receive_text(), nullptr, false);
            if (message.is_discarded()) break;
            if (fits(message)) return message;
        }
        ADD_FAILURE() << "the message does not come";
        return {};
    }
    static std::function<bool(const Json&)> is_report(std::string what) {
        return [what](const Json& message) { return message.value("what", "") == what; };
    }
    /// The stream's depth and /v1/book at the same sequence are the same.
    void expect_same_book(const RawWebSocket& socket) const {
        // The stream has the market a little after the API, and after a start.
        Json told;
        ASSERT_TRUE(turns_until(
            [&] {
                socket.send(
                    R"({"op": "subscribe", "channel": "depth", "symbol": "AAPL", "levels": 10})");
                told = receive_until(
                    socket, [](const Json& message) { return message.at("type") == "snapshot"; });
            },
            [&] {
                return HasFailure() ||
                       (told.is_object() && !told.at("bids").empty() && !told.at("asks").empty());
            }));
        ASSERT_FALSE(HasFailure());
        const std::string answer = get(fmt::format("/v1/book?symbol=AAPL&depth=10&sequence={}",
                                                   told.at("sequence").get<std::uint64_t>()));
        const Json book = Json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
        for (const char* const side : {"bids", "asks"}) {
            Json rows = Json::array();
            for (const Json& one : book.at(side))
                rows.push_back({one.at("price"), one.at("quantity"), one.at("orders")});
            EXPECT_EQ(told.at(side), rows) << side;
        }
    }
};

TEST_F(MarketStreamRun, IsTheBookOfTheApiAlsoAfterAKill) {
    serve_stream();
    static_cast<void>(get_until("/v1/book?symbol=AAPL&depth=1", R"("asks": [{)"));
    std::string session;
    {
        const RawWebSocket socket{http_};
        const Json hello = Json::parse(socket.receive_text());
        session = hello.at("session").get<std::string>();
        expect_same_book(socket);
        server_->kill();
        while (socket.receive()) continue;
    }
    serve_stream();
    const RawWebSocket socket{http_};
    EXPECT_EQ(Json::parse(socket.receive_text()).at("session"), session);
    expect_same_book(socket);
}

TEST_F(MarketStreamRun, TellsWhatMetricsTell) {
    serve_stream();
    const RawWebSocket socket{http_};
    socket.send(R"({"op": "subscribe", "channel": "exchange"})");
    const Json told =
        receive_until(socket, [](const Json& message) { return message.at("type") == "snapshot"; });
    EXPECT_EQ(told.at("status"), "ok") << told.at("reason");
    EXPECT_EQ(told.at("viewers"), 1);
    EXPECT_GT(told.at("memory_bytes").get<std::uint64_t>(), 1'000'000U);
    EXPECT_TRUE(told.at("capacity").contains("orders"));
    EXPECT_THAT(get("/metrics"), HasSubstr("damrak_stream_viewers 1\n"));
    const std::string description = get("/v1/asyncapi.json");
    EXPECT_FALSE(Json::parse(description.substr(description.find("\r\n\r\n") + 4), nullptr, false)
                     .is_discarded());
}

TEST_F(MarketStreamRun, RefusesForeignPagesNamesAndPaths) {
    serve_stream();
    const auto answer = [&](std::string_view target, std::string_view fields) {
        return RawWebSocket{http_, target, fields}.answer();
    };
    EXPECT_THAT(answer("/v1/stream", "Origin: http://localhost\r\n"), StartsWith("HTTP/1.1 101"));
    EXPECT_THAT(answer("/v1/stream", "Origin: http://evil.example\r\n"),
                StartsWith("HTTP/1.1 403"));
    EXPECT_THAT(answer("/v1/other", ""), StartsWith("HTTP/1.1 404"));
    EXPECT_THAT(get("/v1/stream"), StartsWith("HTTP/1.1 426"));
    // A page that gave this machine a name of its own.
    for (const char* const target : {"/", "/v1/days", "/metrics", "/v1/stream"}) {
        const RawClient client{http_};
        const std::string request = fmt::format(
            "GET {} HTTP/1.1\r\nHost: evil.example:{}\r\nConnection: close\r\n\r\n", target, http_);
        client.send(std::as_bytes(std::span{request}));
        const Bytes bytes = client.receive(12);
        EXPECT_EQ((std::string{reinterpret_cast<const char*>(bytes.data()), bytes.size()}),
                  "HTTP/1.1 421")
            << target;
    }
}

TEST_F(MarketStreamRun, LogsInWithTheTokenAlone) {
    serve_stream();
    for (const std::string& body : {std::string{R"({"token": ""})"},
                                    fmt::format(R"({{"token": "{}"}})", std::string(64, '0')),
                                    fmt::format(R"({{"token": "{}0"}})", token())})
        EXPECT_THAT(post("/v1/login", body),
                    AllOf(StartsWith("HTTP/1.1 403"), Not(HasSubstr("Set-Cookie"))));
    const std::string right = fmt::format(R"({{"token": "{}"}})", token());
    for (const char* const body : {"", "{}", "[]", R"({"token": 1})"})
        EXPECT_THAT(post("/v1/login", body), StartsWith("HTTP/1.1 400")) << body;
    EXPECT_THAT(post("/v1/login", right, "Origin: http://evil.example\r\n"),
                StartsWith("HTTP/1.1 403"));
    EXPECT_THAT(get("/v1/login"), StartsWith("HTTP/1.1 405"));
    const auto may_trade = [&](const std::string& fields) {
        const RawWebSocket socket{http_, "/v1/stream", fields};
        return Json::parse(socket.receive_text()).at("trading").get<bool>();
    };
    EXPECT_FALSE(may_trade(""));
    EXPECT_FALSE(may_trade(fmt::format("Cookie: damrak_{}={}\r\n", http_, token())));
    EXPECT_TRUE(may_trade("Authorization: Bearer " + token() + "\r\n"));
    const std::string cookie = log_in();
    EXPECT_TRUE(may_trade(cookie));
    EXPECT_THAT(post("/v1/logout", "", cookie), StartsWith("HTTP/1.1 204"));
    EXPECT_FALSE(may_trade(cookie));
}

TEST_F(MarketStreamRun, LetsNobodyElseInAsItsUser) {
    serve_stream();
    const auto port = Json::parse(server_->ready_line())["ports"]["ouch"].get<std::uint16_t>();
    for (const std::string_view password : {"", "PAGE", "0000000000"}) {
        const RawClient impostor{port};
        const std::string login = std::string{"\0\x2FL", 3} +
                                  fmt::format("{:6}{:10}{:>10}{:>20}", "PAGE", password, "", 1);
        impostor.send(std::as_bytes(std::span{login}));
        const Bytes answer = impostor.receive(3);
        ASSERT_EQ(answer.size(), 3U);
        EXPECT_EQ(static_cast<char>(answer[2]), 'J') << password;
    }
}

TEST_F(MarketStreamRun, TradesAndTakesItsOrdersOverAfterAKill) {
    serve_stream();
    const auto enter = [](int request, int quantity, std::string_view price) {
        return fmt::format(R"({{"op": "enter", "request": {}, "symbol": "TEST", "side": "buy", )"
                           R"("quantity": {}, "price": {}}})",
                           request, quantity, price);
    };
    Json order;
    {
        const RawWebSocket stranger{http_};
        stranger.send(enter(1, 10, "1.01"));
        EXPECT_EQ(receive_until(stranger, [](const Json& m) { return m.at("type") == "error"; })
                      .at("code"),
                  "not_allowed");
        const RawWebSocket trader{http_, "/v1/stream", log_in()};
        // The connection to the gateway is made for the first viewer who may trade.
        auto ask = [&, request = 1'000]() mutable {
            trader.send(enter(++request, 10, "1.01"));
            const Json answer = receive_until(trader, [](const Json& message) {
                return message.at("type") == "error" || message.value("what", "") == "accepted";
            });
            if (answer.at("type") == "order") order = answer;
        };
        ASSERT_TRUE(turns_until(ask, [&] { return !order.is_null(); }));
        EXPECT_EQ(order.at("state"), "open");
        trader.send(fmt::format(
            R"({{"op": "replace", "request": 500, "order": {}, "quantity": 30, "price": 1.02}})",
            order.at("order").get<int>()));
        order = receive_until(trader, is_report("replaced"));
        EXPECT_EQ(order.at("request"), 500);
        EXPECT_EQ(order.at("open"), 30);
        // Its place in the queue is seen where everybody sees it, once the feed has it.
        static_cast<void>(get_until("/v1/book?symbol=TEST&depth=0", "1.02"));
        const Json expected = Json::array({order.at("reference"), 1.02, 30});
        Json orders;
        const auto look = [&] {
            trader.send(R"({"op": "subscribe", "channel": "orders", "symbol": "TEST"})");
            orders = receive_until(
                trader, [](const Json& message) { return message.at("type") == "snapshot"; });
        };
        EXPECT_TRUE(turns_until(look, [&] {
            return orders.is_object() && !orders.at("bids").empty() &&
                   orders.at("bids").back() == expected;
        })) << orders;
        server_->kill();
    }
    serve_stream();
    const RawWebSocket trader{http_, "/v1/stream", log_in()};
    const Json present = receive_until(trader, is_report("present"));
    EXPECT_EQ(present.at("reference"), order.at("reference"));
    EXPECT_EQ(present.at("open"), 30);
    trader.send(fmt::format(R"({{"op": "cancel", "request": 1, "order": {}}})",
                            present.at("order").get<int>()));
    EXPECT_EQ(receive_until(trader, is_report("cancelled")).at("reference"), order.at("reference"));
}

}  // namespace
}  // namespace damrak::testing::market_stream_test
