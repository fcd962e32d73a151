// Turns orders in datagrams into commands. Part of udp_gateway.hpp.
#pragma once

#include <utility>

#include <damrak/gateway/udp/detail/order_terms.hpp>
#include <damrak/gateway/udp/udp_gateway.hpp>

namespace damrak::gateway::udp {

namespace detail {

[[nodiscard]] inline telemetry::RequestKind request_kind(wire::packet::Action action) {
    using wire::packet::Action;
    if (action == Action::new_order) return telemetry::RequestKind::new_order;
    return action == Action::cancel ? telemetry::RequestKind::cancel
                                    : telemetry::RequestKind::modify;
}

}  // namespace detail

template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::serve(Source& source, const Order& order, Format format) {
    const SessionId session = clients_.source(source.index).session;
    const telemetry::RequestKind kind = detail::request_kind(order.action);
    const std::uint8_t wire_type = std::to_underlying(format);
    probe_->on_message(session, kind, wire_type, order.sequence);
    if (!handle(source, order, format)) [[unlikely]] {
        probe_->on_postponed();
        return false;
    }
    probe_->on_handled(session, kind, wire_type, order.sequence, time_, unwritten_);
    ++source.taken;
    ++orders_;
    return true;
}

template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::handle(Source& source, const Order& order, Format format) {
    if (!ready() || !has_room_for(*exchange_, source.pending)) [[unlikely]]
        return false;
    if (!order.name) [[unlikely]] {
        refuse(source, order, format, std::to_underlying(Reason::invalid_order_id));
        return true;
    }
    return order.action == wire::packet::Action::new_order ? enter(source, order, format)
                                                           : change(source, order, format);
}

template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::enter(Source& source, const Order& order, Format format) {
    const ParticipantId participant = clients_.source(source.index).participant;
    if (const UdpOrder* const known = clients_.find(participant, order.name)) [[unlikely]] {
        // The order may be refused or gone before the pending answers arrive.
        if (!known->id || source.pending > 0) return false;
        refuse(source, order, format, std::to_underlying(Reason::duplicate_order_id));
        return true;
    }
    const InstrumentId instrument = order.instrument ? order.instrument : config_.instrument;
    if (!exchange_->has_instrument(instrument) || exchange_->below_zero(instrument)) [[unlikely]] {
        refuse(source, order, format, std::to_underlying(Reason::unknown_instrument));
        return true;
    }
    if (!clients_.reserve({.name = order.name,
                           .participant = participant,
                           .source = source.index,
                           .sequence = order.sequence,
                           .instrument = instrument,
                           .side = order.side,
                           .format = std::to_underlying(format)})) [[unlikely]] {
        refuse(source, order, format, std::to_underlying(Reason::orders_full));
        return true;
    }
    Command command{};
    command.kind = CommandKind::new_order;
    command.side = order.side;
    command.time_in_force = order.time_in_force;
    command.instrument = instrument;
    command.participant = participant;
    command.client_order_id = order.name;
    command.price = wire::packet::price_of(order.price_e2);
    command.quantity = Quantity{order.quantity};
    detail::set_terms(command, order);
    command.order.expire_time =
        Timestamp{std::int64_t{order.expire_s} * std::int64_t{1'000'000'000}};
    open_session(source);
    submit(source, command,
           {.request = UdpRequest::new_order,
            .format = std::to_underlying(format),
            .name = order.name},
           order.sequence);
    return true;
}

template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::change(Source& source, const Order& order, Format format) {
    const ParticipantId participant = clients_.source(source.index).participant;
    const bool cancels = order.action == wire::packet::Action::cancel;
    const UdpOrder* const known = clients_.find(participant, order.name);
    if (known == nullptr || (!cancels && known->side != order.side)) [[unlikely]] {
        refuse(source, order, format,
               std::to_underlying(known == nullptr ? Reason::unknown_order : Reason::invalid_side));
        return true;
    }
    // The exchange's order id is not known yet.
    if (!known->id) return false;
    Command command{};
    command.kind = cancels ? CommandKind::cancel_order : CommandKind::replace_order;
    command.instrument = known->instrument;
    command.participant = participant;
    command.order_id = known->id;
    command.client_order_id = order.name;
    if (!cancels) {
        command.price = wire::packet::price_of(order.price_e2);
        command.quantity = Quantity{order.quantity};
        command.new_order_id = known->id;
    }
    open_session(source);
    submit(source, command,
           {.request = cancels ? UdpRequest::cancel : UdpRequest::modify,
            .format = std::to_underlying(format),
            .name = order.name},
           order.sequence);
    return true;
}

// With a sender's first order, and again after a restart, which ends all sessions.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::open_session(Source& source) {
    if (std::exchange(source.in_session, true)) [[likely]]
        return;
    Command command{};
    command.kind = CommandKind::session_opened;
    command.participant = clients_.source(source.index).participant;
    if (config_.cancel_on_silence) command.flags = CommandFlags::k_cancel_on_disconnect;
    submit(source, command, opening_note(source, UdpRequest::open), 0);
}

template <class Path, class Clock, class Exchange>
UdpNote UdpGateway<Path, Clock, Exchange>::opening_note(const Source& source,
                                                        UdpRequest request) const {
    UdpNote note{.request = request, .link = source.endpoint.link};
    if (source.endpoint.is_ipv6()) note.set_end6(source.endpoint.address6, source.endpoint.port);
    return note;
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::submit(Source& source, const Command& command,
                                               const UdpNote& note, std::uint32_t sequence) {
    const Origin origin{.session = clients_.source(source.index).session,
                        .inbound_sequence = sequence,
                        .tag = note.tag()};
    probe_->on_submit();
    ++source.pending;
    if (stopped_ || !exchange_->submit(command, origin, time_)) {
        stopped_ = true;
        --source.pending;
    }
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::refuse(Source& source, const Order& order, Format format,
                                               std::uint8_t reason) {
    ++counters_.refused;
    note_trouble(UdpTrouble::refused, clients_.source(source.index).session, reason);
    tell_refusal(source, order, format, reason);
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::tell_refusal(Source& source, const Order& order,
                                                     Format format, std::uint8_t reason) {
    const SessionId session = clients_.source(source.index).session;
    if (probe_->logging())
        probe_->on_refused({.request = detail::request_kind(order.action),
                            .wire_type = std::to_underlying(format),
                            .wire_status = reason,
                            .sequence = order.sequence,
                            .time = time_,
                            .session = session,
                            .quantity = order.quantity,
                            .price_e2 = order.price_e2,
                            .instrument = order.instrument});
    if (format != Format::extended) return;
    tell(source.index, wire::packet::Reply{.kind = wire::packet::ReplyKind::rejected,
                                           .side = order.side,
                                           .reason = reason,
                                           .sequence = order.sequence,
                                           .name = order.name,
                                           .price_e2 = order.price_e2,
                                           .quantity = order.quantity,
                                           .instrument = order.instrument,
                                           .time = time_});
}

}  // namespace damrak::gateway::udp
