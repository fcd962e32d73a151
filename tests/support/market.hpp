// A market for tests that read like the rule book:
//
//   market.sell(bob, 100, at(10.00)).expect({"accepted #1 100@10.00 shows 100"});
//
// After every command of the real engine it checks: the invariants of the engine; that a reject is
// one event and leaves the state hash unchanged; that the number of events stays within its
// maximum; and that the reference model emits the same events.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/command_stream.hpp"
#include "support/commands.hpp"
#include "support/describe.hpp"
#include "support/event_line.hpp"
#include "support/order_terms.hpp"
#include "support/recorded_engine.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak {

/// Result of a command.
class Outcome {
  public:
    using Where = std::source_location;

    explicit Outcome(std::vector<Event> events) : events_(std::move(events)) {}

    const Outcome& expect(std::initializer_list<std::string_view> lines,
                          Where where = Where::current()) const {
        std::string expected;
        for (const std::string_view line : lines) expected.append(line) += '\n';
        std::string actual;
        for (const Event& event : events_) actual += event_line(event) + '\n';
        if (actual != expected)
            ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
                << "expected:\n"
                << expected << "but was:\n"
                << actual;
        return *this;
    }
    const Outcome& expect_rejected(Reason reason, Where where = Where::current()) const {
        return expect({std::string("rejected ").append(name(reason))}, where);
    }

    [[nodiscard]] const std::vector<Event>& events() const& { return events_; }
    [[nodiscard]] std::vector<Event> events() && { return std::move(events_); }
    [[nodiscard]] Event last() const { return events_.back(); }
    [[nodiscard]] std::size_t count(EventKind kind) const {
        return static_cast<std::size_t>(std::ranges::count(events_, kind, &Event::kind));
    }
    [[nodiscard]] bool rejected() const {
        return events_.size() == 1 && events_[0].kind == EventKind::rejected;
    }
    /// The id of a new order.
    [[nodiscard]] std::uint64_t id() const { return events_.at(0).order_id.value; }

  private:
    std::vector<Event> events_;
};

/// What orders #1, #2, … traded in a command.
[[nodiscard]] inline std::vector<std::int64_t> fills(const Outcome& outcome, std::size_t orders) {
    std::vector<std::int64_t> filled(orders);
    for (const Event& event : outcome.events())
        if (event.kind == EventKind::executed && event.order_id && event.order_id.value <= orders)
            filled.at(event.order_id.value - 1) += event.quantity.value;
    return filled;
}

class Market {
  public:
    static EngineConfig small() {
        EngineConfig config;
        config.maximum_instruments = 4;
        config.maximum_participants = 16;
        config.maximum_orders = 10'000;
        config.maximum_extensions = 1'000;
        config.maximum_accounts = 64;
        config.maximum_levels = 1'000;
        config.maximum_ladder_nodes = 1'000;
        return config;
    }
    static InstrumentDetails stock() { return test_stock(); }

    explicit Market(const EngineConfig& config = small(), const InstrumentDetails& first = stock())
        : config_(config), engine_(config, recorder_), reference_(settings_of(config)) {
        add_instrument(1, first);
    }

    template <class... Terms>
    Outcome buy(ParticipantId who, std::int64_t quantity, const Terms&... terms) {
        return enter(Side::buy, who, quantity, terms...);
    }
    template <class... Terms>
    Outcome sell(ParticipantId who, std::int64_t quantity, const Terms&... terms) {
        return enter(Side::sell, who, quantity, terms...);
    }
    template <class... Terms>
    Outcome cancel(ParticipantId who, std::uint64_t order, const Terms&... terms) {
        return of_order(CommandKind::cancel_order, who, order, 0, terms...);
    }
    template <class... Terms>
    Outcome cancel_part(ParticipantId who, std::uint64_t order, std::int64_t quantity,
                        const Terms&... terms) {
        return of_order(CommandKind::cancel_order, who, order, quantity, terms...);
    }
    /// The price is zero unless given with at().
    template <class... Terms>
    Outcome replace(ParticipantId who, std::uint64_t order, std::int64_t quantity,
                    const Terms&... terms) {
        return of_order(CommandKind::replace_order, who, order, quantity, terms...);
    }
    template <class... Terms>
    Outcome query(ParticipantId who, std::uint64_t order, const Terms&... terms) {
        return of_order(CommandKind::query_order, who, order, 0, terms...);
    }

