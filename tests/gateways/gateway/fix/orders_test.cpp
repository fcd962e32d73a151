// The rules of engagement of the FIX gateway, in the versions that most clients speak.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_exchange.hpp"
#include "support/fix_versions.hpp"

namespace damrak::testing::orders_test {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class FixOrders : public ::testing::TestWithParam<std::string> {
  protected:
    /// A report as this version has it: 150 as FIX.4.3 and later have it, or else in brackets.
    [[nodiscard]] bool is_old() const { return GetParam() <= "FIX.4.2"; }

    FixExchange exchange_;
    FixTrader alice_{exchange_, GetParam(), "ALICE"};
    FixTrader bob_{exchange_, GetParam(), "BOB"};
};

INSTANTIATE_TEST_SUITE_P(Versions, FixOrders, ::testing::Values("FIX.4.2", "FIX.4.4", "FIX.5.0SP2"),
                         version_name);

TEST_P(FixOrders, ARestingOrderHasOneReport) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_THAT(alice_.told(),
                ElementsAre(std::string{"8 "} + (is_old() ? "20=0 " : "") +
                            "150=0 39=0 11=a 55=TEST 54=1 38=100 40=2 44=10.05 14=0 151=100 6=0"));
    EXPECT_THAT(alice_.last(), HasSubstr("|37="));
    EXPECT_THAT(bob_.told(), IsEmpty());
}

TEST_P(FixOrders, AFillFollowsTheReportOfTheOrder) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    static_cast<void>(alice_.told());
    bob_.send("35=D|11=b|55=TEST|54=2|38=30|40=2|44=10");
    const std::string old = is_old() ? "20=0 " : "";
    EXPECT_THAT(
        bob_.told(),
        ElementsAre("8 " + old + "150=0 39=0 11=b 55=TEST 54=2 38=30 40=2 44=10 14=0 151=30 6=0",
                    "8 " + old + "150=" + (is_old() ? "2" : "F") +
                        " 39=2 11=b 55=TEST 54=2 38=30 40=2 44=10 32=30 31=10.05 14=30 "
                        "151=0 6=10.05"));
    EXPECT_THAT(alice_.told(),
                ElementsAre("8 " + old + "150=" + (is_old() ? "1" : "F") +
                            " 39=1 11=a 55=TEST 54=1 38=100 40=2 44=10.05 32=30 31=10.05 14=30 "
                            "151=70 6=10.05"));
}

TEST_P(FixOrders, TheAveragePriceIsThatOfAllFills) {
    bob_.send("35=D|11=b1|55=TEST|54=2|38=10|40=2|44=10");
    bob_.send("35=D|11=b2|55=TEST|54=2|38=20|40=2|44=10.01");
    static_cast<void>(bob_.told());
    alice_.send("35=D|11=a|55=TEST|54=1|38=30|40=1");
    const auto told = alice_.told();
    ASSERT_EQ(told.size(), 3U);
    EXPECT_THAT(told[2], HasSubstr("32=20 31=10.01 14=30 151=0 6=10.00666667"));
}

TEST_P(FixOrders, ACancelIsAnsweredUnderItsOwnName) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    static_cast<void>(alice_.told());
    alice_.send("35=F|41=a|11=b|55=TEST|54=1");
    EXPECT_THAT(
        alice_.told(),
        ElementsAre(std::string{"8 "} + (is_old() ? "20=0 " : "") +
                    "150=4 39=4 11=b 41=a 55=TEST 54=1 38=100 40=2 44=10.05 14=0 151=0 6=0"));
}

TEST_P(FixOrders, AReplaceBeginsAChainOfNames) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    bob_.send("35=D|11=b|55=TEST|54=2|38=40|40=2|44=10.05");
    static_cast<void>(alice_.told());
    alice_.send("35=G|41=a|11=a2|55=TEST|54=1|38=150|40=2|44=9.95");
    const std::string id = alice_.last().substr(alice_.last().find("|37="));
    EXPECT_THAT(alice_.told(),
                ElementsAre(std::string{"8 "} + (is_old() ? "20=0 " : "") +
                            "150=5 39=" + (is_old() ? "5" : "1") +
                            " 11=a2 41=a 55=TEST 54=1 38=150 40=2 44=9.95 14=40 151=110 6=10.05"));
    EXPECT_THAT(alice_.last(), HasSubstr(id.substr(0, id.find('|', 1)))) << "it keeps its OrderID";
    alice_.send("35=F|41=a2|11=a3|55=TEST|54=1");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=4 11=a3 41=a2")));
}

