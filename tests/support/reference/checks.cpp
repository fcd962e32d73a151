// Section 2 (checks), 8 (post-only) and 9 (participants and their limits) of the rule book.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

/// Sums of section 9 may exceed 64 bits; they are then above any limit.
__extension__ using Wide = __int128;

/// Whether its price, or stop price, follows the market.
bool follows(const Order& order) {
    return order.peg != PegReference::none || order.trail.value != 0;
}

}  // namespace

bool ReferenceEngine::knows(ParticipantId id) const {
    return id.value != 0 && id.value <= settings_.maximum_participants;
}

Reason ReferenceEngine::check_new_order(const Command& command) {
    if (const Reason r = check_terms(command); r != Reason::none) return r;
    Instrument& target = instrument(command.instrument);
    if (const Reason r = check_quantity(target, command.quantity); r != Reason::none) return r;
    const bool trails = has_flag(command, CommandFlags::k_trailing);
    if (const Reason r = check_prices(target, command.order_type, command.price,
                                      command.order.stop_price, trails);
        r != Reason::none)
        return r;
    if (const Reason r = check_auction_terms(command); r != Reason::none) return r;
    if (const Reason r = check_attributes(target, command); r != Reason::none) return r;
    if (const Reason r = check_peg(command); r != Reason::none) return r;
    if (const Reason r = check_to_limit(command); r != Reason::none) return r;
    if (const Reason r = check_trail(command); r != Reason::none) return r;
    if (const Reason r = check_link(command); r != Reason::none) return r;
    const bool is_basket =
        target.combination && target.combination->kind == CombinationKind::basket;
    if (is_basket &&
        !(command.order_type == OrderType::limit && command.time_in_force == TimeInForce::fok &&
          (command.flags & ~CommandFlags::k_number_refused) == 0 &&
          command.order.minimum_quantity.value == 0))
        return Reason::not_tradable;
    if (settings_.ids_in_commands != (command.order_id.value != 0)) return Reason::invalid_order_id;
    if (settings_.ids_in_commands && find(target, command.order_id))
        return Reason::duplicate_order_id;
    return Reason::none;
}

/// new_order 1 and 2.
Reason ReferenceEngine::check_terms(const Command& command) const {
    if (!knows(command.instrument)) return Reason::unknown_instrument;
    if (!is_valid(command.side)) return Reason::invalid_side;
    if (!is_valid(command.order_type)) return Reason::invalid_order_type;
    if (!is_valid(command.time_in_force)) return Reason::invalid_time_in_force;
    if (!is_valid(command.self_trade_prevention)) return Reason::invalid_self_trade_prevention;
    if ((command.flags & ~CommandFlags::k_new_order_bits) != 0) return Reason::invalid_flags;
    if (!knows(command.participant)) return Reason::unknown_participant;
    const auto participant = state_.participants.find(command.participant);
    if (participant != state_.participants.end() &&
        participant->second.state == ParticipantState::blocked)
        return Reason::participant_blocked;
    const Instrument& target = instrument(command.instrument);
    if (const Reason r = check_phase(target, command); r != Reason::none) return r;
    return check_auction_phase(target, command);
}

/// docs/rule-book/phases.md.
Reason ReferenceEngine::check_phase(const Instrument& target, const Command& command) const {
    if (target.state == TradingState::halted) return Reason::instrument_halted;
    if (!target.collects()) return Reason::none;
    if (target.phase == Phase::closed) return Reason::not_in_phase;
    const bool is_new = command.kind == CommandKind::new_order;
    const bool conditional = command.order.minimum_quantity.value != 0;
    const bool for_a_batch = target.sealed && command.time_in_force == TimeInForce::ioc &&
                             !conditional && !is_stop(command.order_type);
    if (is_new && is_immediate(command.time_in_force) && !for_a_batch) return Reason::not_in_phase;
    if (is_new && command.order_type == OrderType::market && conditional)
        return Reason::not_in_phase;
    if (is_new && target.sealed && has_flag(command, CommandFlags::k_hidden))
        return Reason::not_in_phase;
    return command.kind == CommandKind::recorded_trade ? Reason::not_in_phase : Reason::none;
}

