// What each phase of an instrument allows: the table of docs/rule-book/phases.md, row by row,
// against the engine.
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::phase_test {
namespace {

using namespace terms;

using Row = std::vector<std::string>;

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? ""
                                      : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The cells of the table, the heading first.
std::vector<Row> table() {
    std::ifstream page("docs/rule-book/phases.md");
    std::vector<Row> rows;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| ")) continue;
        Row row;
        std::istringstream cells(line.substr(1));
        for (std::string cell; std::getline(cells, cell, '|');) row.push_back(trimmed(cell));
        rows.push_back(row);
    }
    return rows;
}

/// Orders of bob on both sides, and one of alice that is post-only. The last trade is at 10.00.
struct Prepared {
    Prepared() {
        market.sell(bob, 1, at(10.00));
        market.buy(alice, 1, at(10.00));
        resting = market.buy(bob, 10, at(9.00)).id();
        market.sell(bob, 20, at(10.00));
        post_only_order = market.buy(alice, 10, at(8.00), post_only).id();
    }
    void enter(const std::string& phase) {
        if (phase == "pre_open") market.set_phase(Phase::pre_open);
        if (phase == "call") market.set_phase(Phase::call);
        if (phase == "sealed call")
            market.set_phase(Phase::call, AuctionRule::frequent_batch, true);
        if (phase == "closed") market.set_phase(Phase::closed);
        if (phase == "at_last") {
            market.set_phase(Phase::call);
            market.buy(alice, 1, at(10.00));
            market.uncross(Phase::at_last);
        }
        if (phase == "halted") market.set_state(TradingState::halted);
    }
    Outcome recorded_trade() {
        Command command{};
        command.kind = CommandKind::recorded_trade;
        command.instrument = InstrumentId{1};
        command.participant = bob;
        command.order_id = OrderId{resting};
        command.price = price(9.00);
        command.quantity = Quantity{1};
        return market.apply(command);
    }

    Market market;
    std::uint64_t resting = 0;
    std::uint64_t post_only_order = 0;
};

using Action = std::function<Outcome(Prepared&)>;

const std::map<std::string, Action>& actions() {
    static const std::map<std::string, Action> k_actions{
        {"limit order", [](Prepared& p) { return p.market.buy(alice, 5, at(10.00)); }},
        {"hidden order", [](Prepared& p) { return p.market.buy(alice, 5, at(10.00), hidden); }},
        {"iceberg", [](Prepared& p) { return p.market.buy(alice, 5, at(10.00), showing(1)); }},
        {"order with a minimum quantity",
         [](Prepared& p) { return p.market.buy(alice, 5, at(10.00), at_least(5)); }},
        {"market order", [](Prepared& p) { return p.market.buy(alice, 5); }},
        {"market order with a minimum quantity",
         [](Prepared& p) { return p.market.buy(alice, 5, at_least(5)); }},
        {"IOC order", [](Prepared& p) { return p.market.buy(alice, 5, at(10.00), ioc); }},
        {"FOK order", [](Prepared& p) { return p.market.buy(alice, 5, at(10.00), fok); }},
        {"post-only order",
         [](Prepared& p) { return p.market.buy(alice, 5, at(9.50), post_only); }},
        {"at_open order",
         [](Prepared& p) {
             return p.market.buy(alice, 5, at(10.00), lasting(TimeInForce::at_open));
         }},
        {"at_close order",
         [](Prepared& p) {
             return p.market.buy(alice, 5, at(10.00), lasting(TimeInForce::at_close));
         }},
        {"at_auction order",
         [](Prepared& p) {
             return p.market.buy(alice, 5, at(10.00), lasting(TimeInForce::at_auction));
         }},
        {"imbalance-only order at_auction",
         [](Prepared& p) {
             return p.market.buy(alice, 5, at(10.00), lasting(TimeInForce::at_auction),
                                 flag(CommandFlags::k_imbalance_only));
         }},
        {"stop order", [](Prepared& p) { return p.market.buy(alice, 5, stop(11.00)); }},
        {"stop order that is reached",
         [](Prepared& p) { return p.market.buy(alice, 5, stop(9.50)); }},
        {"replace", [](Prepared& p) { return p.market.replace(bob, p.resting, 10, at(10.00)); }},
        {"replace of a post-only order",
         [](Prepared& p) { return p.market.replace(alice, p.post_only_order, 10, at(8.50)); }},
        {"recorded trade", [](Prepared& p) { return p.recorded_trade(); }},
        {"cancel", [](Prepared& p) { return p.market.cancel(bob, p.resting); }},
        {"mass cancel", [](Prepared& p) { return p.market.mass_cancel(); }},
        {"end of day", [](Prepared& p) { return p.market.end_day(); }},
        {"query", [](Prepared& p) { return p.market.query(bob, p.resting); }},
        {"set_phase to pre_open, call or closed",
         [](Prepared& p) {
             Outcome outcome = p.market.set_phase(Phase::pre_open);
             for (const Phase phase : {Phase::call, Phase::closed})
                 if (!outcome.rejected()) outcome = p.market.set_phase(phase);
             return outcome;
         }},
        {"set_phase to continuous",
         [](Prepared& p) { return p.market.set_phase(Phase::continuous); }},
        {"uncross", [](Prepared& p) { return p.market.uncross(); }}};
    return k_actions;
}

std::string seen(const Outcome& outcome) {
    const Event& first = outcome.events().front();
    if (first.reason == Reason::not_in_phase || first.reason == Reason::instrument_halted)
        return "no";
    if (outcome.rejected()) return std::string(name(first.reason));
    if (outcome.count(EventKind::executed) > 0 && outcome.count(EventKind::uncrossed) == 0)
        return "trades";
    if (first.kind != EventKind::accepted) return "yes";
    if (has_flag(first, EventFlags::k_waiting)) return "waits";
    return has_flag(first, EventFlags::k_held) ? "held" : "collects";
}

TEST(Phases, AllowWhatTheTableSays) {
    const std::vector<Row> rows = table();
    ASSERT_EQ(rows.size(), actions().size() + 1);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto action = actions().find(rows[i][0]);
        ASSERT_NE(action, actions().end()) << rows[i][0];
        for (std::size_t j = 1; j < rows[0].size(); ++j) {
            Prepared prepared;
            prepared.enter(rows[0][j]);
            const Outcome outcome = action->second(prepared);
            const std::string& wanted = rows[i][j];
            // A post-only order rests in continuous trading, too: that it may enter is all here.
            const std::string found = seen(outcome);
            EXPECT_EQ(wanted == "yes" && found == "collects" ? "yes" : found, wanted)
                << rows[i][0] << " in phase " << rows[0][j];
            const Reason reason =
                rows[0][j] == "halted" ? Reason::instrument_halted : Reason::not_in_phase;
            if (wanted == "no") outcome.expect_rejected(reason);
        }
    }
}

