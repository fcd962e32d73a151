// Fees, obligations and the index of an exchange that runs, by hand.
#include <damrak/measures/venue_ledger.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/venue/venue_file.hpp>

#include "support/commands.hpp"

namespace damrak::measures::venue_ledger_test {
namespace {

constexpr std::string_view k_venue =
    "name = \"v\"\n[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n"
    "[fees]\nmaker = { per_share = -0.002 }\ntaker = { per_share = 0.003 }\n"
    "[[fees.group]]\nparticipants = [2]\ntaker = { per_share = 0.001 }\n"
    "[[obligation]]\nname = \"quotes\"\nparticipants = [1]\nsymbols = [\"AAA\"]\nspread = 0.05\n"
    "quantity = 100\npresence = 50\nperiod = \"10s\"\n"
    "[index]\nparts = [{ symbol = \"AAA\" }, { symbol = \"BBB\", weight = 3 }]\n";

class Ledger : public ::testing::Test {
  protected:
    Ledger() {
        EXPECT_TRUE(ledger_.begin(engine_, 0));
        use(0, k_venue);
        apply(0, instrument_command(1, test_stock("AAA")));
        apply(0, instrument_command(2, test_stock("BBB")));
    }
    void apply(std::int64_t second, Command command) {
        const CommandStamp stamp{SequenceNumber{++sequence_}, at(second)};
        command.timestamp = stamp.timestamp;
        ledger_.on_command(command, stamp);
        if (command.kind >= CommandKind::session_opened) return;
        engine_.apply(command, [&](const Event& event) { ledger_.on_event(event, stamp); });
    }
    void order(std::int64_t second, std::uint32_t instrument, std::uint32_t participant, Side side,
               std::int64_t cents, std::int64_t quantity) {
        apply(second, order_command(instrument, participant, side, cents * 100, quantity));
    }
    void day(std::int64_t second, CommandKind kind, std::int32_t date) {
        Command command{};
        command.kind = kind;
        command.trading_day.date = date;
        apply(second, command);
    }
    /// As a reload does, in a quiet market.
    void use(std::int64_t second, std::string_view file) {
        ledger_.use(venue_of(file), at(second));
        ledger_.on_turn(0);
    }
    static std::shared_ptr<const venue::Venue> venue_of(std::string_view file) {
        return std::make_shared<const venue::Venue>(venue::parse_venue(file, "v").value());
    }
    static std::string with(std::string_view found, std::string_view instead) {
        std::string file{k_venue};
        return file.replace(file.find(found), found.size(), instead);
    }
    static Timestamp at(std::int64_t second) { return {(1'000'000 + second) * k_second_ns}; }
    [[nodiscard]] VenueLedger::Report report(std::int64_t second) const {
        return ledger_.report(at(second));
    }

