// Rules of the live stream: what may be asked for, limits, sessions, and turns.
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/market_stream/market_stream.hpp>

#include "random_market.hpp"
#include "watching.hpp"

namespace damrak::market_stream::stream_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Json;
using testing::RandomMarket;
using ::testing::SizeIs;
using testing::TestViewer;
using namespace std::chrono_literals;

class Stream : public ::testing::Test {
  protected:
    StreamConfig config() {
        return {.session = [this] { return session_; },
                .operations =
                    [this](bool has_figures) {
                        return fmt::format(R"(,"asked":{},"figures":{})", ++asked_, has_figures);
                    }};
    }
    /// What the stream answers to one message.
    Json answer_to(std::string_view message) {
        TestViewer viewer{stream_, ""};
        viewer.read();
        static_cast<void>(viewer.take_others());
        viewer.say(message);
        viewer.read();
        auto answers = viewer.take_others();
        EXPECT_THAT(answers, SizeIs(1)) << message;
        return answers.empty() ? Json{} : answers.front();
    }
    static std::string subscribe(std::string_view channel, std::string_view more = {}) {
        return fmt::format(R"({{"op": "subscribe", "channel": "{}", "symbol": "ONE"{}}})", channel,
                           more);
    }
    void tick(int times = 1) {
        for (int i = 0; i < times; ++i) stream_.tick();
    }

    RandomMarket market_{1};
    std::shared_ptr<const feed::FeedSession> session_ = market_.session();
    int asked_ = 0;
    MarketStream stream_{config()};
};

TEST_F(Stream, GreetsWithTheSessionAndItsInstruments) {
    tick();
    TestViewer viewer{stream_, ""};
    viewer.read();
    ASSERT_THAT(viewer.others(), SizeIs(1));
    const Json& hello = viewer.others().front();
    EXPECT_EQ(hello.at("session"), "2026112700");
    EXPECT_EQ(hello.at("date"), 20261127);
    EXPECT_EQ(hello.at("sequence"), market_.sequence());
    EXPECT_EQ(hello.at("instruments"),
              Json::parse(R"([{"symbol": "ONE", "locate": 1, "state": "trading"},
                               {"symbol": "TWO", "locate": 2, "state": "trading"}])"));
}

TEST_F(Stream, WaitsForTheFirstSession) {
    session_ = nullptr;
    tick();
    TestViewer viewer{stream_, ""};
    viewer.say(subscribe("depth"));
    viewer.read();
    EXPECT_TRUE(viewer.others().at(0).at("session").is_null());
    EXPECT_EQ(viewer.others().at(1).at("code"), "no_session");
    session_ = market_.session();
    tick();
    viewer.say(subscribe("depth"));
    tick();
    viewer.read();
    EXPECT_EQ(viewer.others().back().at("type"), "subscribed");
    EXPECT_TRUE(viewer.has("depth", "ONE"));
}

TEST_F(Stream, ANewSessionBeginsWithHelloAndSnapshots) {
    tick();
    TestViewer viewer{stream_, "damrak.binary"};
    viewer.say(subscribe("orders"));
    viewer.say(R"({"op": "subscribe", "channel": "trades", "symbol": "TWO"})");
    tick();
    market_.step(500);
    tick();
    viewer.read();
    RandomMarket next{2, {20261128, 0}};
    next.step(300);
    market_.step(100);  // the end of the earlier one is reported too
    session_ = next.session();
    tick();
    viewer.read();
    EXPECT_EQ(viewer.watched("orders", "ONE").sequence, market_.sequence());
    tick();
    viewer.read();
    EXPECT_EQ(viewer.others().back().at("type"), "hello");
    EXPECT_EQ(viewer.others().back().at("session"), "2026112800");
    EXPECT_EQ(viewer.watched("orders", "ONE").sequence, next.sequence());
    EXPECT_EQ(viewer.watched("orders", "ONE").snapshots, 2U);
    std::size_t orders = 0;
    for (const bool is_buy : {true, false}) orders += next.instrument(0).side(is_buy, 50).size();
    EXPECT_EQ(viewer.watched("orders", "ONE").rows[0].size() +
                  viewer.watched("orders", "ONE").rows[1].size(),
              orders);
}

