// What the order-by-order feed says of why an instrument does not trade.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/feed/itch/publisher.hpp>

#include "support/commands.hpp"
#include "support/itch_receiver.hpp"

namespace damrak::feed::itch_halts_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ItchReceiver;

class HaltedFeed : public ::testing::Test {
  protected:
    HaltedFeed() {
        publisher_.load(engine_, false);
        publisher_.begin_session({0}, block_);
        apply(instrument_command(1, test_stock("ONE")));
        apply(instrument_command(2, test_stock("TWO")));
    }
    std::vector<std::string> apply(const Command& command) {
        publisher_.on_command(command);
        ++stamp_.sequence.value;
        engine_.apply(command,
                      [&](const Event& event) { publisher_.on_event(event, stamp_, block_); });
        return heard();
    }
    std::vector<std::string> set_levels(const BreakerLevels& levels) {
        publisher_.set_levels(levels, stamp_, block_);
        return heard();
    }
    std::vector<std::string> stop(std::uint32_t instrument, HaltCause cause) {
        Command command{};
        command.kind = CommandKind::set_phase;
        command.instrument = {instrument};
        command.phase = {.phase = Phase::call, .call = CallKind::reopening, .cause = cause};
        return apply(command);
    }
    std::vector<std::string> go_on(std::uint32_t instrument) {
        Command command{};
        command.kind = CommandKind::uncross;
        command.instrument = {instrument};
        return apply(command);
    }
    std::vector<std::string> set_state(std::uint32_t instrument, TradingState state,
                                       CommandFlags::Bits flags = 0) {
        Command command{};
        command.kind = CommandKind::set_trading_state;
        command.instrument = {instrument};
        command.trading_state = state;
        command.flags = flags;
        return apply(command);
    }
    static Command band(std::int64_t lower, std::int64_t upper) {
        Command command{};
        command.kind = CommandKind::set_price_band;
        command.instrument = {1};
        command.price_band = {
            .lower = {lower}, .upper = {upper}, .reference = {(lower + upper) / 2}};
        return command;
    }
    /// Of this feed, and of one that begins with the engine as it is now.
    void expect_snapshots(const std::vector<std::string>& state) {
        ItchPublisher restarted{EngineConfig{}, {}};
        restarted.load(engine_, true);
        for (const ItchPublisher* const each : {&publisher_, &restarted}) {
            MessageBlock block;
            each->snapshot({0}, block);
            ItchReceiver client;
            client.hear(block);
            std::vector<std::string> lines{"S Q", "R ONE lot 1", "R TWO lot 1"};
            lines.insert(lines.end(), state.begin(), state.end());
            std::erase_if(client.lines,
                          [](const std::string& line) { return line.starts_with("I "); });
            EXPECT_EQ(client.lines, lines);
        }
    }
    std::vector<std::string> heard() {
        receiver_.lines.clear();
        receiver_.hear(block_);
        block_.clear();
        return receiver_.lines;
    }

    Engine engine_{EngineConfig{}};
    ItchPublisher publisher_{EngineConfig{}, {}};
    MessageBlock block_;
    ItchReceiver receiver_;
    CommandStamp stamp_{};
};

}  // namespace

TEST_F(HaltedFeed, AHaltOfTheOperatorIsOfThisMarketAlone) {
    EXPECT_THAT(set_state(1, TradingState::halted), ElementsAre("H ONE H", "h ONE H on Q"));
    EXPECT_THAT(set_state(1, TradingState::halted), IsEmpty()) << "as it was";
    expect_snapshots({"H ONE H", "H TWO T", "h ONE H on Q"});
    EXPECT_THAT(set_state(1, TradingState::trading), ElementsAre("H ONE T", "h ONE T on Q"));
}

