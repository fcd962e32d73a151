// Reports of what is not an event of an order, and the ways to send one. Part of reporting.hpp.
#pragma once

#include <algorithm>

#include <damrak/gateway/fix/detail/reporting.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
std::expected<void, std::string> FixReporting<Exchange, Store>::open(
    journal::FileSystem& files, const std::filesystem::path& folder) {
    auto watermark = FixWatermark::open(files, folder);
    if (!watermark) return std::unexpected{watermark.error()};
    watermark_ = *std::move(watermark);
    reported_ = watermark_->found();
    return {};
}

/// The engine refused what passed the checks of the gateway.
template <class Exchange, class Store>
void FixReporting<Exchange, Store>::report_rejected(const Event& event, const Origin& origin,
                                                    const CommandStamp& stamp,
                                                    const Applied& applied) {
    Client* const client = sessions_->client_at(static_cast<std::uint32_t>(origin.session.value));
    const FixNote note = FixNote::of(origin.tag);
    if (client == nullptr || note.request == '\0') return;
    const detail::ReportStyle style = client->style();
    const ClOrdId name = note.full_name(applied.attachment);
    const detail::EventId event_id{.sequence = stamp.sequence, .index = index_};
    if (note.request == 'D' || note.request == 'E') {
        const InstrumentDefinition& instrument = context_->instruments.definition(event.instrument);
        const detail::Execution execution{
            .type = detail::Execution::k_rejected,
            .status = detail::Execution::k_rejected,
            .name = name.view(),
            .event = event_id,
            .symbol = instrument.symbol.view(),
            .price_decimals = instrument.price_decimals,
            .side = event.side,
            .side_sent = note.side_sent(),
            .order_type = event.order_type,
            .type_sent = note.type_sent(),
            .time_in_force = event.time_in_force,
            .has_time_in_force = (note.flags & FixNote::k_no_time_in_force) == 0,
            .price = note.type_sent() == 'P' ? Price{} : event.price,
            .limit = event.price,
            .ordered = event.quantity,
            .time = stamp.timestamp,
            .reject_reason = detail::order_reject_reason(event.reason),
            .text = text(event.reason),
            .fields = applied.attachment};
        send(*client, "8", applied.attachment,
             [&](auto& writer) { detail::put_execution(writer, style, execution); });
    } else if (note.request == 'q') {
        const auto id = event_id.text(style);
        const detail::MassCancelReport report{.name = name.view(),
                                              .id = id.view(),
                                              .request_type = note.scope,
                                              .reject_reason = 99,
                                              .text = text(event.reason),
                                              .time = stamp.timestamp};
        send(*client, "r", applied.attachment,
             [&](auto& writer) { detail::put_mass_cancel_report(writer, style, report); });
    } else {
        const FixOrder* const order = applied.order;
        const bool says_who =
            !detail::routing_of(applied.attachment, client->settings.name.begin_string).empty();
        const std::string_view fields =
            order == nullptr || says_who ? applied.attachment : applied.orders->fields(*order);
        detail::CancelReject reject{.order = event.order_id,
                                    .name = name.view(),
                                    .response_to = note.request == 'F' ? '1' : '2',
                                    .reason = detail::cancel_reject_reason(event.reason),
                                    .text = text(event.reason),
                                    .time = stamp.timestamp};
        if (order != nullptr) {
            reject.target_name = applied.orders->name(*order);
            reject.status = detail::status_of(*order);
        }
        if (event.reason == Reason::unknown_order && order != nullptr) reject.reason = 0;
        // Executed behind the gateway's back: it had been enough when the request was looked at.
        if (event.reason == Reason::invalid_quantity && order != nullptr &&
            event.quantity.value > 0 && event.quantity <= order->total(order->executed))
            reject.reason = 0;
        send(*client, "9", fields,
             [&](auto& writer) { detail::put_cancel_reject(writer, style, reject); });
    }
}

template <class Exchange, class Store>
void FixReporting<Exchange, Store>::report_mass_cancel(const Event& event, const Origin& origin,
                                                       const CommandStamp& stamp,
                                                       const Applied& applied) {
    const FixNote note = FixNote::of(origin.tag);
    Client* const client = sessions_->client_at(static_cast<std::uint32_t>(origin.session.value));
    if (gateway_of(origin.session) != k_fix_gateway || note.request != 'q' || client == nullptr)
        return;
    mass_cancelled_ += static_cast<std::uint64_t>(event.quantity.value);
    if (event.remaining.value != 0) return;
    const detail::ReportStyle style = client->style();
    const auto id = detail::EventId{.sequence = stamp.sequence, .index = index_}.text(style);
    const ClOrdId name = note.full_name(applied.attachment);
    const detail::MassCancelReport report{.name = name.view(),
                                          .id = id.view(),
                                          .request_type = note.scope,
                                          .cancelled = std::exchange(mass_cancelled_, 0),
                                          .time = stamp.timestamp};
    send(*client, "r", applied.attachment,
         [&](auto& writer) { detail::put_mass_cancel_report(writer, style, report); });
}

