// Many orders at once, instruments, participants and time (rule book, sections 2 and 11).
#pragma once

#include <tuple>

#include <damrak/engine/engine.hpp>

namespace damrak {

// In visiting order: `f(index)` until it returns false, which is then returned.
template <class F>
bool Engine::visit_orders(InstrumentState& in, F&& f) {
    return in.book.for_each_order(store_, Side::buy, f) &&
           in.book.for_each_order(store_, Side::sell, f) && in.stops.for_each(store_, f);
}

// Ends the wanted orders of an instrument. False: the slice is full but for the event that tells
// their number at last; the next one goes on in this instrument.
template <class Wanted>
bool Engine::end_orders_in(InstrumentState& in, const Ending& ending, Wanted&& wanted) {
    return visit_orders(in, [&](OrderIndex index) {
        if (!wanted(store_.order(index))) return true;
        if (events_left() <= 1) {
            left_work_ = bounded();
            if (!bounded()) suspend(Work::orders, in);
            return false;
        }
        end_order(in, index, ending.kind, ending.reason, key_of(store_.order(index)));
        ++(in_steps_ != nullptr ? in_steps_->orders : suspended_.ended);
        return true;
    });
}

// The same in one or (id zero) all instruments, from the one where the last slice stopped.
template <class Wanted>
void Engine::end_orders(const Ending& ending, Wanted&& wanted) {
    const auto end_in = [&](InstrumentState& in) {
        return end_orders_in(in, ending, wanted) && release_stopped(in, Work::orders);
    };
    if (in_steps_ != nullptr) {
        if (in_steps_->step == CommandInSteps::Step::orders)
            std::ignore = end_in(*find_instrument(in_steps_->instrument));
    } else if (ending.only) {
        std::ignore = end_in(*find_instrument(ending.only));
    } else {
        for (InstrumentState* in = suspended_.in; in != instruments_.data() + instruments_.size();
             ++in)
            if (in->exists() && !end_in(*in)) break;
    }
}

// A command that ends many orders, from its beginning.
inline void Engine::begin_ending(const Command& command) {
    suspended_.command = command;
    suspended_.in = instruments_.data();
    suspended_.ended = 0;
    go_on_ending();
}

inline void Engine::go_on_ending() {
    const Command& command = suspended_.command;
    EventKind closing = EventKind::mass_cancelled;
    InstrumentId instrument = command.instrument;
    if (command.kind == CommandKind::mass_cancel) {
        const bool both = has_flag(command, CommandFlags::k_both_sides);
        end_orders({EventKind::cancelled, Reason::mass_cancel, instrument},
                   [&](const Order& order) {
                       return (both || order.terms().side() == command.side) &&
                              (!command.participant || owner_of(order) == command.participant);
                   });
    } else if (command.kind == CommandKind::set_participant_state) {
        instrument = {};
        end_orders({EventKind::cancelled, Reason::participant_kill, instrument},
                   [&](const Order& order) { return owner_of(order) == command.participant; });
    } else {
        closing = EventKind::day_ended;
        end_orders({EventKind::expired, Reason::end_of_day, instrument}, [](const Order& order) {
            return order.terms().time_in_force() == TimeInForce::day;
        });
    }
    if (work_ != Work::none || !tells(CommandInSteps::Step::close)) return;
    const bool of_participant = command.kind != CommandKind::end_day;
    emit_plain(closing, instrument, of_participant ? command.participant : ParticipantId{},
               in_steps_ != nullptr ? in_steps_->orders : suspended_.ended, left_work_);
}

inline Reason Engine::mass_cancel(const Command& command) {
    if (command.instrument && find_instrument(command.instrument) == nullptr)
        return Reason::unknown_instrument;
    if (command.participant && !accounts_.is_valid(command.participant))
        return Reason::unknown_participant;
    if ((command.flags & ~CommandFlags::k_both_sides) != 0) return Reason::invalid_flags;
    if (!has_flag(command, CommandFlags::k_both_sides) && !is_valid(command.side))
        return Reason::invalid_side;
    begin_ending(command);
    return Reason::none;
}

inline Reason Engine::set_participant_state(const Command& command) {
    if (!accounts_.is_valid(command.participant)) return Reason::unknown_participant;
    if (!is_valid(command.participant_state)) return Reason::invalid_state;
    accounts_.set_state(command.participant, command.participant_state);
    if (tells(CommandInSteps::Step::open))
        emit_plain(EventKind::participant_state_changed, {}, command.participant,
                   static_cast<std::int64_t>(command.participant_state));
    if (command.participant_state == ParticipantState::blocked) begin_ending(command);
    return Reason::none;
}

inline Reason Engine::end_day(const Command& command) {
    if (command.instrument && find_instrument(command.instrument) == nullptr)
        return Reason::unknown_instrument;
    begin_ending(command);
    return Reason::none;
}

inline Reason Engine::tick(const Command& command) {
    suspended_.command = command;
    if (tells(CommandInSteps::Step::orders)) expire();
    return Reason::none;
}

inline void Engine::expire() {
    while (next_expiry() <= suspended_.command.timestamp && !expiries_.empty()) {
        const OrderIndex index = expiries_.first();
        const Order& order = store_.order(index);
        InstrumentState& in = instrument_of(order);
        if (events_left() == 0) {
            left_work_ = bounded();
            if (!bounded()) suspend(Work::expiry, in);
            return;
        }
        end_order(in, index, EventKind::expired, Reason::good_till_date, key_of(order));
        if (!release_stopped(in, Work::expiry)) return;
        if (in_steps_ != nullptr) return;  // the next may be another engine's
    }
}

inline Reason Engine::add_instrument(const Command& command) {
    const std::size_t index = command.instrument.value - 1U;
    if (index >= instruments_.size()) return Reason::invalid_instrument;
    if (instruments_[index].exists()) return Reason::duplicate_instrument;
    const InstrumentDetails& details = command.definition;
    InstrumentDefinition definition;
    definition.id = command.instrument;
    definition.symbol = details.symbol;
    definition.tick_bands[0] = {Price{0}, details.tick_size};
    definition.price_decimals = details.price_decimals;
    definition.policy = details.policy;
    definition.unpublished = details.unpublished != 0;
    definition.shard_group = details.shard_group;
    definition.lot_size = details.lot_size;
    definition.maximum_price = details.maximum_price;
    definition.maximum_quantity = details.maximum_quantity;
    if (const Reason reason = definition.check(); reason != Reason::none) return reason;
    instruments_[index].define(definition);
    emit_plain(EventKind::instrument_added, command.instrument, {}, 0);
    return Reason::none;
}

inline Reason Engine::add_tick_band(const Command& command) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (in->ever_used) return Reason::instrument_in_use;
    InstrumentDefinition definition = in->definition();
    if (const Reason reason = definition.add_band(command.tick_band); reason != Reason::none)
        return reason;
    in->define(definition);
    emit_plain(EventKind::tick_band_added, command.instrument, {}, 0);
    return Reason::none;
}