TEST_P(FixOrders, AChangeOfWhatIsNotThereIsRefused) {
    const auto refused = [&](std::string_view reason) {
        return std::string{"9 39=8 434=1 102="} + std::string{reason};
    };
    alice_.send("35=F|41=z|11=x|55=TEST|54=1");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(refused("1 11=x 41=z"))));
    EXPECT_THAT(alice_.last(), HasSubstr("|37=NONE|"));
}

TEST_P(FixOrders, AChangeWithoutOrigClOrdIDHasNoEmptyFieldInItsAnswer) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    static_cast<void>(alice_.told());
    for (const std::string request :
         {"35=F|11=x|54=1", "35=G|11=x|54=1|38=9|40=2|44=10", "35=F|37=1|11=x|54=2",
          "35=G|37=9|11=x|54=2|38=9|40=2|44=10"}) {
        alice_.send(request + "|55=TEST");
        EXPECT_THAT(alice_.told(), SizeIs(1)) << request;
        EXPECT_THAT(alice_.last(), Not(HasSubstr("|41=|"))) << request;
        EXPECT_THAT(alice_.last(), HasSubstr(GetParam() >= "FIX.5.0SP1" ? "|35=9|" : "|373=1|"));
    }
    if (GetParam() < "FIX.5.0SP1") return;
    const std::string id = std::to_string(exchange_.application().orders().at(1).id.value);
    alice_.send("35=F|37=" + id + "|11=y|55=TEST|54=2");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("9 39=0 434=1 102=99 11=y 41=a")));
}

TEST_P(FixOrders, AChangeThatComesTooLateIsRefused) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    alice_.send("35=F|41=a|11=b|55=TEST|54=1");
    static_cast<void>(alice_.told());
    alice_.send("35=G|41=b|11=c|55=TEST|54=1|38=10|40=2|44=10");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("9 39=4 434=2 102=0 11=c 41=b")));
}

TEST_P(FixOrders, AReplaceByNoMoreThanWasExecutedComesTooLate) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    bob_.send("35=D|11=b|55=TEST|54=2|38=40|40=2|44=10.05");
    static_cast<void>(alice_.told());
    alice_.send("35=G|41=a|11=c|55=TEST|54=1|38=40|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(AllOf(HasSubstr("9 39=1 434=2 102=0 11=c 41=a"),
                                                 HasSubstr("too late: 40 of the order"))));
    alice_.send("35=G|41=a|11=d|55=TEST|54=1|38=0|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(AllOf(HasSubstr("9 39=1"), Not(HasSubstr("102=0")))))
        << "that would never have done";
    alice_.send("35=G|41=a|11=e|55=TEST|54=1|38=41|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("11=e 41=a")));
}

TEST_P(FixOrders, NoClientCancelsTheOrdersOfAnother) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    static_cast<void>(alice_.told());
    bob_.send("35=F|41=a|37=1|11=x|55=TEST|54=1");
    EXPECT_THAT(bob_.told(), ElementsAre(HasSubstr("9 39=8")));
    EXPECT_THAT(alice_.told(), IsEmpty());
}

TEST_P(FixOrders, AQuantityBeyondAllNumbersIsOutOfRange) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=9223372036854775808|40=2|44=10");
    EXPECT_THAT(alice_.told(),
                ElementsAre(AllOf(HasSubstr("39=8"),
                                  HasSubstr("OrderQty 9223372036854775808: it is out of range"))));
    alice_.send("35=D|11=a|55=TEST|54=1|38=1.5|40=2|44=10");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("OrderQty 1.5: a whole number is wanted")));
}

TEST_P(FixOrders, AUsedNameIsRefused) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    static_cast<void>(alice_.told());
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("150=8 39=8 103=6 11=a")));
    bob_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_THAT(bob_.told(), ElementsAre(HasSubstr("150=0 39=0 11=a"))) << "names are one's own";
}

TEST_P(FixOrders, APossibleResendOfAKnownOrderGetsItsStatus) {
    const std::string status = is_old() ? "20=3 150=" : "150=";
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    static_cast<void>(alice_.told());
    alice_.send("35=D|97=Y|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(AllOf(HasSubstr(status), HasSubstr("39=0 11=a"))));
    EXPECT_EQ(exchange_.application().orders().open(), 1U);
    alice_.send("35=D|97=Y|11=b|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=0 11=b"))) << "was never seen";
    alice_.send("35=G|41=b|11=c|55=TEST|54=1|38=90|40=2|44=10.05");
    static_cast<void>(alice_.told());
    alice_.send("35=G|97=Y|41=b|11=c|55=TEST|54=1|38=90|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(AllOf(HasSubstr(status), HasSubstr("11=c"))));
    alice_.send("35=D|97=Y|11=b|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=0 11=c 41=b"))) << "its name is c now";
}

