// The messages about orders of the book.
#include <algorithm>
#include <type_traits>

#include <damrak/modify/modifier.hpp>
#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::modify {

namespace itch = wire::itch;

namespace {

template <class M>
detail::OrderKey key_of(const M& message) {
    return {message.stock_locate, message.order_ref};
}

}  // namespace

std::optional<Count> Modifier::left_out_by(const Key& key, const Order& order) const {
    const Drop& drop = modification_.drop;
    if ((order.side == Side::buy ? drop.bids : drop.asks) ||
        (drop.attributed && order.attribution) || order.shares < drop.smaller_than ||
        order.shares > drop.larger_than)
        return Count::drop_orders;
    if (draw(key.reference, Purpose::thinning) < modification_.thin_share)
        return Count::thin_orders;
    if (order.price_e4 == 0) return Count::tick_unpriced;
    return std::nullopt;
}

std::uint32_t Modifier::regrid(Side side, std::uint32_t price_e4) const {
    const std::uint64_t tick = modification_.tick_e4;
    const std::uint64_t below = price_e4 / tick * tick;
    if (below == price_e4) return price_e4;
    const std::uint64_t made = side == Side::buy ? below : below + tick;
    return made > itch::k_max_price_e4 ? 0 : static_cast<std::uint32_t>(made);
}

template <class M>
void Modifier::send(Order& order, const M& message, bool is_cancel) {
    const bool is_delayed = is_cancel || modification_.delay.of == Delayed::orders;
    const std::int64_t wanted_ns = message.timestamp_ns + (is_delayed ? order.delay_ns : 0);
    // The messages of an order keep their sequence.
    if (modification_.delay.most_ns > 0) order.last_out_ns = std::max(order.last_out_ns, wanted_ns);
    send_at(modification_.delay.most_ns > 0 ? order.last_out_ns : wanted_ns, message);
}

template <class M>
void Modifier::add(const M& message) {
    const Key key = key_of(message);
    // An order without shares or price, or one that is there already, is none of a valid day.
    if (message.shares == 0 || message.price_e4 == 0 || orders_.find(key) != nullptr)
        return is_inside(message.timestamp_ns) ? send_at(message.timestamp_ns, message)
                                               : report_.add(Count::window_outside);
    Order entered{.place = report_.of(Count::messages_in),
                  .delay_ns = delay_of(key.reference),
                  .last_out_ns = 0,
                  .left_out_by = {},
                  .shares = message.shares,
                  .price_e4 = regrid(message.side, message.price_e4),
                  .side = message.side,
                  .stock = message.stock,
                  .attribution = {}};
    if constexpr (std::is_same_v<M, itch::AddOrderAttributed>)
        entered.attribution = message.attribution;
    entered.left_out_by = left_out_by(key, entered);
    Order& order = orders_.enter(key, entered);
    if (!is_inside(message.timestamp_ns)) return report_.add(Count::window_outside);
    if (order.left_out_by) {
        report_.add(*order.left_out_by);
        return report_.add(Count::gone_with_them);
    }
    M sent = message;
    scale(sent.shares);
    if (sent.price_e4 != order.price_e4) report_.add(Count::tick_orders);
    sent.price_e4 = order.price_e4;
    send(order, sent, false);
}

template <class M>
bool Modifier::take_from(const M& message, std::uint32_t M::* shares, bool is_cancel) {
    const Key key = key_of(message);
    Order* const order = orders_.find(key);
    if (order == nullptr) {
        const bool is_sent = is_inside(message.timestamp_ns);
        if (is_sent)
            send_at(message.timestamp_ns, message);
        else
            report_.add(Count::window_outside);
        return is_sent;
    }
    // More than the order has is an error of the recording, and stays one.
    const std::uint32_t wanted = message.*shares;
    const std::uint32_t taken = std::min(wanted, order->shares);
    const std::uint32_t before = scaled(order->shares);
    order->shares -= taken;
    M sent = message;
    sent.*shares = before - scaled(order->shares) + (wanted - taken);
    std::optional<Count> why;
    if (!is_inside(message.timestamp_ns))
        why = Count::window_outside;
    else if (order->left_out_by)
        why = Count::gone_with_them;
    else if (sent.*shares == 0 && wanted > 0)
        why = Count::scale_vanished;
    if (why) {
        report_.add(*why);
    } else {
        if (sent.*shares != wanted) report_.add(Count::scale_sizes);
        if constexpr (std::is_same_v<M, itch::OrderExecutedWithPrice>)
            regrid_nearest(sent.execution_price_e4);
        send(*order, sent, is_cancel);
    }
    if (order->shares == 0) orders_.end(key);
    return !why;
}

