// Section 11 of the rule book (cancel, replace, query), administrative commands, and section 3 (the
// contents of events).
#include "support/reference/reference_engine.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace damrak::reference {

void ReferenceEngine::apply(const Command& command, std::vector<Event>& events) {
    events.clear();
    events_ = &events;
    current_ = command.kind;
    now_ = command.timestamp;
    if (command.schema_version != k_command_schema_version)
        return reject(command, Reason::unsupported_schema);
    return dispatch(command);
}

void ReferenceEngine::dispatch(const Command& command) {
    switch (command.kind) {
        case CommandKind::new_order:
            return new_order(command);
        case CommandKind::cancel_order:
            return cancel_order(command);
        case CommandKind::replace_order:
            return replace_order(command);
        case CommandKind::mass_cancel:
            return mass_cancel(command);
        case CommandKind::query_order:
            return query_order(command);
        case CommandKind::add_instrument:
            return add_instrument(command);
        case CommandKind::add_tick_band:
            return add_tick_band(command);
        case CommandKind::set_trading_state:
            return set_trading_state(command);
        case CommandKind::set_limits:
            return set_limits(command);
        case CommandKind::set_participant_state:
            return set_participant_state(command);
        case CommandKind::tick:
            return tick(command);
        case CommandKind::end_day:
            return end_day(command);
        case CommandKind::release_participant:
            return release_participant(command);
        case CommandKind::recorded_trade:
            return recorded_trade(command);
        case CommandKind::set_phase:
            return set_phase(command);
        case CommandKind::uncross:
            return uncross(command);
        case CommandKind::set_allocation:
            return set_allocation(command);
        case CommandKind::set_lead_maker:
            return set_lead_maker(command);
        case CommandKind::set_capacities:  // tested separately: the model stores no levels
        case CommandKind::set_price_limits:
            return set_price_limits(command);
        case CommandKind::set_price_band:
            return set_price_band(command);
        case CommandKind::bust_trade:
        case CommandKind::correct_trade:
            return change_trade(command);
        case CommandKind::set_combination:
            return set_combination(command);
        case CommandKind::quote:
            return quote(command);
        case CommandKind::set_quote_protection:
            return set_quote_protection(command);
        case CommandKind::session_opened:
        case CommandKind::session_closed:
        case CommandKind::day_opened:
        case CommandKind::day_closed:
        case CommandKind::breaker_levels:
        case CommandKind::none:
            break;
    }
    return reject(command, Reason::unknown_command);
}

/// Section 2: the fields that a reject repeats.
void ReferenceEngine::reject(const Command& command, Reason reason) {
    events_->push_back({.kind = EventKind::rejected,
                        .command = command.kind,
                        .side = command.side,
                        .order_type = command.order_type,
                        .time_in_force = command.time_in_force,
                        .reason = reason,
                        .instrument = command.instrument,
                        .participant = command.participant,
                        .order_id = command.order_id,
                        .reference = command.client_order_id.value,
                        .price = command.price,
                        .quantity = command.quantity});
    if (command.kind == CommandKind::new_order &&
        has_flag(command, CommandFlags::k_number_refused) && knows(command.instrument) &&
        !settings_.ids_in_commands) {
        Instrument& market = state_.instruments.at(command.instrument);
        ++(settings_.ids_apart ? market.private_order_numbers : market.order_numbers);
    }
}

/// Section 3: the caller has set the fields specific to the event.
void ReferenceEngine::emit(const Event& particular, const Order& order) {
    Event event = particular;
    const bool open = order.open.value > 0;
    const bool on_book = open && order.place == Place::book;
    const bool waits = open && (order.place == Place::pending || order.place == Place::elected ||
                                order.place == Place::waiting);
    event.command = current_;
    event.side = order.side;
    event.order_type = order.type;
    event.time_in_force = order.time_in_force;
    if (on_book) event.flags |= EventFlags::k_on_book;
    if (waits) event.flags |= EventFlags::k_waiting;
    if (order.hidden || order.held || order.aside || order.sealed)
        event.flags |= EventFlags::k_hidden;
    if (on_book && order.held) event.flags |= EventFlags::k_held;
    event.instrument = order.instrument;
    event.participant = order.participant;
    if (!event.order_id) event.order_id = order.id;
    if (event.kind != EventKind::executed) event.price = order.price;
    event.remaining = order.open;
    event.displayed = displayed(order);
    events_->push_back(event);
}

