// What reports say of an order beyond its terms: names of any length, fields as they were sent, the
// instrument by ISIN, the trade, and the way back to who asked.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_exchange.hpp"
#include "support/fix_versions.hpp"

namespace damrak::testing::echoes_test {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class FixEchoes : public ::testing::TestWithParam<std::string> {
  protected:
    static gateway::fix::FixApplicationConfig config() {
        gateway::fix::FixApplicationConfig config;
        config.isins = {{"NL0010273215", "TEST"}, {"US0378331005", "AAPL"}};
        return config;
    }
    [[nodiscard]] bool at_least(std::string_view version) const { return GetParam() >= version; }
    [[nodiscard]] std::string last_of(FixTrader& trader) const {
        static_cast<void>(trader.told());
        return trader.last();
    }

    FixExchange exchange_{config()};
    FixTrader alice_{exchange_, GetParam(), "ALICE"};
    FixTrader bob_{exchange_, GetParam(), "BOB"};
};

INSTANTIATE_TEST_SUITE_P(Versions, FixEchoes,
                         ::testing::Values("FIX.4.0", "FIX.4.1", "FIX.4.2", "FIX.4.3", "FIX.4.4",
                                           "FIX.5.0", "FIX.5.0SP1", "FIX.5.0SP2"),
                         version_name);

TEST_P(FixEchoes, NamesMayHaveSixtyFourCharacters) {
    const std::vector<std::string> names{"0f3c1a52-9b7e-4c5d-8e21-7a6b5c4d3e2f",
                                         "0F3C1A52-9B7E-4C5D-8E21-7A6B5C4D3E2F",
                                         std::string(64, 'L'), std::string(21, 'M')};
    for (const std::string& name : names) {
        alice_.send(fmt::format("35=D|11={}|55=TEST|54=1|38=10|40=2|44=10", name));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(" 11=" + name + " ")));
        const std::string next = name.substr(1);
        alice_.send(fmt::format("35=G|41={}|11={}|55=TEST|54=1|38=9|40=2|44=10", name, next));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(" 11=" + next + " ")));
        if (at_least("FIX.4.1")) {
            EXPECT_THAT(alice_.last(), HasSubstr("|41=" + name + "|"));
        }
        alice_.send(fmt::format("35=H|11={}|55=TEST|54=1", next));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(" 11=" + next + " ")));
        alice_.send(fmt::format("35=D|11={}|55=TEST|54=1|38=10|40=2|44=10", name));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("was used before")));
    }
    bob_.send(fmt::format("35=D|11={}|55=TEST|54=2|38=9|40=2|44=10", std::string(40, 'b')));
    EXPECT_THAT(bob_.told(), SizeIs(2));
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(" 11=" + names[0].substr(1) + " ")));
    alice_.send(fmt::format("35=D|11={}|55=TEST|54=1|38=1|40=1", std::string(65, 'x')));
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("at most 64 characters")));
    // Refused by the engine.
    alice_.send(fmt::format("35=D|11={}|55=TEST|54=1|38=0|40=2|44=9", std::string(64, 'z')));
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=8")));
    EXPECT_THAT(alice_.last(), HasSubstr("|11=" + std::string(64, 'z') + "|"));
}