template <class M>
void Modifier::execute(const M& message) {
    if (!modification_.drop.executions) {
        if (!take_from(message, &M::executed_shares, false))
            trades_left_out_.push_back(message.match_number);
        return;
    }
    const itch::OrderCancel instead{.stock_locate = message.stock_locate,
                                    .tracking_number = message.tracking_number,
                                    .timestamp_ns = message.timestamp_ns,
                                    .order_ref = message.order_ref,
                                    .cancelled_shares = message.executed_shares};
    if (take_from(instead, &itch::OrderCancel::cancelled_shares, false))
        report_.add(Count::drop_cancelled);
    trades_left_out_.push_back(message.match_number);
}

void Modifier::on(const itch::AddOrder& message) { add(message); }
void Modifier::on(const itch::AddOrderAttributed& message) { add(message); }
void Modifier::on(const itch::OrderExecuted& message) { execute(message); }
void Modifier::on(const itch::OrderExecutedWithPrice& message) { execute(message); }

void Modifier::on(const itch::OrderCancel& message) {
    static_cast<void>(take_from(message, &itch::OrderCancel::cancelled_shares, true));
}

void Modifier::on(const itch::OrderDelete& message) {
    Order* const order = orders_.find(key_of(message));
    if (!is_inside(message.timestamp_ns)) {
        report_.add(Count::window_outside);
    } else if (order == nullptr) {
        send_at(message.timestamp_ns, message);
    } else if (order->left_out_by) {
        report_.add(Count::gone_with_them);
    } else {
        send(*order, message, true);
    }
    orders_.end(key_of(message));
}

void Modifier::on(const itch::OrderReplace& message) {
    const Key key = key_of(message);
    Order* const found = orders_.find(key);
    const bool is_inside_now = is_inside(message.timestamp_ns);
    if (found == nullptr)
        return is_inside_now ? send_at(message.timestamp_ns, message)
                             : report_.add(Count::window_outside);
    Order order = *found;
    orders_.end(key);
    const bool was_left_out = order.left_out_by.has_value();
    order.place = report_.of(Count::messages_in);
    order.shares = message.shares;
    order.price_e4 = regrid(order.side, message.price_e4);
    const bool has_lost_its_price = order.price_e4 == 0 && message.price_e4 != 0;
    if (!was_left_out && has_lost_its_price) order.left_out_by = Count::tick_unpriced;
    if (!is_inside_now) {
        report_.add(Count::window_outside);
    } else if (was_left_out) {
        report_.add(Count::gone_with_them);
    } else if (order.left_out_by) {
        report_.add(Count::tick_unpriced);
        send(order,
             itch::OrderDelete{.stock_locate = message.stock_locate,
                               .tracking_number = message.tracking_number,
                               .timestamp_ns = message.timestamp_ns,
                               .order_ref = message.order_ref},
             true);
    } else {
        itch::OrderReplace sent = message;
        scale(sent.shares);
        if (sent.price_e4 != order.price_e4) report_.add(Count::tick_orders);
        sent.price_e4 = order.price_e4;
        send(order, sent, true);
    }
    if (message.shares > 0 && message.price_e4 > 0)
        orders_.enter({message.stock_locate, message.new_order_ref}, order);
}

}  // namespace damrak::modify
