// Orders by FIX that follow the market, in the versions that have the fields, and how their reports
// tell them.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_exchange.hpp"
#include "support/fix_versions.hpp"

namespace damrak::testing::order_terms_test {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class FixOrderTerms : public ::testing::TestWithParam<std::string> {
  protected:
    FixOrderTerms() {
        bob_.send("35=D|11=b1|55=TEST|54=1|38=10|40=2|44=10");
        bob_.send("35=D|11=b2|55=TEST|54=2|38=10|40=2|44=10.10");
        static_cast<void>(bob_.told());
    }
    [[nodiscard]] bool is_five() const { return GetParam() >= "FIX.5.0"; }
    /// What the report of a request says; its text if it is refused.
    std::string told(std::string_view fields) {
        alice_.send(fmt::format("35=D|11=a{}|55=TEST|38=10|{}", ++names_, fields));
        const auto lines = alice_.told();
        return lines.empty() ? "nothing" : lines.back();
    }
    void set_phase(Phase phase, CallKind call = {}) {
        Command command{};
        command.kind = CommandKind::set_phase;
        command.instrument = {4};
        command.phase.phase = phase;
        command.phase.call = call;
        exchange_.submit(command);
    }

    FixExchange exchange_;
    FixTrader alice_{exchange_, GetParam(), "ALICE"};
    FixTrader bob_{exchange_, GetParam(), "BOB"};
    int names_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Versions, FixOrderTerms,
                         ::testing::Values("FIX.4.1", "FIX.4.2", "FIX.4.3", "FIX.4.4", "FIX.5.0",
                                           "FIX.5.0SP2"),
                         version_name);

TEST_P(FixOrderTerms, APeggedOrderTellsItsTermsAndWhereItStands) {
    EXPECT_THAT(told("54=1|40=P|18=R|211=-0.02|44=12"), HasSubstr("39=0 11=a1"));
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|40=P|"), HasSubstr("|44=12|"), HasSubstr("|18=R|"),
                                     HasSubstr("|211=-0.02|")));
    EXPECT_EQ(alice_.last().find("|839=9.98|") != std::string::npos, GetParam() >= "FIX.4.4");
    EXPECT_THAT(told("54=2|40=P|18=M"), HasSubstr("39=0 11=a2"));
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|18=M|"), Not(HasSubstr("|44="))));
    EXPECT_THAT(told("54=2|40=P|18=P|211=0.01"), HasSubstr("39=0 11=a3"));
}

TEST_P(FixOrderTerms, APeggedOrderTradesAtThePriceThatItFollows) {
    EXPECT_THAT(told("54=1|40=P|18=M"), HasSubstr("39=0"));
    bob_.send("35=D|11=s|55=TEST|54=2|38=10|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=2 11=a1")));
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|40=P|"), HasSubstr("|31=10.05|")));
}

TEST_P(FixOrderTerms, APeggedOrderThatMovedTellsItsNewPrice) {
    EXPECT_THAT(told("54=1|40=P|18=R"), HasSubstr("39=0"));
    bob_.send("35=D|11=b3|55=TEST|54=1|38=10|40=2|44=10.03");
    alice_.send("35=H|11=a1|55=TEST|54=1");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=0 11=a1")));
    EXPECT_EQ(alice_.last().find("|839=10.03|") != std::string::npos, GetParam() >= "FIX.4.4");
}

TEST_P(FixOrderTerms, AReplaceKeepsWhatAnOrderFollows) {
    EXPECT_THAT(told("54=1|40=P|18=R|211=-0.02|44=12"), HasSubstr("39=0"));
    const auto replace = [&](std::string_view fields) {
        alice_.send(fmt::format("35=G|41=a1|11=r{}|55=TEST|54=1|38=20|{}", ++names_, fields));
        return alice_.told().back();
    };
    EXPECT_THAT(replace("40=P|18=M|44=12"), HasSubstr("\"ExecInst M: a replace cannot change it"));
    EXPECT_THAT(replace("40=P|18=R|211=-0.03|44=12"), HasSubstr("\"PegOffsetValue -0.03: a"));
    EXPECT_THAT(replace("40=2|44=12"), HasSubstr("OrdType cannot change"));
    EXPECT_THAT(replace("40=P|18=R|211=-0.02|44=11"), HasSubstr("11=r5 41=a1"));
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|40=P|"), HasSubstr("|44=11|"),
                                     HasSubstr("|211=-0.02|"), HasSubstr("|38=20|")));
}