/// new_order 3.
Reason ReferenceEngine::check_quantity(const Instrument& target, Quantity quantity) const {
    if (quantity.value <= 0) return Reason::invalid_quantity;
    if (quantity > target.definition.maximum_quantity) return Reason::quantity_too_large;
    if (quantity.value % target.definition.lot_size.value != 0) return Reason::quantity_off_lot;
    return Reason::none;
}

Reason ReferenceEngine::check_price(const Instrument& target, Price price,
                                    Reason if_not_positive) const {
    const std::int64_t minimum = target.definition.minimum_price().value;
    if (minimum == 0 && price.value <= 0) return if_not_positive;
    if (minimum < 0 && price.value <= minimum - target.definition.common_tick().value)
        return Reason::price_too_low;
    if (price > target.definition.maximum_price) return Reason::price_too_large;
    if (!target.definition.on_tick(price)) return Reason::price_off_tick;
    return Reason::none;
}

/// new_order 4 and 5.
Reason ReferenceEngine::check_prices(const Instrument& target, OrderType type, Price price,
                                     Price stop_price, bool trails) const {
    if (!has_limit(type) && price.value != 0) return Reason::invalid_price;
    if (has_limit(type)) {
        if (const Reason r = check_price(target, price, Reason::invalid_price); r != Reason::none)
            return r;
    }
    if (is_stop(type) && trails && stop_price.value == 0) return Reason::none;
    if (is_stop(type)) return check_price(target, stop_price, Reason::invalid_stop_price);
    return stop_price.value != 0 ? Reason::invalid_stop_price : Reason::none;
}

/// new_order 7: at most a thousand slices.
bool ReferenceEngine::may_show(Quantity display, Quantity quantity) {
    return display.value == 0 || (quantity.value - 1) / display.value < 1'000;
}

/// new_order 6 to 8.
Reason ReferenceEngine::check_attributes(const Instrument& target, const Command& command) const {
    const bool hidden = has_flag(command, CommandFlags::k_hidden);
    const bool reject = has_flag(command, CommandFlags::k_post_only);
    const bool reprice = has_flag(command, CommandFlags::k_post_only_reprice);
    const Quantity display = command.order.display_quantity;
    const Quantity minimum = command.order.minimum_quantity;
    const bool pegged = has_flag(command, CommandFlags::k_pegged);
    const bool can_stay =
        (command.order_type == OrderType::limit || pegged) && !is_immediate(command.time_in_force);
    if (reject && reprice) return Reason::invalid_combination;
    if ((hidden || reject || reprice || display.value != 0) && !can_stay)
        return Reason::invalid_combination;
    if (hidden && display.value != 0) return Reason::invalid_combination;
    if (minimum.value != 0 &&
        (is_stop(command.order_type) || command.time_in_force == TimeInForce::fok ||
         display.value != 0 || reject || reprice))
        return Reason::invalid_combination;
    if (display.value < 0 || display > command.quantity ||
        display.value % target.definition.lot_size.value != 0 ||
        !may_show(display, command.quantity))
        return Reason::invalid_display_quantity;
    if (minimum.value < 0 || minimum > command.quantity) return Reason::invalid_minimum_quantity;
    const bool expires = command.time_in_force == TimeInForce::gtd;
    if (expires ? command.order.expire_time <= command.timestamp
                : command.order.expire_time.value != 0)
        return Reason::invalid_expire_time;
    return Reason::none;
}

/// new_order 11.
Reason ReferenceEngine::check_capacity(const Order& order) {
    if (state_.count_orders([](const Order&) { return true; }) >= settings_.maximum_orders)
        return Reason::orders_full;
    std::size_t extensions = is_extended(order) ? 1 : 0;
    if (order.link != Link::none)
        extensions += is_extended(*find(instrument(order.instrument), order.other)->at) ? 0U : 1U;
    if (extensions > 0 &&
        state_.count_orders(is_extended) + extensions > settings_.maximum_extensions)
        return Reason::extensions_full;
    if (!state_.accounts.contains({order.instrument, order.participant}) &&
        state_.accounts.size() >= settings_.maximum_accounts)
        return Reason::accounts_full;
    return Reason::none;
}

/// Common checks of query, cancel and replace, after their flags.
Reason ReferenceEngine::check_target(const Command& command) {
    if (!knows(command.participant)) return Reason::unknown_participant;
    const auto found = find(instrument(command.instrument), command.order_id);
    if (!found) return Reason::unknown_order;
    if (found->at->participant != command.participant) return Reason::not_owner;
    return Reason::none;
}

