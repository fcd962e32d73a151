// From the order type of a datagram to the terms of a command.
#pragma once

#include <damrak/domain/command.hpp>
#include <damrak/wire/packet/messages.hpp>

namespace damrak::gateway::udp::detail {

/// Sets type, flags and what the second price of the order is. The command has its price.
inline void set_terms(Command& command, const wire::packet::Order& order) {
    using wire::packet::Terms;
    const Price second = wire::packet::price_of(order.stop_price_e2);
    const auto trail = [&](OrderType type) {
        command.order_type = type;
        command.flags |= CommandFlags::k_trailing;
        command.order.offset = second;
    };
    const auto follow = [&](PegReference reference) {
        command.order_type = command.price.value > 0 ? OrderType::limit : OrderType::market;
        command.flags |= CommandFlags::k_pegged | CommandFlags::k_hidden;
        command.order.peg = reference;
        command.order.offset = second;
    };
    switch (order.terms) {
        case Terms::trailing_stop:
            return trail(OrderType::stop);
        case Terms::trailing_stop_limit:
            return trail(OrderType::stop_limit);
        case Terms::primary_peg:
            return follow(PegReference::primary);
        case Terms::market_peg:
            return follow(PegReference::market);
        case Terms::midpoint_peg:
            return follow(PegReference::midpoint);
        case Terms::to_limit:
            command.order_type = OrderType::market;
            command.flags |= CommandFlags::k_to_limit;
            break;
        case Terms::imbalance_only:
            command.flags |= CommandFlags::k_imbalance_only;
            break;
        case Terms::plain:
            command.order_type = order.type;
            break;
    }
    command.order.stop_price = second;
}

}  // namespace damrak::gateway::udp::detail
