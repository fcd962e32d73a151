// An engine loads a state of rules version 1. No order is lost, orders that rest under a condition
// leave the queues, and orders that may trade do so with the next command of their instrument.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/archive.hpp>
#include <damrak/engine/engine.hpp>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/event_line.hpp"
#include "support/market.hpp"
#include "support/order_terms.hpp"
#include "support/recorded_engine.hpp"

namespace damrak {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// An engine under today's rules with the state of another one.
class Successor {
  public:
    explicit Successor(const Engine& earlier) : engine_(todays(earlier.config()), recorder_) {
        const auto bytes = saved_bytes([&](auto& archive) { Engine::transfer(earlier, archive); });
        LoadArchive loaded{bytes};
        Engine::transfer(static_cast<Engine&>(engine_), loaded);
        EXPECT_TRUE(loaded.complete());
        EXPECT_EQ(engine_.state_hash(), earlier.state_hash());
        engine_.adopt_rules_1();
        engine_.check_invariants();
    }
    const std::vector<Event>& apply(const Command& command) {
        recorder_.events.clear();
        engine_.apply(command);
        engine_.check_invariants();
        return recorder_.events;
    }
    template <class... Terms>
    std::vector<std::string> enter(Side side, ParticipantId who, std::int64_t quantity,
                                   const Terms&... order) {
        Command command{};
        command.kind = CommandKind::new_order;
        command.instrument = InstrumentId{1};
        command.participant = who;
        command.side = side;
        command.quantity = Quantity{quantity};
        (order(command), ...);
        std::vector<std::string> lines;
        for (const Event& event : apply(command)) lines.push_back(event_line(event));
        return lines;
    }
    /// As quantity@tick.
    [[nodiscard]] std::vector<std::string> shown(Side side) const {
        std::vector<std::string> lines;
        engine_.instrument(InstrumentId{1})
            ->book.for_each_level(engine_.store(), side, [&](const DepthLevel& level) {
                lines.push_back(std::to_string(level.quantity.value) + "@" +
                                std::to_string(level.tick));
                return true;
            });
        return lines;
    }
    [[nodiscard]] const Engine& engine() const { return engine_; }

  private:
    static EngineConfig todays(EngineConfig config) {
        config.rules_version = k_rules_version;
        return config;
    }

    EventRecorder recorder_;
    EngineInto<EventRecorder> engine_;
};

struct EarlierRules : ::testing::Test {
    static EngineConfig version_1() {
        EngineConfig config = Market::small();
        config.rules_version = 1;
        return config;
    }
    Market market{version_1()};
};

TEST_F(EarlierRules, LeaveHeldOrdersOutsideTheQueues) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.buy(alice, 30, at(9.50), at_least(30));
    market.sell(bob, 10, at(9.90));
    Successor successor{market.engine()};
    EXPECT_THAT(successor.shown(Side::buy), IsEmpty());
    EXPECT_THAT(successor.shown(Side::sell), ElementsAre("10@990"));
    const Accounts& accounts = successor.engine().accounts();
    EXPECT_EQ(accounts.account(accounts.find(alice, InstrumentId{1})).held_orders, 2U);
    EXPECT_THAT(successor.enter(Side::sell, carol, 60, at(10.00)),
                ElementsAre("accepted #4 60@10.00", "executed #1 60@10.00 left 40 hidden trade 1",
                            "executed #4 60@10.00 left 0 takes trade 1",
                            "executed #3 10@9.90 left 0 trade 2",
                            "executed #1 10@9.90 left 30 (hidden) takes trade 2",
                            "rested #1>#1 @10.00 left 30 hidden"))
        << "released, it trades with the orders it crosses";
}

TEST_F(EarlierRules, PutTheLaterOfTwoCrossedOwnOrdersOutsideTheQueues) {
    market.sell(alice, 10, at(10.00));
    market.buy(alice, 25, at(10.50), skip_own);
    market.buy(alice, 15, at(9.00), skip_own);
    market.sell(alice, 20, at(8.00), skip_own);
    Successor successor{market.engine()};
    EXPECT_THAT(successor.shown(Side::buy), ElementsAre("15@900"));
    EXPECT_THAT(successor.shown(Side::sell), ElementsAre("10@1000"));
    EXPECT_EQ(successor.engine().instrument(InstrumentId{1})->stopped_orders, 2U);
    EXPECT_EQ(successor.engine().store().order_pool.used(), 4U);
    EXPECT_THAT(successor.enter(Side::sell, bob, 5, at(10.20)),
                ElementsAre("accepted #5 5@10.20", "executed #2 5@10.50 left 20 hidden trade 1",
                            "executed #5 5@10.50 left 0 takes trade 1"))
        << "it keeps its price and trades with others";
}

TEST_F(EarlierRules, LetReleasedOrdersTradeWithTheNextCommand) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(bob, 15, at(9.90));
    market.sell(carol, 60, at(10.00));
    Successor successor{market.engine()};
    EXPECT_EQ(market.engine().store().order_pool.used(), 2U) << "15 against 40, but no trade yet";
    EXPECT_THAT(
        successor.enter(Side::buy, carol, 1, at(5.00)),
        ElementsAre("accepted #4 1@5.00 shows 1", "executed #1 15@10.00 left 25 hidden trade 2",
                    "executed #2 15@10.00 left 0 takes trade 2"));
}

TEST_F(EarlierRules, HideIcebergsThatAreOutsideTheQueues) {
    market.sell(alice, 10, at(10.00));
    market.buy(alice, 90, at(10.50), showing(20), skip_own);
    Successor successor{market.engine()};
    EXPECT_THAT(successor.shown(Side::buy), IsEmpty());
    EXPECT_THAT(successor.enter(Side::buy, bob, 10, at(10.00)).back(),
                "rested #2>#2 @10.50 left 90 shows 20")
        << "the stopping order is gone";
    EXPECT_THAT(successor.shown(Side::buy), ElementsAre("20@1050"));
}

// All kinds of orders under all kinds of commands, before and after the change of rules.
TEST(EarlierRulesOfStreams, CanContinueUnderTodaysRules) {
    for (const StreamProfile& profile : version_1_profiles()) {
        SCOPED_TRACE(profile.name);
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            CommandStream stream{profile, seed};
            EventRecorder recorder;
            EngineInto<EventRecorder> earlier{differential::config_of(stream.settings()), recorder};
            for (int i = 0; i < 1'500; ++i) {
                const Command command = stream.next();
                recorder.events.clear();
                const bool more = earlier.apply(command);
                stream.observe(command, recorder.events, more);
            }
            Successor successor{earlier};
            EXPECT_EQ(successor.engine().store().order_pool.used(),
                      earlier.store().order_pool.used());
            for (int i = 0; i < 300; ++i) {
                const Command command = stream.next();
                stream.observe(command, successor.apply(command), false);
            }
        }
    }
}

}  // namespace
}  // namespace damrak
