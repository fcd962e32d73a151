// The reports to FIX clients of trades that the operator busts or corrects.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/domain/trade_note.hpp>

#include "support/fix_exchange.hpp"
#include "support/fix_versions.hpp"

namespace damrak::testing::changed_trades_test {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Alice's order of 100 has bought 30 at 10.05 from Bob, whose order is filled.
class FixChangedTrades : public ::testing::TestWithParam<std::string> {
  protected:
    FixChangedTrades() {
        alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
        static_cast<void>(alice_.told());
        bob_.send("35=D|11=b|55=TEST|54=2|38=30|40=2|44=10");
        static_cast<void>(alice_.told());
        static_cast<void>(bob_.told());
        bought_ = field_of(alice_.last(), "17");
        sold_ = field_of(bob_.last(), "17");
        buy_ = {std::stoull(field_of(alice_.last(), "37"))};
        sell_ = {std::stoull(field_of(bob_.last(), "37"))};
    }
    [[nodiscard]] static std::string field_of(const std::string& report, std::string_view tag) {
        const std::size_t begin = report.find(fmt::format("|{}=", tag)) + tag.size() + 2;
        return report.substr(begin, report.find('|', begin) - begin);
    }
    /// As the operator's gateway knows it of the events.
    [[nodiscard]] TradeNote note() const {
        const auto parts = [](const std::string& id) {
            const std::size_t dash = id.find('-');
            return std::pair{std::stoull(id), std::stoul(id.substr(dash + 1))};
        };
        return {.sequence = {parts(bought_).first},
                .buy_index = static_cast<std::uint32_t>(parts(bought_).second),
                .sell_index = static_cast<std::uint32_t>(parts(sold_).second)};
    }
    [[nodiscard]] Command bust() {
        const auto* const buy = exchange_.application().orders().find(buy_);
        const auto* const sell = exchange_.application().orders().find(sell_);
        Command command{};
        command.kind = CommandKind::bust_trade;
        command.instrument = buy->instrument;
        command.participant = buy->participant;
        command.order_id = buy->id;
        command.new_order_id = sell->id;
        command.price = {100'500};
        command.quantity = {30};
        command.bust = {.trade = {allocated_id(buy->instrument, 1)}, .seller = sell->participant};
        return command;
    }
    [[nodiscard]] std::string head(char type, char transaction, char status) const {
        const std::string old = fmt::format("20={} 150={}", transaction, status);
        return fmt::format("8 {} 39={}",
                           GetParam() <= "FIX.4.2" ? old : fmt::format("150={}", type), status);
    }

    FixExchange exchange_;
    FixTrader alice_{exchange_, GetParam(), "ALICE"};
    FixTrader bob_{exchange_, GetParam(), "BOB"};
    // ExecID and OrderID of the two executions.
    std::string bought_;
    std::string sold_;
    OrderId buy_{};
    OrderId sell_{};
};

INSTANTIATE_TEST_SUITE_P(Versions, FixChangedTrades, versions_of_reports(), version_name);

TEST_P(FixChangedTrades, ABustCancelsTheExecutionOfEachSide) {
    exchange_.submit(bust(), note().tag());
    EXPECT_THAT(alice_.told(), ElementsAre(head('H', '1', '0') +
                                           " 11=a 55=TEST 54=1 38=70 40=2 44=10.05 32=30 31=10.05 "
                                           "14=0 151=70 6=0"))
        << "what was taken back does not come back to the order";
    EXPECT_THAT(alice_.last(), HasSubstr("|19=" + bought_ + "|"));
    EXPECT_THAT(alice_.last(), Not(HasSubstr("|17=" + bought_ + "|")));
    EXPECT_THAT(bob_.told(), ElementsAre(head('H', '1', '4') +
                                         " 11=b 55=TEST 54=2 38=30 40=2 44=10 32=30 31=10.05 14=0 "
                                         "151=0 6=0"));
    EXPECT_THAT(bob_.last(), HasSubstr("|19=" + sold_ + "|"));
}

TEST_P(FixChangedTrades, ACorrectionHasTheNewTerms) {
    Command command = bust();
    command.kind = CommandKind::correct_trade;
    command.bust.new_price = {100'200};
    command.bust.new_quantity = {20};
    exchange_.submit(command, note().tag());
    EXPECT_THAT(alice_.told(), ElementsAre(head('G', '2', '1') +
                                           " 11=a 55=TEST 54=1 38=90 40=2 44=10.05 32=20 31=10.02 "
                                           "14=20 151=70 6=10.02"));
    EXPECT_THAT(alice_.last(), HasSubstr("|19=" + bought_ + "|"));
    EXPECT_THAT(bob_.told(), ElementsAre(AllOf(HasSubstr(" 39=4 "), HasSubstr(" 14=20 151=0 "))));
    alice_.send("35=F|41=a|11=c|55=TEST|54=1");
    EXPECT_THAT(alice_.told(),
                ElementsAre(AllOf(HasSubstr(" 38=90 "), HasSubstr(" 14=20 151=0 6=10.02"))));
}

TEST_P(FixChangedTrades, AReplaceAfterABustStatesWhatTheReportDid) {
    exchange_.submit(bust(), note().tag());
    static_cast<void>(alice_.told());
    alice_.send("35=G|41=a|11=c|55=TEST|54=1|38=70|40=2|44=10.04");
    EXPECT_THAT(alice_.told(), ElementsAre(AllOf(HasSubstr(" 11=c 41=a "), HasSubstr(" 38=70 "),
                                                 HasSubstr(" 14=0 151=70 6=0"))));
    bob_.send("35=D|11=d|55=TEST|54=2|38=25|40=2|44=10");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr(" 14=25 151=45 6=10.04")));
    alice_.send("35=G|41=c|11=e|55=TEST|54=1|38=60|40=2|44=10.04");
    EXPECT_THAT(alice_.told(),
                ElementsAre(AllOf(HasSubstr(" 38=60 "), HasSubstr(" 14=25 151=35 "))));
    alice_.send("35=G|41=e|11=f|55=TEST|54=1|38=25|40=2|44=10.04");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("too late: 25 of the order are executed")));
    for (const std::string nonsense : {"0", "-5", "9223372036854775807"}) {
        alice_.send("35=G|41=e|11=g|55=TEST|54=1|40=2|44=10.04|38=" + nonsense);
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("9 39=1"))) << nonsense;
    }
    alice_.send("35=F|41=e|11=h|55=TEST|54=1");
    EXPECT_THAT(alice_.told(),
                ElementsAre(AllOf(HasSubstr(" 38=60 "), HasSubstr(" 14=25 151=0 "))));
}