void ReferenceEngine::emit_notice(const Command& command, EventKind kind, std::int64_t quantity,
                                  std::int64_t remaining) {
    Event event{};
    event.kind = kind;
    event.command = command.kind;
    event.instrument = command.instrument;
    event.participant = command.participant;
    event.quantity = Quantity{quantity};
    event.remaining = Quantity{remaining};
    events_->push_back(event);
}

/// Section 11: takes from the reserve of an iceberg first.
void ReferenceEngine::take_away(Order& order, Quantity quantity, Reason reason, EventKind kind) {
    order.open -= quantity;
    order.slice = std::min(order.slice, order.open);
    Event event{};
    event.kind = kind;
    event.reason = reason;
    event.quantity = quantity;
    emit(event, order);
    if (order.open.value == 0) end_link(order, false);
}

void ReferenceEngine::new_order(const Command& command) {
    if (const Reason r = check_new_order(command); r != Reason::none) return reject(command, r);
    if (const Reason r = find_other(command); r != Reason::none) return reject(command, r);
    Instrument& market = instrument(command.instrument);
    Order order;
    order.instrument = command.instrument;
    order.participant = command.participant;
    order.side = command.side;
    order.type = command.order_type;
    order.time_in_force = command.time_in_force;
    order.self_trade_prevention = command.self_trade_prevention;
    order.hidden = has_flag(command, CommandFlags::k_hidden);
    order.post_only = has_flag(command, CommandFlags::k_post_only);
    order.post_only_reprice = has_flag(command, CommandFlags::k_post_only_reprice);
    order.price = command.price;
    order.stop_price = command.order.stop_price;
    order.open = command.quantity;
    order.display = command.order.display_quantity;
    order.minimum = command.order.minimum_quantity;
    order.expire_time = command.order.expire_time;
    order.imbalance_only = has_flag(command, CommandFlags::k_imbalance_only);
    if (has_flag(command, CommandFlags::k_linked)) {
        const bool waits = command.order.contingency == Contingency::one_triggers_other;
        order.link = waits ? Link::waits : Link::cancels;
        order.other = command.new_order_id;
    }
    if (has_flag(command, CommandFlags::k_pegged)) {
        order.type = OrderType::limit;
        order.peg = command.order.peg;
        order.peg_offset = command.order.offset;
        order.peg_limit = command.price;
        if (const Reason r = peg(order); r != Reason::none) return reject(command, r);
    }
    order.to_limit = has_flag(command, CommandFlags::k_to_limit);
    order.is_private =
        settings_.ids_apart &&
        ((command.order_type != OrderType::limit && order.peg == PegReference::none) ||
         is_immediate(command.time_in_force) || is_for_auctions(command.time_in_force) ||
         order.hidden || order.minimum.value > 0 || order.link == Link::waits);
    if (has_flag(command, CommandFlags::k_trailing)) order.trail = command.order.offset;
    if (const Reason r = set_first_price(order); r != Reason::none) return reject(command, r);
    if (const Reason r = set_first_stop(order); r != Reason::none) return reject(command, r);
    if (const Reason r = check_limits(order, nullptr); r != Reason::none) return reject(command, r);
    if (const Reason r = check_capacity(order); r != Reason::none) return reject(command, r);
    if (const Reason r = check_post_only(order); r != Reason::none) return reject(command, r);
    if (const Reason r = check_price_limits(order); r != Reason::none) return reject(command, r);

    Announcement announcement{.kind = EventKind::accepted,
                              .reference = command.client_order_id.value,
                              .quantity = command.quantity};
    if (order.post_only_reprice && would_meet_any(order)) {
        order.price = price_behind(order);
        announcement.flags = EventFlags::k_repriced;
        if (const Reason r = check_limits(order, nullptr); r != Reason::none)
            return reject(command, r);
    }
    order.id = settings_.ids_in_commands ? command.order_id : next_id(order);
    order.public_id = order.id.value;
    if (order.peg != PegReference::none) add_peg(market, order.id);
    if (order.link != Link::none) link(order);
    market.had_orders = true;
    state_.accounts.try_emplace({order.instrument, order.participant});
    enter_or_wait(order, announcement);
    cascade(command.instrument);
}

