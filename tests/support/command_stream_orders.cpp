// The part of CommandStream that makes commands about orders, and invalid ones.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "support/command_stream.hpp"

namespace damrak {

namespace {

constexpr std::int64_t k_smallest = std::numeric_limits<std::int64_t>::min();

/// The valid price at or below this one.
Price valid_price(const InstrumentDefinition& definition, std::int64_t raw) {
    const Price floor = definition.floor();
    const Price inside{std::clamp(raw, floor.value + 1, definition.maximum_price.value)};
    const Price below = definition.next_price_below(inside + Price{1});
    return below > floor ? below : definition.next_price_above(floor);
}

}  // namespace

Price CommandStream::price_near(const Market& market, std::int64_t steps) const {
    const std::int64_t tick = market.definition.tick_size_at(market.middle).value;
    return valid_price(market.definition, market.middle.value + steps * tick);
}

Quantity CommandStream::any_quantity(const Market& market) {
    const std::int64_t lot = market.definition.lot_size.value;
    const std::int64_t most = market.definition.maximum_quantity.value / lot;
    std::int64_t lots = between(1, profile_.lots);
    if (percent(profile_.mix.large)) lots *= between(3, 20);
    if (profile_.extreme && percent(15)) lots = most - between(0, 3);
    return Quantity{std::clamp(lots, std::int64_t{1}, most) * lot};
}

OrderId CommandStream::fresh_id() {
    if (!settings_.ids_in_commands) return {};
    if (!gone_.empty() && percent(5)) return gone_[below(static_cast<std::uint32_t>(gone_.size()))];
    if (percent(20)) return OrderId{1 + below(500)};  // small ones repeat
    // Some differ only in their upper half.
    if (percent(20)) return OrderId{std::uint64_t{below(8)} << 32U | (1 + below(200))};
    return OrderId{random_.next() | 1U};
}

Command CommandStream::make_new_order() {
    Command command{};
    command.kind = CommandKind::new_order;
    command.instrument = any_instrument();
    command.participant = ParticipantId{1 + below(profile_.participants)};
    command.order_id = fresh_id();
    command.side = static_cast<Side>(below(2));
    const auto market = markets_.find(command.instrument);
    if (market == markets_.end()) return command;
    shape_order(command, market->second);
    if (profile_.mix.linked != 0 && percent(profile_.mix.linked))
        link_order(command, market->second);
    else
        add_attributes(command, market->second);
    if (market->second.combination.kind == CombinationKind::basket && percent(95)) {
        const std::int64_t toward = command.side == Side::buy ? 1 : -1;
        command.order_type = OrderType::limit;
        command.time_in_force = TimeInForce::fok;
        command.flags = 0;
        command.order = {};
        command.price = price_near(market->second, toward * between(-2, 10));
    }
    return command;
}

/// Type, price, stop price, quantity, time in force and rule.
void CommandStream::shape_order(Command& command, const Market& market) {
    const OrderMix& mix = profile_.mix;
    const std::int64_t toward = command.side == Side::buy ? 1 : -1;
    const std::int64_t steps = profile_.price_steps;
    if (percent(mix.stop))
        command.order_type = below(2) == 0 ? OrderType::stop : OrderType::stop_limit;
    else if (percent(mix.market))
        command.order_type = OrderType::market;
    // Mostly on its own side of the middle, often enough beyond it.
    if (has_limit(command.order_type))
        command.price = price_near(market, toward * between(-steps, steps / 3));
    if (is_stop(command.order_type)) {
        command.order.stop_price = price_near(market, toward * between(-1, steps));
        if (command.order_type == OrderType::stop_limit)
            command.price = price_near(market, toward * between(-2, steps + 3));
    }
    if (profile_.extreme && has_limit(command.order_type) && percent(8))
        command.price = valid_price(market.definition, percent(50) ? 1 : k_largest_number);
    command.quantity = any_quantity(market);
    const std::uint32_t drawn = below(100);
    if (drawn < mix.ioc) {
        command.time_in_force = TimeInForce::ioc;
    } else if (drawn < mix.ioc + mix.fok) {
        command.time_in_force = TimeInForce::fok;
    } else if (drawn < mix.ioc + mix.fok + mix.gtd) {
        command.time_in_force = TimeInForce::gtd;
        // On a grid, so that several expire together.
        command.order.expire_time = Timestamp{(now_ / 10'000 + between(1, 10)) * 10'000};
        if (percent(3)) command.order.expire_time = Timestamp{now_};  // just expired
    } else if (drawn < mix.ioc + mix.fok + mix.gtd + mix.gtc) {
        command.time_in_force = TimeInForce::gtc;
    }
    if (mix.auction != 0 && !is_stop(command.order_type) && percent(mix.auction)) {
        command.time_in_force = static_cast<TimeInForce>(between(5, 7));
        command.order.expire_time = {};
    }
    if (percent(mix.self_trade_prevention))
        command.self_trade_prevention = static_cast<SelfTradePrevention>(between(1, 5));
    if (profile_.skip_own && percent(85))
        command.self_trade_prevention = SelfTradePrevention::skip_own;
    if (!settings_.ids_in_commands && percent(5)) command.flags |= CommandFlags::k_number_refused;
}

/// Adds attributes that the type and time in force allow and the profile requests.
void CommandStream::add_attributes(Command& command, const Market& market) {
    const OrderMix& mix = profile_.mix;
    const std::int64_t lot = market.definition.lot_size.value;
    const bool stays =
        command.order_type == OrderType::limit && !is_immediate(command.time_in_force);
    const bool can_wait = !is_stop(command.order_type) && command.time_in_force != TimeInForce::fok;
    if (is_for_auctions(command.time_in_force)) {
        if (command.order_type == OrderType::limit && percent(mix.imbalance_only))
            command.flags |= CommandFlags::k_imbalance_only;
        if (percent(97)) return;
    }
    if (mix.pegged != 0 && !is_stop(command.order_type) && !is_immediate(command.time_in_force) &&
        percent(mix.pegged)) {
        command.flags |= CommandFlags::k_pegged;
        command.order.peg =
            static_cast<PegReference>(percent(3) ? 4 * std::int64_t{below(2)} : between(1, 3));
        if (!percent(command.order.peg == PegReference::primary ? 60 : 2))
            command.flags |= CommandFlags::k_hidden;
        command.order.offset =
            Price{market.definition.common_tick().value * between(0, 3) + (percent(2) ? 1 : 0)};
        if (percent(98)) return;
    }
    if (command.order_type == OrderType::market && mix.to_limit != 0 && percent(mix.to_limit)) {
        command.flags |= CommandFlags::k_to_limit;
        if (!percent(3)) return;
    }
    if (is_stop(command.order_type) && mix.trailing != 0 && percent(mix.trailing)) {
        command.flags |= CommandFlags::k_trailing;
        command.order.offset =
            Price{market.definition.common_tick().value * between(percent(3) ? 0 : 1, 6) +
                  (percent(2) ? 1 : 0)};
        if (percent(70)) command.order.stop_price = {};
    }
    if (stays && percent(mix.iceberg)) {
        const std::int64_t lots = command.quantity.value / lot;
        command.quantity = Quantity{command.quantity.value + lot * between(0, 12)};
        command.order.display_quantity =
            Quantity{lot * between(1, std::min(lots, std::int64_t{9}))};
        command.quantity = std::min(command.quantity, market.definition.maximum_quantity);
        command.quantity.value -= command.quantity.value % lot;
        // More slices than allowed occur only as one of many faults.
        if (command.quantity.value / command.order.display_quantity.value >= 1'000 && !percent(5))
            command.order.display_quantity = Quantity{lot * (1 + lots / 50)};
    } else if (stays && percent(mix.hidden)) {
        command.flags |= CommandFlags::k_hidden;
    }
    if (stays && percent(mix.post_only)) {
        command.flags |=
            below(2) == 0 ? CommandFlags::k_post_only : CommandFlags::k_post_only_reprice;
        if (!profile_.extreme || percent(70)) command.price = price_near(market, between(-2, 2));
    } else if (can_wait && command.order.display_quantity.value == 0 && percent(mix.minimum)) {
        command.order.minimum_quantity =
            Quantity{between(1, std::min(command.quantity.value, std::int64_t{60} * lot))};
    }
}

/// To an open order, mostly one of the same participant; then a few other attributes.
void CommandStream::link_order(Command& command, const Market& market) {
    const OpenOrder* other = any_order();
    for (int tries = 0;
         tries < 20 && other != nullptr &&
         (other->participant != command.participant || other->instrument != command.instrument) &&
         !percent(2);
         ++tries)
        other = any_order();
    if (other == nullptr) return;
    command.participant = percent(98) ? other->participant : command.participant;
    command.flags |= CommandFlags::k_linked;
    command.new_order_id = other->id;
    command.order.contingency = static_cast<Contingency>(percent(3) ? below(5) : between(1, 2));
    if (command.order_type == OrderType::market && percent(97)) {
        command.order_type = OrderType::limit;
        command.price = price_near(market, between(-3, 3));
    }
    if (is_immediate(command.time_in_force) && percent(97))
        command.time_in_force = TimeInForce::day;
    if (command.order_type == OrderType::limit && percent(70)) command.side = opposite(other->side);
    if (command.order_type == OrderType::limit && percent(15))
        command.flags |= CommandFlags::k_hidden;
    if (percent(2)) add_attributes(command, market);
}

Command CommandStream::make_cancel() {
    Command command{};
    command.kind = CommandKind::cancel_order;
    const OpenOrder* const order = any_order();
    if (order == nullptr || percent(1)) {
        command.instrument = any_instrument();
        command.participant = ParticipantId{1 + below(profile_.participants)};
        command.order_id = gone_.empty() ? OrderId{1 + below(50)}
                                         : gone_[below(static_cast<std::uint32_t>(gone_.size()))];
        return command;
    }
    command.instrument = order->instrument;
    command.participant = order->participant;
    command.order_id = order->id;
    const std::int64_t lot = markets_.at(order->instrument).definition.lot_size.value;
    if (percent(35))
        command.quantity = Quantity{
            lot * between(1, std::min(order->remaining.value / lot + 1, std::int64_t{1'000}))};
    return command;
}

/// Against an order, at its price or near it; or against an invisible one.
Command CommandStream::make_recorded_trade() {
    Command command{};
    command.kind = CommandKind::recorded_trade;
    const OpenOrder* const order = any_order();
    command.instrument = order == nullptr ? any_instrument() : order->instrument;
    const auto market = markets_.find(command.instrument);
    if (market == markets_.end()) return command;
    command.participant =
        order == nullptr ? ParticipantId{1 + below(profile_.participants)} : order->participant;
    command.quantity = any_quantity(market->second);
    const bool at_limit = order != nullptr && has_limit(order->type) && percent(60);
    command.price = at_limit ? order->price : price_near(market->second, between(-3, 3));
    if (order != nullptr && percent(80)) {
        command.order_id = order->id;
    } else {
        command.side = static_cast<Side>(below(2));
        if (percent(60)) command.flags = CommandFlags::k_print_rest;
    }
    return command;
}

Command CommandStream::make_replace() {
    Command command{};
    command.kind = CommandKind::replace_order;
    const OpenOrder* const order = any_order();
    if (order == nullptr) {
        command.instrument = any_instrument();
        command.participant = ParticipantId{1};
        command.order_id = OrderId{1};
        return command;
    }
    command.instrument = order->instrument;
    command.participant = order->participant;
    command.order_id = order->id;
    command.price = order->price;
    command.order = OrderDetails{};
    command.order.stop_price = order->stop_price;
    command.quantity = order->remaining;
    if (settings_.ids_in_commands)
        command.new_order_id = percent(40) ? order->id : fresh_id();
    else if (percent(40))
        command.new_order_id = order->id;
    move_order(command, *order);
    return command;
}

/// Changes price, quantity or stop price, or two of them, or none.
void CommandStream::move_order(Command& command, const OpenOrder& order) {
    const Market& market = markets_.at(order.instrument);
    const std::int64_t toward = order.side == Side::buy ? 1 : -1;
    const std::int64_t steps = profile_.price_steps;
    const std::int64_t lot = market.definition.lot_size.value;
    if (percent(45) && has_limit(order.type))
        command.price = price_near(market, toward * between(-steps, steps / 2));
    if (percent(40) && is_stop(order.type))
        command.order.stop_price = price_near(market, toward * between(-1, steps));
    if (percent(60)) {
        const std::int64_t lots = std::min(order.remaining.value / lot, std::int64_t{1'000'000});
        command.quantity =
            Quantity{std::max(lots + between(-3, percent(50) ? 5 : 0), std::int64_t{1}) * lot};
    }
    if (percent(20)) command.flags |= CommandFlags::k_quantity_is_total;
    if (percent(10)) command.flags |= CommandFlags::k_lose_priority;
}

/// Any number, valid or invalid.
void CommandStream::spoil_number(std::int64_t& number) {
    const auto bits = static_cast<std::uint64_t>(number);  // the ends of the range meet in it
    switch (below(9)) {
        case 0:
            number = 0;
            break;
        case 1:
            number = -1;
            break;
        case 2:
            number = k_largest_number;
            break;
        case 3:
            number = k_smallest;
            break;
        case 4:
            number = static_cast<std::int64_t>(bits + 1);
            break;
        case 5:
            number = static_cast<std::int64_t>(bits - 1);
            break;
        case 6:
            number = static_cast<std::int64_t>(0 - bits);
            break;
        case 7:
            number = static_cast<std::int64_t>(random_.next());
            break;
        default:
            number = 1 + below(1'000'000);
            break;
    }
}

/// Gives one field an invalid value.
void CommandStream::spoil(Command& command) {
    const auto byte = [&] { return static_cast<std::uint8_t>(below(percent(50) ? 8 : 256)); };
    const auto word = [&] { return below(percent(70) ? 20 : 0xffff'ffffU); };
    switch (below(18)) {
        case 0:
            command.kind = static_cast<CommandKind>(byte());
            // The reference model does not have it.
            if (command.kind == CommandKind::set_capacities) command.kind = CommandKind::none;
            // Nothing would ever lead back to continuous trading.
            if (command.kind == CommandKind::set_phase && profile_.weights.uncross == 0)
                command.kind = CommandKind::none;
            break;
        case 1:
            command.schema_version = byte();
            break;
        case 2:
            command.side = static_cast<Side>(byte());
            break;
        case 3:
            command.order_type = static_cast<OrderType>(byte());
            break;
        case 4:
            command.time_in_force = static_cast<TimeInForce>(byte());
            break;
        case 5:
            command.self_trade_prevention = static_cast<SelfTradePrevention>(byte());
            break;
        case 6:
            command.flags ^= static_cast<std::uint16_t>(1U << below(16));
            break;
        case 7:
            command.instrument = InstrumentId{word()};
            break;
        case 8:
            command.participant = ParticipantId{word()};
            break;
        case 9:
            command.order_id = OrderId{percent(50) ? below(50) : random_.next()};
            break;
        case 10:
            if (const OpenOrder* const order = any_order()) command.order_id = order->id;
            break;
        case 11:
            if (const OpenOrder* const order = any_order()) command.new_order_id = order->id;
            break;
        case 12:
            command.new_order_id = OrderId{percent(50) ? below(50) : random_.next()};
            break;
        case 13:
            spoil_number(command.price.value);
            break;
        case 14:
            spoil_number(command.quantity.value);
            break;
        case 15:
            spoil_number(command.order.stop_price.value);
            break;
        case 16:
            spoil_number(command.order.display_quantity.value);
            break;
        default:
            spoil_number(below(2) == 0 ? command.order.minimum_quantity.value
                                       : command.order.expire_time.value);
            break;
    }
}

}  // namespace damrak