TEST_P(FixEchoes, AccountCurrencyPartiesAndTextAreInEveryReport) {
    const std::string parties = at_least("FIX.4.3") ? "453=1|448=FUND|447=D|452=3|" : "";
    alice_.send("35=D|11=a|1=ACC1|15=EUR|" + parties + "55=TEST|54=1|38=10|40=2|44=10|58=why not");
    const auto expect_all = [&](std::string_view where) {
        const std::string told = last_of(alice_);
        EXPECT_THAT(told, AllOf(HasSubstr("|1=ACC1|"), HasSubstr("|15=EUR|"),
                                HasSubstr("|58=why not|"), HasSubstr("|" + parties)))
            << where;
    };
    expect_all("new");
    bob_.send("35=D|11=b|55=TEST|54=2|38=4|40=2|44=10");
    expect_all("fill");
    EXPECT_THAT(last_of(bob_), Not(HasSubstr("|1=ACC1|")));
    alice_.send("35=H|11=a|55=TEST|54=1");
    expect_all("status");
    alice_.send("35=G|41=a|11=c|55=TEST|54=1|38=20|40=2|44=9");
    expect_all("replaced");
    alice_.send("35=G|41=c|11=d|1=ACC2|55=TEST|54=1|38=20|40=2|44=9");
    EXPECT_THAT(last_of(alice_), AllOf(HasSubstr("|1=ACC2|"), HasSubstr("|15=EUR|"),
                                       HasSubstr("|58=why not|"), HasSubstr("|" + parties)));
    alice_.send(at_least("FIX.4.1") ? "35=F|41=d|11=e|55=TEST|54=1|38=20"
                                    : "35=F|41=d|11=e|55=TEST|54=1|38=20|125=F");
    EXPECT_THAT(last_of(alice_), AllOf(HasSubstr("|1=ACC2|"), HasSubstr("|39=4|")));
    // Refused, by the gateway and by the engine: Text says why.
    alice_.send("35=D|11=x|1=ACC1|55=NONE|54=1|38=10|40=2|44=10|58=mine");
    EXPECT_THAT(last_of(alice_), AllOf(HasSubstr("|1=ACC1|"), HasSubstr("no such instrument")));
    alice_.send("35=D|11=y|1=ACC1|55=TEST|54=1|38=0|40=2|44=10|58=mine");
    EXPECT_THAT(last_of(alice_),
                AllOf(HasSubstr("|39=8|"), HasSubstr("|1=ACC1|"), Not(HasSubstr("|58=mine|"))));
}

TEST_P(FixEchoes, WhatDoesNotFitIsRefusedAndATextIsCut) {
    const std::string base = "55=TEST|54=1|38=10|40=2|44=10|";
    alice_.send("35=D|11=a|" + base + "1=" + std::string(130, 'a'));
    EXPECT_THAT(alice_.told(), ElementsAre(AllOf(HasSubstr("39=8"), HasSubstr("field 1:"))));
    alice_.send("35=D|11=b|" + base + "58=" + std::string(300, 't'));
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=0")));
    EXPECT_THAT(alice_.last(), HasSubstr("|58=" + std::string(124, 't') + "|"));
    EXPECT_EQ(exchange_.application().orders().open(), 1U);
}

TEST_P(FixEchoes, ShortSalesAreSellsAndReportedAsSent) {
    for (const char side : {'5', '6'}) {
        const std::string name{'s', side};
        alice_.send(fmt::format("35=D|11={}|55=TEST|54={}|38=10|40=2|44=10", name, side));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(fmt::format(" 54={} ", side))));
        bob_.send(fmt::format("35=D|11={}|55=TEST|54=1|38=5|40=2|44=10", name));
        EXPECT_THAT(bob_.told(), SizeIs(2));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(fmt::format(" 54={} ", side))));
        alice_.send(fmt::format("35=G|41={0}|11={0}g|55=TEST|54=2|38=9|40=2|44=10", name));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("entered with")));
        alice_.send(fmt::format("35=H|11={0}|55=TEST|54=2", name));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(fmt::format(" 54={} ", side))));
        alice_.send(fmt::format("35=G|41={0}|11={0}h|55=TEST|54={1}|38=9|40=2|44=11", name, side));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(fmt::format(" 54={} ", side))));
        alice_.send(fmt::format("35=D|11={0}z|55=TEST|54={1}|38=0|40=2|44=11", name, side));
        EXPECT_THAT(alice_.told(),
                    ElementsAre(AllOf(HasSubstr("39=8"), HasSubstr(fmt::format(" 54={} ", side)))));
    }
}

