// What the market data service answers about archived days and about the current session.
#include <damrak/market_data_api/api.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/detail/day_format.hpp>
#include <damrak/archive/event_file.hpp>
#include <damrak/feed/feed_session.hpp>

#include "small_archive.hpp"
#include "support/day_blocks.hpp"

namespace damrak::market_data_api::api_test {
namespace {

using Json = nlohmann::json;
using testing::Asked;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MarketDataApiOfDays : public testing::SmallArchive {
  protected:
    /// All rows, by the links from page to page; how many pages there were.
    std::size_t follow(std::string target, const char* rows, Json& all) {
        all = Json::array();
        for (std::size_t pages = 1;; ++pages) {
            const Json page = ask(target).json();
            EXPECT_LE(page[rows].size(), 2U);
            all.insert(all.end(), page[rows].begin(), page[rows].end());
            if (page["next"].is_null() || pages == 100) return pages;
            target = page["next"];
        }
    }
};

TEST_F(MarketDataApiOfDays, ListsDaysNewestFirst) {
    const Json days = ask("/v1/days").json()["days"];
    ASSERT_EQ(days.size(), 2U);
    EXPECT_EQ(days[0]["day"], "2026112300");
    EXPECT_EQ(days[0]["date"], 20261123);
    EXPECT_EQ(days[0]["complete"], true);
    EXPECT_EQ(days[1]["day"], "2026112000");
}

TEST_F(MarketDataApiOfDays, TakesTheNewestDayUnlessOneIsGiven) {
    EXPECT_EQ(ask("/v1/instruments").json()["day"], "2026112300");
    for (const char* day : {"2026112000", "2026-11-20", "20261120"})
        EXPECT_EQ(ask(std::string{"/v1/instruments?day="} + day).json()["day"], "2026112000");
    EXPECT_EQ(ask("/v1/instruments?day=..%2f2026112000").status, 404U);
}

// Of one level: order 5 came into view, with a part of its quantity.
void write_narrow_day(const std::filesystem::path& path) {
    auto writer = *archive::DayWriter::create(
        path, {.date = 20261119,
               .source = "test",
               .depth = {.depth = 1, .book_flags = archive::DayDepth::k_marked}});
    testing::small_archive::Messages day{writer};
    day.add(wire::itch::StockDirectory{}, 1);
    wire::itch::AddOrder order;
    order.order_ref = 5;
    order.side = Side::buy;
    order.shares = 40;
    order.price_e4 = 99'9900;
    order.tracking_number = wire::itch::k_made_by_view;
    day.add(order, 1);
    EXPECT_TRUE(writer.close());
}

TEST_F(MarketDataApiOfDays, SaysWhatANarrowDayDoesNotKnow) {
    write_narrow_day(folder_ / "2026111900.dar");
    const std::string book = "/v1/book?symbol=ONE&day=20261119&";
    for (const char* const before : {"at=09:00", "at=10:00:00.5", "sequence=0", "sequence=1"}) {
        const Asked asked = ask(book + before);
        EXPECT_EQ(asked.status, 404U) << before;
        EXPECT_THAT(asked.text, HasSubstr("not known before the first message")) << before;
    }
    EXPECT_EQ(ask(book + "at=10:00:01").json()["bids"],
              Json::parse(R"([{"price": 99.99, "quantity": 40, "orders": null}])"));
    EXPECT_EQ(ask(book + "at=10:00:01&orders=1").json()["bids"],
              Json::parse(R"([{"price": 99.99, "quantity": null, "reference": 5}])"));
    const Json life = ask("/v1/orders/5?day=20261119").json();
    EXPECT_EQ(life["steps"][0]["quantity"], nullptr);
    EXPECT_EQ(life["steps"][0]["quantity_ahead"], nullptr);
}

TEST_F(MarketDataApiOfDays, GivesTheBookOfAnyMessageAndMoment) {
    const Json levels = ask("/v1/book?symbol=ONE&sequence=9").json();
    EXPECT_EQ(levels["bids"], Json::parse(R"([{"price": 99.99, "quantity": 150, "orders": 2}])"));
    EXPECT_EQ(levels["asks"], Json::parse(R"([{"price": 100.01, "quantity": 70, "orders": 1}])"));
    EXPECT_EQ(levels["time"], "10:00:08.000000000");
    const Json orders = ask("/v1/book?symbol=ONE&at=10:00:09&orders=1").json();
    EXPECT_EQ(orders["sequence"], 10);
    const char* const bids = R"([{"price": 99.99, "quantity": 60, "reference": 10},
                                 {"price": 99.99, "quantity": 50, "reference": 11}])";
    EXPECT_EQ(orders["bids"], Json::parse(bids));
    EXPECT_EQ(ask("/v1/book?symbol=ONE&at=36009000000000&orders=1").json(), orders);
    EXPECT_TRUE(ask("/v1/book?symbol=ONE&sequence=0").json()["bids"].empty());
    EXPECT_EQ(ask("/v1/book?symbol=ONE&orders=1&depth=1&sequence=9").json()["bids"].size(), 2U)
        << "of the best level";
    EXPECT_EQ(ask("/v1/book?symbol=ONE&at=10:00&sequence=9").status, 400U);
    const Asked beyond = ask("/v1/book?symbol=ONE&sequence=1000");
    EXPECT_EQ(beyond.status, 404U);
    EXPECT_EQ(beyond.json()["error"]["code"], "unknown_message");
}