inline Reason Engine::set_trading_state(const Command& command) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (!is_valid(command.trading_state)) return Reason::invalid_state;
    in->state = command.trading_state;
    emit_plain(EventKind::trading_state_changed, command.instrument, {},
               static_cast<std::int64_t>(command.trading_state));
    cascade(*in);
    return Reason::none;
}

inline Reason Engine::set_limits(const Command& command) {
    // Before version 2 nobody stood for all.
    if (command.participant || bounded())
        if (!accounts_.is_valid(command.participant)) return Reason::unknown_participant;
    const LimitDetails& limits = command.limits;
    if (limits.order_quantity.value < 0 || limits.order_notional < 0 || limits.open_orders < 0 ||
        limits.open_notional < 0 || limits.position.value < 0)
        return Reason::invalid_limits;
    if ((command.flags & ~CommandFlags::k_default_limits) != 0 && !bounded())
        return Reason::invalid_flags;
    const bool own = !has_flag(command, CommandFlags::k_default_limits);
    accounts_.set_limits(command.participant, own ? limits : LimitDetails{}, own);
    emit_plain(EventKind::limits_set, {}, command.participant, 0);
    return Reason::none;
}

inline Reason Engine::release_participant(const Command& command) {
    if (!accounts_.is_valid(command.participant)) return Reason::unknown_participant;
    if ((command.flags & ~CommandFlags::k_write_off) != 0) return Reason::invalid_flags;
    const Participant& participant = accounts_.participant(command.participant);
    Holding held = holding(command.participant);
    if (lent_) held.add(lent_->others.holding);
    if (participant.configured || participant.state != ParticipantState::active ||
        participant.open_orders > 0 ||
        (held.positions > 0 && !has_flag(command, CommandFlags::k_write_off)))
        return Reason::participant_in_use;
    release(command.participant);
    emit({.kind = EventKind::participant_released,
          .command = command_,
          .participant = command.participant,
          .reference = participant.generation,
          .quantity = Quantity{held.accounts},
          .remaining = Quantity{held.positions}});
    return Reason::none;
}

inline Reason Engine::set_capacities(const Command& command) {
    const CapacityDetails& wanted = command.capacities;
    if (!config_.with(wanted).has_room_of(config_) || wanted.anonymous_share < 1 ||
        wanted.anonymous_share > 100)
        return Reason::invalid_capacity;
    if (config_.with(wanted) != config_) grow(wanted);
    keep_free(wanted.anonymous_share);
    emit_plain(EventKind::capacities_set, {}, {}, 0);
    return Reason::none;
}

}  // namespace damrak
