// From an event to the ExecutionReport that its client is sent. Part of reporting.hpp.
#pragma once

#include <span>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/report_values.hpp>
#include <damrak/gateway/fix/detail/reporting.hpp>

namespace damrak::gateway::fix {

namespace detail {

/// For put_average(): prices of late are copied.
struct PriceWriter {
    fix_codec::ReadyWriter& writer;
    fix_codec::DecimalTexts& recent;
    unsigned price_decimals;

    DAMRAK_HOT void put_decimal(fix_codec::Tag tag, std::int64_t count, unsigned digits) {
        writer.next(tag);
        if (digits == price_decimals) [[likely]]
            writer.put_recent(recent, count, digits);
        else
            writer.put_decimal(count, digits);
    }
};

/// ExecType of FIX.4.4.
[[nodiscard]] constexpr char usual_type(EventKind kind) {
    switch (kind) {
        case EventKind::executed:
            return Execution::k_trade;
        case EventKind::replaced:
            return Execution::k_replaced;
        case EventKind::cancelled:
            return Execution::k_cancelled;
        default:
            return Execution::k_new;
    }
}

DAMRAK_HOT void put_usual(fix_codec::ReadyWriter& writer, const UsualReport& report,
                          const ReportStyle& style, fix_codec::TimestampCache& times) {
    using fix_codec::ApplVersion;
    namespace tag = fix_codec::tag;
    const ApplVersion version = style.version;
    const FixOrder& order = report.order;
    const bool is_trade = report.event.kind == EventKind::executed;
    const char type = usual_type(report.event.kind);
    const char status = status_of(order);
    PriceWriter prices{writer, report.recent.prices, report.price_decimals};
    writer.next(tag::msg_seq_num).put_counter(report.head.sequences(), report.sequence);
    writer.next(tag::sender_comp_id).put_ready(report.head.fields());
    writer.next(tag::order_id).put_ready(report.text.names);
    if (!report.previous_name.empty() && version >= ApplVersion::fix41)
        writer.next(tag::orig_cl_ord_id).put(report.previous_name);
    writer.next(tag::exec_id);
    if (version == ApplVersion::fix40)
        writer.put(report.id.number());
    else
        writer.put_counter(report.recent.commands, report.id.sequence.value)
            .put_char('-')
            .put(report.id.index);
    if (version <= ApplVersion::fix42) writer.next(tag::exec_trans_type).put_char('0');
    // Up to FIX.4.2 a fill says what it left, and a replaced order is one for a moment.
    const bool is_old = version <= ApplVersion::fix42;
    if (version >= ApplVersion::fix41)
        writer.next(tag::exec_type).put_char(is_old && is_trade ? status : type);
    writer.next(tag::ord_status).put_char(is_old && type == Execution::k_replaced ? type : status);
    writer.next(tag::symbol).put_ready(report.text.terms);
    if (is_trade) {
        writer.next(tag::last_qty).put(report.event.quantity.value);
        prices.put_decimal(tag::last_px, report.event.price.value, report.price_decimals);
        if (trade_tag(version) != 0)
            writer.next(trade_tag(version))
                .put_counter(report.recent.trades, report.event.trade_id().value);
        if (has_liquidity(version))
            writer.next(tag::last_liquidity_ind).put_char(liquidity_char(report.event, version));
    } else if (version <= ApplVersion::fix41) {
        writer.next(tag::last_qty).put_char('0').next(tag::last_px).put_char('0');
    }
    if (version >= ApplVersion::fix41) writer.next(tag::leaves_qty).put(order.open().value);
    writer.next(tag::cum_qty).put(order.executed.value);
    put_average(prices, order.executed, order.notional, report.price_decimals);
    writer.next(tag::transact_time).put_timestamp(times, report.time, style.precision);
}

inline std::span<const char> UsualReports::write(std::span<char> into, const UsualReport& report,
                                                 const ReportStyle& style,
                                                 fix_codec::TimestampCache& times) const {
    // For what is written for this report alone: tags, and at most eleven numbers and times.
    constexpr std::size_t k_own_bytes = 288 + fix_codec::k_envelope_bytes;
    const std::size_t ready_bytes = report.head.fields().bytes() + report.text.names.bytes() +
                                    report.text.terms.bytes() + report.previous_name.size();
    if (into.size() < ready_bytes + k_own_bytes) [[unlikely]]
        return {};
    fix_codec::ReadyWriter writer{into, '8'};
    put_usual(writer, report, style, times);
    return writer.finish(into, begin_string_);
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
    if (client->usual_reports && !has_fee && detail::UsualReports::are_for(event, order)) [[likely]]
        return send_usual(*client, event, stamp, applied);
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
                                               const CommandStamp& stamp, const Applied& applied) {
    const FixOrder& order = *applied.order;
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
                                         .previous_name = applied.previous,
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
