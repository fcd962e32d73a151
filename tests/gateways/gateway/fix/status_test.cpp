// The answers to requests for the status of instruments by FIX, of phases and halts.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/commands.hpp"
#include "support/fix_exchange.hpp"
#include "support/fix_versions.hpp"

namespace damrak::testing::status_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr InstrumentId k_test{4};

class FixStatus : public ::testing::TestWithParam<std::string> {
  protected:
    void set_phase(Phase phase, CallKind call = {}) {
        Command command{};
        command.kind = CommandKind::set_phase;
        command.instrument = k_test;
        command.phase.phase = phase;
        command.phase.call = call;
        exchange_.submit(command);
    }
    void uncross(Phase next) {
        Command command{};
        command.kind = CommandKind::uncross;
        command.instrument = k_test;
        command.phase.phase = next;
        exchange_.submit(command);
    }
    void set_state(TradingState state) {
        Command command{};
        command.kind = CommandKind::set_trading_state;
        command.instrument = k_test;
        command.trading_state = state;
        exchange_.submit(command);
    }
    [[nodiscard]] std::vector<std::string> hear() {
        exchange_.tell_market();
        return carol_.told();
    }
    [[nodiscard]] bool has_sub_id() const { return GetParam() >= "FIX.4.3"; }
    [[nodiscard]] bool is_five() const { return GetParam() >= "FIX.5.0"; }
    /// A SecurityStatus without its time. `sub`: TradingSessionSubID.
    [[nodiscard]] std::string security(const std::string& sub, char unsolicited, int status) const {
        return "f 324=s 55=TEST" + (has_sub_id() ? " 625=" + sub : "") +
               fmt::format(" 325={} 326={} ", unsolicited, status);
    }
    [[nodiscard]] std::string session(const std::string& sub, char unsolicited, int status) const {
        return "h 335=t 336=TEST" + (has_sub_id() ? " 625=" + sub : "") +
               fmt::format(" 325={} 340={}", unsolicited, status);
    }

    FixExchange exchange_;
    FixTrader carol_{exchange_, GetParam(), "CAROL"};
};

INSTANTIATE_TEST_SUITE_P(Versions, FixStatus, versions_from_42(), version_name);

TEST_P(FixStatus, ARequestIsAnsweredOnce) {
    carol_.send("35=e|324=s|55=TEST|263=0");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr(security("3", 'N', 17) + "60=20260302-09:00:00")));
    carol_.send("35=g|335=t|336=TEST|263=0");
    EXPECT_THAT(hear(), ElementsAre(session("3", 'N', 2)));
    set_phase(Phase::pre_open);
    EXPECT_THAT(hear(), IsEmpty());
}

TEST_P(FixStatus, ASubscriberHearsOfEachPhase) {
    const int collects = has_sub_id() ? 21 : 18;
    const int cross = is_five() ? 24 : collects;
    carol_.send("35=e|324=s|55=TEST|263=1");
    carol_.send("35=g|335=t|336=TEST|263=1");
    EXPECT_THAT(hear(), SizeIs(2));
    const auto expect = [&](const char* sub, int status, int session_status) {
        EXPECT_THAT(hear(), ElementsAre(HasSubstr(security(sub, 'Y', status)),
                                        session(sub, 'Y', session_status)));
    };
    set_phase(Phase::closed);
    expect("5", 18, 3);
    set_phase(Phase::pre_open);
    expect("1", collects, 4);
    set_phase(Phase::call, CallKind::opening);
    expect("2", has_sub_id() ? 22 : 18, 4);
    uncross(Phase::continuous);
    expect("3", 17, 2);
    set_phase(Phase::call, CallKind::intraday);
    expect("6", cross, 4);
    set_phase(Phase::call, CallKind::reopening);
    expect("9", cross, 4);
    set_phase(Phase::call, CallKind::closing);
    expect("4", cross, 5);
    uncross(Phase::at_last);
    expect("10", 17, 2);
    set_state(TradingState::halted);
    expect("10", 2, 1);
    set_state(TradingState::trading);
    expect("10", 17, 2);
}