TEST_P(FixOrderTerms, WhatDoesNotGoTogetherIsRefused) {
    EXPECT_THAT(told("54=1|40=P|44=12"), HasSubstr("OrdType P goes with ExecInst M, P or R"));
    EXPECT_THAT(told("54=1|40=2|18=R|44=12"), HasSubstr("OrdType P goes with ExecInst M, P or R"));
    EXPECT_THAT(told("54=1|40=P|18=R M"), HasSubstr("M, P, R or a, not two of them"));
    EXPECT_THAT(told("54=1|40=P|18=R|211=0.02"), HasSubstr("a buy follows at or below its price"));
    EXPECT_THAT(told("54=2|40=P|18=R|211=-0.02"), HasSubstr("a buy follows at or below its price"));
    EXPECT_THAT(told("54=1|40=P|18=R|211=-0.020001"), HasSubstr("it has 4 decimals at most"));
    EXPECT_THAT(told("54=1|40=2|44=9|211=-0.02"), HasSubstr("PegOffsetValue (211) is for pegged"));
    EXPECT_THAT(told("54=1|40=P|18=R|111=5"), HasSubstr("a pegged order is not displayed"));
    EXPECT_THAT(told("54=1|40=P|18=P"), HasSubstr("39=8")) << "it would meet the other side";
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|40=P|"), HasSubstr("|18=P|")));
}

TEST_P(FixOrderTerms, WhatAMarketOrderLeavesRestsWhereItTraded) {
    if (GetParam() < "FIX.4.3") {
        EXPECT_THAT(told("54=1|40=K"), HasSubstr("3 "));
        return;
    }
    alice_.send("35=D|11=k|55=TEST|38=15|54=1|40=K");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=0 11=k"), HasSubstr("39=1 11=k")));
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|40=K|"), HasSubstr("|44=10.1|"),
                                     HasSubstr("|31=10.1|"), HasSubstr("|151=5|")));
    alice_.send("35=G|41=k|11=k2|55=TEST|54=1|38=14|40=K|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("11=k2 41=k")));
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|40=K|"), HasSubstr("|44=10.05|")));
    alice_.send("35=G|41=k2|11=k3|55=TEST|54=1|38=13|40=2|44=10.05");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("OrdType cannot change")));
    EXPECT_THAT(told("54=1|40=K"), HasSubstr("39=8")) << "nobody offers any more";
}

TEST_P(FixOrderTerms, AStopMayTrailTheMarket) {
    if (GetParam() < "FIX.4.4") return;
    EXPECT_THAT(told("54=2|40=3|18=a|211=-0.50"), HasSubstr("39=8")) << "there was no trade";
    EXPECT_THAT(told("54=2|40=3|18=a|211=-0.50|99=9"), HasSubstr("39=0 11=a2"));
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|18=a|"), HasSubstr("|211=-0.5"),
                                     HasSubstr("|40=3|"), HasSubstr("|99=9|")));
    alice_.send("35=G|41=a2|11=r|55=TEST|54=2|38=9|40=3|18=a|211=-0.50");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("11=r 41=a2")));
    EXPECT_THAT(alice_.last(), HasSubstr("|99=9|"));
    EXPECT_THAT(told("54=2|40=4|18=a|211=0.50|44=8|99=9"), HasSubstr("39=0"));
    EXPECT_THAT(told("54=2|40=3|18=a|99=9"), HasSubstr("needs PegOffsetValue (211)"));
    EXPECT_THAT(told("54=2|40=2|18=a|211=0.50|44=8"), HasSubstr("has OrdType 3 or 4"));
    if (!is_five()) return;
    EXPECT_THAT(told("54=1|40=3|1094=8|211=0.50|99=12"), HasSubstr("39=0"));
}

TEST_P(FixOrderTerms, NewerVersionsHavePegInstructions) {
    if (!is_five()) return;
    EXPECT_THAT(told("54=1|40=P|1094=5|211=-0.02|835=0|836=0"), HasSubstr("39=0 11=a1"));
    EXPECT_THAT(alice_.last(), AllOf(HasSubstr("|1094=5|"), HasSubstr("|839=9.98|")));
    EXPECT_THAT(told("54=1|40=P|1094=2|18=M"), HasSubstr("39=0 11=a2"));
    EXPECT_THAT(told("54=1|40=P|1094=2|18=R"), HasSubstr("are different"));
    EXPECT_THAT(told("54=1|40=P|1094=1"), HasSubstr("PegPriceType 1: here 2, 4, 5 and 8 are"));
    EXPECT_THAT(told("54=1|40=P|1094=5|836=2"), HasSubstr("PegOffsetType 2: here 0 is"));
    EXPECT_THAT(told("54=1|40=P|1094=5|835=1"), HasSubstr("PegMoveType 1: here 0 is"));
}

}  // namespace

}  // namespace damrak::testing::order_terms_test