TEST_F(Stream, TellsWhatIsWrongWithARequest) {
    tick();
    const auto code = [&](std::string_view message) {
        const Json answer = answer_to(message);
        EXPECT_EQ(answer.at("type"), "error") << message;
        EXPECT_THAT(answer.at("message").get<std::string>(), ::testing::Not(IsEmpty()));
        return answer.at("code").get<std::string>();
    };
    for (const char* const message :
         {"", "x", "[]", "1", "null", R"({"op": 1})", R"({"op": "buy"})", R"({})",
          R"({"op": "subscribe"})", "{\"op\": \"subscribe\"",
          R"({"op": "subscribe", "channel": "depth"})",
          R"({"op": "subscribe", "channel": "depth", "symbol": 1})"})
        EXPECT_EQ(code(message), "invalid_message") << message;
    EXPECT_EQ(code(std::string(4'096, '[')), "invalid_message");
    EXPECT_EQ(code(subscribe("depth", R"(, "level": 5)")), "invalid_message");
    EXPECT_EQ(code(subscribe("top", R"(, "levels": 5)")), "invalid_message");
    EXPECT_EQ(code(R"({"op": "subscribe", "channel": "exchange", "symbol": "ONE"})"),
              "invalid_message");
    EXPECT_EQ(code(subscribe("deep")), "unknown_channel");
    EXPECT_EQ(code(R"({"op": "subscribe", "channel": "top", "symbol": "one\u0000"})"),
              "unknown_symbol");
    for (const char* const levels : {"0", "1001", "-1", "1.5", "\"5\"", "null", "1e1", "[]",
                                     "18446744073709551617", "4294967297"})
        EXPECT_EQ(code(subscribe("depth", fmt::format(R"(, "levels": {})", levels))),
                  "invalid_parameter")
            << levels;
    EXPECT_EQ(code(subscribe("candles", R"(, "seconds": 2)")), "invalid_parameter");
    EXPECT_EQ(code(subscribe("top", R"(, "interval_ms": 60)")), "invalid_parameter");
    EXPECT_EQ(code(R"({"op": "unsubscribe", "channel": "top", "symbol": "ONE"})"),
              "not_subscribed");
}

TEST_F(Stream, ErrorsNameTheMemberAndWhatIsAccepted) {
    tick();
    const Json answer = answer_to(subscribe("depth", R"(, "levels": 1001)"));
    EXPECT_EQ(answer.at("channel"), "depth");
    EXPECT_EQ(answer.at("message"), "levels: 1 to 1000 is accepted, not 1001");
}

TEST_F(Stream, AnswersWithTheParametersInForce) {
    tick();
    EXPECT_EQ(answer_to(subscribe("depth")),
              Json::parse(R"({"type": "subscribed", "channel": "depth", "symbol": "ONE",
                              "levels": 50, "interval_ms": 50})"));
    EXPECT_EQ(answer_to(R"({"op": "subscribe", "channel": "exchange", "interval_ms": 50})"),
              Json::parse(R"({"type": "subscribed", "channel": "exchange", "interval_ms": 1000})"));
}

TEST_F(Stream, UnsubscribeEndsTheMessages) {
    tick();
    TestViewer viewer{stream_, ""};
    viewer.say(subscribe("depth"));
    tick();
    viewer.say(R"({"op": "unsubscribe", "channel": "depth", "symbol": "ONE"})");
    viewer.read();
    EXPECT_EQ(viewer.others().back().at("type"), "unsubscribed");
    market_.step(100);
    tick(3);
    EXPECT_EQ(viewer.waiting(), 0U);
}

TEST_F(Stream, LimitsSubscriptionsAndLevels) {
    tick();
    TestViewer viewer{stream_, ""};
    const auto last = [&] {
        viewer.read();
        return viewer.others().back();
    };
    // Two instruments have fewer places than the limit: only levels can be exceeded here.
    viewer.say(subscribe("depth", R"(, "levels": 1000)"));
    viewer.say(subscribe("orders", R"(, "levels": 1000)"));
    EXPECT_EQ(last().at("type"), "subscribed");
    viewer.say(subscribe("orders", R"(, "levels": 999)"));
    EXPECT_EQ(last().at("levels"), 999);
    EXPECT_LE(4U * k_maximum_levels, MarketStream::k_maximum_levels_of_viewer);
}

TEST_F(Stream, AnIntervalHoldsChangesBack) {
    tick();
    TestViewer often{stream_, ""};
    TestViewer seldom{stream_, ""};
    often.say(subscribe("statistics"));
    seldom.say(subscribe("statistics", R"(, "interval_ms": 250)"));
    tick();
    for (TestViewer* const one : {&often, &seldom}) one->read();
    int changes_often = 0;
    int changes_seldom = 0;
    for (int i = 0; i < 20; ++i) {
        market_.step(20);
        tick();
        changes_often += static_cast<int>(often.waiting());
        changes_seldom += static_cast<int>(seldom.waiting());
        for (TestViewer* const one : {&often, &seldom}) one->read();
    }
    EXPECT_EQ(changes_often, 20);
    EXPECT_EQ(changes_seldom, 4);
}

TEST_F(Stream, TheExchangeIsToldOnceASecondAndToNewcomersAtOnce) {
    TestViewer viewer{stream_, ""};
    viewer.say(R"({"op": "subscribe", "channel": "exchange"})");
    tick(40);
    viewer.read();
    EXPECT_EQ(viewer.watched("exchange", "").snapshots, 2U);
    EXPECT_EQ(asked_, 2);
    TestViewer late{stream_, ""};
    late.say(R"({"op": "subscribe", "channel": "exchange"})");
    tick();
    late.read();
    EXPECT_EQ(late.watched("exchange", "").snapshots, 1U);
}

TEST_F(Stream, FiguresAreForThoseWhoMaySeeThem) {
    TestViewer anybody{stream_, ""};
    TestViewer trader{stream_, "", {.may_trade = true}};
    TestViewer operating{stream_, "", {.sees_figures = true}};
    for (TestViewer* const one : {&anybody, &trader, &operating}) {
        one->say(R"({"op": "subscribe", "channel": "exchange"})");
        tick();
        one->read();
        EXPECT_EQ(one->watched("exchange", "").last["figures"], one == &operating);
        one->say(R"({"op": "unsubscribe", "channel": "exchange"})");
    }
}

TEST_F(Stream, TopicsTakeTurnsIfThereIsNoTime) {
    StreamConfig busy = config();
    busy.publishing_time = 0us;
    MarketStream stream{busy};
    stream.tick();
    std::vector<std::unique_ptr<TestViewer>> viewers;
    constexpr int k_topics = 5;
    for (int i = 1; i <= k_topics; ++i) {
        viewers.push_back(std::make_unique<TestViewer>(stream, ""));
        viewers.back()->say(subscribe("depth", fmt::format(R"(, "levels": {})", i)));
    }
    for (int i = 0; i < 50; ++i) {
        market_.step(100);
        stream.tick();
    }
    for (const auto& viewer : viewers) {
        viewer->read();
        EXPECT_TRUE(viewer->has("depth", "ONE"));
    }
}

TEST_F(Stream, OnlyPagesOfTheServiceMayOpenIt) {
    http::Request request;
    request.host = "localhost:8080";
    for (const char* const origin : {"", "http://localhost:8080", "https://localhost:8080"}) {
        request.origin = origin;
        EXPECT_TRUE(stream_.welcome(request)) << origin;
    }
    for (const char* const origin : {"http://localhost", "http://evil.example", "null",
                                     "http://localhost:8080.evil.example"}) {
        request.origin = origin;
        const auto refused = stream_.welcome(request);
        ASSERT_FALSE(refused) << origin;
        EXPECT_EQ(refused.error().status, 403U);
    }
}

TEST_F(Stream, ChoosesAProtocolThatItKnows) {
    http::Request request;
    for (const auto& [offered, chosen] : std::vector<std::pair<const char*, const char*>>{
             {"", ""},
             {"damrak.json", "damrak.json"},
             {"other, damrak.binary ,damrak.json", "damrak.binary"}}) {
        request.web_socket_protocols = offered;
        EXPECT_EQ(stream_.welcome(request).value().subprotocol, chosen);
    }
    request.web_socket_protocols = "other,,";
    EXPECT_EQ(stream_.welcome(request).error().status, 400U);
}

TEST_F(Stream, CountsItsViewers) {
    {
        const TestViewer one{stream_, ""};
        const TestViewer other{stream_, ""};
        EXPECT_EQ(stream_.viewers(), 2U);
    }
    EXPECT_THAT(stream_.metrics(), AllOf(HasSubstr("damrak_stream_viewers 0\n"),
                                         HasSubstr("damrak_stream_messages_total 0\n")));
}

}  // namespace
}  // namespace damrak::market_stream::stream_test
