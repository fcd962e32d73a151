// Output: from events to bytes.
#pragma once

#include <utility>

#include <damrak/session/binary_session.hpp>

namespace damrak::session {

template <class Gateway>
template <class M>
void BinarySession<Gateway>::send(const M& message, std::size_t tail) {
    using namespace wire::binary;
    if (disconnect_ != Disconnect::none) return;
    const Version version = version_ == Version::none ? Version::v1 : version_;
    const auto room = out_->extend(frame_length<M>(version) + tail);
    if (room.empty()) [[unlikely]] {
        disconnect_ = Disconnect::slow_reader;
        return;
    }
    encode(version, {.client = answered_, .server = ++server_sequence_}, message, room, tail);
}

template <class Gateway>
void BinarySession<Gateway>::on_event(const Event& event, const Origin& cause,
                                      const CommandStamp& stamp) {
    const bool own_command = cause.session == id_;
    const Note note = Note::of(cause.tag);
    if (own_command && note.request == binary::Request::quote) [[unlikely]]
        on_quote_event(event, note, cause, stamp);
    if (event.kind == EventKind::executed) return on_executed(event, own_command, stamp);
    if (unasked_(event)) [[unlikely]]
        return on_unasked(event, stamp);
    if (!own_command || note.request == binary::Request::quote) return;
    switch (event.kind) {
        case EventKind::accepted:
            answered_ = static_cast<std::uint32_t>(cause.inbound_sequence);
            return on_accepted(event, note, stamp);
        case EventKind::rejected:
            return on_rejected(event, note, cause, stamp);
        case EventKind::replaced:
            answered_ = static_cast<std::uint32_t>(cause.inbound_sequence);
            return send_modify_ack(event, note, event.new_order_id(), event.remaining,
                                   std::to_underlying(binary::ModifyStatus::accepted));
        case EventKind::cancelled:
            if (note.request != binary::Request::new_order)
                answered_ = static_cast<std::uint32_t>(cause.inbound_sequence);
            return on_cancelled(event, note);
        case EventKind::quote_protection_set:
            answered_ = static_cast<std::uint32_t>(cause.inbound_sequence);
            return send_protection_ack(note, Reason::none);
        default:
            return;
    }
}

template <class Gateway>
void BinarySession<Gateway>::on_accepted(const Event& event, const Note& note,
                                         const CommandStamp& stamp) {
    using namespace wire::binary;
    const bool limit = event.order_type == OrderType::limit;
    OrderAck ack{.client_id = client_id_,
                 .order_id = event.order_id,
                 .client_order_id = note.client_order_id,
                 .price_e2 = price_e2_of(event.price),
                 .quantity = limit ? note.echo : 0,
                 .server_time_us = microseconds_of(stamp.timestamp),
                 .instrument = event.instrument,
                 .status = std::to_underlying(binary::OrderStatus::accepted)};
    if (!is_v2()) return send(ack);
    // In version 2 the acknowledgement includes the result of matching, which is not known yet.
    settle_held_ack();
    ack.quantity = note.echo;
    ack.status = std::to_underlying(binary::V2OrderStatus::placed);
    held_ack_ = ack;
    held_sequences_ = {.client = answered_, .server = server_sequence_ + 1};
    out_->hold();
    send(ack);
}

template <class Gateway>
void BinarySession<Gateway>::settle_held_ack() {
    if (!out_->holding()) return;
    // Nothing is held if there was no room for the answer.
    if (!out_->held().empty()) {
        if (holds_quote_)
            encode(version_, held_sequences_, held_quote_, out_->held());
        else
            encode(version_, held_sequences_, held_ack_, out_->held());
    }
    holds_quote_ = false;
    out_->release();
}

template <class Gateway>
void BinarySession<Gateway>::on_executed(const Event& event, bool own_command,
                                         const CommandStamp& stamp) {
    using namespace wire::binary;
    if (own_command && out_->holding() && !holds_quote_ && event.order_id == held_ack_.order_id &&
        has_flag(event, EventFlags::k_aggressor)) {
        held_ack_.quantity = static_cast<std::uint64_t>(event.remaining.value);
        held_ack_.status = std::to_underlying(event.remaining.value == 0
                                                  ? binary::V2OrderStatus::filled
                                                  : binary::V2OrderStatus::partially_filled);
    }
    ++trades_;
    send(Trade{
        .client_id = client_id_,
        .order_id = event.order_id,
        .client_order_id = is_v2() ? gateway_->client_order_id(event.order_id) : ClientOrderId{},
        .trade_id = is_v2() ? event.trade_id().value : trades_,
        .quantity = static_cast<std::uint64_t>(event.quantity.value),
        .price_e2 = price_e2_of(event.price),
        .timestamp_us = microseconds_of(stamp.timestamp)});
}

template <class Gateway>
void BinarySession<Gateway>::on_cancelled(const Event& event, const Note& note) {
    using binary::Request;
    using binary::V2OrderStatus;
    switch (note.request) {
        case Request::cancel:
            return send(wire::binary::CancelAck{client_id_, event.order_id, note.client_order_id,
                                                note.instrument,
                                                std::to_underlying(binary::CancelStatus::accepted)},
                        note.long_answer != 0 ? wire::binary::k_capture_cancel_ack_tail : 0);
        case Request::modify:
            // Skips the remainder of a replaced order that could not rest: the modify was answered
            // already.
            if (event.command != CommandKind::cancel_order) return;
            return send_modify_ack(event, note, event.order_id, Quantity{0},
                                   std::to_underlying(binary::ModifyStatus::accepted));
        case Request::new_order:
            if (out_->holding() && event.order_id == held_ack_.order_id &&
                held_ack_.status == std::to_underlying(V2OrderStatus::placed))
                held_ack_.status = std::to_underlying(V2OrderStatus::cancelled);
            return;
        default:
            return;
    }
}

template <class Gateway>
void BinarySession<Gateway>::on_rejected(const Event& event, const Note& note, const Origin& cause,
                                         const CommandStamp& stamp) {
    using binary::Request;
    const auto sequence = static_cast<std::uint32_t>(cause.inbound_sequence);
    if (note.request == Request::new_order && !is_v2()) {
        // A refused order does not count; a later request may have counted.
        if (pending_ == 1) recorded_ = answered_;
        return send_order_rejected(event, note, stamp);
    }
    answered_ = sequence;
    switch (note.request) {
        case Request::new_order:
            return send_order_rejected(event, note, stamp);
        case Request::cancel:
            return send(wire::binary::CancelAck{client_id_, event.order_id, note.client_order_id,
                                                note.instrument,
                                                binary::cancel_status(version_, event.reason)},
                        note.long_answer != 0 ? wire::binary::k_capture_cancel_ack_tail : 0);
        case Request::modify:
            return send_modify_ack(event, note, OrderId{}, event.quantity,
                                   binary::modify_status(version_, event.reason));
        case Request::quote_protection:
            return send_protection_ack(note, event.reason);
        default:
            return;
    }
}

template <class Gateway>
void BinarySession<Gateway>::send_order_rejected(const Event& event, const Note& note,
                                                 const CommandStamp& stamp) {
    const bool market = event.order_type == OrderType::market;
    send(wire::binary::OrderAck{.client_id = client_id_,
                                .client_order_id = note.client_order_id,
                                .quantity = market && !is_v2() ? 0 : note.echo,
                                .server_time_us = wire::binary::microseconds_of(stamp.timestamp),
                                .instrument = note.instrument,
                                .status = std::to_underlying(binary::OrderStatus::invalid)});
}

template <class Gateway>
void BinarySession<Gateway>::send_modify_ack(const Event& event, const Note& note, OrderId new_id,
                                             Quantity quantity, std::uint8_t status) {
    send(wire::binary::ModifyAck{.client_id = client_id_,
                                 .old_order_id = event.order_id,
                                 .new_order_id = new_id,
                                 .client_order_id = note.client_order_id,
                                 .quantity = static_cast<std::uint64_t>(quantity.value),
                                 .price_e2 = note.echo,
                                 .instrument = note.instrument,
                                 .status = status});
}

template <class Gateway>
void BinarySession<Gateway>::on_command_end(const Origin& cause) {
    if (cause.session != id_) return;
    settle_held_ack();
    DAMRAK_ASSERT(pending_ > 0);
    const Note note = Note::of(cause.tag);
    if (note.request == binary::Request::hello || note.request == binary::Request::logout) {
        answered_ = static_cast<std::uint32_t>(cause.inbound_sequence);
        if (note.request == binary::Request::hello) {
            if constexpr (requires { gateway_->on_login(id_, participant_); })
                gateway_->on_login(id_, participant_);
            send(wire::binary::HelloAck{client_id_,
                                        std::to_underlying(binary::HelloStatus::accepted)});
        } else {
            if constexpr (requires { gateway_->on_logout(id_); }) gateway_->on_logout(id_);
            send(wire::binary::LogoutAck{client_id_,
                                         std::to_underlying(binary::LogoutStatus::accepted)});
        }
    }
    // From now on, requests without an answer count too.
    if (--pending_ == 0) answered_ = recorded_;
}

template <class Gateway>
void BinarySession<Gateway>::time_out(Timestamp now) {
    if (version_ == Version::v1)
        send(wire::binary::SessionTimeout{client_id_, wire::binary::microseconds_of(now)});
    if (disconnect_ == Disconnect::none) disconnect_ = Disconnect::timed_out;
}

template <class Gateway>
void BinarySession<Gateway>::close() {
    if (logged_in_) end_login(rules_->cancel_on_disconnect, {.version = version_}, recorded_);
}

}  // namespace damrak::session