    Outcome add_instrument(std::uint32_t id, const InstrumentDetails& details) {
        Command command = of_instrument(CommandKind::add_instrument, id);
        command.definition = details;
        return apply(command);
    }
    Outcome add_tick_band(double from, double tick_size, std::uint32_t id = 1) {
        Command command = of_instrument(CommandKind::add_tick_band, id);
        command.tick_band = {terms::price(from), terms::price(tick_size)};
        return apply(command);
    }
    Outcome set_state(TradingState state, std::uint32_t id = 1) {
        Command command = of_instrument(CommandKind::set_trading_state, id);
        command.trading_state = state;
        return apply(command);
    }
    Outcome set_phase(Phase phase, AuctionRule auction = AuctionRule::xetra, bool sealed = false) {
        Command command = of_instrument(CommandKind::set_phase, 1);
        command.phase = {
            .phase = phase, .auction = auction, .sealed = static_cast<std::uint8_t>(sealed)};
        return apply(command);
    }
    Outcome uncross(Phase next = Phase::continuous, UncrossConditions::Bits conditions = 0) {
        Command command = of_instrument(CommandKind::uncross, 1);
        command.phase = {.phase = next, .conditions = conditions};
        return apply(command);
    }
    Outcome set_price_limits(const PriceLimitDetails& limits) {
        Command command = of_instrument(CommandKind::set_price_limits, 1);
        command.price_limits = limits;
        return apply(command);
    }
    Outcome set_price_band(Price lower, Price upper, Price reference = {}) {
        Command command = of_instrument(CommandKind::set_price_band, 1);
        command.price_band = {lower, upper, reference};
        return apply(command);
    }
    Outcome set_allocation(const AllocationDetails& rules, std::uint32_t id = 1) {
        Command command = of_instrument(CommandKind::set_allocation, id);
        command.allocation = rules;
        return apply(command);
    }
    Outcome set_lead_maker(ParticipantId who, std::uint16_t basis_points, std::uint32_t id = 1) {
        Command command = of_instrument(CommandKind::set_lead_maker, id);
        command.participant = who;
        command.lead_maker.basis_points = basis_points;
        return apply(command);
    }
    Outcome set_combination(std::uint32_t id, CombinationKind kind,
                            std::initializer_list<CombinationDetails::Leg> legs) {
        Command command = of_instrument(CommandKind::set_combination, id);
        command.combination.kind = kind;
        std::ranges::copy(legs, command.combination.legs.begin());
        return apply(command);
    }
    Outcome set_state(ParticipantId who, ParticipantState state) {
        Command command = of_participant(CommandKind::set_participant_state, who);
        command.participant_state = state;
        return apply(command);
    }
    Outcome set_limits(ParticipantId who, const LimitDetails& limits) {
        Command command = of_participant(CommandKind::set_limits, who);
        command.limits = limits;
        return apply(command);
    }
    /// Covers all instruments, participants and both sides, unless terms restrict it.
    template <class... Terms>
    Outcome mass_cancel(const Terms&... terms) {
        Command command{};
        command.kind = CommandKind::mass_cancel;
        command.flags = CommandFlags::k_both_sides;
        (terms(command), ...);
        return apply(command);
    }
    Outcome end_day(std::uint32_t id = 0) { return apply(of_instrument(CommandKind::end_day, id)); }
    Outcome tick(std::int64_t time) {
        Command command{};
        command.kind = CommandKind::tick;
        command.timestamp = Timestamp{time};
        return apply(command);
    }

