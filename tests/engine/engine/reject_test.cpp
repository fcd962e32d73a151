// Every reason to reject a command, each once and in the simplest way. The fixture checks that the
// state hash is unchanged. Rule book, section 2.

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::reject_test {
namespace {

using namespace terms;
using D = InstrumentDetails;

struct Case {
    Reason reason;
    std::string_view what;
    std::function<Outcome(Market&)> how;
};

constexpr std::int64_t k_least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t k_largest = std::numeric_limits<std::int64_t>::max();

auto units(std::int64_t price_units) {
    return [=](Command& command) {
        command.price = Price{price_units};
        command.order_type = OrderType::limit;
    };
}
template <class F>
auto changed(F change) {
    return [=](Command& command) { change(command); };
}
Outcome add(Market& market, const std::function<void(D&)>& change) {
    D details = Market::stock();
    change(details);
    return market.add_instrument(2, details);
}
Command plain(CommandKind kind) {
    Command command{};
    command.kind = kind;
    return command;
}

#define HOW(expression) [](Market& market) { return expression; }

std::vector<Case> anything() {
    return {
        {Reason::unknown_command, "None", HOW(market.apply(plain(CommandKind::none)))},
        {Reason::unknown_command, "Beyond", HOW(market.apply(plain(static_cast<CommandKind>(31))))},
        {Reason::unknown_command, "AnyByte",
         HOW(market.apply(plain(static_cast<CommandKind>(255))))},
        {Reason::unsupported_schema, "Older",
         HOW(market.buy(alice, 1, at(1), changed([](Command& c) { c.schema_version = 0; })))},
        {Reason::unsupported_schema, "Newer",
         HOW(market.buy(alice, 1, at(1), changed([](Command& c) { c.schema_version = 2; })))},
    };
}

std::vector<Case> new_orders() {
    return {
        {Reason::unknown_instrument, "None", HOW(market.buy(alice, 1, at(1), in(0)))},
        {Reason::unknown_instrument, "NotAdded", HOW(market.buy(alice, 1, at(1), in(2)))},
        {Reason::unknown_instrument, "Beyond", HOW(market.buy(alice, 1, at(1), in(~0U)))},
        {Reason::invalid_side, "Third",
         HOW(market.buy(alice, 1, at(1), changed([](Command& c) { c.side = Side{2}; })))},
        {Reason::invalid_order_type, "Fifth",
         HOW(market.buy(alice, 1, changed([](Command& c) { c.order_type = OrderType{4}; })))},
        {Reason::invalid_time_in_force, "Ninth",
         HOW(market.buy(alice, 1, at(1), lasting(TimeInForce{8})))},
        {Reason::invalid_self_trade_prevention, "Seventh",
         HOW(market.buy(alice, 1, at(1), rule(SelfTradePrevention{6})))},
        {Reason::invalid_flags, "OfAReplace",
         HOW(market.buy(alice, 1, at(1), flag(CommandFlags::k_quantity_is_total)))},
        {Reason::invalid_flags, "Unknown", HOW(market.buy(alice, 1, at(1), flag(1U << 6U)))},
        {Reason::unknown_participant, "None", HOW(market.buy({0}, 1, at(1)))},
        {Reason::unknown_participant, "Beyond", HOW(market.buy({17}, 1, at(1)))},
        {Reason::invalid_quantity, "Zero", HOW(market.buy(alice, 0, at(1)))},
        {Reason::invalid_quantity, "Negative", HOW(market.buy(alice, -1, at(1)))},
        {Reason::invalid_quantity, "Least", HOW(market.buy(alice, k_least, at(1)))},
        {Reason::quantity_too_large, "ByOne", HOW(market.buy(alice, 1'000'000, at(1)))},
        {Reason::quantity_too_large, "Largest", HOW(market.buy(alice, k_largest, at(1)))},
        {Reason::invalid_price, "Zero", HOW(market.buy(alice, 1, at(0)))},
        {Reason::invalid_price, "Negative", HOW(market.buy(alice, 1, at(-1)))},
        {Reason::invalid_price, "Least", HOW(market.buy(alice, 1, units(k_least)))},
        {Reason::invalid_price, "OfAMarketOrder",
         HOW(market.buy(alice, 1, changed([](Command& c) { c.price = Price{100}; })))},
        {Reason::price_too_large, "ByATick", HOW(market.buy(alice, 1, at(200'000.00)))},
        {Reason::price_too_large, "Largest", HOW(market.buy(alice, 1, units(k_largest)))},
        {Reason::price_off_tick, "ByAUnit", HOW(market.buy(alice, 1, units(10'001)))},
        {Reason::invalid_stop_price, "Zero", HOW(market.buy(alice, 1, stop(0)))},
        {Reason::invalid_stop_price, "Negative", HOW(market.buy(alice, 1, stop(-1)))},
        {Reason::invalid_stop_price, "OfALimitOrder",
         HOW(market.buy(alice, 1, at(1),
                        changed([](Command& c) { c.order.stop_price = Price{100}; })))},
        {Reason::price_too_large, "OfAStop", HOW(market.buy(alice, 1, stop(200'000.00)))},
        {Reason::price_off_tick, "OfAStop", HOW(market.buy(alice, 1, stop(1.005)))},
        {Reason::invalid_display_quantity, "Negative",
         HOW(market.buy(alice, 9, at(1), showing(-1)))},
        {Reason::invalid_display_quantity, "AboveTheQuantity",
         HOW(market.buy(alice, 9, at(1), showing(10)))},
        {Reason::invalid_minimum_quantity, "Negative",
         HOW(market.buy(alice, 9, at(1), at_least(-1)))},
        {Reason::invalid_minimum_quantity, "AboveTheQuantity",
         HOW(market.buy(alice, 9, at(1), at_least(10)))},
        {Reason::invalid_expire_time, "Now",
         HOW(market.buy(alice, 1, at(1), until(7), at_time(7)))},
        {Reason::invalid_expire_time, "Missing",
         HOW(market.buy(alice, 1, at(1), lasting(TimeInForce::gtd)))},
        {Reason::invalid_expire_time, "OfADayOrder",
         HOW(market.buy(alice, 1, at(1), until(7), lasting(TimeInForce::day)))},
        {Reason::invalid_order_id, "Given", HOW(market.buy(alice, 1, at(1), id(5)))},
    };
}

std::vector<Case> combinations() {
    const auto refused = [](std::string_view what, std::function<Outcome(Market&)> how) {
        return Case{Reason::invalid_combination, what, std::move(how)};
    };
    return {
        refused("BothPostOnly", HOW(market.buy(alice, 9, at(1), post_only, post_only_reprice))),
        refused("HiddenMarket", HOW(market.buy(alice, 9, hidden))),
        refused("HiddenStopLimit", HOW(market.buy(alice, 9, at(1), stop(2), hidden))),
        refused("HiddenImmediate", HOW(market.buy(alice, 9, at(1), hidden, ioc))),
        refused("HiddenFillOrKill", HOW(market.buy(alice, 9, at(1), hidden, fok))),
        refused("PostOnlyMarket", HOW(market.buy(alice, 9, post_only))),
        refused("PostOnlyImmediate", HOW(market.buy(alice, 9, at(1), post_only_reprice, ioc))),
        refused("IcebergMarket", HOW(market.buy(alice, 9, showing(1)))),
        refused("IcebergFillOrKill", HOW(market.buy(alice, 9, at(1), showing(1), fok))),
        refused("HiddenIceberg", HOW(market.buy(alice, 9, at(1), showing(1), hidden))),
        refused("MinimumOfAStop", HOW(market.buy(alice, 9, stop(1), at_least(1)))),
        refused("MinimumOfFillOrKill", HOW(market.buy(alice, 9, at(1), fok, at_least(1)))),
        refused("MinimumOfAnIceberg", HOW(market.buy(alice, 9, at(1), showing(1), at_least(1)))),
        refused("MinimumOfPostOnly", HOW(market.buy(alice, 9, at(1), post_only, at_least(1)))),
    };
}

std::vector<Case> administration() {
    return {
        {Reason::invalid_instrument, "WithoutId", HOW(market.add_instrument(0, Market::stock()))},
        {Reason::invalid_instrument, "BeyondCapacity",
         HOW(market.add_instrument(5, Market::stock()))},
        {Reason::invalid_instrument, "WithoutSymbol",
         HOW(add(market, [](D& it) { it.symbol = Symbol{}; }))},
        {Reason::invalid_instrument, "WithoutTick",
         HOW(add(market, [](D& it) { it.tick_size = Price{0}; }))},
        {Reason::invalid_instrument, "WithoutLot",
         HOW(add(market, [](D& it) { it.lot_size = Quantity{0}; }))},
        {Reason::invalid_instrument, "WithoutPolicy",
         HOW(add(market, [](D& it) { it.policy = MatchingPolicy{9}; }))},
        {Reason::duplicate_instrument, "Again", HOW(market.add_instrument(1, Market::stock()))},
        {Reason::duplicate_instrument, "AgainAndUnsound", HOW(market.add_instrument(1, D{}))},
        {Reason::unknown_instrument, "TickBand", HOW(market.add_tick_band(100, 0.05, 2))},
        {Reason::invalid_instrument, "TickBand",
         [](Market& market) {
             market.add_instrument(2, Market::stock());
             return market.add_tick_band(100, 0.03, 2);
         }},
        {Reason::unknown_instrument, "State", HOW(market.set_state(TradingState::halted, 2))},
        {Reason::invalid_state, "OfTrading", HOW(market.set_state(TradingState{2}))},
        {Reason::unknown_participant, "State",
         HOW(market.set_state({17}, ParticipantState::blocked))},
        {Reason::invalid_state, "OfAParticipant",
         HOW(market.set_state(alice, ParticipantState{2}))},
        {Reason::unknown_participant, "Limits", HOW(market.set_limits({17}, {}))},
        {Reason::invalid_limits, "OrderQuantity",
         HOW(market.set_limits(alice, {.order_quantity = Quantity{-1}}))},
        {Reason::invalid_limits, "OrderNotional",
         HOW(market.set_limits(alice, {.order_notional = -1}))},
        {Reason::invalid_limits, "OpenOrders", HOW(market.set_limits(alice, {.open_orders = -1}))},
        {Reason::invalid_limits, "OpenNotional",
         HOW(market.set_limits(alice, {.open_notional = -1}))},
        {Reason::invalid_limits, "Position",
         HOW(market.set_limits(alice, {.position = Quantity{-1}}))},
        {Reason::unknown_instrument, "MassCancel", HOW(market.mass_cancel(in(2)))},
        {Reason::unknown_participant, "MassCancel",
         HOW(market.mass_cancel(changed([](Command& c) { c.participant = {17}; })))},
        {Reason::invalid_flags, "MassCancel", HOW(market.mass_cancel(hidden))},
        {Reason::invalid_side, "MassCancel", HOW(market.mass_cancel(changed([](Command& c) {
             c.flags = 0;
             c.side = Side{2};
         })))},
        {Reason::unknown_instrument, "EndOfDay", HOW(market.end_day(2))},
    };
}

std::vector<Case> changes() {
    return {
        {Reason::unknown_instrument, "Cancel", HOW(market.cancel(alice, 1, in(2)))},
        {Reason::invalid_flags, "Cancel", HOW(market.cancel(alice, 1, hidden))},
        {Reason::unknown_participant, "Cancel", HOW(market.cancel({0}, 1))},
        {Reason::unknown_order, "Cancel", HOW(market.cancel(alice, 2))},
        {Reason::unknown_order, "CancelZero", HOW(market.cancel(alice, 0))},
        {Reason::not_owner, "Cancel", HOW(market.cancel(bob, 1))},
        {Reason::invalid_quantity, "Cancel", HOW(market.cancel_part(alice, 1, -1))},
        {Reason::unknown_instrument, "Replace", HOW(market.replace(alice, 1, 1, at(1), in(2)))},
        {Reason::unknown_participant, "Replace", HOW(market.replace({17}, 1, 1, at(1)))},
        {Reason::invalid_flags, "Replace", HOW(market.replace(alice, 1, 1, at(1), hidden))},
    };
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const auto& group :
         {anything(), new_orders(), combinations(), administration(), changes()})
        cases.insert(cases.end(), group.begin(), group.end());
    return cases;
}

class Reject : public ::testing::TestWithParam<Case> {};

TEST_P(Reject, IsOneEventAndChangesNothing) {
    Market market;
    market.buy(alice, 10, at(0.50));
    GetParam().how(market).expect_rejected(GetParam().reason);
    market.cancel(alice, 1).expect({"cancelled requested #1 10@0.50 left 0"});
}

std::string label(const ::testing::TestParamInfo<Case>& test) {
    return std::string(name(test.param.reason)).append("_").append(test.param.what);
}

INSTANTIATE_TEST_SUITE_P(Commands, Reject, ::testing::ValuesIn(all_cases()), label);

// Reasons that require a market in a certain state.
struct RejectInState : ::testing::Test {
    Market market;
};

TEST_F(RejectInState, NewOrdersInAHalt) {
    market.set_state(TradingState::halted);
    market.buy(alice, 1, at(1)).expect_rejected(Reason::instrument_halted);
}

// A protocol in which rejected orders use up an id.
TEST_F(RejectInState, OrdersThatUseUpANumberAnyway) {
    const auto numbered = flag(CommandFlags::k_number_refused);
    EXPECT_EQ(market.buy(alice, 1, at(1)).id(), 1U);
    const std::uint64_t hash = market.state_hash();
    market.buy(alice, 0, at(1), numbered).expect_rejected(Reason::invalid_quantity);
    EXPECT_NE(market.state_hash(), hash);
    EXPECT_EQ(market.buy(alice, 1, at(1)).id(), 3U);
    EXPECT_EQ(market.buy(alice, 1, at(1), numbered).id(), 4U) << "accepted, it takes one, not two";
    market.buy(alice, 1, at(1), numbered, in(2)).expect_rejected(Reason::unknown_instrument);
    EXPECT_EQ(market.buy(alice, 1, at(1)).id(), 5U);
}

TEST_F(RejectInState, TickBandsOnceAnOrderWasAccepted) {
    market.buy(alice, 1, at(1), ioc);
    market.add_tick_band(100, 0.05).expect_rejected(Reason::instrument_in_use);
}

TEST_F(RejectInState, OddLotsInEveryQuantity) {
    D lots = Market::stock();
    lots.lot_size = Quantity{10};
    market.add_instrument(2, lots);
    market.buy(alice, 15, at(1), in(2)).expect_rejected(Reason::quantity_off_lot);
    market.buy(alice, 20, at(1), in(2), showing(5))
        .expect_rejected(Reason::invalid_display_quantity);
    EXPECT_FALSE(market.buy(alice, 20, at(1), in(2), at_least(5)).rejected())
        << "a minimum quantity need not be in lots";
}

TEST_F(RejectInState, MissingOrDuplicateIdsOfCommands) {
    EngineConfig config = Market::small();
    config.order_id_source = OrderIdSource::command;
    Market given(config);
    given.buy(alice, 1, at(1)).expect_rejected(Reason::invalid_order_id);
    given.buy(alice, 1, at(1), id(5));
    given.buy(bob, 1, at(1), id(5)).expect_rejected(Reason::duplicate_order_id);
}

// "With the first reason that applies, in the order given."
TEST_F(RejectInState, WithTheFirstOfSeveralReasons) {
    market.set_state(TradingState::halted);
    market.set_state(alice, ParticipantState::blocked);
    market.buy(alice, 0, at(-1)).expect_rejected(Reason::participant_blocked);
    market.set_state(alice, ParticipantState::active);
    market.buy(alice, 0, at(-1)).expect_rejected(Reason::instrument_halted);
    market.set_state(TradingState::trading);
    market.buy(alice, 0, at(-1)).expect_rejected(Reason::invalid_quantity);
    market.buy(alice, 1, at(-1), hidden, ioc).expect_rejected(Reason::invalid_price);
    market.buy(alice, 1, at(1), hidden, ioc, showing(-1))
        .expect_rejected(Reason::invalid_combination);
    market.buy(alice, 1, at(1), showing(-1), id(5))
        .expect_rejected(Reason::invalid_display_quantity);
}

// Every value in the second cache line is possible; no check reads more of it than the command
// defines.
TEST_F(RejectInState, CommandsWithAllBitsSet) {
    const auto apply = [&](CommandKind kind) {
        Command command{};
        std::memset(static_cast<void*>(&command), 0xFF, sizeof(command));
        command.kind = kind;
        command.schema_version = k_command_schema_version;
        EXPECT_EQ(market.apply(command).rejected(), kind != CommandKind::tick)
            << static_cast<unsigned>(kind);
    };
    for (unsigned value = 0; value < 256; ++value) {
        const auto kind = static_cast<CommandKind>(value);
        if (kind != CommandKind::release_participant && kind != CommandKind::set_capacities)
            apply(kind);
    }
    market.leave_reference_out();
    apply(CommandKind::release_participant);
    apply(CommandKind::set_capacities);
}

}  // namespace
}  // namespace damrak::reject_test