/// To those who watch the orders of others. What was refused, or only asked for, is not copied.
template <class Exchange, class Store>
void FixReporting<Exchange, Store>::copy(const Event& event, const Origin& origin,
                                         const CommandStamp& stamp, const Applied& applied) {
    if (applied.order == nullptr || event.kind == EventKind::rejected) return;
    detail::Execution execution =
        detail::execution_of(*applied.orders, *applied.order,
                             context_->instruments.definition(applied.order->instrument));
    execution.event = {.sequence = stamp.sequence, .index = index_};
    execution.time = stamp.timestamp;
    execution.is_copy = true;
    const ParticipantId whose = applied.order->participant;
    const detail::FixedText<16> whose_text{"{}", whose.value};
    session::fix::Routing routing;
    routing.set(session::fix::Routing::k_on_behalf_of_comp_id, whose_text.view());
    for (Client* const client : sessions_->copied_to()) {
        const auto& wanted = client->settings.copied_participants;
        const bool is_wanted = wanted.empty() || std::ranges::find(wanted, whose) != wanted.end();
        if (!is_wanted) continue;
        const detail::ReportStyle style = client->style();
        detail::Execution copied = execution;
        if (!detail::describe_event(event, origin, applied, style, copied)) continue;
        put_fee(event, copied);
        send_routed(*client, "8", routing,
                    [&](auto& writer) { detail::put_execution(writer, style, copied); });
    }
}

template <class Exchange, class Store>
void FixReporting<Exchange, Store>::report_missing(const Event& event, const Origin& origin,
                                                   const CommandStamp& stamp,
                                                   const Applied& applied) {
    count(stamp);
    if (stamp.sequence.value <= watermark_->found()) return;
    reports_missing_ = true;
    report(event, origin, stamp, applied);
    if (!sessions_->copied_to().empty()) copy(event, origin, stamp, applied);
    reports_missing_ = false;
}

/// Whether to report it: a restart does not repeat reports that it finds stored.
template <class Exchange, class Store>
bool FixReporting<Exchange, Store>::is_due(const Client& client,
                                           const session::fix::EventPosition& position) {
    if (!reports_missing_) return true;
    if (position <= client.store->last_position()) return false;
    ++missing_reported_;
    return true;
}

/// Keeps the report of an event, and sends it if its client is here. `fields` are of the request or
/// the order that it is about.
template <class Exchange, class Store>
template <class Fill>
void FixReporting<Exchange, Store>::send(Client& client, std::string_view msg_type,
                                         std::string_view fields, Fill&& fill) {
    send_routed(client, msg_type, detail::routing_of(fields, client.settings.name.begin_string),
                std::forward<Fill>(fill));
}

template <class Exchange, class Store>
template <class Fill>
void FixReporting<Exchange, Store>::send_routed(Client& client, std::string_view msg_type,
                                                const session::fix::Routing& routing, Fill&& fill) {
    const session::fix::EventPosition position{.command_sequence = sequence_.value,
                                               .event_index = index_};
    if (!is_due(client, position)) return;
    static_cast<void>(
        client.session.send(msg_type, context_->now, std::forward<Fill>(fill), position, routing));
    note_stored(client);
    context_->touch(client);
}

/// Of no event: what answers a request at once, and goes back the way that it came.
template <class Exchange, class Store>
template <class Fill>
void FixReporting<Exchange, Store>::reply_to(Client& client, const Message& request,
                                             std::string_view msg_type, Fill&& fill) {
    static_cast<void>(client.session.send(msg_type, context_->now, std::forward<Fill>(fill), {},
                                          session::fix::Routing::reversed(request)));
    context_->touch(client);
}

/// Of no event, where the request is not at hand.
template <class Exchange, class Store>
template <class Fill>
void FixReporting<Exchange, Store>::tell(Client& client, std::string_view msg_type,
                                         std::string_view fields, Fill&& fill) {
    static_cast<void>(
        client.session.send(msg_type, context_->now, std::forward<Fill>(fill), {},
                            detail::routing_of(fields, client.settings.name.begin_string)));
    context_->touch(client);
}

/// None for a session with routing fields of its own or with long comp ids: its reports are written
/// field by field.
template <class Exchange, class Store>
std::optional<detail::UsualReports> FixReporting<Exchange, Store>::usual_for(const Client& client) {
    const session::fix::SessionName& name = client.settings.name;
    if (!name.sender_sub_id.empty() || !name.target_sub_id.empty()) return std::nullopt;
    if (name.sender_comp_id.size() + name.target_comp_id.size() >
        detail::ReportHead::k_longest_comp_ids)
        return std::nullopt;
    return detail::UsualReports{name.begin_string};
}

}  // namespace damrak::gateway::fix