TEST_P(FixOrders, APriceBetweenTwoTicksIsRefusedWithTheTick) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.055");
    alice_.send("35=D|11=b|55=TEST|54=1|38=100|40=2|44=10.05000001");
    alice_.send("35=D|11=c|55=TEST|54=1|38=100|40=2|44=10.0500000");
    const std::string code = is_old() ? "0" : GetParam() == "FIX.4.4" ? "99" : "18";
    EXPECT_THAT(
        alice_.told(),
        ElementsAre(HasSubstr("39=8 103=" + code + " 11=a"),
                    HasSubstr("\"Price 10.05000001: it must be a multiple of the tick 0.01\""),
                    HasSubstr("39=0 11=c")));
}

TEST_P(FixOrders, WhatTheEngineRefusesIsReportedOnce) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=0|40=2|44=10");
    EXPECT_THAT(alice_.told(),
                ElementsAre(HasSubstr("150=8 39=8 103=" + std::string{is_old() ? "0" : "13"} +
                                      " 11=a 55=TEST 54=1 38=0")));
    alice_.send("35=D|11=b|55=NONE|54=1|38=1|40=2|44=10");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=8 103=1 11=b 55=NONE")));
}

TEST_P(FixOrders, WhatCannotTradeAtOnceGoes) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10|59=3");
    EXPECT_THAT(alice_.told(),
                ElementsAre(HasSubstr("150=0 39=0 11=a"), HasSubstr("150=4 39=4 11=a")));
    alice_.send("35=D|11=b|55=TEST|54=1|38=100|40=2|44=10|59=4");
    EXPECT_THAT(alice_.told(),
                ElementsAre(HasSubstr("150=0 39=0 11=b"), HasSubstr("150=4 39=4 11=b")));
    alice_.send("35=D|11=c|55=TEST|54=1|38=100|40=1");
    EXPECT_THAT(alice_.told(),
                ElementsAre(HasSubstr("150=0 39=0 11=c"), HasSubstr("150=4 39=4 11=c")));
}

TEST_P(FixOrders, OfAFillOrKillAllTradesOrNothing) {
    bob_.send("35=D|11=s|55=TEST|54=2|38=40|40=2|44=10");
    static_cast<void>(bob_.told());
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10|59=4");
    EXPECT_THAT(alice_.told(),
                ElementsAre(HasSubstr("150=0 39=0 11=a"), HasSubstr("150=4 39=4 11=a")));
    alice_.send("35=D|11=b|55=TEST|54=1|38=100|40=2|44=10|59=3");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=0 11=b"), HasSubstr("39=1 11=b"),
                                           HasSubstr("150=4 39=4 11=b")));
    EXPECT_THAT(bob_.told(), ElementsAre(HasSubstr("39=2 11=s")));
}

TEST_P(FixOrders, AnOrderExpiresAtItsTime) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10|59=6|126=20260302-09:00:01");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("150=0 39=0 11=a")));
    exchange_.now.value += 2'000'000'000;
    EXPECT_TRUE(exchange_.exchange().do_work(exchange_.now));
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("150=C 39=C 11=a")));
}

TEST_P(FixOrders, AStopWaitsForItsPrice) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=10|40=4|44=10.5|99=10.2");
    EXPECT_THAT(alice_.told(),
                ElementsAre(HasSubstr("39=0 11=a 55=TEST 54=1 38=10 40=4 44=10.5 99=10.2")));
    bob_.send("35=D|11=s1|55=TEST|54=2|38=10|40=2|44=10.3");
    bob_.send("35=D|11=s2|55=TEST|54=2|38=10|40=2|44=10.4");
    static_cast<void>(bob_.told());
    alice_.send("35=D|11=b|55=TEST|54=1|38=10|40=1");
    const auto told = alice_.told();
    ASSERT_GE(told.size(), 3U);
    EXPECT_THAT(told.back(),
                HasSubstr("39=2 11=a 55=TEST 54=1 38=10 40=4 44=10.5 99=10.2 32=10 31=10.4"));
}

