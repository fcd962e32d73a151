// Quotes and their protection, and what happens to quotes and linked orders without a request.
#pragma once

#include <limits>
#include <utility>

#include <damrak/session/binary_session.hpp>

namespace damrak::session {

template <class Gateway>
Reason BinarySession<Gateway>::make_command(const wire::binary::Quote& quote,
                                            Command& command) const {
    using wire::binary::quantity_of;
    if (quote.client_id != client_id_) return Reason::unknown_participant;
    if (!gateway_->has_instrument(quote.instrument)) return Reason::unknown_instrument;
    const auto bid_quantity = quantity_of(quote.bid_quantity);
    const auto ask_quantity = quantity_of(quote.ask_quantity);
    if (!bid_quantity || !ask_quantity) return Reason::invalid_quantity;
    const auto bid_price = price_of(quote.bid_price_e2, quote.instrument);
    const auto ask_price = price_of(quote.ask_price_e2, quote.instrument);
    if (!bid_price || !ask_price) return Reason::invalid_price;
    command.kind = CommandKind::quote;
    command.self_trade_prevention = SelfTradePrevention::skip_own;
    command.instrument = quote.instrument;
    command.participant = participant_;
    command.client_order_id = quote.client_order_id;
    command.price = *bid_price;
    command.quantity = *bid_quantity;
    command.quote = {*ask_price, *ask_quantity};
    return Reason::none;
}

template <class Gateway>
Reason BinarySession<Gateway>::make_command(const wire::binary::QuoteProtection& protection,
                                            Command& command) const {
    constexpr std::uint64_t k_longest_us = std::numeric_limits<std::int64_t>::max() / 1'000;
    if (protection.client_id != client_id_) return Reason::unknown_participant;
    if (!gateway_->has_instrument(protection.instrument)) return Reason::unknown_instrument;
    const auto maximum = wire::binary::quantity_of(protection.maximum_quantity);
    if (!maximum || protection.window_us > k_longest_us) return Reason::invalid_rules;
    command.kind = CommandKind::set_quote_protection;
    command.instrument = protection.instrument;
    command.participant = participant_;
    command.quote_protection = {*maximum, static_cast<std::int64_t>(protection.window_us) * 1'000};
    return Reason::none;
}

template <class Gateway>
bool BinarySession<Gateway>::on_request(const wire::binary::Quote& quote, const Header& header,
                                        Timestamp now) {
    if (!logged_in_) return k_ignored;
    Command command{};
    if (const Reason reason = make_command(quote, command); reason != Reason::none)
        return refuse(header,
                      wire::binary::QuoteAck{.client_id = client_id_,
                                             .client_order_id = quote.client_order_id,
                                             .server_time_us = wire::binary::microseconds_of(now),
                                             .instrument = quote.instrument,
                                             .status = binary::k_v2_rejected,
                                             .reason = std::to_underlying(reason)});
    submit(command,
           {.version = version_,
            .request = binary::Request::quote,
            .instrument = quote.instrument,
            .client_order_id = quote.client_order_id},
           header.client_sequence);
    return true;
}

template <class Gateway>
bool BinarySession<Gateway>::on_request(const wire::binary::QuoteProtection& protection,
                                        const Header& header, Timestamp /*now*/) {
    if (!logged_in_) return k_ignored;
    Command command{};
    if (const Reason reason = make_command(protection, command); reason != Reason::none)
        return refuse(header, wire::binary::QuoteProtectionAck{client_id_, protection.instrument,
                                                               binary::k_v2_rejected,
                                                               std::to_underlying(reason)});
    submit(command,
           {.version = version_,
            .request = binary::Request::quote_protection,
            .instrument = protection.instrument},
           header.client_sequence);
    return true;
}

// The acknowledgement of a quote precedes all that it does, and tells how its two orders end up.
template <class Gateway>
void BinarySession<Gateway>::on_quote_event(const Event& event, const Note& note,
                                            const Origin& cause, const CommandStamp& stamp) {
    if (!std::exchange(holds_quote_, true)) {
        answered_ = static_cast<std::uint32_t>(cause.inbound_sequence);
        const bool rejected = event.kind == EventKind::rejected;
        held_quote_ = {.client_id = client_id_,
                       .client_order_id = note.client_order_id,
                       .server_time_us = wire::binary::microseconds_of(stamp.timestamp),
                       .instrument = note.instrument,
                       .status = rejected ? binary::k_v2_rejected : binary::k_v2_accepted,
                       .reason = std::to_underlying(event.reason)};
        held_sequences_ = {.client = answered_, .server = server_sequence_ + 1};
        out_->hold();
        send(held_quote_);
        if (rejected) return;
        held_quote_.reason = 0;
    }
    const bool buy = event.side == Side::buy;
    OrderId& id = buy ? held_quote_.bid_order_id : held_quote_.ask_order_id;
    if (event.kind == EventKind::accepted || event.kind == EventKind::replaced) id = event.order_id;
    if (id && event.order_id == id)
        (buy ? held_quote_.bid_quantity : held_quote_.ask_quantity) =
            static_cast<std::uint64_t>(event.remaining.value);
}

template <class Gateway>
void BinarySession<Gateway>::send_protection_ack(const Note& note, Reason reason) {
    send(wire::binary::QuoteProtectionAck{
        client_id_, note.instrument,
        reason == Reason::none ? binary::k_v2_accepted : binary::k_v2_rejected,
        std::to_underlying(reason)});
}

template <class Gateway>
void BinarySession<Gateway>::on_unasked(const Event& event, const CommandStamp& stamp) {
    using binary::Change;
    if (!is_v2()) return;
    Change change = Change::cancelled;
    if (event.kind == EventKind::triggered)
        change = has_flag(event, EventFlags::k_waiting) ? Change::pending : Change::triggered;
    const Quantity lost = change == Change::cancelled ? event.quantity : Quantity{};
    send(
        wire::binary::OrderChanged{.client_id = client_id_,
                                   .order_id = event.order_id,
                                   .client_order_id = gateway_->client_order_id(event.order_id),
                                   .lost_quantity = static_cast<std::uint64_t>(lost.value),
                                   .quantity = static_cast<std::uint64_t>(event.remaining.value),
                                   .server_time_us = wire::binary::microseconds_of(stamp.timestamp),
                                   .instrument = event.instrument,
                                   .change = std::to_underlying(change),
                                   .reason = std::to_underlying(event.reason)});
}

}  // namespace damrak::session