/// Section 1: displayed orders, and all others, are counted apart.
OrderId ReferenceEngine::next_id(const Order& order) {
    Instrument& market = instrument(order.instrument);
    constexpr std::uint64_t k_undisplayed = std::uint64_t{1} << 39U;
    return {allocated_id(order.instrument, order.is_private
                                               ? k_undisplayed + ++market.private_order_numbers
                                               : ++market.order_numbers)};
}

/// Section 3: it is displayed from now on, under a public id that `rested` tells.
bool ReferenceEngine::comes_into_sight(const Order& order) {
    return order.is_private && !order.hidden && !order.held && !order.aside && !order.sealed;
}

std::uint64_t ReferenceEngine::next_public_id(const Order& order) {
    return allocated_id(order.instrument, ++instrument(order.instrument).order_numbers);
}

void ReferenceEngine::cancel_order(const Command& command) {
    if (const Reason r = check_cancel(command); r != Reason::none) return reject(command, r);
    const Found found = *find(instrument(command.instrument), command.order_id);
    Order& order = *found.at;
    const bool all = command.quantity.value == 0 || command.quantity >= order.open;
    take_away(order, all ? order.open : command.quantity, Reason::requested);
    if (all) found.queue->erase(found.at);
    remove_empty_levels(instrument(command.instrument));
    cascade(command.instrument);
}

void ReferenceEngine::replace_order(const Command& command) {
    if (const Reason r = check_replace(command); r != Reason::none) return reject(command, r);
    Instrument& market = instrument(command.instrument);
    const Found found = *find(market, command.order_id);
    const bool total = has_flag(command, CommandFlags::k_quantity_is_total);
    Order fresh = *found.at;
    fresh.place = Place::incoming;
    if (is_for_auctions(fresh.time_in_force)) fresh.hidden = false;
    fresh.open = total ? command.quantity - fresh.executed : command.quantity;
    fresh.price = command.price;
    const bool keeps_stop = fresh.trail.value != 0 && command.order.stop_price.value == 0;
    if (!keeps_stop) fresh.stop_price = command.order.stop_price;
    const bool pegged = fresh.peg != PegReference::none;
    const bool in_place = fresh.price == (pegged ? fresh.peg_limit : found.at->price) &&
                          fresh.stop_price == found.at->stop_price &&
                          fresh.open <= found.at->open &&
                          !has_flag(command, CommandFlags::k_lose_priority);
    if (const Reason r = check_limits(fresh, &*found.at); r != Reason::none)
        return reject(command, r);
    if (const Reason r = check_change(*found.at, command.price); r != Reason::none)
        return reject(command, r);
    if (pegged && !in_place) {
        fresh.peg_limit = command.price;
        if (const Reason r = peg(fresh); r != Reason::none) return reject(command, r);
    }
    if (in_place) {
        replace_in_place(*found.at, fresh.open);
    } else {
        if (market.sealed && fresh.hidden) return reject(command, Reason::not_in_phase);
        if (const Reason r = check_post_only(fresh); r != Reason::none) return reject(command, r);
        if (const Reason r = check_price_limits(fresh); r != Reason::none)
            return reject(command, r);
        const bool repriced = fresh.post_only_reprice && would_meet_any(fresh);
        if (repriced) {
            fresh.price = price_behind(fresh);
            if (const Reason r = check_limits(fresh, &*found.at); r != Reason::none)
                return reject(command, r);
        }
        found.queue->erase(found.at);
        remove_empty_levels(market);
        replace_anew(fresh, command, repriced);
    }
    cascade(command.instrument);
}