TEST_F(MarketDataApiOfDays, PagesLoseAndRepeatNothing) {
    const Json whole = ask("/v1/trades?symbol=ONE").json()["trades"];
    ASSERT_EQ(whole.size(), 5U);
    Json rows;
    EXPECT_EQ(follow("/v1/trades?symbol=ONE&limit=2", "trades", rows), 3U);
    EXPECT_EQ(rows, whole);
    EXPECT_EQ(follow("/v1/trades?limit=1&symbol=%4f%4eE&from=10:00&until=11:00", "trades", rows),
              5U);
    EXPECT_EQ(rows, whole);
    const Json candles = ask("/v1/candles?symbol=ONE&interval=1").json()["candles"];
    EXPECT_EQ(candles.size(), 4U) << "what is not printed is in no candle";
    EXPECT_EQ(follow("/v1/candles?symbol=ONE&interval=1&limit=2", "candles", rows), 2U);
    EXPECT_EQ(rows, candles);
    EXPECT_DOUBLE_EQ(candles[0]["turnover"].get<double>(), 3'999.6) << "40 at 99.99";
}

TEST_F(MarketDataApiOfDays, StaysWithTheDayFromPageToPage) {
    const std::string next = ask("/v1/trades?symbol=ONE&limit=1").json()["next"];
    testing::small_archive::write_day(folder_ / "2026112400.dar", 20261124);
    EXPECT_EQ(ask("/v1/trades?symbol=ONE").json()["day"], "2026112400");
    EXPECT_EQ(ask(next).json()["day"], "2026112300");
}

TEST_F(MarketDataApiOfDays, GivesPriceAndSideOfTrades) {
    const Json trades = ask("/v1/trades?symbol=ONE").json()["trades"];
    std::string letters;
    for (const Json& trade : trades) letters += trade["type"].get<std::string>();
    EXPECT_EQ(letters, "ECCPQ");
    EXPECT_EQ(trades[0]["price"], 99.99);
    EXPECT_EQ(trades[0]["aggressor"], "sell");
    EXPECT_EQ(trades[1]["aggressor"], "buy");
    EXPECT_EQ(trades[2]["printable"], false);
    EXPECT_FALSE(trades[3].contains("aggressor"));
    EXPECT_EQ(trades[4]["quantity"], 500);
}

TEST_F(MarketDataApiOfDays, GivesMessagesLineByLine) {
    const auto count = [&](const std::string& target) {
        return std::ranges::count(ask(target).text, '\n');
    };
    EXPECT_EQ(count("/v1/messages"), 19);
    EXPECT_EQ(count("/v1/messages?symbol=TWO"), 3);
    EXPECT_EQ(count("/v1/messages?after=18"), 1);
    EXPECT_EQ(count("/v1/messages?from=10:00:05&until=10:00:06"), 2);
    EXPECT_EQ(count("/v1/messages?from=12:00"), 0);
    EXPECT_THAT(ask("/v1/messages?after=9&until=10:00:09").text,
                HasSubstr(R"("type": "E", "locate": 1, "reference": 10, "quantity": 40)"));
    EXPECT_THAT(ask("/v1/messages?after=17").text,
                HasSubstr(R"("type": "I", "locate": 1, "symbol": "ONE", "price": 100.0050, )"
                          R"("quantity": 300, "imbalance": 20, "direction": "B", "cross": "C"})"));
}

TEST_F(MarketDataApiOfDays, SaysWhatIsWrongWithAQuery) {
    for (const char* path : {"/v1/trades?symbol=ONE&", "/v1/candles?symbol=ONE&", "/v1/messages?"})
        EXPECT_EQ(ask(std::string{path} + "from=11:00&until=10:59:59.5").json()["error"]["message"],
                  "until: 10:59:59.500000000 is before from, 11:00:00.000000000")
            << path;
    EXPECT_EQ(ask("/v1/trades?symbol=ONE&from=11:00&until=11:00").status, 200U);
    EXPECT_EQ(ask("/v1/days?day=1").json()["error"]["message"],
              "there is no parameter day: this path has none");
    EXPECT_EQ(ask("/v1/instruments?symbol=ONE").json()["error"]["message"],
              "there is no parameter symbol: there is day");
}

TEST_F(MarketDataApiOfDays, FollowsAnOrderThroughItsQueue) {
    const Json life = ask("/v1/orders/11").json();
    EXPECT_EQ(life["symbol"], "ONE");
    EXPECT_EQ(life["side"], "buy");
    std::vector<std::string> steps;
    for (const Json& step : life["steps"])
        steps.push_back(step["type"].get<std::string>() + " " + step["quantity"].dump() +
                        " behind " + step["quantity_ahead"].dump());
    EXPECT_THAT(
        steps, ElementsAre("A 50 behind 100", "E 50 behind 60", "X 50 behind 50", "U 30 behind 0"));
    EXPECT_EQ(ask("/v1/orders/99").json()["error"]["code"], "unknown_order");
    for (const char* junk : {"", "x", "-1", "1/2", "99999999999999999999"})
        EXPECT_EQ(ask(std::string{"/v1/orders/"} + junk).status, 400U) << junk;
}

TEST_F(MarketDataApiOfDays, MakesNoAnswerThatTheClientHas) {
    const Asked first = ask("/v1/book?symbol=ONE");
    ASSERT_FALSE(first.etag.empty());
    const Asked again = ask("/v1/book?symbol=ONE", first.etag);
    EXPECT_EQ(again.etag, first.etag);
    EXPECT_EQ(again.text, "\n");
    EXPECT_NE(ask("/v1/book?symbol=ONE&day=2026112000").etag, first.etag);
}

TEST_F(MarketDataApiOfDays, ReportsWhatIsDamaged) {
    const auto path = folder_ / "2026112000.dar";
    std::filesystem::resize_file(path, 100);
    EXPECT_EQ(ask("/v1/days").json()["days"].size(), 2U);
    std::filesystem::resize_file(path, 10);
    EXPECT_EQ(ask("/v1/days").json()["days"].size(), 1U);
    const Asked refused = ask("/v1/instruments?day=2026112000");
    EXPECT_EQ(refused.status, 500U);
    EXPECT_EQ(refused.json()["error"]["code"], "unreadable_day");
    EXPECT_EQ(ask("/v1/instruments").status, 200U);
}

// An instrument that the day had is not one that it never had.
TEST_F(MarketDataApiOfDays, TellsDamageFromAnUnknownInstrument) {
    const auto path = folder_ / "2026112000.dar";
    {
        std::fstream file{path, std::ios::in | std::ios::out | std::ios::binary};
        const std::uint64_t first = damrak::testing::blocks_of(path).front().payload();
        file.seekp(static_cast<std::streamoff>(first + 8));
        file.write("damage", 6);
    }
    for (const char* query :
         {"/v1/instruments?day=2026112000", "/v1/book?symbol=ONE&day=2026112000"}) {
        const Asked refused = ask(query);
        EXPECT_EQ(refused.status, 500U) << query;
        EXPECT_EQ(refused.json()["error"]["code"], "unreadable_day") << query;
        EXPECT_THAT(refused.json()["error"]["message"].get<std::string>(), HasSubstr("is damaged"));
    }
    EXPECT_EQ(ask("/v1/book?symbol=NONE").status, 404U);
}

TEST_F(MarketDataApiOfDays, WaitsForNoPipe) {
    for (const char* name : {"2026112100.dar", "2026112100.events"})
        ASSERT_EQ(::mkfifo((folder_ / name).c_str(), 0600), 0);
    EXPECT_EQ(ask("/v1/days").json()["days"].size(), 2U);
    const Asked refused = ask("/v1/book?symbol=ONE&day=2026112100");
    EXPECT_EQ(refused.status, 500U);
    EXPECT_THAT(refused.json()["error"]["message"].get<std::string>(),
                HasSubstr("no regular file"));
    EXPECT_FALSE(archive::EventFile::open(folder_ / "2026112100.events"));
}

/// The messages of an archived day, published as a session of today.
class MarketDataApiOfToday : public testing::SmallArchive {
  protected:
    MarketDataApiOfToday() {
        const auto day = archive::Day::open(folder_ / "2026112300.dar");
        frames_ = damrak::testing::message_blocks_of(*day).front().frames;
        session_ = *feed::FeedSession::open(folder_.path(), {.date = 20261124}, 0);
        api_ = MarketDataApi{folder_.path(),
                             [this] { return session_; },
                             {},
                             access(),
                             [this](std::string_view symbol) { return status_of(symbol); }};
    }
    [[nodiscard]] std::optional<feed::TradingStatus> status_of(std::string_view symbol) const {
        return symbol == "ONE" ? std::optional{status_} : std::nullopt;
    }
    void publish(std::size_t messages) {
        for (; messages > 0; --messages) {
            const std::size_t length = 2 + std::to_integer<std::size_t>(frames_[used_ + 1]);
            ASSERT_TRUE(session_->append(std::span{frames_}.subspan(used_, length), ++published_));
            used_ += length;
        }
    }

    std::vector<std::byte> frames_;
    std::size_t used_ = 0;
    std::uint64_t published_ = 0;
    std::shared_ptr<feed::FeedSession> session_;
    feed::TradingStatus status_{};
};

// An older book would pass for the current one.
TEST_F(MarketDataApiOfToday, GivesNoOtherDayBeforeTheSessionBegins) {
    session_ = nullptr;
    const Asked refused = ask("/v1/book?symbol=ONE");
    EXPECT_EQ(refused.status, 503U);
    EXPECT_EQ(refused.json()["error"]["code"], "no_session");
    EXPECT_EQ(ask("/v1/book?symbol=ONE&day=2026-11-23").status, 200U);
    EXPECT_EQ(ask("/v1/days").json()["days"].size(), 2U);
}

TEST_F(MarketDataApiOfToday, TellsWhatInstrumentsDoNow) {
    publish(6);
    const auto told = [this](std::string_view day = "") {
        return ask(fmt::format("/v1/instruments{}", day)).json()["instruments"];
    };
    EXPECT_EQ(told()[0],
              (Json{{"symbol", "ONE"}, {"locate", 1}, {"phase", "continuous"}, {"halted", false}}));
    EXPECT_FALSE(told()[1].contains("phase")) << "nobody knows";
    const std::string before = ask("/v1/instruments").etag;
    EXPECT_EQ(ask("/v1/instruments").etag, before);
    status_ = {.state = TradingState::halted,
               .phase = Phase::call,
               .call = CallKind::reopening,
               .cause = HaltCause::volatility};
    EXPECT_EQ(told()[0], (Json{{"symbol", "ONE"},
                               {"locate", 1},
                               {"phase", "call"},
                               {"call", "reopening"},
                               {"halted", true},
                               {"cause", "volatility"}}));
    EXPECT_NE(ask("/v1/instruments").etag, before) << "without a message of the feed";
    EXPECT_FALSE(told("?day=2026112300")[0].contains("phase"));
}

TEST_F(MarketDataApiOfToday, IsUpToTheLastMessage) {
    EXPECT_EQ(ask("/v1/instruments").json()["day"], "2026112400");
    EXPECT_TRUE(ask("/v1/instruments").json()["instruments"].empty());
    publish(6);
    EXPECT_EQ(ask("/v1/instruments").json()["instruments"].size(), 2U);
    Asked book = ask("/v1/book?symbol=ONE");
    EXPECT_EQ(book.json()["sequence"], 6);
    EXPECT_EQ(book.json()["bids"][0]["quantity"], 100);
    publish(1);
    EXPECT_EQ(ask("/v1/book?symbol=ONE", book.etag).json()["bids"][0]["quantity"], 150);
    EXPECT_EQ(ask("/v1/book?symbol=ONE&sequence=6").json()["bids"], book.json()["bids"]);
    EXPECT_EQ(ask("/v1/days").json()["days"][0]["present"], true);
    publish(12);
    EXPECT_EQ(ask("/v1/trades?symbol=ONE").json()["trades"],
              ask("/v1/trades?symbol=ONE&day=2026112300").json()["trades"]);
    EXPECT_EQ(ask("/v1/messages").text, ask("/v1/messages?day=2026-11-23").text);
    const Asked archived = ask("/v1/heatmap?symbol=ONE&day=2026112300");
    EXPECT_EQ(ask("/v1/heatmap?symbol=ONE").json()["bids"], archived.json()["bids"]);
}

}  // namespace
}  // namespace damrak::market_data_api::api_test
