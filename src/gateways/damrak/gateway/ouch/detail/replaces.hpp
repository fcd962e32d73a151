// Parts of OuchGateway: replaces. A replace of size, price and ClOrdID is one of the engine. One
// that changes what an order keeps there is a cancel, and behind its event, when the executed
// quantity is certain, a new order; its user hears of both as one. Only its header includes it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include <damrak/gateway/ouch/detail/ouch_gateway.hpp>

namespace damrak::gateway::ouch {

/// Whether the engine can replace the order. Seconds count from the replace, but the engine keeps
/// the time at which an order expires; and its replace of a pegged order states a limit.
[[nodiscard]] inline bool keeps_its_kind(const session::ouch::Request& before,
                                         const session::ouch::Request& after) {
    return after.hidden == before.hidden && after.post_only == before.post_only &&
           after.market == before.market && after.life == before.life &&
           after.life != session::ouch::Life::seconds &&
           (after.peg == PegReference::none || !after.market) &&
           after.imbalance_only == before.imbalance_only && after.peg == before.peg &&
           after.peg_offset_e4 == before.peg_offset_e4 &&
           after.minimum_quantity == before.minimum_quantity &&
           after.displayed_quantity == before.displayed_quantity;
}

// An invalid replace ends the order, and its own token stays free.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::replace(Client& client, Request& request,
                                             std::string_view bytes) {
    const session::ouch::Order* const order = orders_.find(client.user, request.replaces);
    if (order == nullptr) return;
    Request wanted = session::ouch::replaced_terms(order->terms, request);
    Command command{};
    command.participant = client.participant;
    if (!fill(command, wanted, order->instrument) ||
        order->executed >= std::int64_t{request.quantity})
        return cancel(client.user, *order);
    if (!keeps_its_kind(order->terms, wanted)) return withdraw(client, *order, request, bytes);
    command.kind = CommandKind::replace_order;
    command.order_id = order->id;
    command.quantity = {request.quantity - order->before};
    command.flags = CommandFlags::k_quantity_is_total | CommandFlags::k_lose_priority;
    ask(client, command, request, bytes);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::withdraw(Client& client, const session::ouch::Order& order,
                                              const Request& request, std::string_view bytes) {
    Request asked = request;
    asked.kind = session::ouch::RequestKind::withdraw;
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.participant = client.participant;
    command.instrument = order.instrument;
    command.order_id = order.id;
    ask(client, command, asked, bytes);
}

// After a restart, too, of what was withdrawn before it.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::enter_withdrawn() {
    for (const OuchOrders::Withdrawn& one : orders_.withdrawn()) {
        const OrderId id = orders_.order_of(one).id;
        if (std::ranges::find(entering_, id) != entering_.end()) continue;
        entering_.push_back(id);
        to_enter_.push_back(one);  // the answer may come at once
    }
    for (const OuchOrders::Withdrawn& one : std::exchange(to_enter_, {})) enter_anew(one);
}

// A user that has left meanwhile, or may not enter orders, does not get the order back: a command
// without an instrument is rejected, which ends it.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::enter_anew(const OuchOrders::Withdrawn& one) {
    const session::ouch::Order& order = orders_.order_of(one);
    const OuchUser& user = orders_.user(order.user);
    Request wanted = one.wanted;
    wanted.quantity -= static_cast<std::uint32_t>(order.executed);
    wanted.minimum_quantity = std::min(wanted.minimum_quantity, wanted.quantity);
    if (wanted.displayed_quantity >= wanted.quantity) wanted.displayed_quantity = 0;
    Command command{};
    command.participant = user.participant;
    const bool may_enter =
        link(order.user).connection != nullptr && !user.disabled && !user.ending && !user.ended;
    if (!may_enter || !fill(command, wanted, order.instrument) || !set_terms(command, wanted)) {
        command = {};
        command.kind = CommandKind::new_order;
        command.participant = user.participant;
    }
    command.client_order_id = {order.id.value};
    submit(command, {.session = user.id,
                     .tag = OuchTag{.kind = session::ouch::RequestKind::enter_anew,
                                    .self_trade = config_.self_trade_prevention}
                                .tag()});
}

}  // namespace damrak::gateway::ouch
