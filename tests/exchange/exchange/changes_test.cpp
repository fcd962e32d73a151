// The commands that turn the phases of a market into those of a configuration.
#include <damrak/exchange/changes.hpp>

#include <expected>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/engine/auction_bounds.hpp>
#include <damrak/engine/engine.hpp>

#include "support/commands.hpp"

namespace damrak::exchange::changes_test {
namespace {

struct Changes : ::testing::Test {
    Changes() {
        config.maximum_instruments = 4;
        config.maximum_participants = 4;
        engine = std::make_unique<Engine>(config);
        submit(instrument_command(1));
        wanted.definition = engine->instrument(InstrumentId{1})->definition();
        const auto usual_limits = plan();
        for (const Command& command : *usual_limits) submit(command);
    }
    void submit(const Command& command) const {
        engine->apply(command, [](const Event& event) {
            EXPECT_NE(event.kind, EventKind::rejected) << name(event.reason);
        });
    }
    std::expected<std::vector<Command>, std::string> plan() {
        Settings settings;
        settings.instruments = {wanted};
        settings.venue = venue;
        return plan_changes(settings, MarketView::of(*engine));
    }
    /// Applies the plan, and expects it to be about phases only.
    void expect(std::initializer_list<std::pair<CommandKind, Phase>> commands) {
        const auto found = plan();
        ASSERT_TRUE(found) << found.error();
        std::vector<std::pair<CommandKind, Phase>> kinds;
        for (const Command& command : *found) {
            kinds.emplace_back(command.kind, command.phase.phase);
            submit(command);
        }
        EXPECT_EQ(kinds, std::vector(commands));
        EXPECT_TRUE(plan()->empty());
    }

    EngineConfig config;
    std::unique_ptr<Engine> engine;
    InstrumentSettings wanted;
    std::shared_ptr<const venue::Venue> venue;
};

TEST_F(Changes, FollowAPhaseThatCollects) {
    expect({});
    wanted.phase = Phase::pre_open;
    wanted.auction = AuctionRule::lse;
    expect({{CommandKind::set_phase, Phase::pre_open}});
    wanted.phase = Phase::call;
    expect({{CommandKind::set_phase, Phase::call}});
    EXPECT_EQ(engine->instrument(InstrumentId{1})->auction, AuctionRule::lse);
}

TEST_F(Changes, EndACallWithAnAuction) {
    wanted.phase = Phase::call;
    expect({{CommandKind::set_phase, Phase::call}});
    wanted.phase = Phase::continuous;
    expect({{CommandKind::set_phase, Phase::call}, {CommandKind::uncross, Phase::continuous}});
    wanted.phase = Phase::call;
    expect({{CommandKind::set_phase, Phase::call}});
    wanted.phase = Phase::closed;
    expect({{CommandKind::set_phase, Phase::call}, {CommandKind::uncross, Phase::closed}});
    wanted.phase = Phase::continuous;
    expect({{CommandKind::set_phase, Phase::call}, {CommandKind::uncross, Phase::continuous}});
}

TEST_F(Changes, CloseWithoutAnAuctionWhereNothingCollected) {
    wanted.phase = Phase::closed;
    expect({{CommandKind::set_phase, Phase::closed}});
}

TEST_F(Changes, RefuseAnAuctionOfAHaltedInstrument) {
    wanted.phase = Phase::call;
    expect({{CommandKind::set_phase, Phase::call}});
    wanted.halted = true;
    wanted.phase = Phase::continuous;
    EXPECT_EQ(plan().error(),
              "instrument 1: a halted instrument has no auction: end the halt first, or leave its "
              "phase as it is");
}

// What a reload of the same file does on the day of level 3.
TEST_F(Changes, LeaveAHaltByTheBreakerOfTheVenue) {
    Command halt = instrument_command(1);
    halt.kind = CommandKind::set_trading_state;
    halt.trading_state = TradingState::halted;
    halt.flags = CommandFlags::k_market_wide;
    submit(halt);
    venue::Venue with_breaker;
    with_breaker.market_breaker.emplace();
    venue = std::make_shared<const venue::Venue>(with_breaker);
    expect({});
    wanted.halted = true;
    expect({{CommandKind::set_trading_state, Phase{std::to_underlying(TradingState::halted)}}});
    EXPECT_EQ(engine->instrument(InstrumentId{1})->cause, HaltCause::none) << "the operator's now";
    expect({});
    wanted.halted = false;
    expect({{CommandKind::set_trading_state, {}}});
    submit(halt);
    venue = nullptr;
    expect({{CommandKind::set_trading_state, {}}});
}

TEST_F(Changes, RefuseAPhaseOfAnInstrumentWithTooLargeQuantities) {
    Command large = instrument_command(2);
    large.definition.unpublished = 1;
    large.definition.maximum_quantity = k_auction_maximum_quantity + Quantity{1};
    submit(large);
    wanted.definition = engine->instrument(InstrumentId{2})->definition();
    wanted.phase = Phase::closed;
    EXPECT_EQ(plan().error(),
              "instrument 2: only one with a maximum_quantity of at most 4294967296 may have a "
              "phase or auction of its own");
}

}  // namespace
}  // namespace damrak::exchange::changes_test
