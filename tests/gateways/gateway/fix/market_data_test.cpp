// What those who watch the market by FIX receive, in the versions that most clients speak.
#include <damrak/gateway/fix/detail/market_data.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/gateway/identities.hpp>

#include "support/fix_exchange.hpp"
#include "support/fix_versions.hpp"

namespace damrak::testing::market_data_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// SubscriptionRequestType.
constexpr int k_once = 0;
constexpr int k_updates = 1;
constexpr int k_no_more = 2;

class FixMarket : public ::testing::TestWithParam<std::string> {
  protected:
    FixMarket() {
        alice_.send("35=D|11=a1|55=TEST|54=1|38=100|40=2|44=10");
        alice_.send("35=D|11=a2|55=TEST|54=1|38=50|40=2|44=10");
        alice_.send("35=D|11=a3|55=TEST|54=1|38=70|40=2|44=9.99");
        alice_.send("35=D|11=a4|55=TEST|54=2|38=30|40=2|44=10.05");
        static_cast<void>(alice_.told());
    }

    void ask(int type, int depth, const std::string& terms,
             const std::string& symbols = "146=1|55=TEST", const std::string& id = "m1") {
        carol_.send(
            fmt::format("35=V|262={}|263={}|264={}|{}|{}", id, type, depth, terms, symbols));
    }
    [[nodiscard]] std::vector<std::string> hear() {
        exchange_.tell_market();
        return carol_.told();
    }
    /// What a snapshot has before its entries.
    [[nodiscard]] static std::string snapshot(const std::string& entries,
                                              const std::string& time = "20260302-09:00:00.000") {
        const std::string update = GetParam() == "FIX.5.0SP2" ? " 779=" + time : "";
        return "W" + update + " 262=m1 55=TEST " + entries;
    }

    FixExchange exchange_;
    FixTrader alice_{exchange_, GetParam(), "ALICE"};
    FixTrader bob_{exchange_, GetParam(), "BOB"};
    FixTrader carol_{exchange_, GetParam(), "CAROL"};
};

INSTANTIATE_TEST_SUITE_P(Versions, FixMarket, versions_from_42(), version_name);

TEST_P(FixMarket, ASnapshotIsTheBookAsItIs) {
    ask(k_once, 0, "267=2|269=0|269=1");
    EXPECT_THAT(hear(), ElementsAre(snapshot("268=3 269=0 270=10 271=150 346=2 269=0 270=9.99 "
                                             "271=70 346=1 269=1 270=10.05 271=30 346=1")));
    bob_.send("35=D|11=b|55=TEST|54=2|38=30|40=2|44=10");
    EXPECT_THAT(hear(), IsEmpty()) << "it was requested once";
}

TEST_P(FixMarket, DepthIsSoManyPricesOfEachSide) {
    ask(k_once, 1, "267=2|269=0|269=1");
    EXPECT_THAT(hear(), ElementsAre(snapshot("268=2 269=0 270=10 271=150 346=2 269=1 270=10.05 "
                                             "271=30 346=1")));
    ask(k_once, 2, "267=1|269=0");
    EXPECT_THAT(hear(), ElementsAre(snapshot("268=2 269=0 270=10 271=150 346=2 269=0 270=9.99 "
                                             "271=70 346=1")));
}

TEST_P(FixMarket, AnEmptyBookHasNoEntries) {
    ask(k_once, 0, "267=3|269=0|269=1|269=2", "146=1|55=AAPL");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("262=m1 55=AAPL 268=0")));
}

TEST_P(FixMarket, TheLastTradeIsPartOfASnapshot) {
    bob_.send("35=D|11=b1|55=TEST|54=2|38=30|40=2|44=10");
    bob_.send("35=D|11=b2|55=TEST|54=2|38=20|40=2|44=10");
    ask(k_once, 1, "267=1|269=2");
    EXPECT_THAT(hear(), ElementsAre(snapshot("268=1 269=2 270=10 271=20 272=20260302 "
                                             "273=09:00:00.000")));
}

TEST_P(FixMarket, EachInstrumentHasAMessageOfItsOwn) {
    ask(k_updates, 0, "265=1|267=1|269=0", "146=2|55=TEST|55=AAPL");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("55=TEST 268=2"), HasSubstr("55=AAPL 268=0")));
    alice_.send("35=D|11=x|55=AAPL|54=1|38=1|40=2|44=5");
    EXPECT_THAT(hear(), ElementsAre("X 262=m1 268=1 279=0 269=0 55=AAPL 270=5 271=1 346=1"));
}

