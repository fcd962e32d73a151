// Answers from the worker: whole, in pieces, and the effect of clients on them.
#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/http/server.hpp>

#include "raw_http.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"

namespace damrak::http::worker_test {
namespace {

using testing::ask_for;
using testing::ask_raw;
using testing::body_of;
using testing::dechunked;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RawClient;
using testing::rest_of;
using testing::send_text;
using ::testing::StartsWith;
using namespace std::chrono_literals;

/// Of a server whose client takes nothing.
constexpr auto k_impatience = 400ms;  // real time: the limit is what is tested
constexpr int k_pieces = 50;
constexpr std::size_t k_large_bytes = 1'000'000;

std::string lines_of(int pieces) {
    std::string text;
    for (int i = 0; i < pieces; ++i) text += "piece " + std::to_string(i) + "\n";
    return text;
}

class HttpWorker : public ::testing::Test {
  protected:
    HttpWorker() { restart(32); }

    void restart(std::size_t most_waiting, std::chrono::milliseconds patience = 1h) {
        server_ = *Server::start(
            {.port = 0,
             .answer = [this](const Request& request) { return answer(request); },
             .is_long = [](const Request& request) { return !request.path.starts_with("/now"); },
             .maximum_waiting = most_waiting,
             .patience = patience,
             .is_operator =
                 [](const Request& request) { return request.authorization == "the operator"; }});
        port_ = server_->port();
    }

    /// This many requests more that the worker has, and does not answer yet.
    void ask_for_blocked(std::size_t count, const char* from = "127.0.0.1",
                         const std::string& fields = {}) {
        const std::uint32_t wanted =
            server_->places().waiting.used + static_cast<std::uint32_t>(count);
        for (std::size_t i = 0; i < count; ++i) {
            waiting_.push_back(std::make_unique<RawClient>(port_, from));
            send_text(*waiting_.back(), "GET /blocked HTTP/1.1\r\nHost: x\r\n" + fields +
                                            "Connection: close\r\n\r\n");
        }
        ASSERT_TRUE(eventually([&] { return server_->places().waiting.used == wanted; }));
    }
    void expect_that_all_are_answered() {
        go_on_ = true;
        for (const auto& client : waiting_) EXPECT_THAT(rest_of(*client), HasSubstr("went on\n"));
        EXPECT_EQ(server_->places().waiting.used, 0U);
        EXPECT_THAT(ask_for(port_, "/tagged"), StartsWith("HTTP/1.1 200"));
    }