TEST(Phases, AreCheckedForTheirNames) {
    Market market;
    market.set_phase(static_cast<Phase>(5)).expect_rejected(Reason::invalid_state);
    market.set_phase(Phase::call, static_cast<AuctionRule>(5))
        .expect_rejected(Reason::invalid_state);
    market.set_phase(Phase::call);
    market.uncross(static_cast<Phase>(5)).expect_rejected(Reason::invalid_state);
    Command unknown{};
    unknown.instrument = InstrumentId{3};
    for (const CommandKind kind : {CommandKind::set_phase, CommandKind::uncross}) {
        unknown.kind = kind;
        market.apply(unknown).expect_rejected(Reason::unknown_instrument);
    }
}

TEST(Phases, NeedAnInstrumentWhoseSumsFit) {
    InstrumentDetails large = Market::stock();
    large.unpublished = 1;
    large.maximum_quantity = Quantity{(std::int64_t{1} << 32U) + 1};
    Market(Market::small(), large)
        .set_phase(Phase::call)
        .expect_rejected(Reason::invalid_instrument);
    large.maximum_quantity = Quantity{std::int64_t{1} << 32U};
    EXPECT_FALSE(Market(Market::small(), large).set_phase(Phase::call).rejected());
    large.maximum_quantity = Quantity{1};
    large.maximum_price = Price{std::int64_t{1} << 61U};
    Market(Market::small(), large)
        .set_phase(Phase::call)
        .expect_rejected(Reason::invalid_instrument);
}

TEST(Phases, AHaltDoesNotEndACall) {
    Market market;
    market.set_phase(Phase::call);
    market.sell(bob, 10, at(10.00));
    market.buy(alice, 10, at(11.00)).expect({"accepted #2 10@11.00 shows 10"});
    market.set_state(TradingState::halted);
    market.set_state(TradingState::trading).expect({"trading_state_changed 0"});
    market.buy(alice, 1, at(10.00)).expect({"accepted #3 1@10.00 shows 1"});
}

Command halted_by(HaltCause cause) {
    Command command{};
    command.kind = CommandKind::set_phase;
    command.instrument = InstrumentId{1};
    command.phase = {.phase = Phase::call, .call = CallKind::reopening, .cause = cause};
    return command;
}

Quantity cause(HaltCause cause) { return {static_cast<std::int64_t>(cause)}; }

TEST(Phases, ACauseLastsUntilTheAuction) {
    Market market;
    const Event stopped = market.apply(halted_by(HaltCause::limit_up_limit_down)).events()[0];
    EXPECT_EQ(stopped.remaining, cause(HaltCause::limit_up_limit_down));
    Command halt{};
    halt.kind = CommandKind::set_trading_state;
    halt.instrument = InstrumentId{1};
    halt.trading_state = TradingState::halted;
    EXPECT_EQ(market.apply(halt).events()[0].remaining, cause(HaltCause::limit_up_limit_down))
        << "the halt of the operator is beside it";
    market.set_state(TradingState::trading);
    EXPECT_EQ(market.uncross().last().remaining, cause(HaltCause::none));
    market.apply(halted_by(static_cast<HaltCause>(6))).expect_rejected(Reason::invalid_state);
}

TEST(Phases, TheCauseOfTheLastLevelOfTheBreakerLastsUntilTheHaltEnds) {
    Market market;
    Command halt{};
    halt.kind = CommandKind::set_trading_state;
    halt.instrument = InstrumentId{1};
    halt.trading_state = TradingState::halted;
    halt.flags = CommandFlags::k_market_wide;
    EXPECT_EQ(market.apply(halt).events()[0].remaining, cause(HaltCause::market_wide_3));
    EXPECT_EQ(market.apply(halted_by(HaltCause::none)).events()[0].remaining,
              cause(HaltCause::market_wide_3));
    halt.trading_state = TradingState::trading;
    EXPECT_EQ(market.apply(halt).events()[0].remaining, cause(HaltCause::none));
}

}  // namespace
}  // namespace damrak::phase_test