TEST_F(HaltedFeed, ABatchThatFollowsASealedOneChangesNoState) {
    Command batch{};
    batch.kind = CommandKind::set_phase;
    batch.instrument = {1};
    batch.phase = {.phase = Phase::call, .auction = AuctionRule::frequent_batch, .sealed = 1};
    EXPECT_THAT(apply(batch), ElementsAre("H ONE Q"));
    batch.kind = CommandKind::uncross;
    EXPECT_THAT(apply(batch), IsEmpty());
    apply(order_command(1, 7, Side::buy, 100'000, 5));
    apply(order_command(1, 8, Side::sell, 100'000, 5));
    EXPECT_THAT(apply(batch), ElementsAre("Q 5 @ 100000 type I"));
    batch.kind = CommandKind::set_phase;
    batch.phase.cause = HaltCause::volatility;
    EXPECT_THAT(apply(batch), ElementsAre("H ONE Q LUDP")) << "another reason";
    EXPECT_THAT(go_on(1), ElementsAre("H ONE T"));
}

TEST_F(HaltedFeed, APauseOfLimitUpLimitDownHasItsReasonAndItsCollar) {
    EXPECT_THAT(apply(band(950'000, 1'050'000)), IsEmpty()) << "bands are not in ITCH";
    EXPECT_THAT(stop(1, HaltCause::limit_up_limit_down), ElementsAre("H ONE P LUDP"));
    Command collar = band(900'000, 1'050'000);
    collar.flags = CommandFlags::k_auction_collar;
    EXPECT_THAT(apply(collar), ElementsAre("J ONE 900000 to 1050000 around 975000, 0 extensions"));
    EXPECT_THAT(stop(1, HaltCause::limit_up_limit_down), ElementsAre("H ONE P LUDP"));
    collar.price_band.lower = {850'000};
    collar.quantity = {1};
    EXPECT_THAT(apply(collar), ElementsAre("J ONE 850000 to 1050000 around 975000, 1 extensions"));
    expect_snapshots(
        {"H ONE P LUDP", "H TWO T", "J ONE 850000 to 1050000 around 975000, 1 extensions"});
    EXPECT_THAT(go_on(1), ElementsAre("Q 0 @ 0 type H", "H ONE T"));
    EXPECT_THAT(apply(band(940'000, 1'040'000)), IsEmpty());
    expect_snapshots({"H ONE T", "H TWO T"});
}

TEST_F(HaltedFeed, AMarketWideBreakerTellsItsLevelOnceAHalt) {
    EXPECT_THAT(set_levels({{930, 870, 800}}), ElementsAre("V 930 870 800"));
    EXPECT_THAT(stop(1, HaltCause::market_wide_1), ElementsAre("W 1", "H ONE Q MWC1"));
    EXPECT_THAT(stop(2, HaltCause::market_wide_1), ElementsAre("H TWO Q MWC1"));
    EXPECT_THAT(go_on(1), ElementsAre("Q 0 @ 0 type H", "H ONE T"));
    EXPECT_THAT(go_on(2), ElementsAre("Q 0 @ 0 type H", "H TWO T"));
    EXPECT_THAT(stop(2, HaltCause::market_wide_2), ElementsAre("W 2", "H TWO Q MWC2"));
}

TEST_F(HaltedFeed, TheLastLevelOfTheBreakerOutlastsPhases) {
    EXPECT_THAT(set_state(1, TradingState::halted, CommandFlags::k_market_wide),
                ElementsAre("W 3", "H ONE H MWC3"));
    EXPECT_THAT(set_state(2, TradingState::halted, CommandFlags::k_market_wide),
                ElementsAre("H TWO H MWC3"));
    EXPECT_THAT(stop(1, HaltCause::none), IsEmpty()) << "it is told when the halt ends";
    expect_snapshots({"H ONE H MWC3", "H TWO H MWC3", "W 3"});
    EXPECT_THAT(set_state(1, TradingState::trading), ElementsAre("H ONE Q"));
    EXPECT_THAT(set_state(2, TradingState::halted), ElementsAre("H TWO H", "h TWO H on Q"))
        << "the operator takes it over";
}

TEST_F(HaltedFeed, ASessionBeginsWithTheLevels) {
    set_levels({{930, 870, 800}});
    publisher_.end_session({0}, block_);
    EXPECT_THAT(heard(), ElementsAre("S M", "S E", "S C"));
    EXPECT_THAT(set_levels({{931, 871, 801}}), IsEmpty()) << "there is no session";
    publisher_.begin_session({0}, block_);
    EXPECT_THAT(heard(), ElementsAre("S O", "R ONE lot 1", "R TWO lot 1", "H ONE T", "H TWO T",
                                     "V 931 871 801", "S S", "S Q"));
}

}  // namespace damrak::feed::itch_halts_test
