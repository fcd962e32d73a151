// Shared by all requests: turns orders into commands, submits them, and rejects.
#pragma once

#include <limits>
#include <utility>

#include <damrak/session/binary_session.hpp>

namespace damrak::session {

/// Version 1 has no signs: to it there is no instrument with prices at and below zero.
template <class Gateway>
bool BinarySession<Gateway>::trades_in(InstrumentId instrument) const {
    return gateway_->has_instrument(instrument) && (is_v2() || !gateway_->below_zero(instrument));
}

/// Empty if the exchange has no such price.
template <class Gateway>
std::optional<Price> BinarySession<Gateway>::price_of(std::uint64_t price_e2,
                                                      InstrumentId instrument) const {
    return is_v2() && gateway_->below_zero(instrument) ? wire::binary::signed_price_of(price_e2)
                                                       : wire::binary::price_of(price_e2);
}

/// Whether this may be the price of an order that has one, or of one that has none.
template <class Gateway>
bool BinarySession<Gateway>::is_price(std::optional<Price> price, bool has_one,
                                      InstrumentId instrument) const {
    if (!price) return false;
    return has_one ? price->value > 0 || gateway_->below_zero(instrument) : price->value == 0;
}

/// Returns false if the protocol alone shows that the order is invalid.
template <class Gateway>
bool BinarySession<Gateway>::make_command(const NewOrder& order, Command& command) const {
    constexpr std::uint8_t k_limit = 0;
    constexpr std::uint8_t k_to_limit = 2;
    // Version 1 treats any other side as a sell, and any other type as a market order.
    if (is_v2() && (order.side > 1 || order.order_type > k_to_limit)) return false;
    const bool limit = order.order_type == k_limit;
    const auto quantity = wire::binary::quantity_of(order.quantity);
    const auto price = price_of(order.price_e2, order.instrument);
    if (!quantity || quantity->value == 0 || !trades_in(order.instrument)) return false;
    if (!is_price(price, limit, order.instrument)) return false;
    command.kind = CommandKind::new_order;
    command.side = order.side == 0 ? Side::buy : Side::sell;
    command.order_type = limit ? OrderType::limit : OrderType::market;
    if (is_v2() && order.order_type == k_to_limit) command.flags = CommandFlags::k_to_limit;
    command.self_trade_prevention = SelfTradePrevention::skip_own;
    command.instrument = order.instrument;
    command.participant = participant_;
    command.client_order_id = order.client_order_id;
    command.price = *price;
    command.quantity = *quantity;
    return set_time_in_force(order, command);
}

// A stop is checked as the order that it becomes.
template <class Gateway>
bool BinarySession<Gateway>::make_command(const wire::binary::LinkedOrder& order,
                                          Command& command) const {
    enum : std::uint8_t { k_limit = 0, k_market = 1, k_stop = 3, k_stop_limit = 4 };
    const bool stop = order.order_type == k_stop || order.order_type == k_stop_limit;
    if (!stop && order.order_type != k_limit) return false;
    NewOrder entered = order;
    entered.order_type = order.order_type == k_stop ? k_market : k_limit;
    const auto stop_price = price_of(order.stop_price_e2, order.instrument);
    if (!is_price(stop_price, stop, order.instrument) || !make_command(entered, command))
        return false;
    if (stop)
        command.order_type = order.order_type == k_stop ? OrderType::stop : OrderType::stop_limit;
    command.flags = CommandFlags::k_linked;
    command.new_order_id = order.other_order_id;
    command.order.stop_price = *stop_price;
    command.order.contingency = static_cast<Contingency>(order.contingency);
    return true;
}

template <class Gateway>
bool BinarySession<Gateway>::set_time_in_force(const NewOrder& order, Command& command) const {
    enum : std::uint8_t {
        k_gtc = 0,
        k_fok = 1,
        k_end_of_day = 2,
        k_good_till_date = 3,
        k_at_open = 4,
        k_at_close = 5,
        k_at_auction = 6,
    };
    constexpr std::uint64_t k_last_us = std::numeric_limits<std::int64_t>::max() / 1'000;
    if (!is_v2() && order.time_in_force != k_gtc) return false;
    switch (order.time_in_force) {
        case k_gtc:
            command.time_in_force = TimeInForce::gtc;
            return true;
        case k_fok:
            command.time_in_force = TimeInForce::fok;
            return true;
        case k_end_of_day:
            command.time_in_force = TimeInForce::day;
            return true;
        case k_good_till_date:
            // A date beyond the range of the clock, such as all ones, means never.
            command.time_in_force =
                order.good_till_us > k_last_us ? TimeInForce::gtc : TimeInForce::gtd;
            if (command.time_in_force == TimeInForce::gtd)
                command.order.expire_time =
                    Timestamp{static_cast<std::int64_t>(order.good_till_us) * 1'000};
            return true;
        case k_at_open:
            command.time_in_force = TimeInForce::at_open;
            return true;
        case k_at_close:
            command.time_in_force = TimeInForce::at_close;
            return true;
        case k_at_auction:
            command.time_in_force = TimeInForce::at_auction;
            return true;
        default:
            return false;
    }
}

// In version 2 an invalid order uses up an order number too: it goes to the engine in a form that
// the engine always rejects. If it names no instrument, the first one supplies the number.
template <class Gateway>
Command BinarySession<Gateway>::refused_order(const NewOrder& order) const {
    Command command{};
    command.kind = CommandKind::new_order;
    command.flags = CommandFlags::k_number_refused;
    command.instrument =
        gateway_->has_instrument(order.instrument) ? order.instrument : InstrumentId{1};
    command.participant = participant_;
    command.client_order_id = order.client_order_id;
    return command;
}

template <class Gateway>
void BinarySession<Gateway>::submit(const Command& command, const Note& note,
                                    std::uint32_t sequence) {
    recorded_ = sequence;
    ++pending_;
    gateway_->submit(command, Origin{id_, sequence, note.tag()});
}

template <class Gateway>
void BinarySession<Gateway>::end_login(bool cancel_orders, const Note& note,
                                       std::uint32_t sequence) {
    logged_in_ = false;
    Command command{};
    command.participant = participant_;
    if (cancel_orders) {
        command.kind = CommandKind::mass_cancel;
        command.flags = CommandFlags::k_both_sides;
        submit(command, {.version = version_}, sequence);
        command.flags = 0;
    }
    command.kind = CommandKind::session_closed;
    submit(command, note, sequence);
}

template <class Gateway>
template <class M>
bool BinarySession<Gateway>::refuse(const Header& header, const M& answer, std::size_t tail) {
    if (!may_answer()) return false;
    if (is_v2()) recorded_ = answered_ = header.client_sequence;
    if constexpr (WatchingGateway<Gateway>) gateway_->on_refused(id_, header, answer);
    send(answer, tail);
    return true;
}

template <class Gateway>
bool BinarySession<Gateway>::refuse(const Header& header, binary::ErrorCode code) {
    return refuse(header, wire::binary::Error{std::to_underlying(code)});
}

// The bytes that follow can no longer be split into messages.
template <class Gateway>
bool BinarySession<Gateway>::refuse_frame(const wire::binary::Scan& found) {
    if (!may_answer()) return false;
    const bool too_long = found.fault == wire::binary::Fault::payload_too_long;
    send(wire::binary::Error{std::to_underlying(too_long ? binary::ErrorCode::payload_too_long
                                                         : binary::ErrorCode::wrong_version)});
    if (disconnect_ == Disconnect::none)
        disconnect_ = too_long ? Disconnect::message_too_long : Disconnect::wrong_version;
    return true;
}

/// Version 1 only.
template <class Gateway>
bool BinarySession<Gateway>::refuse_order(const NewOrder& order, const Header& header,
                                          binary::OrderStatus status, Timestamp now) {
    return refuse(header,
                  wire::binary::OrderAck{.client_id = client_id_,
                                         .quantity = order.order_type == 0 ? order.quantity : 0,
                                         .server_time_us = wire::binary::microseconds_of(now),
                                         .instrument = order.instrument,
                                         .status = std::to_underlying(status)});
}

}  // namespace damrak::session
