// From an event to the ExecutionReport that its client is sent. Part of reporting.hpp.
#pragma once

#include <span>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/report_values.hpp>
#include <damrak/gateway/fix/detail/reporting.hpp>
#include <damrak/gateway/fix/detail/slots.hpp>

namespace damrak::gateway::fix {

namespace detail {

/// A usual report, field by field. `Slots` makes the slots of a template, or fills them.
template <bool is_trade, class Slots>
DAMRAK_HOT void put_usual(Slots& slots, const UsualReport& report, const ReportStyle& style) {
    using fix_codec::ApplVersion;
    namespace tag = fix_codec::tag;
    const ApplVersion version = style.version;
    const FixOrder& order = report.order;
    const char status = order.state == FixOrderState::filled ? '2' : '1';
    slots.put_counter(tag::msg_seq_num, report.head.sequences(), report.sequence);
    slots.put_ready(tag::sender_comp_id, report.head.fields());
    slots.put_ready(tag::order_id, report.text.names);
    if (version == ApplVersion::fix40)
        slots.put(tag::exec_id, report.id.number());
    else
        slots.put_event(tag::exec_id, report.recent.commands, report.id.sequence.value,
                        report.id.index);
    if (version <= ApplVersion::fix42) slots.put_same(tag::exec_trans_type, '0');
    if constexpr (is_trade) {
        // Up to FIX.4.2 a fill says what it left.
        if (version >= ApplVersion::fix43)
            slots.put_same(tag::exec_type, Execution::k_trade);
        else if (version >= ApplVersion::fix41)
            slots.put_char(tag::exec_type, status);
        slots.put_char(tag::ord_status, status);
    } else {
        if (version >= ApplVersion::fix41) slots.put_same(tag::exec_type, Execution::k_new);
        slots.put_same(tag::ord_status, '0');
    }
    slots.put_ready(tag::symbol, report.text.terms);
    if constexpr (is_trade) {
        slots.put(tag::last_qty, report.event.quantity.value);
        slots.put_decimal(tag::last_px, report.event.price.value, report.price_decimals);
        if (trade_tag(version) != 0)
            slots.put_counter(trade_tag(version), report.recent.trades,
                              report.event.trade_id().value);
        if (has_liquidity(version))
            slots.put_char(tag::last_liquidity_ind, liquidity_char(report.event, version));
        if (version >= ApplVersion::fix41) slots.put(tag::leaves_qty, order.open().value);
        slots.put(tag::cum_qty, order.executed.value);
        put_average(slots, order.executed, order.notional, report.price_decimals);
    } else {
        if (version <= ApplVersion::fix41) {
            slots.put_same(tag::last_qty, '0');
            slots.put_same(tag::last_px, '0');
        }
        if (version >= ApplVersion::fix41) slots.put(tag::leaves_qty, order.open().value);
        slots.put_same(tag::cum_qty, '0');
        slots.put_same(tag::avg_px, '0');
    }
    slots.put_timestamp(tag::transact_time, report.time, style.precision);
}

template <bool is_trade>
DAMRAK_HOT std::span<const char> write_from(const fix_codec::MessageTemplate& made,
                                            std::span<char> into, const UsualReport& report,
                                            const ReportStyle& style,
                                            fix_codec::TimestampCache& times) {
    fix_codec::TemplateWriter writer{made, into, times};
    SlotFiller slots{writer, report.recent.prices, report.price_decimals};
    put_usual<is_trade>(slots, report, style);
    return writer.finish();
}

inline std::span<const char> UsualReports::write(std::span<char> into, const UsualReport& report,
                                                 const ReportStyle& style,
                                                 fix_codec::TimestampCache& times) const {
    if (report.event.kind == EventKind::executed)
        return write_from<true>(executed_, into, report, style, times);
    return write_from<false>(accepted_, into, report, style, times);
}

}  // namespace detail

template <class Exchange, class Store>
void FixReporting<Exchange, Store>::on_event(const Event& event, const Origin& origin,
                                             const CommandStamp& stamp) {
    count(stamp);
    if (event.kind == EventKind::instrument_added || event.kind == EventKind::tick_band_added)
        [[unlikely]]
        note_instrument(event.instrument);
    if (!context_->orders.concerns(event, origin)) [[likely]]
        return;
    const Applied applied = context_->orders.apply(event, origin, asked_by(origin));
    if (applied.order == nullptr && gateway_of(origin.session) != k_fix_gateway) return;
    report(event, origin, stamp, applied);
    if (!sessions_->copied_to().empty()) copy(event, origin, stamp, applied);
}

/// The request that is answered; nothing where it is not one of a client.
template <class Exchange, class Store>
FixRequest FixReporting<Exchange, Store>::asked_by(const Origin& origin) {
    if (gateway_of(origin.session) != k_fix_gateway || origin.inbound_sequence == 0) [[likely]]
        return {};
    const Client* const client =
        sessions_->client_at(static_cast<std::uint32_t>(origin.session.value));
    if (client == nullptr || client->asking.inbound_sequence != origin.inbound_sequence) return {};
    return {.terms = client->asking.terms, .attachment = client->asking.attachment.view()};
}

template <class Exchange, class Store>
void FixReporting<Exchange, Store>::report(const Event& event, const Origin& origin,
                                           const CommandStamp& stamp, const Applied& applied) {
    if (event.command == CommandKind::quote && gateway_of(origin.session) == k_fix_gateway)
        [[unlikely]] {
        report_quotes(event, origin, applied);
        if (detail::is_told_by_answer(event)) return;
    }
    if (event.kind == EventKind::rejected) {
        if (gateway_of(origin.session) == k_fix_gateway)
            report_rejected(event, origin, stamp, applied);
    } else if (event.kind == EventKind::mass_cancelled) {
        report_mass_cancel(event, origin, stamp, applied);
    } else if (applied.order != nullptr) {
        report_order(event, origin, stamp, applied);
    }
}

template <class Exchange, class Store>
void FixReporting<Exchange, Store>::report_order(const Event& event, const Origin& origin,
                                                 const CommandStamp& stamp,
                                                 const Applied& applied) {
    const FixOrder& order = *applied.order;
    Client* const client = sessions_->client_at(order.member);
    if (client == nullptr) return;
    const bool has_fee = context_->fees && event.kind == EventKind::executed;
    if (client->usual_reports != nullptr && !has_fee && detail::UsualReports::are_for(event, order))
        [[likely]]
        return send_usual(*client, event, stamp, order);
    const detail::ReportStyle style = client->style();
    detail::Execution execution = detail::execution_of(
        *applied.orders, order, context_->instruments.definition(order.instrument));
    if (!detail::describe_event(event, origin, applied, style, execution)) return;
    execution.event = {.sequence = stamp.sequence, .index = index_};
    execution.time = stamp.timestamp;
    put_fee(event, execution);
    send(*client, "8", execution.fields,
         [&](auto& writer) { detail::put_execution(writer, style, execution); });
}

template <class Exchange, class Store>
void FixReporting<Exchange, Store>::put_fee(const Event& event,
                                            detail::Execution& execution) const {
    if (!context_->fees || event.kind != EventKind::executed) return;
    execution.fee = fee_of(context_->fees->of(event.participant).of(event), event.price,
                           event.quantity, execution.price_decimals);
}

template <class Exchange, class Store>
void FixReporting<Exchange, Store>::send_usual(Client& client, const Event& event,
                                               const CommandStamp& stamp, const FixOrder& order) {
    const session::fix::EventPosition position{.command_sequence = sequence_.value,
                                               .event_index = index_};
    if (!is_due(client, position)) return;
    const InstrumentDefinition& instrument = context_->instruments.definition(order.instrument);
    const detail::ReportStyle style = client.style();
    fix_codec::TimestampCache& times = context_->tools.times;
    client.report_head.set_time(context_->now, style.precision, client.settings.name, times);
    const auto encode = [&](std::span<char> room, std::uint64_t sequence) {
        const detail::UsualReport report{.sequence = sequence,
                                         .head = client.report_head,
                                         .recent = recent_,
                                         .text = recent_.of(order, instrument),
                                         .order = order,
                                         .event = event,
                                         .id = {.sequence = stamp.sequence, .index = index_},
                                         .time = stamp.timestamp,
                                         .price_decimals = instrument.price_decimals};
        return client.usual_reports->write(room, report, style, times);
    };
    static_cast<void>(client.session.send_encoded(context_->now, encode, position));
    note_stored(client);
    context_->touch(client);
}

}  // namespace damrak::gateway::fix