TEST_P(FixMarket, ChangesFollowTheSnapshot) {
    ask(k_updates, 0, "265=1|267=3|269=0|269=1|269=2");
    EXPECT_THAT(hear(), SizeIs(1));
    bob_.send("35=D|11=b1|55=TEST|54=2|38=120|40=2|44=10");
    EXPECT_THAT(hear(),
                ElementsAre("X 262=m1 268=3 279=1 269=0 55=TEST 270=10 271=30 346=1 "
                            "279=0 269=2 278=3298534883329 55=TEST 270=10 271=100 272=20260302 "
                            "273=09:00:00.002 "
                            "279=0 269=2 278=3298534883330 55=TEST 270=10 271=20 272=20260302 "
                            "273=09:00:00.002"));
    bob_.send("35=D|11=b2|55=TEST|54=2|38=5|40=2|44=10.02");
    alice_.send("35=F|41=a3|11=a5|55=TEST|54=1");
    EXPECT_THAT(hear(), ElementsAre("X 262=m1 268=2 279=2 269=0 55=TEST 270=9.99 "
                                    "279=0 269=1 55=TEST 270=10.02 271=5 346=1"));
    EXPECT_THAT(hear(), IsEmpty()) << "nothing happened";
}

TEST_P(FixMarket, AFullUpdateIsTheWholeAgain) {
    ask(k_updates, 1, "265=0|267=2|269=0|269=2");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("268=1 269=0 270=10 271=150")));
    bob_.send("35=D|11=b1|55=TEST|54=2|38=120|40=2|44=10");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("268=3 269=0 270=10 271=30 346=1 269=2 270=10 "
                                              "271=100 272=20260302")));
    alice_.send("35=F|41=a3|11=a5|55=TEST|54=1");
    EXPECT_THAT(hear(), IsEmpty()) << "it is below what was requested";
    alice_.send("35=D|11=a6|55=TEST|54=1|38=1|40=2|44=10");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("268=2 269=0 270=10 271=31 346=2 269=2 270=10 "
                                              "271=20")));
}

TEST_P(FixMarket, ATopThatGoesBringsTheNextPriceIn) {
    ask(k_updates, 1, "265=1|267=1|269=0");
    EXPECT_THAT(hear(), SizeIs(1));
    bob_.send("35=D|11=b1|55=TEST|54=2|38=150|40=2|44=10");
    EXPECT_THAT(hear(), ElementsAre("X 262=m1 268=2 279=2 269=0 55=TEST 270=10 "
                                    "279=0 269=0 55=TEST 270=9.99 271=70 346=1"));
}

TEST_P(FixMarket, HiddenQuantityIsNotReported) {
    const std::string display = GetParam() >= "FIX.5.0" ? "1138" : "111";
    bob_.send("35=D|11=b1|55=TEST|54=2|38=100|40=2|44=10.05|" + display + "=0");
    bob_.send("35=D|11=b2|55=TEST|54=2|38=100|40=2|44=10.06|" + display + "=10");
    ask(k_once, 0, "267=1|269=1");
    EXPECT_THAT(hear(), ElementsAre(snapshot("268=2 269=1 270=10.05 271=30 346=1 269=1 270=10.06 "
                                             "271=10 346=1")));
}

TEST_P(FixMarket, ASubscriptionEndsWhenAskedTo) {
    ask(k_updates, 0, "265=1|267=1|269=0");
    EXPECT_THAT(hear(), SizeIs(1));
    ask(k_no_more, 0, "265=1|267=1|269=0");
    alice_.send("35=D|11=x|55=TEST|54=1|38=1|40=2|44=5");
    EXPECT_THAT(hear(), IsEmpty());
    ask(k_no_more, 0, "265=1|267=1|269=0");
    EXPECT_THAT(hear(), ElementsAre("Y 262=m1 58=no subscription has this MDReqID"));
    ask(k_updates, 0, "265=1|267=1|269=0");
    EXPECT_THAT(hear(), ElementsAre(snapshot("268=3 269=0 270=10 271=150 346=2 269=0 270=9.99 "
                                             "271=70 346=1 269=0 270=5 271=1 346=1",
                                             "20260302-09:00:00.002")));
}

