// Several engines together doing what one would: see shares.hpp.
#pragma once

#include <limits>

#include <damrak/engine/engine.hpp>

namespace damrak {

template <class Sink>
StateDigest Engine<Sink>::digest() const {
    StateDigest digest{.positions = accounts_.positions_hash(),
                       .rules = accounts_.rules_hash(),
                       .accounts = accounts_.account_count()};
    for (const InstrumentState& in : instruments_)
        if (in.exists()) digest.instruments += in.hash();
    return digest;
}

template <class Sink>
PoolPlaces Engine<Sink>::used() const {
    return {.orders = store_.order_pool.used(),
            .extensions = store_.extension_pool.used(),
            .levels = store_.level_pool.used(),
            .nodes = store_.nodes.pool().used(),
            .accounts = accounts_.account_count()};
}

template <class Sink>
OpenTally Engine<Sink>::open_tally(ParticipantId id) const {
    if (!accounts_.is_valid(id)) return {};
    const Participant& participant = accounts_.participant(id);
    return {.orders = participant.open_orders, .notional = participant.open_notional};
}

template <class Sink>
std::uint32_t Engine<Sink>::waiting_stops() const {
    std::uint32_t count = 0;
    for (const InstrumentState& in : instruments_)
        if (in.exists())
            in.stops.for_each(store_, [&](OrderIndex) {
                ++count;
                return true;
            });
    return count;
}

template <class Sink>
ExpiryQueue::Rank Engine<Sink>::next_expiry_rank() const {
    if (expiries_.empty()) return {{std::numeric_limits<std::int64_t>::max()}, {}, {}};
    return ExpiryQueue::rank(store_, expiries_.first());
}

template <class Sink>
void Engine<Sink>::withhold(const PoolPlaces& places) {
    store_.order_pool.withhold(places.orders);
    store_.extension_pool.withhold(places.extensions);
    store_.level_pool.withhold(places.levels);
    store_.nodes.withhold(places.nodes);
    accounts_.withhold(places.accounts);
}

template <class Sink>
void Engine<Sink>::restore(const PoolPlaces& places) {
    store_.order_pool.restore(places.orders);
    store_.extension_pool.restore(places.extensions);
    store_.level_pool.restore(places.levels);
    store_.nodes.restore(places.nodes);
    accounts_.restore(places.accounts);
}

template <class Sink>
template <class Wanted>
void Engine<Sink>::keep_only(Wanted&& wanted) {
    for (InstrumentState& in : instruments_) {
        if (!in.exists() || wanted(in.id())) continue;
        visit_orders(in, [&](OrderIndex index) {
            unqueue(in, index);
            forget(index, key_of(store_.order(index)));
            return true;
        });
        in = {};
    }
    accounts_.keep_only(wanted);
}

// For the length of the command, the pools are smaller by what others use of them, and the
// participant has open what it has elsewhere.
template <class Sink>
bool Engine<Sink>::apply(const Command& command, const Elsewhere& elsewhere) {
    withhold(elsewhere.used);
    // Of a participant that does not exist nothing is open anywhere.
    const bool counted = accounts_.is_valid(command.participant);
    if (counted) accounts_.participant(command.participant).count_in(elsewhere.open);
    const bool more = apply(command);
    if (counted) accounts_.participant(command.participant).count_out(elsewhere.open);
    restore(elsewhere.used);
    return more;
}

template <class Sink>
bool Engine<Sink>::apply(const Command& command, Part& part) {
    events_ = part.events;
    command_ = command.kind;
    more_ = part.more;
    part_ = &part;
    const Reason reason = dispatch(command, key_of(command));
    if (reason != Reason::none) emit_reject(command, reason);
    part_ = nullptr;
    part.events = events_;
    part.more = more_;
    return reason == Reason::none;
}

}  // namespace damrak
