// NewOrderList by FIX: two orders that cancel or trigger each other, and what is refused.
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/commands.hpp"
#include "support/fix_exchange.hpp"
#include "support/fix_versions.hpp"

namespace damrak::testing::order_lists_test {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

const std::string k_first = "|11=a|67=1|55=TEST|54=2|38=10|40=2|44=11|59=1";
const std::string k_stop = "|11=b|67=2|55=TEST|54=2|38=10|40=3|99=9|59=1";

class FixOrderLists : public ::testing::TestWithParam<std::string> {
  protected:
    [[nodiscard]] static std::string list(char contingency, const std::string& first = k_first,
                                          const std::string& second = k_stop) {
        return std::string{"35=E|66=L1|394=3|1385="} + contingency + "|68=2|73=2" + first + second;
    }
    std::vector<std::string> send(const std::string& fields) {
        alice_.send(fields);
        return alice_.told();
    }
    std::vector<std::string> trade(char side, const std::string& quantity,
                                   const std::string& price) {
        bob_.send("35=D|11=b" + std::to_string(++orders_) + "|55=TEST|54=" + side +
                  "|38=" + quantity + "|40=2|44=" + price + "|59=3");
        static_cast<void>(bob_.told());
        return alice_.told();
    }
    /// The ListStatus that rejects a list.
    std::string refusal(const std::string& fields) {
        const auto told = send(fields);
        EXPECT_THAT(told, ElementsAre(StartsWith("N 66=L1 429=2 82=1 431=7 ")));
        return told.front();
    }