TEST_P(FixMarket, ASubscriptionEndsWithTheConnection) {
    ask(k_updates, 0, "265=1|267=1|269=0");
    EXPECT_THAT(hear(), SizeIs(1));
    carol_.disconnect();
    alice_.send("35=D|11=x|55=TEST|54=1|38=1|40=2|44=5");
    exchange_.tell_market();
    carol_.connect();
    EXPECT_THAT(hear(), ElementsAre("A"));
}

TEST_P(FixMarket, WhatIsNotThereIsRefused) {
    ask(k_once, 0, "267=1|269=0", "146=2|55=TEST|55=NONE");
    EXPECT_THAT(hear(), ElementsAre("Y 262=m1 281=0 58=Symbol NONE: no such instrument"));
    ask(k_once, 0, "267=2|269=0|269=4");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("Y 262=m1 281=8 58=MDEntryType 4")));
    ask(k_once, -1, "267=1|269=0");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("Y 262=m1 281=5 58=MarketDepth -1")));
    ask(k_once, 0, "266=N|267=1|269=0");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("Y 262=m1 281=7 58=AggregatedBook N")));
}

TEST_P(FixMarket, AnIdIsUsedOnceAtATime) {
    ask(k_updates, 0, "265=1|267=1|269=0");
    ask(k_once, 0, "267=1|269=0");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("Y 262=m1 281=1"), HasSubstr("W")));
    bob_.send("35=V|262=m1|263=0|264=0|267=1|269=0|146=1|55=TEST");
    exchange_.tell_market();
    EXPECT_THAT(bob_.told(), ElementsAre(HasSubstr("W"))) << "ids are one's own";
}

TEST_P(FixMarket, OldMarketDataIsNotSentAgain) {
    ask(k_updates, 0, "265=1|267=1|269=0");
    alice_.send("35=D|11=x|55=TEST|54=1|38=1|40=2|44=5");
    EXPECT_THAT(hear(), SizeIs(1));
    carol_.send("35=D|11=c|55=TEST|54=1|38=1|40=2|44=4");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("8 "), HasSubstr("X ")));
    carol_.send("35=2|7=1|16=0");
    EXPECT_THAT(carol_.told(), ElementsAre("4 43=Y", HasSubstr("8 43=Y"), "4 43=Y"));
    EXPECT_THAT(carol_.last(), HasSubstr("|36=5|"));
}

class FixWatchers : public ::testing::Test {
  protected:
    FixExchange exchange_;
    FixTrader alice_{exchange_, "FIX.4.4", "ALICE"};
    FixTrader carol_{exchange_, "FIX.4.4", "CAROL"};
};

