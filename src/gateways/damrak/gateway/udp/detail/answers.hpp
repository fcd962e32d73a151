// Turns events into replies and sends them. Part of udp_gateway.hpp.
#pragma once

#include <limits>
#include <span>
#include <utility>

#include <damrak/gateway/udp/udp_gateway.hpp>

namespace damrak::gateway::udp {

namespace detail {

[[nodiscard]] inline bool is_extended(const UdpOrder& order) {
    return order.format == std::to_underlying(wire::packet::Format::extended);
}
/// The public formats have 32 bits for the name; longer names only come in the extended format.
[[nodiscard]] inline std::uint32_t public_name(const UdpOrder& order) {
    return order.name.value > std::numeric_limits<std::uint32_t>::max()
               ? 0
               : static_cast<std::uint32_t>(order.name.value);
}

}  // namespace detail

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::on_event(const Event& event, const Origin& origin,
                                                 const CommandStamp& stamp) {
    using wire::packet::ReplyKind;
    const UdpOrder* const order = clients_.apply(event, origin).order;
    switch (event.kind) {
        case EventKind::executed:
            if (has_flag(event, EventFlags::k_aggressor)) {
                tell_trade(event, order, stamp);
            } else {
                resting_event_ = event;
                resting_.ours = order != nullptr;
                if (order != nullptr) resting_.order = *order;
            }
            return;
        case EventKind::accepted:
        case EventKind::replaced:
        case EventKind::cancelled:
        case EventKind::expired:
            if (order != nullptr) tell_change(*order, event, origin, stamp);
            return;
        case EventKind::rejected:
            break;
        default:
            return;
    }
    if (gateway_of(origin.session) != k_udp_gateway) return;
    const std::uint32_t source = clients_.find(origin.session);
    const UdpNote note = UdpNote::of(origin.tag);
    ++counters_.rejected;
    note_trouble(UdpTrouble::refused, origin.session, std::to_underlying(event.reason));
    if (source == 0 || note.format != std::to_underlying(Format::extended)) return;
    tell(source,
         wire::packet::Reply{.kind = ReplyKind::rejected,
                             .side = event.side,
                             .reason = std::to_underlying(event.reason),
                             .sequence = static_cast<std::uint32_t>(origin.inbound_sequence),
                             .name = note.name,
                             .order_id = event.order_id,
                             .price_e2 = wire::packet::price_e2_of(event.price),
                             .quantity = static_cast<std::uint32_t>(event.quantity.value),
                             .instrument = event.instrument,
                             .time = stamp.timestamp});
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::on_command_end(const Origin& origin) {
    const std::uint32_t index = clients_.find(origin.session);
    const UdpRequest request = UdpNote::of(origin.tag).request;
    probe_->on_command_end(origin);
    // Skips a command that removed its sender: the place may be in use again.
    if (index != 0 && request != UdpRequest::forget) {
        Source& source = live_[index];
        if (source.pending > 0) --source.pending;
        if (request == UdpRequest::begin &&
            UdpNote::of(origin.tag).format == std::to_underlying(Format::extended))
            tell(index, wire::packet::Reply{
                            .kind = wire::packet::ReplyKind::begun,
                            .sequence = static_cast<std::uint32_t>(origin.inbound_sequence),
                            .time = time_});
    }
    probe_->on_answered(origin, unwritten_);
}

// Either side may belong to another gateway or format, and both may belong to one sender.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::tell_trade(const Event& event, const UdpOrder* incoming,
                                                   const CommandStamp& stamp) {
    const UdpOrder* const resting = resting_.ours ? &resting_.order : nullptr;
    if (resting == nullptr && incoming == nullptr) return;
    if (resting != nullptr && detail::is_extended(*resting))
        tell_execution(*resting, resting_event_, stamp);
    if (incoming != nullptr && detail::is_extended(*incoming))
        tell_execution(*incoming, event, stamp);
    const bool bought = event.side == Side::buy;
    tell_public_trade(bought ? incoming : resting, bought ? resting : incoming, event);
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::tell_public_trade(const UdpOrder* bid, const UdpOrder* ask,
                                                          const Event& event) {
    const auto tell_owner = [&](const UdpOrder& owner) {
        const auto name_for_owner = [&owner](const UdpOrder* order) {
            return order != nullptr && order->participant == owner.participant
                       ? detail::public_name(*order)
                       : std::uint32_t{0};
        };
        tell(owner.source,
             wire::packet::Trade{.bid = name_for_owner(bid),
                                 .ask = name_for_owner(ask),
                                 .price_e2 = wire::packet::price_e2_of(event.price),
                                 .quantity = static_cast<std::uint32_t>(event.quantity.value)});
    };
    const bool tell_bid = bid != nullptr && !detail::is_extended(*bid);
    const bool tell_ask = ask != nullptr && !detail::is_extended(*ask);
    if (tell_bid) tell_owner(*bid);
    if (tell_ask && !(tell_bid && bid->source == ask->source)) tell_owner(*ask);
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::tell_execution(const UdpOrder& order, const Event& event,
                                                       const CommandStamp& stamp) {
    tell(order.source,
         wire::packet::Reply{.kind = wire::packet::ReplyKind::executed,
                             .side = order.side,
                             .sequence = order.sequence,
                             .name = order.name,
                             .order_id = event.order_id,
                             .trade_id = event.trade_id(),
                             .price_e2 = wire::packet::price_e2_of(event.price),
                             .quantity = static_cast<std::uint32_t>(event.quantity.value),
                             .remaining = static_cast<std::uint32_t>(event.remaining.value),
                             .instrument = event.instrument,
                             .time = stamp.timestamp});
}

// The public formats report only trades.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::tell_change(const UdpOrder& order, const Event& event,
                                                    const Origin& origin,
                                                    const CommandStamp& stamp) {
    using wire::packet::ReplyKind;
    if (!detail::is_extended(order)) return;
    const bool cancelled = event.kind == EventKind::cancelled || event.kind == EventKind::expired;
    const bool asked_for = event.kind == EventKind::cancelled &&
                           event.command == CommandKind::cancel_order &&
                           origin.session == clients_.source(order.source).session;
    ReplyKind kind = ReplyKind::accepted;
    if (cancelled) kind = ReplyKind::cancelled;
    if (event.kind == EventKind::replaced) kind = ReplyKind::modified;
    tell(order.source,
         wire::packet::Reply{
             .kind = kind,
             .side = order.side,
             .reason = cancelled ? std::to_underlying(event.reason) : std::uint8_t{0},
             .sequence =
                 asked_for ? static_cast<std::uint32_t>(origin.inbound_sequence) : order.sequence,
             .name = order.name,
             .order_id = event.kind == EventKind::replaced ? event.new_order_id() : event.order_id,
             .price_e2 = wire::packet::price_e2_of(event.price),
             .quantity = static_cast<std::uint32_t>(event.quantity.value),
             .remaining = static_cast<std::uint32_t>(event.remaining.value),
             .instrument = event.instrument,
             .time = stamp.timestamp});
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::tell(std::uint32_t source,
                                             const wire::packet::Reply& reply) {
    ++counters_.replies;
    const std::uint32_t number = ++live_[source].replies;
    detail::UdpReplies::Item* const item = replies_.push();
    if (item == nullptr) [[unlikely]] {
        ++counters_.replies_lost;
        return note_trouble(UdpTrouble::reply_lost, clients_.source(source).session);
    }
    ++live_[source].unsent;
    item->source = source;
    item->number = number;
    item->format = Format::extended;
    item->length = static_cast<std::uint8_t>(encode(reply, item->bytes));
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::tell(std::uint32_t source,
                                             const wire::packet::Trade& trade) {
    ++counters_.replies;
    detail::UdpReplies::Item* const item = replies_.push();
    if (item == nullptr) [[unlikely]] {
        ++counters_.replies_lost;
        return note_trouble(UdpTrouble::reply_lost, clients_.source(source).session);
    }
    ++live_[source].unsent;
    item->source = source;
    item->format = Format::packed;
    item->length = static_cast<std::uint8_t>(encode(trade, item->bytes));
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::flush() {
    sent_bytes_ = 0;
    while (!replies_.empty()) {
        if (send_front()) continue;
        // Either the kernel accepts the pending datagrams, which frees space, or the rest waits for
        // the next turn.
        path_->flush();
        if (!send_front()) break;
    }
    path_->flush();
    if (sent_bytes_ > 0) probe_->on_written({}, 0, 0, sent_bytes_, time_, unwritten_);
}

/// The reply at the front, and those after it that fit into the same datagram.
template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::send_front() {
    const detail::UdpReplies::Item& front = replies_.front();
    Source& source = live_[front.source];
    const bool extended = front.format == Format::extended;
    const net::Endpoint to = extended ? source.endpoint : end_for_trades(source);
    const std::size_t count = extended ? replies_.run() : 1;
    const std::size_t length =
        extended ? wire::packet::HeaderLayout::k_reply_length + count * front.length : front.length;
    const std::span<std::byte> room = path_->claim(to, length);
    if (room.size() < length) return false;
    std::size_t used = 0;
    if (extended)
        used = encode(wire::packet::Header{.kind = wire::packet::Kind::replies,
                                           .count = static_cast<std::uint16_t>(count),
                                           .sequence = front.number},
                      room);
    for (std::size_t i = 0; i < count; ++i) {
        const detail::UdpReplies::Item& item = replies_.at(i);
        std::ranges::copy(std::span{item.bytes}.first(item.length), room.subspan(used).begin());
        used += item.length;
    }
    path_->commit(used);
    sent_bytes_ += used;
    source.unsent -= static_cast<std::uint32_t>(count);
    replies_.pop(count);
    return true;
}

// Keeps the sender's link address; a path that knows the destination's replaces it.
template <class Path, class Clock, class Exchange>
net::Endpoint UdpGateway<Path, Clock, Exchange>::end_for_trades(const Source& source) const {
    net::Endpoint to = source.endpoint;
    if (config_.reply_to.port != 0) to.port = config_.reply_to.port;
    if (config_.reply_to.address != net::Endpoint{}.address) {
        to.address = config_.reply_to.address;
        to.address6 = config_.reply_to.address6;
    }
    return to;
}

}  // namespace damrak::gateway::udp