void ReferenceEngine::replace_in_place(Order& order, Quantity open) {
    order.open = open;
    order.slice = std::min(order.slice, order.open);
    Event event{};
    event.kind = EventKind::replaced;
    event.reference = order.id.value;
    emit(event, order);
}

void ReferenceEngine::replace_anew(Order fresh, const Command& command, bool repriced) {
    Announcement announcement{.kind = EventKind::replaced, .order_id = fresh.id};
    if (repriced || fresh.peg != PegReference{}) announcement.flags = EventFlags::k_repriced;
    Instrument& market = instrument(command.instrument);
    fresh.id = command.new_order_id ? command.new_order_id : next_id(fresh);
    fresh.public_id = fresh.id.value;
    rename_follower(market, announcement.order_id, fresh.id);
    if (fresh.link != Link::none) find(market, fresh.other)->at->other = fresh.id;
    fresh.minimum = std::min(fresh.minimum, fresh.open);
    fresh.held = false;
    fresh.aside = false;
    fresh.sealed = false;
    announcement.reference = fresh.id.value;
    enter_or_wait(fresh, announcement);
}

void ReferenceEngine::query_order(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    if (const Reason r = check_target(command); r != Reason::none) return reject(command, r);
    const Order& order = *find(instrument(command.instrument), command.order_id)->at;
    Event event{};
    event.kind = EventKind::order_status;
    event.reference = command.client_order_id.value;
    event.quantity = order.executed;
    emit(event, order);
}

std::int64_t ReferenceEngine::end_orders(const Command& scope, EventKind kind, Reason reason,
                                         const std::function<bool(const Order&)>& wanted) {
    std::int64_t ended = 0;
    for (auto& [id, market] : state_.instruments) {
        if (scope.instrument && id != scope.instrument) continue;
        std::vector<OrderId> chosen;
        visit(market, [&](const Order& order) {
            if (wanted(order)) chosen.push_back(order.id);
            return true;
        });
        for (const OrderId order_id : chosen) {
            const Found found = *find(market, order_id);
            take_away(*found.at, found.at->open, reason, kind);
            found.queue->erase(found.at);
            ++ended;
        }
        remove_empty_levels(market);
        cascade(id);
    }
    return ended;
}

void ReferenceEngine::mass_cancel(const Command& command) {
    if (const Reason r = check_mass_cancel(command); r != Reason::none) return reject(command, r);
    const bool both = has_flag(command, CommandFlags::k_both_sides);
    const std::int64_t ended =
        end_orders(command, EventKind::cancelled, Reason::mass_cancel, [&](const Order& order) {
            return (!command.participant || order.participant == command.participant) &&
                   (both || order.side == command.side);
        });
    emit_notice(command, EventKind::mass_cancelled, ended);
}

void ReferenceEngine::tick(const Command& command) {
    std::vector<std::tuple<Timestamp, InstrumentId, OrderId>> due;
    for (const auto& [id, market] : state_.instruments) {
        visit(market, [&](const Order& order) {
            if (order.time_in_force == TimeInForce::gtd && order.expire_time <= command.timestamp)
                due.emplace_back(order.expire_time, order.instrument, order.id);
            return true;
        });
    }
    std::ranges::sort(due);
    for (const auto& [expiry, instrument_id, order_id] : due) {
        const auto found = find(instrument(instrument_id), order_id);
        if (!found) continue;  // traded in a turn that an earlier expiry caused
        take_away(*found->at, found->at->open, Reason::good_till_date, EventKind::expired);
        found->queue->erase(found->at);
        remove_empty_levels(instrument(instrument_id));
        cascade(instrument_id);
    }
}

}  // namespace damrak::reference
