#include <damrak/engine/detail/end_orders.hpp>

#include <tuple>

#include <damrak/engine/detail/bust.hpp>
#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

namespace {

// Ends the wanted orders of an instrument. False if the slice has room only for the final event
// with their number; the next slice continues in this instrument.
template <class Wanted>
bool end_orders_in(EngineState& engine, InstrumentState& in, const Ending& ending,
                   Wanted&& wanted) {
    return visit_orders(engine, in, [&](OrderIndex index) {
        if (!wanted(engine.store.order(index))) return true;
        if (engine.events_left() <= 1) {
            engine.suspend(Work::orders, in);
            return false;
        }
        end_order(engine, in, index, ending.kind, ending.reason,
                  engine.key_of(engine.store.order(index)));
        ++(engine.progress.in_steps != nullptr ? engine.progress.in_steps->orders
                                               : engine.progress.suspended.ended);
        return true;
    });
}

// The same for one or (id zero) all instruments, from the one where the last slice stopped.
template <class Wanted>
void end_orders(EngineState& engine, const Ending& ending, Wanted&& wanted) {
    const auto end_in = [&](InstrumentState& in) {
        return end_orders_in(engine, in, ending, wanted) &&
               release_stopped(engine, in, Work::orders);
    };
    if (engine.progress.in_steps != nullptr) {
        if (engine.progress.in_steps->step == CommandInSteps::Step::orders)
            std::ignore = end_in(*engine.find_instrument(engine.progress.in_steps->instrument));
    } else if (ending.only) {
        std::ignore = end_in(*engine.find_instrument(ending.only));
    } else {
        for (InstrumentState*& in = engine.progress.suspended.ending;
             in != engine.instruments.data() + engine.instruments.size(); ++in)
            if (in->exists() && !end_in(*in)) break;
    }
}

// Starts a command that ends many orders.
void begin_ending(EngineState& engine, const Command& command) {
    engine.progress.suspended.command = command;
    engine.progress.suspended.ending = engine.instruments.data();
    engine.progress.suspended.ended = 0;
    go_on_ending(engine);
}

}  // namespace

void go_on_ending(EngineState& engine) {
    const Command& command = engine.progress.suspended.command;
    EventKind closing = EventKind::mass_cancelled;
    InstrumentId instrument = command.instrument;
    if (command.kind == CommandKind::mass_cancel) {
        const bool both = has_flag(command, CommandFlags::k_both_sides);
        end_orders(
            engine, {EventKind::cancelled, Reason::mass_cancel, instrument},
            [&](const Order& order) {
                return (both || order.terms().side() == command.side) &&
                       (!command.participant || engine.owner_of(order) == command.participant);
            });
    } else if (command.kind == CommandKind::set_participant_state) {
        instrument = {};
        end_orders(
            engine, {EventKind::cancelled, Reason::participant_kill, instrument},
            [&](const Order& order) { return engine.owner_of(order) == command.participant; });
    } else {
        closing = EventKind::day_ended;
        const bool of_anonymous = has_flag(command, CommandFlags::k_all_of_anonymous);
        end_orders(engine, {EventKind::expired, Reason::end_of_day, instrument},
                   [&](const Order& order) {
                       const TimeInForce tif = order.terms().time_in_force();
                       return tif == TimeInForce::day || is_for_auctions(tif) ||
                              (of_anonymous &&
                               !engine.accounts.participant(engine.owner_of(order)).configured);
                   });
    }
    if (engine.progress.work != Work::none || !engine.tells(CommandInSteps::Step::close)) return;
    const bool of_participant = command.kind != CommandKind::end_day;
    emit_plain(engine, closing, instrument, of_participant ? command.participant : ParticipantId{},
               engine.progress.in_steps != nullptr ? engine.progress.in_steps->orders
                                                   : engine.progress.suspended.ended);
}

Reason mass_cancel(EngineState& engine, const Command& command) {
    if (command.instrument && engine.find_instrument(command.instrument) == nullptr)
        return Reason::unknown_instrument;
    if (command.participant && !engine.accounts.is_valid(command.participant))
        return Reason::unknown_participant;
    if ((command.flags & ~CommandFlags::k_both_sides) != 0) return Reason::invalid_flags;
    if (!has_flag(command, CommandFlags::k_both_sides) && !is_valid(command.side))
        return Reason::invalid_side;
    begin_ending(engine, command);
    return Reason::none;
}

Reason set_participant_state(EngineState& engine, const Command& command) {
    if (!engine.accounts.is_valid(command.participant)) return Reason::unknown_participant;
    if (!is_valid(command.participant_state)) return Reason::invalid_state;
    engine.accounts.set_state(command.participant, command.participant_state);
    if (engine.tells(CommandInSteps::Step::open))
        emit_plain(engine, EventKind::participant_state_changed, {}, command.participant,
                   static_cast<std::int64_t>(command.participant_state));
    if (command.participant_state == ParticipantState::blocked) begin_ending(engine, command);
    return Reason::none;
}

Reason end_day(EngineState& engine, const Command& command) {
    if (command.instrument && engine.find_instrument(command.instrument) == nullptr)
        return Reason::unknown_instrument;
    if ((command.flags & ~CommandFlags::k_all_of_anonymous) != 0) return Reason::invalid_flags;
    settle_trades(engine, command);
    begin_ending(engine, command);
    return Reason::none;
}

}  // namespace damrak::detail
