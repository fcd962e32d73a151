// What only the operator sees of the market, and that nobody else sees it.
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/feed/feed_session.hpp>
#include <damrak/market_data_api/api.hpp>

#include "small_archive.hpp"

namespace damrak::market_data_api {
namespace {

using Json = nlohmann::json;
using testing::Asked;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class PrivateRoutes : public testing::SmallArchive {
  protected:
    [[nodiscard]] std::vector<Json> lines(const std::string& target) {
        const Asked asked = ask(target);
        EXPECT_EQ(asked.status, 200U) << asked.text;
        std::vector<Json> rows;
        std::istringstream text{asked.text};
        for (std::string line; std::getline(text, line);) rows.push_back(Json::parse(line));
        return rows;
    }
};

TEST_F(PrivateRoutes, AreClosedWithoutTheToken) {
    for (const char* const shown :
         {"", "Bearer", "Bearer of the operato", "Bearer of the operator ", "Basic of the operator",
          "of the operator"})
        for (const char* const target : {"/v1/private", "/v1/private/", "/v1/private/days",
                                         "/v1/private/events?day=2026112300",
                                         "/v1/private/events?nonsense=1", "/v1/private/nothing"}) {
            authorization_ = shown;
            const Asked refused = ask(target);
            EXPECT_EQ(refused.status, 401U) << target << shown;
            EXPECT_EQ(refused.json()["error"]["code"], "unauthorized");
            EXPECT_THAT(refused.challenge, HasSubstr("Bearer realm="));
            EXPECT_EQ(refused.challenge.contains("invalid_token"), *shown != '\0');
        }
    authorization_ = "";
    EXPECT_EQ(ask("/v1/days").status, 200U) << "the others need no token";
    EXPECT_EQ(ask("/v1/privateer").status, 404U);
    authorization_ = k_authorization;
    EXPECT_EQ(ask("/v1/private/nothing").status, 404U);
    api_ = MarketDataApi{folder_.path(), nullptr};
    EXPECT_EQ(ask("/v1/private/days").status, 401U) << "without a token nobody is the operator";
}

TEST_F(PrivateRoutes, ListDaysNewestFirst) {
    const Json days = ask("/v1/private/days").json()["days"];
    ASSERT_EQ(days.size(), 2U);
    EXPECT_EQ(days[0]["day"], "2026112300");
    EXPECT_EQ(days[1]["date"], 20261120);
    EXPECT_THAT(days[0]["damage"], IsEmpty());
    EXPECT_EQ(days[0]["first_record"].get<int>(), days[1]["last_record"].get<int>() + 1);
}

// The sums over /v1/private/events, made another way.
TEST_F(PrivateRoutes, SumUpWhatEachParticipantDid) {
    std::ofstream{folder_.path() / "2026112300.participants.csv"}
        << "participant,group,member\n8,makers,1\nnonsense\n,,\n";
    const Json told = ask("/v1/private/participants?day=2026112300").json();
    EXPECT_EQ(told["day"], "2026112300");
    EXPECT_THAT(told["damage"], IsEmpty());
    std::map<int, Json> sums;
    std::map<std::string, double> last;
    for (const Json& event : lines("/v1/private/events?day=2026112300")) {
        const int participant = event["participant"].get<int>();
        const std::string kind = event["event"];
        if (participant == 0) continue;
        Json& sum = sums[participant];
        if (sum.is_null()) sum = {{"position", Json::object()}, {"cash", Json::object()}};
        if (kind == "accepted") sum["orders"] = sum.value("orders", 0) + 1;
        if (kind == "cancelled") sum["cancels"] = sum.value("cancels", 0) + 1;
        if (kind != "executed") continue;
        const int sign = event["side"] == "buy" ? 1 : -1;
        const int quantity = event["quantity"].get<int>();
        const std::string symbol = event["symbol"];
        sum["volume"] = sum.value("volume", 0) + quantity;
        sum["position"][symbol] = sum["position"].value(symbol, 0) + sign * quantity;
        sum["cash"][symbol] =
            sum["cash"].value(symbol, 0.0) - sign * quantity * event["price"].get<double>();
        last[symbol] = event["price"].get<double>();
    }
    ASSERT_FALSE(last.empty());
    for (const Json& one : told["participants"]) {
        const int participant = one["participant"].get<int>();
        Json& sum = sums[participant];
        EXPECT_EQ(one["group"], participant == 8 ? "makers" : "");
        for (const char* const what : {"orders", "cancels", "volume"})
            EXPECT_EQ(one[what], sum.value(what, 0)) << participant << what;
        double profit = 0;
        for (const Json& position : one["positions"]) {
            const std::string symbol = position["symbol"];
            EXPECT_EQ(position["position"], sum["position"][symbol]);
            const double of_symbol = sum["cash"][symbol].get<double>() +
                                     sum["position"][symbol].get<int>() * last[symbol];
            EXPECT_NEAR(position["profit"].get<double>(), of_symbol, 1e-4);
            profit += of_symbol;
        }
        EXPECT_NEAR(one["profit"].get<double>(), profit, 1e-4);
    }
}

TEST_F(PrivateRoutes, TellOwnersReserveHiddenAndStopOrders) {
    const auto sold = lines("/v1/private/events?order=2");
    ASSERT_EQ(sold.size(), 2U);
    EXPECT_EQ(sold[0]["participant"], 8);
    EXPECT_THAT(sold[0]["flags"], ElementsAre("on_book", "hidden"));
    EXPECT_EQ(sold[0]["remaining"], 50);
    EXPECT_EQ(sold[0]["displayed"], 0);
    EXPECT_EQ(sold[1]["event"], "executed");
    EXPECT_EQ(sold[1]["remaining"], 30);
    // The iceberg under its first id, and under the one that it got by the replace.
    const auto iceberg = lines("/v1/private/events?order=3");
    ASSERT_EQ(iceberg.size(), 2U);
    EXPECT_EQ(iceberg[0]["displayed"], 20);
    EXPECT_EQ(iceberg[0]["remaining"], 70);
    EXPECT_EQ(iceberg[1]["event"], "replaced");
    const auto stops = lines("/v1/private/events?symbol=TWO&participant=9");
    ASSERT_EQ(stops.size(), 1U);
    EXPECT_THAT(stops[0]["flags"], ElementsAre("waiting"));
}

TEST_F(PrivateRoutes, SelectRecordsAndDays) {
    const auto all = lines("/v1/private/events");
    EXPECT_EQ(all.front()["record"], 6);
    const auto some = lines("/v1/private/events?from_record=7&to_record=8");
    ASSERT_EQ(some.size(), 2U);
    EXPECT_EQ(some[1]["record"], 8);
    EXPECT_EQ(lines("/v1/private/events?day=2026-11-20").back()["participant"], 7);
    EXPECT_THAT(lines("/v1/private/events?to_record=1"), IsEmpty());
    EXPECT_EQ(ask("/v1/private/events?day=2026112399").status, 404U);
    EXPECT_EQ(ask("/v1/private/events?day=..%2f2026112300").status, 404U);
}

TEST_F(PrivateRoutes, TellDamage) {
    const auto path = folder_ / "2026112300.events";
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    EXPECT_THAT(ask("/v1/private/days").json()["days"][0]["damage"],
                ElementsAre(HasSubstr("damaged from here to the end")));
    EXPECT_THAT(lines("/v1/private/events").front()["error"].get<std::string>(),
                HasSubstr("damaged from here to the end"));
    std::filesystem::resize_file(path, 10);
    EXPECT_EQ(ask("/v1/private/events").json()["error"]["code"], "unreadable_day");
    EXPECT_EQ(ask("/v1/private/days").json()["days"].size(), 1U);
}

TEST_F(PrivateRoutes, BringTheEventsOfTheSessionIntoTheirFile) {
    auto session = *feed::FeedSession::open(folder_.path(), {.date = 20261123}, 0);
    int written = 0;
    std::string missing;
    PrivateAccess with = access();
    with.write_events = [&] {
        ++written;
        return missing;
    };
    std::shared_ptr<feed::FeedSession> present = std::move(session);
    api_ = MarketDataApi{folder_.path(), [&present] { return present; }, {}, with};
    EXPECT_THAT(lines("/v1/private/events"), Not(IsEmpty()));
    EXPECT_EQ(written, 1);
    EXPECT_THAT(lines("/v1/private/events?day=2026-11-20"), Not(IsEmpty()));
    EXPECT_EQ(written, 1) << "an earlier day is complete";
    missing = "the disk is full";
    EXPECT_EQ(lines("/v1/private/events").back()["error"], "the disk is full");
    std::filesystem::remove(folder_ / "2026112300.events");
    missing.clear();
    EXPECT_THAT(lines("/v1/private/events"), IsEmpty()) << "no events yet";
    present = nullptr;
    EXPECT_EQ(ask("/v1/private/events").status, 503U);
}

}  // namespace
}  // namespace damrak::market_data_api
