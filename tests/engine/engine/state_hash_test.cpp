// The state hash: equal after equal commands, and different where later events could differ, the
// priority of orders included. Design: "Replay gives the same state hash".

#include <functional>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/auction/allocation.hpp>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/market.hpp"

namespace damrak::state_hash_test {
namespace {

using namespace terms;

std::uint64_t hash_after(const std::function<void(Market&)>& commands) {
    Market market;
    commands(market);
    return market.state_hash();
}

TEST(StateHash, IsEqualAfterEqualCommands) {
    const auto commands = [](Market& market) {
        market.sell(bob, 100, at(10.00), showing(10));
        market.buy(alice, 35, at(10.00));
        market.replace(bob, 1, 200, at(10.02));
        market.set_limits(alice, {.open_orders = 9});
    };
    EXPECT_EQ(hash_after(commands), hash_after(commands));
}

void begin_second_batch(Market& market) {
    market.set_phase(Phase::call, AuctionRule::xetra, true);
    market.uncross(Phase::call);
}

// Two markets that differ in one thing only.
TEST(StateHash, DiffersWithEverythingThatLaterEventsDependOn) {
    const std::vector<std::pair<std::string_view, std::function<void(Market&)>>> variants{
        {"one order", [](Market& m) { m.buy(alice, 10, at(10.00)); }},
        {"its side", [](Market& m) { m.sell(alice, 10, at(10.00)); }},
        {"its price", [](Market& m) { m.buy(alice, 10, at(10.01)); }},
        {"its quantity", [](Market& m) { m.buy(alice, 11, at(10.00)); }},
        {"its owner", [](Market& m) { m.buy(bob, 10, at(10.00)); }},
        {"its time in force", [](Market& m) { m.buy(alice, 10, at(10.00), gtc); }},
        {"its expiry", [](Market& m) { m.buy(alice, 10, at(10.00), until(5)); }},
        {"a later expiry", [](Market& m) { m.buy(alice, 10, at(10.00), until(6)); }},
        {"its rule", [](Market& m) { m.buy(alice, 10, at(10.00), skip_own); }},
        {"its display", [](Market& m) { m.buy(alice, 10, at(10.00), showing(5)); }},
        {"a smaller display", [](Market& m) { m.buy(alice, 10, at(10.00), showing(4)); }},
        {"hidden", [](Market& m) { m.buy(alice, 10, at(10.00), hidden); }},
        {"held", [](Market& m) { m.buy(alice, 10, at(10.00), at_least(5)); }},
        {"held for more", [](Market& m) { m.buy(alice, 10, at(10.00), at_least(6)); }},
        {"post-only", [](Market& m) { m.buy(alice, 10, at(10.00), post_only); }},
        {"reprice", [](Market& m) { m.buy(alice, 10, at(10.00), post_only_reprice); }},
        {"a stop", [](Market& m) { m.buy(alice, 10, stop(10.00)); }},
        {"a stop-limit", [](Market& m) { m.buy(alice, 10, at(10.00), stop(10.00)); }},
        {"another stop price", [](Market& m) { m.buy(alice, 10, at(10.00), stop(10.01)); }},
        {"no order", [](Market&) {}},
        {"an order that is gone",
         [](Market& m) {
             m.buy(alice, 10, at(10.00));
             m.cancel(alice, 1);
         }},
        {"an order that traded",
         [](Market& m) {
             m.buy(alice, 15, at(10.00));
             m.sell(bob, 5, at(10.00));
         }},
        {"a halt", [](Market& m) { m.set_state(TradingState::halted); }},
        {"a block", [](Market& m) { m.set_state(alice, ParticipantState::blocked); }},
        {"a limit", [](Market& m) { m.set_limits(alice, {.open_orders = 1}); }},
        {"another limit", [](Market& m) { m.set_limits(alice, {.open_notional = 1}); }},
        {"of another", [](Market& m) { m.set_limits(bob, {.open_orders = 1}); }},
        {"an instrument", [](Market& m) { m.add_instrument(2, Market::stock()); }},
        {"of another id", [](Market& m) { m.add_instrument(3, Market::stock()); }},
        {"a call", [](Market& m) { m.set_phase(Phase::call); }},
        {"a sealed call", [](Market& m) { m.set_phase(Phase::call, AuctionRule::xetra, true); }},
        {"its second batch", begin_second_batch},
        {"an allocation", [](Market& m) { m.set_allocation(auction::cme_c_policy()); }},
        {"another one", [](Market& m) { m.set_allocation(auction::size_time_policy()); }},
        {"its minimum",
         [](Market& m) {
             m.set_allocation({.steps = {AllocationStep::pro_rata}, .pro_rata_minimum{2}});
         }},
        {"a lead maker", [](Market& m) { m.set_lead_maker(alice, 100); }},
        {"another one", [](Market& m) { m.set_lead_maker(bob, 100); }},
        {"its share", [](Market& m) { m.set_lead_maker(alice, 101); }},
        {"a top order",
         [](Market& m) {
             m.set_allocation(auction::cme_s_policy());
             m.buy(alice, 10, at(10.00));
         }},
        {"no top order",
         [](Market& m) {
             m.set_allocation(auction::cme_s_policy());
             m.buy(alice, 10, at(10.00));
             m.set_allocation(auction::cme_s_policy());
         }},
        {"a tick band", [](Market& m) { m.add_tick_band(100.00, 0.05); }},
    };
    std::set<std::uint64_t> hashes;
    for (const auto& [what, commands] : variants)
        EXPECT_TRUE(hashes.insert(hash_after(commands)).second) << what;
}

// The same orders with the same ids, in the opposite time order.
TEST(StateHash, IncludesThePriorityOfOrders) {
    EngineConfig config = Market::small();
    config.order_id_source = OrderIdSource::command;
    const auto hash_of = [&](std::uint64_t first, std::uint64_t second) {
        Market market(config);
        market.buy(alice, 10, at(10.00), id(first));
        market.buy(alice, 10, at(10.00), id(second));
        return market.state_hash();
    };
    EXPECT_NE(hash_of(1, 2), hash_of(2, 1));
}

// Two icebergs that differ only in the public id of their slice.
TEST(StateHash, IncludesThePublicIdOfASlice) {
    const auto hash_of = [&](bool refused_first) {
        Market market;
        market.sell(bob, 100, at(10.00), showing(10));
        const auto use_a_number = [&] {
            market.buy(alice, 10, at(-1.00), flag(CommandFlags::k_number_refused))
                .expect_rejected(Reason::invalid_price);
        };
        if (refused_first) use_a_number();
        EXPECT_EQ(market.buy(alice, 10, at(10.00), ioc, id(0)).count(EventKind::refreshed), 1U);
        if (!refused_first) use_a_number();
        return market.state_hash();
    };
    EXPECT_NE(hash_of(true), hash_of(false));
}

TEST(StateHash, IncludesThePositions) {
    const auto commands = [](ParticipantId buyer) {
        return [=](Market& market) {
            market.sell(carol, 1, at(10.00));
            market.buy(alice, 1, at(9.00), ioc);
            market.buy(bob, 1, at(9.00), ioc);
            market.buy(buyer, 1, at(10.00), ioc);
            market.buy(buyer == alice ? bob : alice, 1, at(9.00), ioc);
        };
    };
    EXPECT_NE(hash_after(commands(alice)), hash_after(commands(bob)));
}

// Order numbers are part of the state: an order that is gone has used its number.
TEST(StateHash, RemembersThatANumberWasUsed) {
    Market market;
    const std::uint64_t before = market.state_hash();
    market.buy(alice, 10, at(10.00));
    market.cancel(alice, 1);
    EXPECT_NE(market.state_hash(), before);
}

TEST(StateHash, ReturnsWhenTheStateDoes) {
    Market market;
    market.buy(alice, 10, at(10.00));
    const std::uint64_t before = market.state_hash();
    market.set_state(TradingState::halted);
    EXPECT_NE(market.state_hash(), before);
    market.set_state(TradingState::trading);
    EXPECT_EQ(market.state_hash(), before);
    market.set_limits(alice, {.open_orders = 5});
    Command back{};
    back.kind = CommandKind::set_limits;
    back.flags = CommandFlags::k_default_limits;
    back.participant = alice;
    market.apply(back);
    EXPECT_EQ(market.state_hash(), before);
}

TEST(StateHash, DoesNotDependOnTheCapacities) {
    EngineConfig large = Market::small();
    large.maximum_orders *= 3;
    large.maximum_participants *= 3;
    large.maximum_levels *= 3;
    Market one;
    Market other(large);
    for (Market* const market : {&one, &other}) {
        market->sell(bob, 100, at(10.00), showing(10));
        market->buy(alice, 35, at(10.00));
    }
    EXPECT_EQ(one.state_hash(), other.state_hash());
}

// Two orders with exchanged fields, or one that was reduced: the sums over all orders are equal.
TEST(StateHash, DiffersWithEachFieldOfAnOrder) {
    const auto two_icebergs = [](std::int64_t first, std::int64_t second) {
        return hash_after([&](Market& m) {
            m.buy(alice, first, at(10.00), showing(10));
            m.buy(alice, second, at(10.00), showing(10));
        });
    };
    EXPECT_NE(two_icebergs(100, 200), two_icebergs(200, 100)) << "reserve";
    const auto two_stops = [](double first, double second) {
        return hash_after([&](Market& m) {
            m.buy(alice, 10, at(first), stop(10.00));
            m.buy(alice, 10, at(second), stop(10.00));
        });
    };
    EXPECT_NE(two_stops(10.10, 10.20), two_stops(10.20, 10.10)) << "limit of a stop";
    const auto reduced_iceberg = [](std::int64_t display) {
        return hash_after([&](Market& m) {
            m.buy(alice, 100, at(10.00), showing(display));
            m.replace(alice, 1, 3, at(10.00));
        });
    };
    EXPECT_NE(reduced_iceberg(10), reduced_iceberg(20)) << "display quantity";
}

// Replay: the same stream again, and as a queue with prefetching.
TEST(StateHash, IsTheSameAtTheEndOfAReplay) {
    for (const StreamProfile& profile : stream_profiles()) {
        CommandStream stream(profile, 5);
        const EngineConfig config = differential::config_of(stream.settings());
        EventRecorder recorder;
        EngineInto<EventRecorder> engine(config, recorder);
        std::vector<Command> commands;
        std::vector<Event> events;
        for (int i = 0; i < 3'000; ++i) {
            commands.push_back(stream.next());
            recorder.events.clear();
            engine.apply(commands.back());
            stream.observe(commands.back(), recorder.events);
            events.insert(events.end(), recorder.events.begin(), recorder.events.end());
        }
        EventRecorder again;
        EngineInto<EventRecorder> replayed(config, again);
        std::size_t told = 0;
        replayed.apply(commands, [&](std::size_t i) { told += i == told ? 1U : 0U; });
        EXPECT_EQ(told, commands.size()) << profile.name;
        EXPECT_EQ(replayed.state_hash(), engine.state_hash()) << profile.name;
        EXPECT_TRUE(again.events == events) << profile.name;
    }
}

}  // namespace
}  // namespace damrak::state_hash_test