TEST_P(FixEchoes, AnInstrumentGoesByItsIsinToo) {
    const auto order = [&](std::string_view fields) {
        static int count = 0;
        alice_.send(fmt::format("35=D|11=i{}|{}|54=1|38=10|40=2|44=9", ++count, fields));
        const auto told = alice_.told();
        return told.empty() ? "" : told.front();
    };
    EXPECT_THAT(order("55=TEST|48=NL0010273215|22=4"), HasSubstr("39=0"));
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|48=NL0010273215|"), HasSubstr("|22=4|")));
    EXPECT_THAT(order("55=[N/A]|48=US0378331005|22=4"), HasSubstr("55=AAPL"));
    EXPECT_THAT(order("55=AAPL|48=NL0010273215|22=4"), HasSubstr("it is not that of AAPL"));
    EXPECT_THAT(order("55=TEST|48=NL0000000000|22=4"), HasSubstr("SecurityID NL0000000000: no"));
    EXPECT_THAT(order("55=TEST|48=12345|22=1"), HasSubstr("SecurityIDSource 1: here 4 and 8"));
    if (!at_least("FIX.4.3")) return;
    alice_.send("35=x|320=r|559=0|55=[N/A]|48=US0378331005|22=4");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("55=AAPL")));
    alice_.send("35=V|262=m|263=0|264=1|267=1|269=0|146=1|55=[N/A]|48=US0378331005|22=4");
    EXPECT_THAT(alice_.told(), ::testing::IsEmpty());
    exchange_.tell_market();
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("55=AAPL")));
}

TEST_P(FixEchoes, AFillSaysWhichTradeItWasAndWhoCameFirst) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=10|40=2|44=10");
    bob_.send("35=D|11=b|55=TEST|54=2|38=10|40=2|44=10");
    const std::string maker = last_of(alice_);
    const std::string taker = last_of(bob_);
    const auto value = [](const std::string& message, const std::string& tag) {
        const std::size_t at = message.find("|" + tag + "=");
        if (at == std::string::npos) return std::string{};
        const std::size_t begin = at + tag.size() + 2;
        return message.substr(begin, message.find('|', begin) - begin);
    };
    const std::string tag = at_least("FIX.5.0SP1") ? "880" : "527";
    EXPECT_EQ(value(maker, tag).empty(), !at_least("FIX.4.3"));
    EXPECT_EQ(value(maker, tag), value(taker, tag));
    EXPECT_EQ(value(maker, "851"), at_least("FIX.4.4") ? "1" : "");
    EXPECT_EQ(value(taker, "851"), at_least("FIX.4.4") ? "2" : "");
}

TEST_P(FixEchoes, ReportsGoBackTheWayTheOrderCame) {
    alice_.send("35=D|50=DESK|57=BOOK|115=FIRM|116=TRADER|11=a|55=TEST|54=1|38=10|40=2|44=10");
    const auto expect_back = [&](std::string_view where) {
        EXPECT_THAT(last_of(alice_),
                    AllOf(HasSubstr("|50=BOOK|"), HasSubstr("|57=DESK|"), HasSubstr("|128=FIRM|"),
                          HasSubstr("|129=TRADER|"), Not(HasSubstr("|115="))))
            << where;
    };
    expect_back("new");
    bob_.send("35=D|11=b|55=TEST|54=2|38=4|40=2|44=10");
    expect_back("fill");
    alice_.send("35=D|50=DESK|57=BOOK|115=FIRM|116=TRADER|11=z|55=TEST|54=1|38=0|40=2|44=10");
    expect_back("refused by the engine");
    if (!at_least("FIX.4.4")) return;
    alice_.send("35=q|50=DESK|57=BOOK|115=FIRM|116=TRADER|11=q|530=7");
    expect_back("mass cancel");
}

}  // namespace

}  // namespace damrak::testing::echoes_test