    Engine engine_{EngineConfig{.maximum_instruments = 4}};
    std::vector<VenueLedger::Report> days_;
    VenueLedger ledger_{[this](const VenueLedger::Report& report) { days_.push_back(report); }};
    std::uint64_t sequence_ = 0;
};

TEST_F(Ledger, FeesAreSummedByParticipantAndInstrument) {
    order(1, 1, 1, Side::sell, 1'000, 100);
    order(2, 1, 2, Side::buy, 1'000, 60);
    order(3, 1, 3, Side::buy, 1'000, 40);
    const auto fees = report(4).fees;
    ASSERT_EQ(fees.size(), 3U);
    EXPECT_EQ(fees[0].participant, ParticipantId{1});
    EXPECT_EQ(fees[0].maker_volume, 100);
    EXPECT_EQ(fees[0].trades, 2U);
    EXPECT_EQ(fees[0].fees, -2'000);  // 100 x -0.002
    EXPECT_EQ(fees[1].taker_volume, 60);
    EXPECT_EQ(fees[1].fees, 600) << "of its group";
    EXPECT_EQ(fees[2].fees, 1'200);
}

TEST_F(Ledger, APeriodIsMetIfTheMakerQuotesLongEnough) {
    order(1, 1, 1, Side::buy, 998, 100);
    order(4, 1, 1, Side::sell, 1'002, 100);  // both sides from here on, 0.04 wide
    auto keeping = report(8).obligations;
    ASSERT_EQ(keeping.size(), 1U) << "it is of AAA alone";
    EXPECT_EQ(keeping[0].obligation, "quotes");
    EXPECT_EQ(keeping[0].result.present_s, 4);
    EXPECT_EQ(keeping[0].result.spread.mean(), 400);
    EXPECT_EQ(keeping[0].result.periods, 0U);
    order(12, 1, 3, Side::buy, 1'002, 1);  // 99 are left
    keeping = report(25).obligations;
    EXPECT_EQ(keeping[0].result.present_s, 8);
    EXPECT_EQ(keeping[0].result.periods, 2U);
    EXPECT_EQ(keeping[0].result.met, 1U);
}

TEST_F(Ledger, AHaltDoesNotCount) {
    order(1, 1, 1, Side::buy, 998, 100);
    order(1, 1, 1, Side::sell, 1'002, 100);
    Command halt{};
    halt.kind = CommandKind::set_trading_state;
    halt.instrument = InstrumentId{1};
    halt.trading_state = TradingState::halted;
    apply(3, halt);
    const auto keeping = report(9).obligations;
    EXPECT_EQ(keeping[0].result.trading_s, 3);
    EXPECT_EQ(keeping[0].result.present_s, 2);
}

TEST_F(Ledger, TheIndexHasAValueOnceEachPartHasTraded) {
    order(1, 1, 1, Side::sell, 1'000, 100);
    order(1, 1, 2, Side::buy, 1'000, 100);
    EXPECT_FALSE(report(2).index);
    order(3, 2, 1, Side::sell, 2'000, 100);
    order(3, 2, 2, Side::buy, 2'000, 100);
    ASSERT_TRUE(report(4).index);
    EXPECT_DOUBLE_EQ(*report(4).index, 70);  // 10 + 3 x 20
}

TEST_F(Ledger, ADayEndsWithAReportAndTheNextBeginsWithOrdersThatRest) {
    day(0, CommandKind::day_opened, 20'260'302);
    order(1, 1, 1, Side::buy, 998, 100);
    order(1, 1, 1, Side::sell, 1'002, 100);
    order(2, 1, 2, Side::buy, 1'002, 50);
    day(11, CommandKind::day_closed, 20'260'302);
    ASSERT_EQ(days_.size(), 1U);
    EXPECT_EQ(days_[0].day, 20'260'302);
    EXPECT_EQ(days_[0].obligations[0].result.periods, 1U);
    EXPECT_EQ(days_[0].fees.size(), 2U);
    order(12, 1, 1, Side::sell, 1'002, 50);
    day(20, CommandKind::day_opened, 20'260'303);
    const auto next = report(26);
    EXPECT_EQ(next.day, 20'260'303);
    EXPECT_TRUE(next.fees.empty());
    ASSERT_EQ(next.obligations.size(), 1U) << "nothing happened since";
    EXPECT_EQ(next.obligations[0].result.present_s, 6);
}

TEST_F(Ledger, AStartGoesOnFromTheMarketAsItIs) {
    order(1, 1, 2, Side::sell, 1'000, 10);
    order(1, 1, 3, Side::buy, 1'000, 10);
    order(2, 2, 2, Side::sell, 2'000, 10);
    order(2, 2, 3, Side::buy, 2'000, 10);
    order(3, 1, 1, Side::buy, 998, 100);
    order(3, 1, 1, Side::sell, 1'002, 100);
    VenueLedger restarted{{}};
    restarted.resume(20'260'302);
    ASSERT_TRUE(restarted.begin(engine_, sequence_));
    restarted.use(venue_of(k_venue), at(100));
    restarted.on_turn(0);
    const auto found = restarted.report(at(125));
    EXPECT_EQ(found.day, 20'260'302);
    EXPECT_DOUBLE_EQ(found.index.value_or(0), 70);
    ASSERT_EQ(found.obligations.size(), 1U);
    EXPECT_EQ(found.obligations[0].result.trading_s, 25);
    EXPECT_EQ(found.obligations[0].result.present_s, 25);
    EXPECT_EQ(found.obligations[0].result.met, 2U);
}

TEST_F(Ledger, QuotesThatNobodySeesDoNotCountAfterAStart) {
    Command hidden = order_command(1, 1, Side::buy, 99'800, 100);
    hidden.flags |= CommandFlags::k_hidden;
    apply(1, hidden);
    order(1, 1, 1, Side::sell, 1'002, 100);
    EXPECT_EQ(report(11).obligations[0].result.present_s, 0);
    VenueLedger restarted{{}};
    ASSERT_TRUE(restarted.begin(engine_, sequence_));
    restarted.use(venue_of(k_venue), at(100));
    restarted.on_turn(0);
    const auto found = restarted.report(at(125)).obligations;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].result.trading_s, 25);
    EXPECT_EQ(found[0].result.present_s, 0);
}

TEST_F(Ledger, TheSameVenueAgainKeepsAll) {
    day(0, CommandKind::day_opened, 20'260'302);
    order(1, 2, 1, Side::sell, 2'000, 10);
    order(1, 2, 2, Side::buy, 2'000, 10);
    order(2, 1, 1, Side::sell, 1'000, 160);
    order(2, 1, 2, Side::buy, 1'000, 60);
    order(3, 1, 1, Side::buy, 998, 100);
    use(17, k_venue);
    const auto found = report(20);
    EXPECT_EQ(found.day, 20'260'302);
    EXPECT_EQ(found.fees.size(), 4U);
    EXPECT_DOUBLE_EQ(found.index.value_or(0), 70);
    ASSERT_EQ(found.obligations.size(), 1U);
    EXPECT_EQ(found.obligations[0].result.trading_s, 20);
    EXPECT_EQ(found.obligations[0].result.present_s, 17);
    EXPECT_EQ(found.obligations[0].result.periods, 2U) << "those of before the reload go on";
}

TEST_F(Ledger, AnotherVenueKeepsWhatItDoesNotChange) {
    order(1, 1, 1, Side::sell, 1'000, 200);
    order(2, 1, 2, Side::buy, 1'000, 100);
    order(2, 1, 1, Side::buy, 998, 100);
    use(5, with("taker = { per_share = 0.001 }",
                "taker = { per_share = 0.1 }\n[[obligation]]\nname = \"all\"\n"
                "participants = [1]\nspread = 1"));
    order(9, 1, 2, Side::buy, 1'000, 1);
    auto found = report(10);
    EXPECT_EQ(found.fees[1].fees, 1'000 + 1'000) << "100 at the earlier rate, 1 at the new one";
    ASSERT_EQ(found.obligations.size(), 3U);
    EXPECT_EQ(found.obligations[0].obligation, "all");
    EXPECT_EQ(found.obligations[0].result.trading_s, 5);
    EXPECT_EQ(found.obligations[0].result.present_s, 5) << "with the orders that rested";
    EXPECT_EQ(found.obligations[1].obligation, "quotes");
    EXPECT_EQ(found.obligations[1].result.trading_s, 10);
    EXPECT_EQ(found.obligations[2].symbol, "BBB");
    use(20, with("spread = 0.05", "spread = 0.06"));
    found = report(21);
    ASSERT_EQ(found.obligations.size(), 1U);
    EXPECT_EQ(found.obligations[0].result.trading_s, 1) << "other terms begin anew";
}

TEST_F(Ledger, NoVenueChargesNothingAndTheNextOneGoesOn) {
    order(1, 1, 1, Side::sell, 1'000, 100);
    order(2, 1, 3, Side::buy, 1'000, 60);
    ledger_.use(nullptr, at(3));
    EXPECT_EQ(ledger_.venue(), nullptr) << "at once";
    order(4, 1, 3, Side::buy, 1'000, 20);
    EXPECT_TRUE(report(4).obligations.empty());
    use(5, k_venue);
    order(6, 1, 3, Side::buy, 1'000, 20);
    const auto found = report(7);
    ASSERT_EQ(found.fees.size(), 2U);
    EXPECT_EQ(found.fees[1].fees, 2'400) << "60 and 20 at 0.003";
    ASSERT_EQ(found.obligations.size(), 1U);
    EXPECT_EQ(found.obligations[0].result.trading_s, 2);
}

TEST_F(Ledger, RecordsOfBeforeAReloadAreChargedAsBefore) {
    order(1, 1, 1, Side::sell, 1'000, 100);
    use(5, with("taker = { per_share = 0.003 }", "taker = { per_share = 1 }"));
    order(4, 1, 3, Side::buy, 1'000, 10);
    order(6, 1, 3, Side::buy, 1'000, 10);
    EXPECT_EQ(report(7).fees[1].fees, 300 + 100'000);
    ledger_.use(nullptr, at(10));
    ledger_.on_turn(0);
    order(9, 1, 3, Side::buy, 1'000, 10);
    order(11, 1, 3, Side::buy, 1'000, 10);
    EXPECT_EQ(report(12).fees[1].fees, 300 + 200'000);
}

TEST_F(Ledger, ALaterRecordBeforeTheTurnIsChargedByTheNewVenue) {
    order(1, 1, 1, Side::sell, 1'000, 100);
    ledger_.use(venue_of(with("taker = { per_share = 0.003 }", "taker = { per_share = 1 }")),
                at(5));
    order(4, 1, 3, Side::buy, 1'000, 10);
    order(5, 1, 3, Side::buy, 1'000, 10);
    EXPECT_EQ(report(7).fees[1].fees, 300 + 100'000);
}

}  // namespace
}  // namespace damrak::measures::venue_ledger_test