TEST_F(FixWatchers, WhoDoesNotReadHearsTheNewestLater) {
    carol_.send("35=V|262=m1|263=1|264=0|265=1|267=1|269=0|146=1|55=TEST");
    carol_.send("35=V|262=m2|263=1|264=0|265=0|267=1|269=0|146=1|55=TEST");
    std::size_t waiting = 0;
    for (int i = 0; i < 3'000; ++i) {
        alice_.send(
            fmt::format("35=D|11=a{}|55=TEST|54=1|38=1|40=2|44={}.{:02}", i, 1 + i / 100, i % 100));
        static_cast<void>(alice_.told());
        exchange_.tell_market();
        waiting = carol_.waiting_bytes();
    }
    EXPECT_LT(waiting, std::size_t{512} * 1024) << "reports still find room";
    const auto told = carol_.told();
    EXPECT_LT(told.size(), 3'000U);
    exchange_.tell_market();
    const auto newest = carol_.told();
    ASSERT_EQ(newest.size(), 3U) << "what came and what went is more than fits into one message";
    EXPECT_TRUE(newest[0].starts_with("X 262=m1 268=500 279=2 ")) << "what it was told goes";
    EXPECT_NE(newest[0].find(" 279=0 269=0 55=TEST 270=30.99 "), std::string::npos);
    EXPECT_TRUE(newest[1].starts_with("X 262=m1 268="));
    EXPECT_TRUE(newest[2].starts_with("W 262=m2 55=TEST 268=500 269=0 270=30.99 "));
}

TEST_F(FixWatchers, OfManyTradesAtOnceTheLastAreReported) {
    carol_.send("35=V|262=m1|263=1|264=0|265=1|267=1|269=2|146=1|55=TEST");
    exchange_.tell_market();
    EXPECT_THAT(carol_.told(), ElementsAre("W 262=m1 55=TEST 268=0"));
    for (int i = 0; i < 300; ++i) {
        alice_.send(fmt::format("35=D|11=s{}|55=TEST|54=2|38={}|40=2|44=10", i, i + 1));
        carol_.send(fmt::format("35=D|11=b{}|55=TEST|54=1|38={}|40=2|44=10", i, i + 1));
    }
    static_cast<void>(carol_.told());
    exchange_.tell_market();
    const auto told = carol_.told();
    ASSERT_THAT(told, SizeIs(1));
    EXPECT_THAT(told[0], HasSubstr("X 262=m1 268=256 "));
    EXPECT_THAT(told[0], HasSubstr(" 271=45 "));
    EXPECT_THAT(told[0], HasSubstr(" 271=300 "));
}

TEST_F(FixWatchers, WithoutNewsARequestIsRefusedInTheEnd) {
    carol_.send("35=V|262=m1|263=1|264=0|265=1|267=1|269=0|146=1|55=TEST");
    exchange_.tell_market_of_the_past();
    EXPECT_THAT(carol_.told(), IsEmpty());
    exchange_.now.value += 11'000'000'000;
    exchange_.tell_market_of_the_past();
    EXPECT_THAT(carol_.told(), ElementsAre("Y 262=m1 58=there is no market data at present"));
}

TEST_F(FixWatchers, OneClientWatchesSoManyInstrumentsAtMost) {
    for (int i = 0; i < 512; ++i)
        carol_.send(
            fmt::format("35=V|262=m{}|263=1|264=0|265=1|267=1|269=0|146=2|55=TEST|55=AAPL", i));
    EXPECT_THAT(carol_.told(), IsEmpty());
    carol_.send("35=V|262=m|263=1|264=0|265=1|267=1|269=0|146=1|55=TEST");
    EXPECT_THAT(carol_.told(), ElementsAre(HasSubstr("Y 262=m 281=2")));
    exchange_.tell_market();
    EXPECT_THAT(carol_.told(), SizeIs(64)) << "nobody else waits for all of them";
    for (int i = 0; i < 15; ++i) exchange_.tell_market_of_the_past();
    EXPECT_THAT(carol_.told(), SizeIs(960));
}

// They share the places of what is watched, so that many strangers watch no more than their part.
TEST(FixWatchersTogether, StrangersLeaveRoomToWhoIsNamed) {
    constexpr std::uint32_t k_of_client = gateway::fix::FixMarketData::k_most_lines_of_client;
    FixExchange exchange;
    gateway::Identities identities;
    identities.add_comp_id("OWN", ParticipantId{7});
    identities.admit_anonymous(true);
    exchange.participants().set_identities(identities);
    auto& market = exchange.application().market();
    market.set_strangers_share(50);
    const auto watch = [](FixTrader& trader, int id) {
        trader.send(
            fmt::format("35=V|262=m{}|263=1|264=0|265=1|267=1|269=0|146=2|55=TEST|55=AAPL", id));
    };
    std::deque<FixTrader> strangers;
    while (market.places().used < market.places().most_strangers) {
        FixTrader& next =
            strangers.emplace_back(exchange, "FIX.4.4", fmt::format("S{}", strangers.size()));
        for (std::uint32_t i = 0; i < k_of_client / 2; ++i) watch(next, static_cast<int>(i));
        EXPECT_THAT(next.told(), IsEmpty());
    }
    EXPECT_EQ(market.places().strangers * 2, market.places().total);
    FixTrader late{exchange, "FIX.4.4", "LATE"};
    watch(late, 1);
    EXPECT_THAT(late.told(), ElementsAre(HasSubstr("Y 262=m1 281=2 58=no more may be watched: "
                                                   "those that the configuration")));
    late.send("35=e|324=s|263=1|55=TEST");
    EXPECT_THAT(late.told(), ElementsAre(HasSubstr("no more may be watched")));
    FixTrader own{exchange, "FIX.4.4", "OWN"};
    watch(own, 1);
    EXPECT_THAT(own.told(), IsEmpty());
    EXPECT_EQ(market.places().used, market.places().strangers + 2);

    // A place comes back when what it is for ends, by request or with the session.
    strangers.front().send("35=V|262=m0|263=2|264=0|267=1|269=0|146=1|55=TEST");
    watch(late, 2);
    EXPECT_THAT(late.told(), IsEmpty());
    strangers.clear();
    EXPECT_EQ(market.places().strangers, 2U) << "those of LATE";
    late.disconnect();
    own.disconnect();
    EXPECT_EQ(market.places().used, 0U);
}

TEST(FixSecurities, AreListedInEachVersion) {
    FixExchange exchange;
    const std::string rules =
        " 561=1 58=tick 0.01; lot 1; maximum price 199999.99; maximum "
        "quantity 999999";
    const std::string newer = " 969=0.01 1205=1 1206=0 1208=0.01 1149=199999.99 1140=999999 561=1";
    const std::vector<std::pair<std::string, std::string>> expected{
        {"FIX.4.3", "393=2 146=2 55=AAPL" + rules + " 55=TEST" + rules},
        {"FIX.4.4", "393=2 893=Y 146=2 55=AAPL" + rules + " 55=TEST" + rules},
        {"FIX.5.0", "393=2 893=Y 146=2 55=AAPL 969=0.01" + rules + " 55=TEST 969=0.01" + rules},
        {"FIX.5.0SP1", "393=2 893=Y 146=2 55=AAPL" + newer + " 55=TEST" + newer},
        {"FIX.5.0SP2", "393=2 893=Y 146=2 55=AAPL" + newer + " 55=TEST" + newer}};
    for (const auto& [version, list] : expected) {
        FixTrader alice{exchange, version, "L" + version};
        alice.send("35=x|320=r1|559=4");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr(" 560=0 " + list))) << version;
        alice.send("35=x|320=r2|559=0|55=TEST");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("y 320=r2"))) << version;
        EXPECT_THAT(alice.last(), HasSubstr("|146=1|55=TEST|"));
        alice.send("35=x|320=r3|559=0|55=NONE");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr(" 560=2"))) << version;
        alice.send("35=x|320=r4|559=2");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr(" 560=1"))) << version;
    }
}