Reason ReferenceEngine::check_cancel(const Command& command) {
    if (!knows(command.instrument)) return Reason::unknown_instrument;
    if (command.flags != 0) return Reason::invalid_flags;
    if (const Reason r = check_target(command); r != Reason::none) return r;
    Instrument& target = instrument(command.instrument);
    if (const Reason r = check_changes(target, *find(target, command.order_id)->at);
        r != Reason::none)
        return r;
    if (command.quantity.value < 0) return Reason::invalid_quantity;
    const Quantity lot = target.definition.lot_size;
    return command.quantity.value % lot.value != 0 ? Reason::quantity_off_lot : Reason::none;
}

Reason ReferenceEngine::check_replace(const Command& command) {
    if (!knows(command.instrument)) return Reason::unknown_instrument;
    if ((command.flags & ~CommandFlags::k_replace_bits) != 0) return Reason::invalid_flags;
    if (const Reason r = check_target(command); r != Reason::none) return r;
    if (state_.participants[command.participant].state == ParticipantState::blocked)
        return Reason::participant_blocked;
    Instrument& target = instrument(command.instrument);
    if (const Reason r = check_phase(target, command); r != Reason::none) return r;
    const Order& order = *find(target, command.order_id)->at;
    if (const Reason r = check_changes(target, order); r != Reason::none) return r;
    if (order.place == Place::elected) return Reason::invalid_state;
    if (const Reason r = check_quantity(target, command.quantity); r != Reason::none) return r;
    if (has_flag(command, CommandFlags::k_quantity_is_total) && command.quantity <= order.executed)
        return Reason::invalid_quantity;
    if (const Reason r = check_prices(target, order.type, command.price, command.order.stop_price,
                                      order.trail.value != 0);
        r != Reason::none)
        return r;
    const bool total = has_flag(command, CommandFlags::k_quantity_is_total);
    if (!may_show(order.display, total ? command.quantity - order.executed : command.quantity))
        return Reason::invalid_display_quantity;
    const OrderId fresh = command.new_order_id;
    if (settings_.ids_in_commands ? !fresh : fresh && fresh != order.id)
        return Reason::invalid_order_id;
    if (fresh && fresh != order.id && find(target, fresh)) return Reason::duplicate_order_id;
    return Reason::none;
}

Reason ReferenceEngine::check_mass_cancel(const Command& command) const {
    if (command.instrument && !knows(command.instrument)) return Reason::unknown_instrument;
    if (command.participant && !knows(command.participant)) return Reason::unknown_participant;
    if ((command.flags & ~CommandFlags::k_both_sides) != 0) return Reason::invalid_flags;
    if (!has_flag(command, CommandFlags::k_both_sides) && !is_valid(command.side))
        return Reason::invalid_side;
    return Reason::none;
}

/// Section 8.
Reason ReferenceEngine::check_post_only(const Order& order) const {
    const bool collects = instrument(order.instrument).collects();
    if (collects && (order.post_only || order.post_only_reprice)) return Reason::not_in_phase;
    if (!would_meet_any(order)) return Reason::none;
    if (order.post_only) return Reason::post_only_would_trade;
    if (!order.post_only_reprice) return Reason::none;
    const Price behind = price_behind(order);
    const bool valid = instrument(order.instrument).definition.in_range(behind);
    return valid ? Reason::none : Reason::post_only_would_trade;
}

/// Section 9: the value of an order for notional limits.
std::int64_t ReferenceEngine::value(const Order& order) const {
    Price price = order.price;
    if (order.type == OrderType::market && order.place != Place::incoming) return 0;
    if (order.type == OrderType::stop) price = order.stop_price;
    if (order.type == OrderType::market) price = price_of_market_order(order);
    return order.open.value * std::abs(price.value);
}

/// Section 9.
void ReferenceEngine::set_limits(const Command& command) {
    if (command.participant && !knows(command.participant))
        return reject(command, Reason::unknown_participant);
    const LimitDetails& limits = command.limits;
    if (std::min({limits.order_quantity.value, limits.order_notional, limits.open_orders,
                  limits.open_notional, limits.position.value}) < 0)
        return reject(command, Reason::invalid_limits);
    if ((command.flags & ~CommandFlags::k_default_limits) != 0)
        return reject(command, Reason::invalid_flags);
    const bool own = !has_flag(command, CommandFlags::k_default_limits);
    state_.participants[command.participant].limits = own ? limits : LimitDetails{};
    state_.participants[command.participant].has_own_limits = own;
    Command notice = command;
    notice.instrument = {};
    emit_notice(notice, EventKind::limits_set, 0);
}

