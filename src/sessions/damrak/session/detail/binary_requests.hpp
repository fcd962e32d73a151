// Input: from bytes to commands, and rejects that do not need the engine.
#pragma once

#include <limits>
#include <utility>

#include <damrak/session/binary_session.hpp>

namespace damrak::session {

template <class Gateway>
Received BinarySession<Gateway>::receive(std::span<const std::byte> bytes, Timestamp now) {
    Received result;
    while (disconnect_ == Disconnect::none) {
        const auto rest = bytes.subspan(result.consumed_bytes);
        const wire::binary::Scan found = wire::binary::scan(rest);
        if (found.fault != wire::binary::Fault::none) [[unlikely]] {
            result.blocked = !refuse_frame(found);
            break;
        }
        if (!found.complete) break;
        const auto payload =
            rest.subspan(wire::binary::k_header_length, found.header.payload_length);
        if (!gateway_->ready() || !watch_and_handle(found.header, payload, now)) [[unlikely]] {
            result.blocked = true;
            break;
        }
        result.consumed_bytes += found.frame_length();
        ++result.messages;
    }
    return result;
}

template <class Gateway>
bool BinarySession<Gateway>::watch_and_handle(const Header& header,
                                              std::span<const std::byte> payload, Timestamp now) {
    if constexpr (WatchingGateway<Gateway>) {
        gateway_->on_message(id_, header);
        const bool handled = handle(header, payload, now);
        if (handled) [[likely]]
            gateway_->on_handled(id_, header, now);
        else
            gateway_->on_postponed();
        return handled;
    } else {
        return handle(header, payload, now);
    }
}

template <class Gateway>
bool BinarySession<Gateway>::handle(const Header& header, std::span<const std::byte> payload,
                                    Timestamp now) {
    using namespace wire::binary;
    if (version_ != header.version) [[unlikely]] {
        if (version_ != Version::none)
            return refuse_frame({.fault = Fault::unknown_version, .header = header});
        version_ = header.version;
    }
    // Version 2 ignores a message with an unexpected sequence number.
    if (is_v2() && header.client_sequence != recorded_ + 1) [[unlikely]]
        return true;
    if (!bucket_.allows(now.value)) [[unlikely]]
        return refuse(header, binary::ErrorCode::too_many_messages);
    bool handled = false;
    const auto take = [&](const auto& request) { handled = on_request(request, header, now); };
    const Fault fault = is_v2() ? visit<Version::v2>(Requests{}, header.type, payload, take)
                                : visit<Version::v1>(Requests{}, header.type, payload, take);
    if (fault != Fault::none) [[unlikely]]
        handled =
            refuse(header, fault == Fault::unknown_type ? binary::ErrorCode::unknown_type
                                                        : binary::ErrorCode::payload_too_short);
    if (handled) bucket_.take();
    return handled;
}

template <class Gateway>
bool BinarySession<Gateway>::on_request(const wire::binary::Hello& hello, const Header& header,
                                        Timestamp) {
    using binary::HelloStatus;
    using wire::binary::HelloAck;
    if (logged_in_) return k_ignored;
    const auto answer = [&](HelloStatus status) {
        return HelloAck{client_id_, is_v2() ? binary::k_v2_rejected : std::to_underlying(status)};
    };
    if (!is_next(header.client_sequence)) return refuse(header, answer(HelloStatus::out_of_order));
    const std::span<const std::byte> key{hello.api_key};
    const auto who = gateway_->authenticate(id_, is_v2() ? key.first(0) : key);
    if (!who) return refuse(header, answer(who.error()));
    logged_in_ = true;
    participant_ = *who;
    Command command{};
    command.kind = CommandKind::session_opened;
    command.participant = *who;
    if (rules_->cancel_on_disconnect) command.flags = CommandFlags::k_cancel_on_disconnect;
    submit(command, {.version = version_, .request = binary::Request::hello},
           header.client_sequence);
    return true;
}

template <class Gateway>
bool BinarySession<Gateway>::on_request(const wire::binary::Logout& logout, const Header& header,
                                        Timestamp) {
    using wire::binary::LogoutAck;
    if (!logged_in_) return k_ignored;
    if (logout.client_id != client_id_)
        return is_v2() ? refuse(header, LogoutAck{client_id_, binary::k_v2_rejected})
                       : refuse(header, binary::ErrorCode::wrong_client_id);
    if (!is_next(header.client_sequence))
        return refuse(
            header, LogoutAck{client_id_, std::to_underlying(binary::LogoutStatus::out_of_order)});
    end_login(rules_->cancel_on_logout, {.version = version_, .request = binary::Request::logout},
              header.client_sequence);
    return true;
}

// A heartbeat only shows that the connection is alive, which its arrival has already recorded. Its
// client id is not checked: before the login the client does not know it.
template <class Gateway>
bool BinarySession<Gateway>::on_request(const wire::binary::Heartbeat&, const Header&, Timestamp) {
    return true;
}

template <class Gateway>
template <std::derived_from<wire::binary::NewOrder> Order>
bool BinarySession<Gateway>::on_request(const Order& order, const Header& header, Timestamp now) {
    if (!logged_in_) return k_ignored;
    Command command{};
    const bool valid = order.client_id == client_id_ && make_command(order, command);
    if (!is_v2()) {
        if (!valid) return refuse_order(order, header, binary::OrderStatus::invalid, now);
        if (!is_next(header.client_sequence))
            return refuse_order(order, header, binary::OrderStatus::out_of_order, now);
    } else if (!valid) {
        command = refused_order(order);
    }
    if constexpr (WatchingGateway<Gateway>) gateway_->on_good_till(id_, header, order.good_till_us);
    submit(command,
           {.version = version_,
            .request = binary::Request::new_order,
            .instrument = order.instrument,
            .client_order_id = order.client_order_id,
            .echo = order.quantity},
           header.client_sequence);
    return true;
}

template <class Gateway>
bool BinarySession<Gateway>::on_request(const CancelOrder& cancel, const Header& header,
                                        Timestamp) {
    using namespace wire::binary;
    if (!logged_in_ && !is_v2()) return k_ignored;
    const bool long_form = !is_v2() && header.payload_length >= k_capture_cancel_order_length;
    if (cancel.client_id != client_id_ || !participant_) {
        // A cancel of version 1 uses up its sequence number, whether it succeeds or not.
        if (may_answer()) recorded_ = answered_ = header.client_sequence;
        return refuse(
            header,
            CancelAck{client_id_, cancel.order_id, cancel.client_order_id, cancel.instrument,
                      std::to_underlying(binary::CancelStatus::invalid)},
            long_form ? k_capture_cancel_ack_tail : 0);
    }
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.participant = participant_;
    command.order_id = cancel.order_id;
    command.instrument = is_v2() ? cancel.instrument : instrument_of(cancel.order_id);
    submit(command,
           {.version = version_,
            .request = binary::Request::cancel,
            .long_answer = long_form,
            .instrument = cancel.instrument,
            .client_order_id = cancel.client_order_id},
           header.client_sequence);
    return true;
}

template <class Gateway>
bool BinarySession<Gateway>::on_request(const ModifyOrder& modify, const Header& header,
                                        Timestamp) {
    using binary::ModifyStatus;
    if (!logged_in_ && !is_v2()) return k_ignored;
    const auto answer = [&](ModifyStatus status) {
        return wire::binary::ModifyAck{.client_id = client_id_,
                                       .old_order_id = modify.order_id,
                                       .client_order_id = modify.client_order_id,
                                       .quantity = modify.quantity,
                                       .price_e2 = modify.price_e2,
                                       .instrument = modify.instrument,
                                       .status = std::to_underlying(status)};
    };
    const auto quantity = wire::binary::quantity_of(modify.quantity);
    const auto price = price_of(modify.price_e2, modify.instrument);
    if (modify.client_id != client_id_ || !participant_)
        return refuse(header, answer(ModifyStatus::invalid));
    if (!is_next(header.client_sequence)) return refuse(header, answer(ModifyStatus::out_of_order));
    if (!quantity || !price) {
        if (may_answer()) recorded_ = answered_ = header.client_sequence;
        return refuse(header, answer(ModifyStatus::invalid));
    }
    Command command{};
    // Version 2 allows a quantity of zero, which cancels the rest of the order.
    const bool to_nothing = is_v2() && quantity->value == 0;
    command.kind = to_nothing ? CommandKind::cancel_order : CommandKind::replace_order;
    command.participant = participant_;
    command.order_id = modify.order_id;
    command.instrument = is_v2() ? modify.instrument : instrument_of(modify.order_id);
    command.price = to_nothing ? Price{} : *price;
    command.quantity = *quantity;
    submit(command,
           {.version = version_,
            .request = binary::Request::modify,
            .instrument = modify.instrument,
            .client_order_id = modify.client_order_id,
            .echo = modify.price_e2},
           header.client_sequence);
    return true;
}

}  // namespace damrak::session