TEST(FixSecurities, OfMoreThanFitTheListHasSeveralParts) {
    FixExchange exchange;
    for (std::uint32_t id = 5; id <= 16; ++id)
        exchange.add_instrument(id, "S" + std::to_string(id));
    FixTrader alice{exchange, "FIX.4.4", "ALICE"};
    alice.send("35=x|320=r1|559=4");
    EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("393=14 893=N 146=10 55=AAPL"),
                                          HasSubstr("393=14 893=Y 146=4 55=S13")));
}

TEST(FixSecurities, AreDefinedInEachVersion) {
    FixExchange exchange;
    const std::string rules =
        " 58=tick 0.01; lot 1; maximum price 199999.99; maximum quantity 999999";
    const std::string newer =
        " 969=0.01 1310=1 1301=DAMRAK 1205=1 1206=0 1208=0.01 1149=199999.99 1140=999999 561=1";
    const std::vector<std::pair<std::string, std::string>> expected{
        {"FIX.4.2", "323=1 393=1 55=TEST" + rules},
        {"FIX.4.3", "323=1 55=TEST" + rules + " 561=1"},
        {"FIX.4.4", "323=1 55=TEST" + rules + " 561=1"},
        {"FIX.5.0", "323=1 55=TEST 969=0.01" + rules},
        {"FIX.5.0SP1", "323=1 55=TEST" + newer},
        {"FIX.5.0SP2", "323=1 55=TEST" + newer}};
    for (const auto& [version, definition] : expected) {
        FixTrader alice{exchange, version, "D" + version};
        alice.send("35=c|320=r1|321=0|55=TEST");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr(definition))) << version;
        alice.send("35=c|320=r2|321=3");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("323=4"), HasSubstr("323=4"))) << version;
        alice.send("35=c|320=r3|321=0|55=NONE");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("323=6"))) << version;
        alice.send("35=c|320=r4|321=2");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("323=5"))) << version;
    }
}

}  // namespace

}  // namespace damrak::testing::market_data_test