    Outcome apply(const Command& command) {
        const std::uint64_t hash = engine_.state_hash();
        recorder_.events.clear();
        engine_.apply(command);
        Outcome outcome(recorder_.events);
        engine_.check_invariants();
        const bool changed = engine_.state_hash() != hash;
        const bool counts = has_flag(command, CommandFlags::k_number_refused);
        EXPECT_FALSE(outcome.rejected() && changed && !counts) << describe(command);
        if (with_reference_) compare(command, outcome);
        return outcome;
    }

    /// Stops comparing with the reference model, which does not know `levels_full`.
    void leave_reference_out() { with_reference_ = false; }

    /// Best displayed price first, as "300@10.00 (2)".
    [[nodiscard]] std::vector<std::string> depth(Side side, std::uint32_t id = 1) const {
        std::vector<std::string> lines;
        const InstrumentState& in = *engine_.instrument(InstrumentId{id});
        in.book.for_each_level(engine_.store(), side, [&](const DepthLevel& level) {
            lines.push_back(std::to_string(level.quantity.value) + "@" +
                            price_text(in.price_of(level.tick)) + " (" +
                            std::to_string(level.orders) + ")");
            return true;
        });
        return lines;
    }
    [[nodiscard]] std::int64_t position(ParticipantId who, std::uint32_t id = 1) const {
        const Accounts& accounts = engine_.accounts();
        return accounts.account(accounts.find(who, InstrumentId{id})).position.value;
    }
    [[nodiscard]] std::uint64_t state_hash() const { return engine_.state_hash(); }
    [[nodiscard]] const EngineInto<EventRecorder>& engine() const { return engine_; }

  private:
    static reference::Settings settings_of(const EngineConfig& config) {
        return {.ids_in_commands = config.order_id_source == OrderIdSource::command,
                .ids_apart = config.order_id_source == OrderIdSource::engine_apart,
                .maximum_instruments = config.maximum_instruments,
                .maximum_participants = config.maximum_participants,
                .maximum_orders = config.maximum_orders,
                .maximum_extensions = config.maximum_extensions,
                .maximum_accounts = config.maximum_accounts};
    }
    static Command of_instrument(CommandKind kind, std::uint32_t id) {
        Command command{};
        command.kind = kind;
        command.instrument = InstrumentId{id};
        return command;
    }
    static Command of_participant(CommandKind kind, ParticipantId who) {
        Command command{};
        command.kind = kind;
        command.participant = who;
        return command;
    }

    template <class... Terms>
    Outcome enter(Side side, ParticipantId who, std::int64_t quantity, const Terms&... terms) {
        Command command = of_instrument(CommandKind::new_order, 1);
        command.side = side;
        command.order_type = OrderType::market;
        command.participant = who;
        command.quantity = Quantity{quantity};
        (terms(command), ...);
        return apply(command);
    }
    template <class... Terms>
    Outcome of_order(CommandKind kind, ParticipantId who, std::uint64_t order,
                     std::int64_t quantity, const Terms&... terms) {
        Command command = of_instrument(kind, 1);
        command.participant = who;
        command.order_id = OrderId{order};
        command.quantity = Quantity{quantity};
        (terms(command), ...);
        // Only new orders have a type.
        command.order_type = OrderType::limit;
        return apply(command);
    }

    void compare(const Command& command, const Outcome& outcome) {
        std::vector<Event> expected;
        reference_.apply(command, expected);
        EXPECT_EQ(describe(outcome.events()), describe(expected))
            << "engine (first) and reference model differ about " << describe(command);
        EXPECT_TRUE(outcome.events() == expected);
    }

    EngineConfig config_;
    EventRecorder recorder_;
    EngineInto<EventRecorder> engine_;
    reference::ReferenceEngine reference_;
    bool with_reference_ = true;
};

}  // namespace damrak