/// Section 9.
void ReferenceEngine::release_participant(const Command& command) {
    if (!knows(command.participant)) return reject(command, Reason::unknown_participant);
    if ((command.flags & ~CommandFlags::k_write_off) != 0)
        return reject(command, Reason::invalid_flags);
    std::int64_t accounts = 0;
    std::int64_t positions = 0;
    for (const auto& [key, position] : state_.accounts) {
        if (key.second != command.participant) continue;
        accounts += 1;
        positions += position.value != 0 ? 1 : 0;
    }
    const bool has_orders = state_.count_orders([&](const Order& order) {
        return order.participant == command.participant;
    }) > 0;
    Participant& participant = state_.participants[command.participant];
    if (participant.has_own_limits || participant.state != ParticipantState::active || has_orders ||
        (positions > 0 && !has_flag(command, CommandFlags::k_write_off)))
        return reject(command, Reason::participant_in_use);
    std::erase_if(state_.accounts,
                  [&](const auto& each) { return each.first.second == command.participant; });
    std::erase_if(state_.protections,
                  [&](const auto& each) { return each.first.second == command.participant; });
    for (auto& [id, market] : state_.instruments) market.lead_makers.erase(command.participant);
    participant.generation += 1;
    events_->push_back({.kind = EventKind::participant_released,
                        .command = command.kind,
                        .participant = command.participant,
                        .reference = participant.generation,
                        .quantity = Quantity{accounts},
                        .remaining = Quantity{positions}});
}

/// Section 9.
Reason ReferenceEngine::check_limits(const Order& order, const Order* replaced) const {
    auto found = state_.participants.find(order.participant);
    if (found == state_.participants.end() || !found->second.has_own_limits)
        found = state_.participants.find(ParticipantId{});
    const LimitDetails limits =
        found == state_.participants.end() ? LimitDetails{} : found->second.limits;
    std::int64_t open_orders = 0;
    Wide open_value = 0;
    Wide same_side = 0;
    std::int64_t held = 0;
    std::int64_t following = 0;
    for (const auto& [id, other] : state_.instruments) {
        visit(other, [&](const Order& open) {
            if (open.participant == order.participant && &open != replaced) {
                open_orders += 1;
                open_value += value(open);
                if (open.instrument == order.instrument && open.side == order.side)
                    same_side += open.open.value;
                if (open.instrument == order.instrument && open.held) held += 1;
                if (open.instrument == order.instrument && follows(open)) following += 1;
            }
            return true;
        });
    }
    const auto account = state_.accounts.find({order.instrument, order.participant});
    const Wide position = account == state_.accounts.end() ? 0 : account->second.value;
    const Wide towards = order.side == Side::buy ? position : -position;

    // Orders that moved to other prices may take the sum further than 64 bits.
    constexpr Wide k_most = LimitDetails::k_unlimited;
    const auto above = [](Wide sum, std::int64_t limit) { return sum > limit; };
    // A replace that reduces a value passes its limit.
    const bool fresh = replaced == nullptr;
    const bool more_quantity = fresh || order.open > replaced->open;
    const bool more_value = fresh || value(order) > value(*replaced);
    if (more_quantity && above(order.open.value, limits.order_quantity.value))
        return Reason::limit_order_quantity;
    if (more_value && above(value(order), limits.order_notional))
        return Reason::limit_order_notional;
    if (replaced == nullptr && above(open_orders + 1, limits.open_orders))
        return Reason::limit_open_orders;
    if (more_value && above(std::min(open_value, k_most) + value(order), limits.open_notional))
        return Reason::limit_open_notional;
    if (more_quantity && above(towards + same_side + order.open.value, limits.position.value))
        return Reason::limit_position;
    if (replaced == nullptr && order.minimum.value > 0 && order.type == OrderType::limit &&
        !is_immediate(order.time_in_force) && held >= 100)
        return Reason::limit_held_orders;
    if (replaced == nullptr && follows(order) && following >= 100)
        return Reason::limit_pegged_orders;
    return Reason::none;
}

}  // namespace damrak::reference