    FixExchange exchange_;
    FixTrader alice_{exchange_, GetParam(), "ALICE"};
    FixTrader bob_{exchange_, "FIX.4.4", "BOB"};
    int orders_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Versions, FixOrderLists, ::testing::Values("FIX.5.0SP1", "FIX.5.0SP2"),
                         version_name);

TEST_P(FixOrderLists, AreReceivedAndEachOrderIsReported) {
    alice_.send(list('1'));
    const auto told = alice_.told();
    ASSERT_THAT(told, SizeIs(3));
    EXPECT_THAT(told[0], StartsWith("N 66=L1 429=1 82=1 431=1 1385=1 83=1 60="));
    EXPECT_THAT(told[0], EndsWith(" 68=2 73=2 11=a 14=0 39=A 151=10 84=0 6=0 "
                                  "11=b 14=0 39=A 151=10 84=0 6=0"));
    EXPECT_THAT(told[1], HasSubstr("150=0 39=0 11=a 55=TEST 54=2 38=10 40=2 44=11"));
    EXPECT_THAT(told[2], HasSubstr("150=0 39=0 11=b 55=TEST 54=2 38=10 40=3 99=9"));
    EXPECT_THAT(alice_.last(), HasSubstr("|66=L1|"));
}

TEST_P(FixOrderLists, OneCancelsTheOther) {
    send(list('1'));
    const auto part = trade('1', "4", "11");
    ASSERT_THAT(part, SizeIs(2));
    EXPECT_THAT(part[0], HasSubstr("150=F 39=1 11=a"));
    EXPECT_THAT(part[1], AllOf(HasSubstr("150=D 39=0"), HasSubstr("11=b"), HasSubstr("38=6"),
                               HasSubstr("\"the order that it was linked to traded or ended\"")));
    const auto whole = trade('1', "6", "11");
    ASSERT_THAT(whole, SizeIs(2));
    EXPECT_THAT(whole[1], AllOf(HasSubstr("150=4 39=4"), HasSubstr("11=b")));
    EXPECT_THAT(alice_.last(), HasSubstr("|66=L1|"));
}

TEST_P(FixOrderLists, OneTriggersTheOther) {
    send(list('2', "|11=a|67=1|55=TEST|54=1|38=10|40=2|44=9|59=1",
              "|11=b|67=2|55=TEST|54=2|38=10|40=2|44=12|59=1"));
    const auto told = trade('2', "10", "9");
    ASSERT_THAT(told, SizeIs(2));
    EXPECT_THAT(told[0], HasSubstr("150=F 39=2 11=a"));
    EXPECT_THAT(told[1], HasSubstr("150=L 39=0 11=b"));
    EXPECT_THAT(trade('1', "3", "12"), ElementsAre(HasSubstr("150=F 39=1 11=b")));
}

TEST_P(FixOrderLists, ACancelOfOneEndsTheOther) {
    send(list('1'));
    const auto told = send("35=F|41=a|11=c|55=TEST|54=2|38=10");
    ASSERT_THAT(told, SizeIs(2));
    EXPECT_THAT(told[0], HasSubstr("150=4 39=4 11=c 41=a"));
    EXPECT_THAT(told[1], AllOf(HasSubstr("150=4 39=4"), HasSubstr("11=b")));
}

TEST_P(FixOrderLists, WhatTheFirstTradesAtOnceTheSecondHasLost) {
    bob_.send("35=D|11=b0|55=TEST|54=1|38=4|40=2|44=11");
    const auto told = send(list('1'));
    ASSERT_THAT(told, SizeIs(4));
    EXPECT_THAT(told[2], HasSubstr("150=F 39=1 11=a"));
    EXPECT_THAT(told[3], HasSubstr("150=0 39=0 11=b 55=TEST 54=2 38=6"));
}

TEST_P(FixOrderLists, AFirstOrderThatIsFilledAtOnceLeavesNoneOrTriggersIt) {
    bob_.send("35=D|11=b0|55=TEST|54=1|38=20|40=2|44=11");
    const auto cancels = send(list('1'));
    ASSERT_THAT(cancels, SizeIs(4));
    EXPECT_THAT(cancels[3], AllOf(HasSubstr("150=8 39=8 103=99 11=b"),
                                  HasSubstr("\"the other order of the list traded")));
    EXPECT_THAT(alice_.last(), HasSubstr("|66=L1|"));
    const auto triggers = send(list('2', "|11=c|67=1|55=TEST|54=2|38=10|40=2|44=11|59=1",
                                    "|11=d|67=2|55=TEST|54=2|38=10|40=2|44=12|59=1"));
    ASSERT_THAT(triggers, SizeIs(4));
    EXPECT_THAT(triggers[3], HasSubstr("150=0 39=0 11=d"));
    EXPECT_THAT(trade('1', "3", "12"), ElementsAre(HasSubstr("150=F 39=1 11=d")));
}

TEST_P(FixOrderLists, IfTheExchangeRefusesTheFirstTheSecondIsRefusedToo) {
    Command limits{};
    limits.kind = CommandKind::set_limits;
    limits.participant = ParticipantId{1};
    limits.limits = {};
    limits.limits.order_quantity = Quantity{9};
    exchange_.submit(limits);
    const auto told = send(list('1'));
    ASSERT_THAT(told, SizeIs(3));
    EXPECT_THAT(told[1], HasSubstr("150=8 39=8 103=3 11=a"));
    EXPECT_THAT(told[2], AllOf(HasSubstr("150=8 39=8 103=99 11=b"),
                               HasSubstr("\"the other order of the list was refused\"")));
    EXPECT_THAT(send("35=D|11=b|55=TEST|54=1|38=1|40=2|44=9"), SizeIs(1)) << "its name is free";
}

TEST_P(FixOrderLists, IfTheGatewayRefusesOneBothAreRefused) {
    const auto wrong_price =
        send(list('1', k_first, "|11=b|67=2|55=TEST|54=2|38=10|40=3|99=9.005"));
    ASSERT_THAT(wrong_price, SizeIs(2));
    EXPECT_THAT(wrong_price[0], AllOf(HasSubstr("150=8 39=8 103=99 11=a"),
                                      HasSubstr("\"the other order of the list was refused\"")));
    EXPECT_THAT(wrong_price[1], AllOf(HasSubstr("150=8 39=8 103=18 11=b"), HasSubstr("tick")));
    EXPECT_THAT(alice_.last(), HasSubstr("|66=L1|"));
    const auto same_name = send(list('1', k_first, "|11=a|67=2|55=TEST|54=2|38=10|40=3|99=9"));
    ASSERT_THAT(same_name, SizeIs(2));
    EXPECT_THAT(same_name[1], HasSubstr("103=6 11=a"));
    const auto unknown = send(list('1', k_first, "|11=b|67=2|55=NONE|54=2|38=10|40=3|99=9"));
    ASSERT_THAT(unknown, SizeIs(2));
    EXPECT_THAT(unknown[1], HasSubstr("103=1 11=b 55=NONE"));
}

TEST_P(FixOrderLists, AQuantityOrPriceThatNoOrderHasRejectsBoth) {
    bob_.send("35=D|11=b0|55=TEST|54=1|38=4|40=2|44=11");
    const auto second = [](const std::string& quantity, const std::string& price) {
        return "|11=b|67=2|55=TEST|54=2|40=3|38=" + quantity + "|99=" + price;
    };
    for (const auto& [wrong, why] :
         {std::pair{second("0", "9"), "103=13 11=b"}, std::pair{second("-5", "9"), "103=13 11=b"},
          std::pair{second("1000000", "9"), "103=13 11=b"},
          std::pair{second("10", "200000"), "103=99 11=b"}}) {
        const auto told = send(list('1', k_first, wrong));
        ASSERT_THAT(told, SizeIs(2)) << wrong;
        EXPECT_THAT(told[0], AllOf(HasSubstr("150=8 39=8 103=99 11=a"),
                                   HasSubstr("\"the other order of the list was refused\"")));
        EXPECT_THAT(told[1], AllOf(HasSubstr("150=8 39=8"), HasSubstr(why)));
    }
}

TEST_P(FixOrderLists, ListsThatTheEngineCannotHoldAreRejected) {
    EXPECT_THAT(refusal(list('3')),
                HasSubstr(" 1385=3 1386=11 83=1 444=ContingencyType 3: here 1"));
    EXPECT_THAT(refusal("35=E|66=L1|394=3|1385=1|68=3|73=3" + k_first + k_stop +
                        "|11=c|67=3|55=TEST|54=2|38=1|40=2|44=12"),
                AllOf(HasSubstr(" 444=a list has two orders here, in one message"),
                      HasSubstr(" 68=3 73=3")));
    EXPECT_THAT(refusal("35=E|66=L1|394=3|1385=1|68=2|73=1" + k_first),
                HasSubstr(" 444=a list has two orders here"));
    EXPECT_THAT(refusal("35=E|66=L1|394=3|433=2|1385=1|68=2|73=2" + k_first + k_stop),
                HasSubstr(" 444=ListExecInstType 2: here 1"));
    EXPECT_THAT(refusal(list('1', k_first, "|11=b|67=2|55=AAPL|54=2|38=10|40=3|99=9")),
                HasSubstr(" 444=both orders of a list are for one instrument"));
    EXPECT_THAT(refusal(list('1', k_first, "|11=b|67=2|55=TEST|54=2|38=10|40=2|44=12")),
                HasSubstr(" 444=two limit orders that cancel each other are a buy below a sell"));
    EXPECT_THAT(refusal(list('1', k_first, "|11=b|67=2|55=TEST|54=2|38=10|40=1")),
                HasSubstr(" 444=OrdType of an order of a list: here 2, 3 and 4"));
    EXPECT_THAT(refusal(list('1', k_first, "|11=b|67=2|55=TEST|54=2|38=10|40=2|44=12|59=3")),
                HasSubstr(" 444=TimeInForce of an order of a list: here 0, 1 and 6"));
    EXPECT_THAT(refusal(list('1', k_first + "|110=5", k_stop)),
                HasSubstr(" 444=an order of a list has neither MinQty"));
    EXPECT_THAT(refusal(list('2', k_first, "|11=b|67=2|55=TEST|54=2|38=10|40=2|44=12|18=6")),
                HasSubstr(" 444=an order that another one triggers is not post-only"));
    EXPECT_THAT(refusal(list('1', k_first + "|1092=1", k_stop)),
                HasSubstr("(1092) is not supported here"));
    EXPECT_THAT(trade('1', "1", "12"), IsEmpty()) << "nothing of it is there";
}

TEST_P(FixOrderLists, AResentListIsToldHowItsOrdersStand) {
    send(list('1'));
    const auto told = send("35=E|97=Y" + list('1').substr(4));
    ASSERT_THAT(told, SizeIs(2));
    EXPECT_THAT(told[0], HasSubstr("150=I 39=0 11=a"));
    EXPECT_THAT(told[1], HasSubstr("150=I 39=0 11=b"));
    EXPECT_THAT(send(list('1')), ElementsAre(HasSubstr("103=6 11=a"), HasSubstr("103=99 11=b")));
}

TEST_P(FixOrderLists, RequestsForListsAreNotSupported) {
    EXPECT_THAT(send("35=M|66=L9"), ElementsAre(HasSubstr("j 45=2 372=M 380=3")));
    EXPECT_THAT(send("35=K|66=L9|60=20260302-09:00:00"), ElementsAre(HasSubstr("372=K 380=3")));
    EXPECT_THAT(send("35=L|66=L9|60=20260302-09:00:00"), ElementsAre(HasSubstr("372=L 380=3")));
}

TEST(FixOrderList, IsNotSupportedWhereItHasNoContingency) {
    FixExchange exchange;
    for (const std::string version : {"FIX.4.4", "FIX.5.0"}) {
        FixTrader alice{exchange, version, "L" + version};
        alice.send("35=E|66=L1|394=3|68=2|73=2" + k_first + k_stop);
        EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("372=E 380=3"))) << version;
    }
}

}  // namespace

}  // namespace damrak::testing::order_lists_test
