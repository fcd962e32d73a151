// What only the operator sees of the market, and that nobody else sees it.
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/feed/feed_session.hpp>
#include <damrak/market_data_api/api.hpp>

#include "small_archive.hpp"

namespace damrak::market_data_api::private_test {
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

/// Changes of the only trade of today, 20 at 101.00, by an exchange that notes what it is asked.
class Corrections : public PrivateRoutes {
  protected:
    Corrections() {
        std::shared_ptr<feed::FeedSession> session =
            *feed::FeedSession::open(folder_.path(), {.date = 20261123}, 0);
        definition_.tick_bands[0].tick_size = Price{2'500};
        definition_.lot_size = Quantity{5};
        definition_.maximum_price = Price{200'0000};
        PrivateAccess with = access();
        with.submit = [this](const Command& command, const Tag&) {
            asked_.push_back(command);
            return true;
        };
        with.definition = [this](std::string_view symbol) {
            return symbol == "ONE" ? std::optional{definition_} : std::nullopt;
        };
        with.write_events = [this] { return missing_; };
        api_ = MarketDataApi{folder_.path(), [session] { return session; }, {}, with};
    }
    [[nodiscard]] Asked correct(const std::string& terms) {
        return post("/v1/private/corrections?symbol=ONE&trade=1&" + terms);
    }
    [[nodiscard]] std::string refusal(const std::string& terms) {
        const Asked refused = correct(terms);
        EXPECT_EQ(refused.status, 400U) << terms << refused.text;
        return refused.json()["error"]["message"];
    }

    InstrumentDefinition definition_{};
    std::string missing_;
    std::vector<Command> asked_;
};

TEST_F(Corrections, ThatTheInstrumentCannotHaveAreRefused) {
    for (const char* const wrong : {"100.01", "0", "200.25"})
        EXPECT_EQ(refusal("price=" + std::string{wrong}),
                  "price: ONE has prices from 0.25 to 200, here in steps of 0.25");
    EXPECT_EQ(refusal("quantity=25"), "quantity: at most the 20 that were traded");
    EXPECT_EQ(refusal("quantity=19"), "quantity: ONE trades in lots of 5");
    EXPECT_EQ(refusal("quantity=20&price=101"), "price, quantity: one of them must change");
    EXPECT_THAT(asked_, IsEmpty());
    EXPECT_EQ(correct("price=100.25&quantity=15").status, 202U);
    ASSERT_EQ(asked_.size(), 1U);
    EXPECT_EQ(asked_[0].kind, CommandKind::correct_trade);
    EXPECT_EQ(asked_[0].bust.new_price, Price{100'2500});
    EXPECT_EQ(asked_[0].bust.new_quantity, Quantity{15});
}

TEST_F(Corrections, LeaveThePriceOfAnAuctionAsItIs) {
    definition_.tick_bands[0].tick_size = Price{20'000};
    EXPECT_EQ(correct("quantity=15").status, 202U) << "between two ticks";
    EXPECT_EQ(correct("quantity=15&price=101").status, 202U);
    EXPECT_THAT(refusal("price=99"), HasSubstr("in steps of 2"));
}

TEST_F(Corrections, OfATradeThatIsNotKnownYetMayBeAskedForAgain) {
    const std::string bust = "/v1/private/busts?symbol=ONE&trade=";
    EXPECT_EQ(post(bust + "2").json()["error"]["code"], "unknown_trade");
    missing_ = "the last events are not written yet";
    const Asked refused = post(bust + "2");
    EXPECT_EQ(refused.status, 503U);
    EXPECT_EQ(refused.json()["error"]["code"], "missing_events");
    EXPECT_EQ(refused.json()["error"]["message"], missing_);
    EXPECT_EQ(post(bust + "1").status, 202U) << "this one is known";
}

TEST_F(Corrections, NeedAnExchange) {
    api_ = MarketDataApi{folder_.path(),
                         [this] {
                             return std::shared_ptr<const feed::FeedSession>{
                                 *feed::FeedSession::open(folder_.path(), {.date = 20261123}, 0)};
                         },
                         {},
                         access()};
    EXPECT_EQ(correct("quantity=15").json()["error"]["code"], "no_exchange");
}

}  // namespace
}  // namespace damrak::market_data_api::private_test
