// Capacities that a command raises: existing state stays, later commands have more room, and every
// engine that applies the same commands or loads the state has the same capacities. Rule book,
// section 2.
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/market.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::growing_capacity_test {
namespace {

using namespace terms;

Command capacities(const EngineConfig& config, std::uint32_t share = 100) {
    Command command{};
    command.kind = CommandKind::set_capacities;
    command.capacities = config.capacities(share);
    return command;
}

EngineConfig times(const EngineConfig& config, std::uint32_t factor) {
    EngineConfig larger = config;
    larger.maximum_instruments *= factor;
    larger.maximum_participants *= factor;
    larger.maximum_orders *= factor;
    larger.maximum_extensions *= factor;
    larger.maximum_accounts *= factor;
    larger.maximum_levels *= factor;
    larger.maximum_ladder_nodes *= factor;
    return larger;
}

class GrowingCapacity : public ::testing::Test {
  protected:
    static EngineConfig config() {
        EngineConfig config = Market::small();
        config.maximum_orders = 5;
        return config;
    }
    GrowingCapacity() { market.leave_reference_out(); }

    Market market{config()};
};

TEST_F(GrowingCapacity, GrowsWhileOrdersAreOpen) {
    std::vector<std::uint64_t> orders;
    for (int i = 0; i < 5; ++i) orders.push_back(market.buy(alice, 1, at(10.00 + i)).id());
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::orders_full);
    const std::uint64_t hash = market.state_hash();
    market.apply(capacities(times(config(), 4))).expect({"capacities_set 0"});
    EXPECT_EQ(market.state_hash(), hash);
    for (int i = 0; i < 15; ++i) EXPECT_FALSE(market.buy(alice, 1, at(10.00)).rejected()) << i;
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::orders_full);
    for (const std::uint64_t order : orders) EXPECT_FALSE(market.cancel(alice, order).rejected());
    EXPECT_EQ(market.sell(bob, 15, at(10.00)).count(EventKind::executed), 30U);
}

TEST_F(GrowingCapacity, OfParticipantsAndInstrumentsGrowsToo) {
    const EngineConfig larger = times(config(), 2);
    const ParticipantId late{config().maximum_participants + 1};
    const std::uint32_t instrument = config().maximum_instruments + 1;
    market.buy(late, 1, at(10.00)).expect_rejected(Reason::unknown_participant);
    market.apply(capacities(larger));
    market.add_instrument(instrument, Market::stock());
    EXPECT_FALSE(market.buy(late, 1, at(10.00), in(instrument)).rejected());
}

TEST_F(GrowingCapacity, IsNeverReducedNorImplausible) {
    using Change = std::pair<std::uint32_t EngineConfig::*, std::uint32_t>;
    for (const auto& [member, value] :
         std::vector<Change>{{&EngineConfig::maximum_orders, 4},
                             {&EngineConfig::maximum_instruments, 0},
                             {&EngineConfig::maximum_participants, 1},
                             {&EngineConfig::maximum_levels, 1},
                             {&EngineConfig::maximum_orders, 4'000'000'000},
                             {&EngineConfig::maximum_instruments, k_maximum_instruments + 1}}) {
        EngineConfig wanted = config();
        wanted.*member = value;
        market.apply(capacities(wanted)).expect_rejected(Reason::invalid_capacity);
    }
}

struct Grown {
    EventRecorder recorder;
    EngineInto<EventRecorder> engine;
    explicit Grown(const EngineConfig& config) : engine{config, recorder} {}
};

// Grows in the middle of a queue whose id slots were already prefetched.
TEST(GrownEngine, ContinuesLikeOneThatWasSavedInBetween) {
    for (const StreamProfile& profile : stream_profiles()) {
        SCOPED_TRACE(profile.name);
        CommandStream stream{profile, 3};
        EngineConfig config = differential::config_of(stream.settings());
        config.maximum_orders = 40;
        Grown alone{config};
        std::vector<Command> commands;
        std::vector<Event> events;
        const auto apply = [&](const Command& command) {
            alone.recorder.events.clear();
            alone.engine.apply(command);
            events.insert(events.end(), alone.recorder.events.begin(), alone.recorder.events.end());
            commands.push_back(command);
        };
        for (std::uint32_t i = 0; i < 900; ++i) {
            const Command command = stream.next();
            apply(command);
            stream.observe(command, alone.recorder.events);
            if (i % 300 == 150) apply(capacities(times(config, 2 + i / 300), 90));
        }
        alone.engine.check_invariants();

        Grown queued{config};
        queued.engine.apply(commands, [](std::size_t) {});
        EXPECT_EQ(queued.recorder.events, events);
        EXPECT_EQ(queued.engine.state_hash(), alone.engine.state_hash());

        const auto saved = saved_bytes([&](auto& archive) {
            Engine::transfer(std::as_const(static_cast<Engine&>(alone.engine)), archive);
        });
        Grown loaded{config};
        LoadArchive archive{saved};
        Engine::transfer(static_cast<Engine&>(loaded.engine), archive);
        ASSERT_TRUE(archive.complete());
        EXPECT_EQ(loaded.engine.capacities(), alone.engine.capacities());
        EXPECT_EQ(loaded.engine.state_hash(), alone.engine.state_hash());
        loaded.engine.check_invariants();
        for (int i = 0; i < 300; ++i) {
            const Command command = stream.next();
            loaded.recorder.events.clear();
            loaded.engine.apply(command);
            alone.recorder.events.clear();
            alone.engine.apply(command);
            stream.observe(command, alone.recorder.events);
            ASSERT_EQ(loaded.recorder.events, alone.recorder.events);
        }
    }
}

}  // namespace
}  // namespace damrak::growing_capacity_test