TEST_P(FixOrders, AStopPriceIsThatOfTheLastReplace) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=10|40=3|99=10.2");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=0 11=a 55=TEST 54=1 38=10 40=3 99=10.2")));
    alice_.send("35=G|11=b|41=a|55=TEST|54=1|38=10|40=3|99=10.3");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("11=b 41=a 55=TEST 54=1 38=10 40=3 99=10.3")));
    bob_.send("35=D|11=c|55=TEST|54=1|38=10|40=2|44=10");
    EXPECT_THAT(bob_.told(), ElementsAre(Not(HasSubstr(" 99="))));
    alice_.send("35=H|11=b|55=TEST|54=1");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("40=3 99=10.3")));
}

TEST_P(FixOrders, StatusIsThatOfTheOrder) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    bob_.send("35=D|11=b|55=TEST|54=2|38=40|40=2|44=10.05");
    static_cast<void>(alice_.told());
    alice_.send("35=H|11=a|55=TEST|54=1");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr((is_old() ? "20=3 150=1 39=1" : "150=I 39=1") +
                                                     std::string{" 11=a 55=TEST 54=1 38=100"})));
    alice_.send("35=H|11=nothing|55=TEST|54=1");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=8 103=5 11=nothing")));
}

TEST_P(FixOrders, ReportsOfOnesAbsenceAreKept) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_EQ(alice_.told().size(), 1U);
    alice_.disconnect();
    bob_.send("35=D|11=b|55=TEST|54=2|38=40|40=2|44=10.05");
    alice_.connect();
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("A")));
    alice_.send("35=2|7=3|16=3");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("43=Y")));
    EXPECT_THAT(alice_.last(), HasSubstr("|14=40|"));
}

TEST(FixMassRequests, AreAnsweredFromVersionFourFour) {
    FixExchange exchange;
    for (const std::string version : {"FIX.4.4", "FIX.5.0", "FIX.5.0SP1", "FIX.5.0SP2"}) {
        FixTrader alice{exchange, version, "M" + version};
        alice.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=1");
        alice.send("35=D|11=b|55=TEST|54=2|38=100|40=2|44=1000");
        alice.send("35=D|11=c|55=AAPL|54=1|38=100|40=2|44=1");
        static_cast<void>(alice.told());
        alice.send("35=AF|584=all|585=7");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("584=all 912=N"), HasSubstr("912=N"),
                                              HasSubstr("912=Y")));
        alice.send("35=q|11=q1|530=1|55=TEST|54=1");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("150=4 39=4 11=a"),
                                              HasSubstr("r 530=1 531=1 533=1 11=q1")));
        alice.send("35=q|11=q2|530=7");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("39=4"), HasSubstr("39=4"),
                                              HasSubstr("r 530=7 531=7 533=2 11=q2")));
        alice.send("35=q|11=q3|530=1|55=NONE");
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("r 530=1 531=0 532=1 11=q3")));
    }
}

TEST(FixVersions, AllOldOnesGetReportsOfTheirForm) {
    FixExchange exchange;
    for (const std::string version : {"FIX.4.0", "FIX.4.1", "FIX.4.3"}) {
        FixTrader alice{exchange, version, "V" + version};
        FixTrader bob{exchange, version, "W" + version};
        alice.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10");
        bob.send("35=D|11=b|55=TEST|54=2|38=100|40=2|44=10");
        EXPECT_EQ(bob.told().size(), 2U);
        alice.send("35=D|11=c|55=TEST|54=1|38=100|40=2|44=9");
        alice.send(version == "FIX.4.0" ? "35=F|41=c|11=d|55=TEST|54=1|38=1|125=F"
                                        : "35=F|41=c|11=d|55=TEST|54=1|38=1");
        alice.send(version == "FIX.4.0" ? "35=F|41=c|11=e|55=TEST|54=1|38=1|125=F"
                                        : "35=F|41=c|11=e|55=TEST|54=1|38=1");
        EXPECT_EQ(alice.told().size(), 5U);
    }
}

TEST(FixDisconnect, CancelsOrdersIfAskedTo) {
    gateway::fix::FixApplicationConfig config;
    config.cancel_on_disconnect = true;
    FixExchange exchange{std::move(config)};
    FixTrader alice{exchange, "FIX.4.4", "ALICE"};
    alice.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10");
    static_cast<void>(alice.told());
    alice.disconnect();
    EXPECT_EQ(exchange.application().orders().open(), 0U);
    alice.connect();
    alice.send("35=H|11=a|55=TEST|54=1");
    EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("A"), HasSubstr("39=4 11=a")));
}

}  // namespace

}  // namespace damrak::testing::orders_test
