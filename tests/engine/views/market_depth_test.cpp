// The public books that a view rebuilds from events equal the engine's own, on random streams over
// the whole rule book, after every command.
#include <damrak/views/market_depth.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/market.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::views::market_depth_test {
namespace {

using namespace damrak::terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Levels = std::vector<PublicLevel>;

Levels levels_of(const MarketDepth& depth, InstrumentId id, Side side) {
    Levels levels;
    depth.for_each_level(id, side, [&](const PublicLevel& level) {
        levels.push_back(level);
        return true;
    });
    return levels;
}

Levels levels_of(const EngineInto<EventRecorder>& engine, InstrumentId id, Side side) {
    Levels levels;
    const InstrumentState* const in = engine.instrument(id);
    if (in == nullptr) return levels;
    in->book.for_each_level(engine.store(), side, [&](const DepthLevel& level) {
        levels.push_back({in->price_of(level.tick), level.quantity, level.orders});
        return true;
    });
    return levels;
}

// Crossed or locked.
bool is_crossed(const MarketDepth& depth, InstrumentId id) {
    const PublicLevel bid = depth.best(id, Side::buy);
    const PublicLevel ask = depth.best(id, Side::sell);
    return bid.orders > 0 && ask.orders > 0 && bid.price >= ask.price;
}

// While orders are collected for an auction the book may be crossed, and until the events of the
// auction are through.
bool may_be_crossed(const EngineInto<EventRecorder>& engine, const Event& event,
                    const std::vector<Event>& events) {
    const InstrumentState* const in = engine.instrument(event.instrument);
    return (in != nullptr && in->phase != Phase::continuous) ||
           std::ranges::find(events, EventKind::uncrossed, &Event::kind) != events.end();
}

class Streams : public ::testing::TestWithParam<StreamProfile> {};

TEST_P(Streams, TheViewEqualsTheBookAfterEveryCommand) {
    CommandStream stream{GetParam(), 4711};
    const EngineConfig config = differential::config_of(stream.settings());
    EventRecorder recorder;
    EngineInto<EventRecorder> engine{config, recorder};
    // One view follows from the beginning; the other reloads the books now and then.
    MarketDepth from_start{config};
    auto joined = std::make_unique<MarketDepth>(config);
    std::size_t compared = 0;
    for (int i = 0; i < 3'000; ++i) {
        const Command command = stream.next();
        recorder.events.clear();
        engine.apply(command);
        for (const Event& event : recorder.events) {
            from_start.on_event(event);
            joined->on_event(event);
            ASSERT_TRUE(may_be_crossed(engine, event, recorder.events) ||
                        !is_crossed(from_start, event.instrument))
                << "command " << i;
        }
        stream.observe(command, recorder.events);
        for (std::uint32_t id = 1; id <= config.maximum_instruments; ++id) {
            const InstrumentId instrument{id};
            ASSERT_EQ(from_start.has(instrument), engine.instrument(instrument) != nullptr);
            for (const Side side : {Side::buy, Side::sell}) {
                const Levels expected = levels_of(engine, instrument, side);
                ASSERT_EQ(levels_of(from_start, instrument, side), expected) << "command " << i;
                ASSERT_EQ(levels_of(*joined, instrument, side), expected) << "command " << i;
                compared += expected.size();
            }
        }
        if (i % 700 == 699) {
            joined = std::make_unique<MarketDepth>(config);
            joined->load(engine);
        }
    }
    EXPECT_GT(compared, 1'000U) << "the streams left nothing to compare";
}

INSTANTIATE_TEST_SUITE_P(All, Streams,
                         ::testing::ValuesIn(stream_profiles().begin(), stream_profiles().end()),
                         [](const auto& each) { return std::string{each.param.name}; });

// Feeds the events of a market to a view.
class Depth : public ::testing::Test {
  protected:
    bool follow(const Outcome& outcome) {
        bool changed = false;
        for (const Event& event : outcome.events()) changed |= depth_.on_event(event);
        return changed;
    }
    [[nodiscard]] Levels bids() const { return levels_of(depth_, InstrumentId{1}, Side::buy); }
    [[nodiscard]] Levels asks() const { return levels_of(depth_, InstrumentId{1}, Side::sell); }

    Market market_;
    MarketDepth depth_{Market::small()};
    static constexpr ParticipantId k_ann{1};
    static constexpr ParticipantId k_bob{2};
};

TEST_F(Depth, ExcludesHiddenOrders) {
    depth_.load(market_.engine());
    EXPECT_FALSE(follow(market_.buy(k_ann, 100, at(10.00), hidden)));
    EXPECT_THAT(bids(), IsEmpty());
    EXPECT_TRUE(follow(market_.buy(k_bob, 7, at(10.00))));
    EXPECT_THAT(bids(), ElementsAre(PublicLevel{price(10.00), Quantity{7}, 1}));
}

TEST_F(Depth, ShowsOnlyTheSliceOfAnIceberg) {
    depth_.load(market_.engine());
    follow(market_.sell(k_ann, 100, at(10.00), showing(30)));
    EXPECT_THAT(asks(), ElementsAre(PublicLevel{price(10.00), Quantity{30}, 1}));
    follow(market_.buy(k_bob, 40, at(10.00)));  // 30 and, of the next slice, 10
    EXPECT_THAT(asks(), ElementsAre(PublicLevel{price(10.00), Quantity{20}, 1}));
    follow(market_.buy(k_bob, 60, at(10.00)));
    EXPECT_THAT(asks(), IsEmpty());
}

TEST_F(Depth, ReportsTheTopOfTheBook) {
    depth_.load(market_.engine());
    EXPECT_EQ(depth_.best(InstrumentId{1}, Side::buy).orders, 0U);
    follow(market_.buy(k_ann, 5, at(9.98)));
    follow(market_.buy(k_ann, 6, at(9.99)));
    follow(market_.buy(k_bob, 7, at(9.99)));
    EXPECT_EQ(depth_.best(InstrumentId{1}, Side::buy), (PublicLevel{price(9.99), Quantity{13}, 2}));
    EXPECT_EQ(depth_.best(InstrumentId{9}, Side::buy).orders, 0U) << "no such instrument";
}

TEST_F(Depth, IgnoresEventsThatChangeNothing) {
    depth_.load(market_.engine());
    follow(market_.buy(k_ann, 5, at(9.98)));
    EXPECT_FALSE(follow(market_.buy(k_ann, 0, at(9.98)))) << "a reject";
    EXPECT_FALSE(follow(market_.replace(k_ann, 1, 5, at(9.98)))) << "a replace without a change";
    EXPECT_TRUE(follow(market_.replace(k_ann, 1, 4, at(9.98))));
    EXPECT_TRUE(follow(market_.replace(k_ann, 1, 4, at(9.97))));
    EXPECT_THAT(bids(), ElementsAre(PublicLevel{price(9.97), Quantity{4}, 1}));
}

}  // namespace
}  // namespace damrak::views::market_depth_test
