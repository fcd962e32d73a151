// Slices: a command always runs to its end, and the size of a slice changes no event.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/engine/engine.hpp>

#include "support/command_stream.hpp"
#include "support/describe.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/market.hpp"

namespace damrak::slices_test {
namespace {

using namespace terms;

EngineConfig small_slices() {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    return config;
}

TEST(Slices, AnOrderMatchesCompletelyWhateverTheNumberOfEvents) {
    Market market(small_slices());
    for (int i = 0; i < 300; ++i) market.sell(bob, 1, at(10.00));
    const Outcome outcome = market.buy(alice, 301, at(10.00));
    EXPECT_EQ(outcome.count(EventKind::executed), 600U);
    EXPECT_EQ(event_line(outcome.last()), "rested #301>#301 @10.00 left 1 shows 1");
}

TEST(Slices, FillOrKillIsFilledIfTheQuantityIsAvailable) {
    Market market(small_slices());
    for (int i = 0; i < 300; ++i) market.sell(bob, 1, at(10.00));
    EXPECT_EQ(market.buy(alice, 301, at(10.00), fok).count(EventKind::executed), 0U);
    EXPECT_EQ(market.buy(alice, 300, at(10.00), fok).count(EventKind::executed), 600U);
}

// Each slice of an iceberg costs the incoming order a separate trade.
TEST(Slices, AnIcebergHasAtMostAThousandSlices) {
    Market market;
    market.sell(bob, 10'001, at(10.00), showing(10))
        .expect_rejected(Reason::invalid_display_quantity);
    const std::uint64_t id = market.sell(bob, 10'000, at(10.00), showing(10)).id();
    market.replace(bob, id, 10'001, at(10.00)).expect_rejected(Reason::invalid_display_quantity);
    EXPECT_EQ(market.buy(alice, 10'000, at(10.00)).count(EventKind::executed), 2'000U);
}

TEST(Slices, ACascadeEndsInItsCommand) {
    Market market(small_slices());
    for (int i = 0; i < 200; ++i) market.buy(alice, 1, stop(10.00));
    for (int i = 0; i < 201; ++i) market.sell(bob, 1, at(10.00));
    const Outcome outcome = market.buy(carol, 1, at(10.00));
    EXPECT_EQ(outcome.count(EventKind::triggered), 200U);
}

TEST(Slices, OneCommandEndsManyOrders) {
    Market market(small_slices());
    const auto fill = [&] {
        for (int i = 0; i < 100; ++i) market.buy(alice, 1, at(10.00), until(1'000'000));
    };
    fill();
    EXPECT_EQ(event_line(market.mass_cancel().last()), "mass_cancelled 100");
    fill();
    EXPECT_EQ(market.tick(1'000'000).count(EventKind::expired), 100U);
    fill();
    const Outcome killed = market.set_state(alice, ParticipantState::blocked);
    EXPECT_EQ(killed.count(EventKind::participant_state_changed), 1U);
    EXPECT_EQ(event_line(killed.last()), "mass_cancelled 100");
}

TEST(Slices, AreFullExceptTheLastAndSayWhetherMoreFollows) {
    const EngineConfig config = small_slices();
    Engine engine(config);
    engine.apply(instrument_command(1, test_stock()), [](const Event&) {});
    for (int i = 0; i < 40; ++i)
        engine.apply(order_command(1, 1, Side::sell, 100'000, 1), [](const Event&) {});
    std::vector<std::uint32_t> sizes;
    Slice slice = engine.apply(order_command(1, 2, Side::buy, 100'000, 40));
    for (; slice.more; slice = engine.resume()) sizes.push_back(slice.count);
    sizes.push_back(slice.count);
    std::uint32_t events = 0;
    for (const std::uint32_t size : sizes) {
        EXPECT_LE(size, config.maximum_events);
        events += size;
    }
    EXPECT_EQ(events, 81U);
    EXPECT_GE(sizes.size(), 6U);
}

// The same streams in slices of every size, one command at a time and queued.
TEST(Slices, TheirSizeChangesNoEvent) {
    for (const StreamProfile& profile : stream_profiles()) {
        CommandStream stream{profile, 11};
        EngineConfig config = differential::config_of(stream.settings());
        std::vector<Command> commands;
        std::vector<Event> expected;
        EventRecorder recorder;
        config.maximum_events = 4'096;
        EngineInto<EventRecorder> whole{config, recorder};
        for (int i = 0; i < 3'000; ++i) {
            commands.push_back(stream.next());
            recorder.events.clear();
            whole.apply(commands.back());
            stream.observe(commands.back(), recorder.events);
            expected.insert(expected.end(), recorder.events.begin(), recorder.events.end());
        }
        for (const std::uint32_t size : {16U, 17U, 50U}) {
            config.maximum_events = size;
            recorder.events.clear();
            EngineInto<EventRecorder> sliced{config, recorder};
            sliced.apply(commands, [](std::size_t) {});
            ASSERT_EQ(recorder.events, expected) << profile.name << " in slices of " << size;
            EXPECT_EQ(sliced.state_hash(), whole.state_hash());
        }
    }
}

}  // namespace
}  // namespace damrak::slices_test