    void ask_for_turn(const char* from, const std::string& target) {
        const std::uint32_t wanted = server_->places().waiting.used + 1;
        waiting_.push_back(std::make_unique<RawClient>(port_, from));
        send_text(*waiting_.back(),
                  "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        ASSERT_TRUE(eventually([&] { return server_->places().waiting.used == wanted; }));
    }
    void expect_turns(const std::string& turns) {
        go_on_ = true;
        for (const auto& client : waiting_) EXPECT_THAT(rest_of(*client), HasSubstr("200 OK"));
        EXPECT_EQ(turns_, turns);
    }

    static constexpr std::size_t k_waiting = 40;  ///< of which 35 are for strangers
    static constexpr std::size_t k_of_a_host = 17;

    // NOLINTNEXTLINE(readability-function-size)
    Answer answer(const Request& request) {
        if (request.path == "/now") return {.body = "now\n"};
        if (request.path == "/now_and_later")
            return {.body = "now\n", .next_piece = [this, who = std::string{request.query}](auto&) {
                        turns_ += who;
                        return false;
                    }};
        if (request.path == "/blocked") {
            blocked_.fetch_add(1);
            EXPECT_TRUE(eventually([this] { return go_on_.load(); }));
            return {.body = "went on\n"};
        }
        if (request.path == "/turn") {
            turns_ += request.query;
            return {.body = "turn\n"};
        }
        if (request.path == "/long") {
            for (int i = 0; i < 3; ++i) {
                turns_ += request.query;
                give_way();
            }
            return {.body = "long\n"};
        }
        if (request.path == "/never_over")
            for (made_ = 1;; give_way()) {
            }
        if (request.path == "/tagged")
            return {.body = "tagged\n", .etag = R"("day-7")", .cache_control = "no-cache"};
        if (request.path == "/thrown") throw std::runtime_error{"out of luck"};
        if (request.path == "/pieces" || request.path == "/empty_pieces") {
            const bool sparse = request.path == "/empty_pieces";
            return {.body = "head\n",
                    .etag = R"("pieces")",
                    .next_piece = [sparse, i = 0](std::string& piece) mutable {
                        if (!sparse || i % 2 == 0) piece += "piece " + std::to_string(i) + "\n";
                        return ++i < k_pieces;
                    }};
        }
        if (request.path == "/thrown_piece")
            return {.next_piece = [](std::string& piece) -> bool {
                if (piece.empty()) throw std::runtime_error{"out of luck"};
                return false;
            }};
        if (request.path == "/endless") {
            alive_ = std::make_shared<int>(0);
            seen_ = alive_;
            return {.next_piece = [this, keep = std::move(alive_)](std::string& piece) {
                piece.assign(k_large_bytes, 'x');
                made_.fetch_add(1);
                return true;
            }};
        }
        return {.status = 404, .body = "nothing here\n"};
    }

    std::atomic<int> blocked_{0};
    std::atomic<bool> go_on_{false};
    std::string turns_;  ///< who had one
    std::atomic<std::size_t> made_{0};
    std::shared_ptr<int> alive_;
    std::weak_ptr<int> seen_;
    std::unique_ptr<Server> server_;
    std::uint16_t port_ = 0;
    std::vector<std::unique_ptr<RawClient>> waiting_;
};

TEST_F(HttpWorker, AnswersInPiecesAsChunks) {
    const std::string answer = ask_for(port_, "/pieces");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(answer, HasSubstr("Transfer-Encoding: chunked\r\n"));
    EXPECT_THAT(answer, Not(HasSubstr("Content-Length")));
    EXPECT_EQ(dechunked(body_of(answer)), "head\n" + lines_of(k_pieces));
}

TEST_F(HttpWorker, SkipsPiecesThatAreEmpty) {
    const auto text = dechunked(body_of(ask_for(port_, "/empty_pieces")));
    ASSERT_TRUE(text) << "an empty chunk would be the end";
    EXPECT_THAT(*text, HasSubstr("piece 0\npiece 2\n"));
    EXPECT_THAT(*text, HasSubstr("piece 48\n"));
}

TEST_F(HttpWorker, GivesPiecesToOldClientsUntilTheConnectionCloses) {
    const std::string answer = ask_raw(port_, "GET /pieces HTTP/1.0\r\n\r\n");
    EXPECT_THAT(answer, Not(HasSubstr("chunked")));
    EXPECT_EQ(body_of(answer), "head\n" + lines_of(k_pieces));
}

TEST_F(HttpWorker, KeepsTheConnectionAfterPieces) {
    const std::string answer =
        ask_raw(port_,
                "GET /pieces HTTP/1.1\r\nHost: x\r\n\r\n"
                "GET /now HTTP/1.1\r\nHost: x\r\n\r\n"
                "HEAD /pieces HTTP/1.1\r\nHost: x\r\n\r\n"
                "GET /tagged HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(answer, HasSubstr("piece 49\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(answer, HasSubstr("\r\n\r\nnow\n"));
    EXPECT_TRUE(answer.ends_with("\r\n\r\ntagged\n"));
}

TEST_F(HttpWorker, SendsNoContentThatTheClientHas) {
    EXPECT_THAT(ask_for(port_, "/tagged"), HasSubstr("ETag: \"day-7\"\r\n"));
    for (const char* has :
         {R"("day-7")", R"(W/"day-7")", R"("a", "day-7")", R"("day-7","b")", "*"}) {
        const std::string answer =
            ask_for(port_, "/tagged", "If-None-Match: " + std::string{has} + "\r\n");
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 304 Not Modified\r\n")) << has;
        EXPECT_THAT(answer, HasSubstr("ETag: \"day-7\"\r\n")) << has;
        EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << has;
    }
    for (const char* has : {R"("day-77")", R"("1day-7")", "day-7", R"("")", ""})
        EXPECT_THAT(ask_for(port_, "/tagged", "If-None-Match: " + std::string{has} + "\r\n"),
                    StartsWith("HTTP/1.1 200 OK\r\n"))
            << has;
    const std::string pieces = ask_for(port_, "/pieces", "If-None-Match: \"pieces\"\r\n");
    EXPECT_THAT(pieces, StartsWith("HTTP/1.1 304 Not Modified\r\n"));
    EXPECT_TRUE(pieces.ends_with("\r\n\r\n"));
}

TEST_F(HttpWorker, AnswersAtOnceWhileTheWorkerIsBusy) {
    const RawClient waiting{port_};
    send_text(waiting, "GET /blocked HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    ASSERT_TRUE(eventually([this] { return blocked_ == 1; }));
    EXPECT_THAT(ask_for(port_, "/now"), HasSubstr("\r\n\r\nnow\n"));
    go_on_ = true;
    EXPECT_THAT(rest_of(waiting), HasSubstr("went on\n"));
}

TEST_F(HttpWorker, RejectsRequestsBeyondItsQueue) {
    restart(3);
    ask_for_blocked(3);
    const std::string answer = ask_for(port_, "/tagged");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 503"));
    EXPECT_THAT(answer, HasSubstr("Retry-After: 1\r\n"));
    EXPECT_THAT(answer, HasSubstr("too many requests that wait: "));
    expect_that_all_are_answered();
}

TEST_F(HttpWorker, OneAddressLeavesOthersTheirPlaces) {
    restart(k_waiting);
    ask_for_blocked(k_of_a_host);
    EXPECT_THAT(ask_for(port_, "/tagged"), StartsWith("HTTP/1.1 503"));
    ask_for_blocked(1, "127.0.0.2");
    expect_that_all_are_answered();
}

TEST_F(HttpWorker, AddressesTakeTurns) {
    ask_for_blocked(1);
    for (int i = 0; i < 3; ++i) ask_for_turn("127.0.0.1", "/turn?a");
    ask_for_turn("127.0.0.2", "/turn?b");
    expect_turns("abaa");
}

TEST_F(HttpWorker, ALongAnswerGivesWayToOtherAddresses) {
    ask_for_blocked(1, "127.0.0.3");
    ask_for_turn("127.0.0.1", "/long?a");
    ask_for_turn("127.0.0.1", "/turn?A");
    ask_for_turn("127.0.0.2", "/turn?b");
    ask_for_turn("127.0.0.2", "/long?B");
    expect_turns("abaBaBBA");
}

TEST_F(HttpWorker, PiecesWaitInTheLineOfTheirClient) {
    ask_for_blocked(1, "127.0.0.3");
    waiting_.push_back(std::make_unique<RawClient>(port_, "127.0.0.1"));
    send_text(*waiting_.back(),
              "GET /now_and_later?a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const auto begin = waiting_.back()->receive(std::string_view{"HTTP/1.1 200 OK"}.size());
    ASSERT_FALSE(begin.empty());
    ask_for_turn("127.0.0.1", "/turn?A");
    ask_for_turn("127.0.0.2", "/turn?b");
    go_on_ = true;
    for (const auto& client : waiting_) static_cast<void>(rest_of(*client));
    EXPECT_EQ(turns_, "abA");
}

TEST_F(HttpWorker, AnOpenConnectionKeepsNoPlaceBehindItsAnswer) {
    restart(1);
    const RawClient client{port_};
    send_text(client, "GET /tagged HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_FALSE(client.receive(1).empty());
    EXPECT_THAT(ask_for(port_, "/tagged"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HttpWorker, ClientsOfLongAnswersKeepTheirPlaces) {
    restart(1);
    const RawClient client{port_};
    send_text(client, "GET /never_over HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_TRUE(eventually([this] { return made_ == 1; }));
    EXPECT_THAT(ask_for(port_, "/tagged"), StartsWith("HTTP/1.1 503"));
}

TEST_F(HttpWorker, EndsWithLongAnswersUnderWay) {
    std::vector<std::unique_ptr<RawClient>> clients;
    for (const char* const from : {"127.0.0.1", "127.0.0.2", "127.0.0.3"}) {
        made_ = 0;
        clients.push_back(std::make_unique<RawClient>(port_, from));
        send_text(*clients.back(), "GET /never_over HTTP/1.1\r\nHost: x\r\n\r\n");
        ASSERT_TRUE(eventually([this] { return made_ == 1; }));
    }
    server_.reset();
    for (const auto& client : clients) EXPECT_TRUE(client->is_closed());
}

TEST_F(HttpWorker, StrangersLeaveTheOperatorPlaces) {
    restart(k_waiting);
    ask_for_blocked(k_of_a_host);
    ask_for_blocked(k_of_a_host, "127.0.0.2");
    ask_for_blocked(1, "127.0.0.3");
    const RawClient stranger{port_, "127.0.0.4"};
    send_text(stranger, "GET /tagged HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(rest_of(stranger), StartsWith("HTTP/1.1 503"));
    ask_for_blocked(k_waiting / 8, "127.0.0.1", "Authorization: the operator\r\n");
    EXPECT_EQ(server_->places().waiting.used, k_waiting);
    expect_that_all_are_answered();
}

TEST_F(HttpWorker, MakesNoMorePiecesThanTheClientReads) {
    restart(32, k_impatience);
    const RawClient client{port_};
    send_text(client, "GET /endless HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_TRUE(eventually([this] { return made_ > 0; }));
    ASSERT_TRUE(eventually([this] { return seen_.expired(); })) << "the answer is never dropped";
    constexpr std::size_t k_kernel_bytes = 32'000'000;
    EXPECT_LT(made_ * k_large_bytes, k_kernel_bytes);
    EXPECT_EQ(dechunked(body_of(rest_of(client))), std::nullopt) << "it looks whole";
}

TEST_F(HttpWorker, DropsAnAnswerWhoseClientLeaves) {
    {
        const RawClient client{port_};
        send_text(client, "GET /endless HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_EQ(client.receive(k_large_bytes * 40).size(), k_large_bytes * 40);
    }
    EXPECT_TRUE(eventually([this] { return seen_.expired(); }));
}

TEST_F(HttpWorker, SurvivesFailuresOfTheAnswerer) {
    EXPECT_THAT(ask_for(port_, "/thrown"), StartsWith("HTTP/1.1 500 "));
    EXPECT_EQ(dechunked(body_of(ask_for(port_, "/thrown_piece"))), std::nullopt);
    EXPECT_THAT(ask_for(port_, "/tagged"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HttpWorker, EndsWithAnswersUnderWay) {
    restart(32, k_impatience);
    const RawClient streaming{port_};
    send_text(streaming, "GET /endless HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_TRUE(eventually([this] { return made_ > 0; }));
    const RawClient waiting{port_};
    send_text(waiting, "GET /blocked HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_TRUE(eventually([this] { return blocked_ == 1; }));
    go_on_ = true;
    server_.reset();
    EXPECT_TRUE(seen_.expired());
    EXPECT_TRUE(waiting.is_closed());
}

}  // namespace
}  // namespace damrak::http::worker_test