TEST_P(FixStatus, AnInterruptionSaysSo) {
    set_phase(Phase::call, CallKind::interruption);
    carol_.send("35=e|324=s|55=TEST|263=0");
    const auto told = hear();
    ASSERT_THAT(told, SizeIs(1));
    EXPECT_EQ(told[0].find(" 1174=3 ") != std::string::npos, GetParam() >= "FIX.5.0SP1");
}

TEST_P(FixStatus, TheTextIsTheCause) {
    Command command{};
    command.kind = CommandKind::set_phase;
    command.instrument = InstrumentId{4};
    command.phase = {
        .phase = Phase::call, .call = CallKind::reopening, .cause = HaltCause::limit_up_limit_down};
    exchange_.submit(command);
    carol_.send("35=e|324=s|55=TEST|263=0");
    const auto told = hear();
    ASSERT_THAT(told, SizeIs(1));
    EXPECT_EQ(told[0].find(" 1174=3 ") != std::string::npos, GetParam() >= "FIX.5.0SP1");
    EXPECT_EQ(told[0].find(" 58=limit_up_limit_down") != std::string::npos,
              GetParam() >= "FIX.4.3");
}

TEST_P(FixStatus, OrdersChangeNoStatus) {
    carol_.send("35=e|324=s|55=TEST|263=1");
    EXPECT_THAT(hear(), SizeIs(1));
    carol_.send("35=D|11=a|55=TEST|54=1|38=1|40=2|44=5");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("8 ")));
    set_phase(Phase::pre_open);
    EXPECT_THAT(hear(), SizeIs(1));
}

TEST_P(FixStatus, ASubscriptionEndsWhenAskedTo) {
    carol_.send("35=e|324=s|55=TEST|263=1");
    carol_.send("35=V|262=s|263=1|264=0|265=1|267=1|269=0|146=1|55=TEST");
    EXPECT_THAT(hear(), SizeIs(2)) << "market data has ids of its own";
    carol_.send("35=e|324=s|55=TEST|263=1");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("f 324=s 55=TEST 325=N 326=20")));
    carol_.send("35=e|324=s|55=TEST|263=2");
    set_phase(Phase::pre_open);
    EXPECT_THAT(hear(), IsEmpty());
    carol_.send("35=e|324=s|55=TEST|263=2");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("326=20")));
}

TEST_P(FixStatus, WithoutAnIdThereIsASessionForEachInstrument) {
    carol_.send("35=g|335=t|263=0");
    EXPECT_THAT(hear(), ElementsAre(HasSubstr("336=AAPL"), HasSubstr("336=TEST")));
}

TEST_P(FixStatus, WhatIsNotThereIsRefused) {
    carol_.send("35=e|324=s|55=NONE|263=1");
    const std::string no_symbol = has_sub_id() ? " 58=Symbol NONE: no such instrument" : "";
    EXPECT_THAT(hear(), ElementsAre(::testing::AllOf(HasSubstr("f 324=s 55=NONE 325=N 326=20 60="),
                                                     ::testing::EndsWith(no_symbol))));
    carol_.send("35=g|335=t|336=NONE|263=1");
    const std::string reason = has_sub_id() ? " 567=1" : "";
    EXPECT_THAT(hear(), ElementsAre("h 335=t 336=NONE 325=N 340=6" + reason +
                                    " 58=TradingSessionID NONE: no instrument has this symbol"));
}

TEST_P(FixStatus, WithoutNewsARequestIsRefusedInTheEnd) {
    carol_.send("35=e|324=s|55=TEST|263=1");
    carol_.send("35=g|335=t|336=TEST|263=1");
    exchange_.tell_market_of_the_past();
    EXPECT_THAT(carol_.told(), IsEmpty());
    exchange_.now.value += 11'000'000'000;
    exchange_.tell_market_of_the_past();
    EXPECT_THAT(carol_.told(), ElementsAre(HasSubstr("f 324=s 55=TEST 325=N 326=20"),
                                           HasSubstr("58=there is no market data at present")));
}

}  // namespace

}  // namespace damrak::testing::status_test
