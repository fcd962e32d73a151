// Replaces that change what an order keeps in the engine: it is withdrawn and entered again.
#include <algorithm>
#include <optional>
#include <string_view>

#include <damrak/gateway/ouch/ouch_orders.hpp>

namespace damrak::gateway::ouch {

// False: nothing is left of what was wanted, so that the order is cancelled.
bool OuchOrders::withdraw(const Order& order, std::string_view request) {
    const auto replace = session::ouch::read_request(users_[order.user].user.version,
                                                     std::as_bytes(std::span{request}));
    if (!replace || replace->quantity <= order.executed) return false;
    withdrawn_.push_back({.order = open_->orders.index_of(order),
                          .wanted = session::ouch::replaced_terms(order.terms, *replace)});
    return true;
}

std::optional<session::ouch::Request> OuchOrders::take_wanted(std::uint32_t order) {
    const auto found = std::ranges::find(withdrawn_, order, &Withdrawn::order);
    if (found == withdrawn_.end()) return std::nullopt;
    const Request wanted = found->wanted;
    withdrawn_.erase(found);
    return wanted;
}

std::uint32_t OuchOrders::on_entered_anew(const Event& event, const CommandStamp& stamp) {
    const std::uint32_t index = open_->orders.find({event.client_order_id().value});
    const auto wanted = take_wanted(index);
    if (!wanted) return 0;
    Order& order = open_->orders[index];
    const Token previous = order.terms.token;
    open_->orders.change_id(index, event.order_id);
    let_go(order);
    order.terms = *wanted;
    order.open = event.remaining.value;
    order.before = order.executed;
    set_price(order, event);
    take_token(order.user, order.terms, index);
    incoming_ = {.command = stamp.sequence, .order = order.id};
    Reports reports{stamp};
    send(order.user, stamp, reports.replaced(order, previous));
    return order.user;
}

// The original is gone, and the token of the replace stays free.
std::uint32_t OuchOrders::on_not_entered_anew(const Event& event, const CommandStamp& stamp) {
    const std::uint32_t index = open_->orders.find({event.client_order_id().value});
    if (!take_wanted(index)) return 0;
    const Order& order = open_->orders[index];
    const std::uint32_t user = order.user;
    Reports reports{stamp};
    send(user, stamp,
         reports.canceled(order, order.open, session::ouch::cancel_code(Reason::requested)));
    close(index);
    return user;
}

}  // namespace damrak::gateway::ouch
