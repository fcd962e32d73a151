// Many orders at once, instruments, participants and time (rule book, sections 2 and 11).
#pragma once

#include <damrak/engine/engine.hpp>

namespace damrak {

// In visiting order: `f(index)` until it returns false, which is then returned.
template <class Sink>
template <class F>
bool Engine<Sink>::visit_orders(InstrumentState& in, F&& f) {
    return in.book.for_each_order(store_, Side::buy, f) &&
           in.book.for_each_order(store_, Side::sell, f) && in.stops.for_each(store_, f);
}

// Ends the wanted orders of one or (id zero) all instruments; gives their number. Stops, with more
// left, one event short of the maximum, for the event that tells the number.
template <class Sink>
template <class Wanted>
std::int64_t Engine<Sink>::end_orders(InstrumentId only, EventKind kind, Reason reason,
                                      Wanted&& wanted) {
    std::int64_t count = 0;
    const auto end_wanted = [&](InstrumentState& in) {
        return visit_orders(in, [&](OrderIndex index) {
            if (!wanted(store_.order(index))) return true;
            more_ = events_left() <= 1;
            if (more_) return false;
            end_order(in, index, kind, reason, key_of(store_.order(index)));
            ++count;
            return true;
        });
    };
    if (part_ != nullptr) {
        if (part_->step == Part::Step::orders) end_wanted(*find_instrument(part_->instrument));
        return part_->orders += count;
    }
    if (only) {
        end_wanted(*find_instrument(only));
        return count;
    }
    for (InstrumentState& in : instruments_)
        if (in.exists() && !end_wanted(in)) break;
    return count;
}

// The number of orders that were ended, once all were.
template <class Sink>
void Engine<Sink>::emit_ended(EventKind kind, InstrumentId instrument, ParticipantId participant,
                              std::int64_t count) {
    if (tells(Part::Step::close)) emit_plain(kind, instrument, participant, count, more_);
}

template <class Sink>
Reason Engine<Sink>::mass_cancel(const Command& command) {
    if (command.instrument && find_instrument(command.instrument) == nullptr)
        return Reason::unknown_instrument;
    if (command.participant && !accounts_.is_valid(command.participant))
        return Reason::unknown_participant;
    if ((command.flags & ~CommandFlags::k_both_sides) != 0) return Reason::invalid_flags;
    const bool both = has_flag(command, CommandFlags::k_both_sides);
    if (!both && !is_valid(command.side)) return Reason::invalid_side;
    const std::int64_t count = end_orders(
        command.instrument, EventKind::cancelled, Reason::mass_cancel, [&](const Order& order) {
            return (both || order.terms().side() == command.side) &&
                   (!command.participant || owner_of(order) == command.participant);
        });
    emit_ended(EventKind::mass_cancelled, command.instrument, command.participant, count);
    return Reason::none;
}

template <class Sink>
Reason Engine<Sink>::set_participant_state(const Command& command) {
    if (!accounts_.is_valid(command.participant)) return Reason::unknown_participant;
    if (!is_valid(command.participant_state)) return Reason::invalid_state;
    accounts_.set_state(command.participant, command.participant_state);
    if (tells(Part::Step::open))
        emit_plain(EventKind::participant_state_changed, {}, command.participant,
                   static_cast<std::int64_t>(command.participant_state));
    if (command.participant_state == ParticipantState::active) return Reason::none;
    const std::int64_t count =
        end_orders({}, EventKind::cancelled, Reason::participant_kill,
                   [&](const Order& order) { return owner_of(order) == command.participant; });
    emit_ended(EventKind::mass_cancelled, {}, command.participant, count);
    return Reason::none;
}

template <class Sink>
Reason Engine<Sink>::end_day(const Command& command) {
    if (command.instrument && find_instrument(command.instrument) == nullptr)
        return Reason::unknown_instrument;
    const std::int64_t count = end_orders(
        command.instrument, EventKind::expired, Reason::end_of_day,
        [](const Order& order) { return order.terms().time_in_force() == TimeInForce::day; });
    emit_ended(EventKind::day_ended, command.instrument, {}, count);
    return Reason::none;
}

template <class Sink>
Reason Engine<Sink>::tick(const Command& command) {
    if (!tells(Part::Step::orders)) return Reason::none;
    while (next_expiry() <= command.timestamp && !expiries_.empty()) {
        more_ = events_left() == 0;
        if (more_) break;
        const OrderIndex index = expiries_.first();
        const Order& order = store_.order(index);
        end_order(instrument_of(order), index, EventKind::expired, Reason::good_till_date,
                  key_of(order));
        if (part_ != nullptr) break;  // the next may be another engine's
    }
    return Reason::none;
}

template <class Sink>
Reason Engine<Sink>::add_instrument(const Command& command) {
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

template <class Sink>
Reason Engine<Sink>::add_tick_band(const Command& command) {
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

template <class Sink>
Reason Engine<Sink>::set_trading_state(const Command& command) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (!is_valid(command.trading_state)) return Reason::invalid_state;
    in->state = command.trading_state;
    emit_plain(EventKind::trading_state_changed, command.instrument, {},
               static_cast<std::int64_t>(command.trading_state));
    cascade(*in);
    return Reason::none;
}

template <class Sink>
Reason Engine<Sink>::set_limits(const Command& command) {
    if (!accounts_.is_valid(command.participant)) return Reason::unknown_participant;
    const LimitDetails& limits = command.limits;
    if (limits.order_quantity.value < 0 || limits.order_notional < 0 || limits.open_orders < 0 ||
        limits.open_notional < 0 || limits.position.value < 0)
        return Reason::invalid_limits;
    accounts_.set_limits(command.participant, limits);
    emit_plain(EventKind::limits_set, {}, command.participant, 0);
    return Reason::none;
}

}  // namespace damrak
