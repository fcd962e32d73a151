// The market data of a running exchange over HTTP, beside a reader of its feed that was made from
// the specifications alone (tests/peers/market_data_peer.py): both wirings, over kill -9.
#include <cstdint>
#include <filesystem>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "telemetry_run.hpp"

namespace damrak::testing::market_data_api_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class MarketDataApi : public ServeRun, public ::testing::WithParamInterface<const char*> {
  protected:
    void serve_feed(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"--only",      "http,itch", "--http-port", "0",
                                           "--itch-port", "0",         "--wiring",    GetParam()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        serve(std::move(arguments));
        itch_ = nlohmann::json::parse(server_->ready_line()).at("ports").at("itch").get<int>();
        // The feed begins a little after the gateways.
        static_cast<void>(get_until("/v1/instruments", "AAPL"));
    }
    /// Orders that rest, trade, shrink, move and go.
    void trade_at_random(std::uint32_t seed) {
        std::mt19937 draw{seed};
        Trader one{server_->port()};
        Trader other{server_->port()};
        for (int i = 0; i < k_orders; ++i) {
            Trader& trader = draw() % 2 == 0 ? one : other;
            const std::uint64_t price = 10'000 + draw() % 8;
            const auto side = static_cast<std::uint8_t>(draw() % 2);
            trader.order(side, 10 + draw() % 90, side == 0 ? price - 3 : price);
            if (draw() % 4 == 0) trader.cancel(1 + draw() % (orders_ + 1));
            if (draw() % 4 == 0) trader.modify(1 + draw() % (orders_ + 1), 5, price);
            ++orders_;
        }
        one.log_out();
        other.log_out();
        static_cast<void>(get_until("/metrics", R"(damrak_messages_total{request="logout"} 2)"));
        // When the feed has this one, it has all.
        Trader last{server_->port()};
        last.order(0, 1, 100 + seed);
        EXPECT_THAT(
            get_until("/v1/book?symbol=AAPL&depth=0", fmt::format(R"("price": 1.{:02}00)", seed)),
            HasSubstr(fmt::format(R"("price": 1.{:02}00)", seed)));
    }
    [[nodiscard]] std::string compared(int every) const {
        const ProgramRun run = run_shell(
            fmt::format("python3 tests/peers/market_data_peer.py {} {} {}", itch_, http_, every));
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return run.out;
    }
    [[nodiscard]] nlohmann::json ask(std::string_view target) const {
        const std::string answer = get(target);
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
        return nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n")));
    }

    static constexpr int k_orders = 400;
    std::uint64_t orders_ = 0;
    int itch_ = 0;
};

TEST_P(MarketDataApi, GivesTheBooksOfTheFeedAlsoAfterAKill) {
    serve_feed();
    trade_at_random(1);
    EXPECT_THAT(compared(50), Not(HasSubstr(" 0 trades")));
    server_->kill();
    serve_feed();
    EXPECT_THAT(compared(200), Not(HasSubstr(" 0 trades")));
    trade_at_random(2);
    EXPECT_THAT(compared(200), Not(HasSubstr(" 0 trades")));
}

TEST_P(MarketDataApi, GivesTheSameBookFromTheArchiveAndFromTheProgram) {
    serve_feed();
    trade_at_random(3);
    const auto before = ask("/v1/book?symbol=AAPL&depth=0");
    const auto day = before.at("day").get<std::string>();
    EXPECT_FALSE(before.at("bids").empty());
    EXPECT_EQ(server_->terminate(), 0);
    const std::string file = (data_ / std::filesystem::path{"archive"} / (day + ".dar")).string();
    const auto shown = run_program({"book", file, "--symbol", "AAPL", "--at", "23:59:59", "--depth",
                                    "0", "--json", "--partial"});  // the day was not over
    ASSERT_EQ(shown.exit_code, 0) << shown.err;
    const auto book = nlohmann::json::parse(shown.out);
    for (const char* key : {"sequence", "bids", "asks"}) EXPECT_EQ(book.at(key), before.at(key));
}

TEST_P(MarketDataApi, KeepsAnswersThatTheClientHas) {
    serve_feed();
    const std::string first = get("/v1/instruments");
    const std::size_t tag = first.find("ETag: ");
    ASSERT_NE(tag, std::string::npos);
    const std::string etag = first.substr(tag + 6, first.find("\r\n", tag) - tag - 6);
    const auto ask_again = [&] {
        const RawClient client{http_};
        const std::string request =
            "GET /v1/instruments HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: " + etag +
            "\r\nConnection: close\r\n\r\n";
        client.send(std::as_bytes(std::span{request}));
        const Bytes status = client.receive(12);
        return std::string{reinterpret_cast<const char*>(status.data()), status.size()};
    };
    EXPECT_EQ(ask_again(), "HTTP/1.1 304");
    trade_at_random(4);
    EXPECT_EQ(ask_again(), "HTTP/1.1 200");
}

TEST_P(MarketDataApi, AnswersWhatTheGuideAsks) {
    serve_feed();
    trade_at_random(5);
    const std::string guide = content_of("docs/how-to/market-data.md");
    const std::string token =
        "Authorization: Bearer " + content_of(data_ + "/operator-token").substr(0, 64) + "\r\n";
    const std::regex target{R"('localhost:8080(/v1/[^']+)')"};
    int asked = 0;
    for (std::sregex_iterator found{guide.begin(), guide.end(), target}, end; found != end;
         ++found, ++asked) {
        const std::string answer = get((*found)[1].str(), token);
        // Which orders there are depends on what was traded.
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 200") || answer.contains("unknown_order"))
            << (*found)[1] << answer;
    }
    EXPECT_GT(asked, 10);
}

INSTANTIATE_TEST_SUITE_P(Wirings, MarketDataApi, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

}  // namespace
}  // namespace damrak::testing::market_data_api_test