TEST_P(FixChangedTrades, SoDoesOneAfterACorrectionAndAfterItWasTakenBack) {
    Command command = bust();
    command.kind = CommandKind::correct_trade;
    command.bust.new_price = command.price;
    command.bust.new_quantity = {20};
    exchange_.submit(command, note().tag());
    static_cast<void>(alice_.told());
    alice_.send("35=G|41=a|11=c|55=TEST|54=1|38=90|40=2|44=10.04");
    EXPECT_THAT(alice_.told(),
                ElementsAre(AllOf(HasSubstr(" 38=90 "), HasSubstr(" 14=20 151=70"))));
    command.quantity = {20};
    command.bust.new_quantity = {30};
    exchange_.submit(command, note().tag());
    EXPECT_THAT(alice_.told(),
                ElementsAre(AllOf(HasSubstr(" 38=100 "), HasSubstr(" 14=30 151=70"))));
    alice_.send("35=G|41=c|11=d|55=TEST|54=1|38=80|40=2|44=10.04");
    EXPECT_THAT(alice_.told(),
                ElementsAre(AllOf(HasSubstr(" 38=80 "), HasSubstr(" 14=30 151=50"))));
}

TEST_P(FixChangedTrades, ATradeThatNobodyCanNameIsNotReported) {
    exchange_.submit(bust());
    EXPECT_THAT(alice_.told(), IsEmpty());
}

}  // namespace

}  // namespace damrak::testing::changed_trades_test
