#include <damrak/gateway/fix/detail/reports.hpp>

#include <damrak/domain/reason.hpp>
#include <damrak/domain/trade_note.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/attachment.hpp>
#include <damrak/gateway/fix/detail/fix_attachment.hpp>
#include <damrak/gateway/fix/detail/report_values.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::ApplVersion;
using fix_codec::MessageWriter;
using fix_codec::Tag;
namespace tag = fix_codec::tag;

bool changes_trade(const Execution& execution) {
    return execution.type == Execution::k_trade_cancelled ||
           execution.type == Execution::k_trade_corrected;
}

// Up to FIX.4.2 a fill says what it left, and a replaced order is one for a moment.
char exec_type_in(ApplVersion version, const Execution& execution) {
    if (version > ApplVersion::fix42) return execution.type;
    if (execution.type == Execution::k_trade) return execution.open.value == 0 ? '2' : '1';
    const bool tells_status = execution.type == Execution::k_status || changes_trade(execution);
    return tells_status ? execution.status : execution.type;
}
// Up to FIX.4.2.
char transaction_of(const Execution& execution) {
    switch (execution.type) {
        case Execution::k_trade_cancelled:
            return '1';
        case Execution::k_trade_corrected:
            return '2';
        case Execution::k_status:
            return '3';
        default:
            return '0';
    }
}
char status_in(ApplVersion version, const Execution& execution) {
    const bool replaced = execution.type == Execution::k_replaced;
    return version <= ApplVersion::fix42 && replaced ? Execution::k_replaced : execution.status;
}

// Up to FIX.4.2 a market order that leaves a limit order has no type of its own.
char type_in(ApplVersion version, const Execution& execution) {
    const char sent = execution.type_sent;
    const bool is_known = sent != '\0' && (sent != 'K' || version >= ApplVersion::fix43);
    return is_known ? sent : type_char(execution.order_type);
}

constexpr char k_absolute = '3';  // CommType

// A copy may be in a version that does not have it.
bool has_time_in_force(ApplVersion version, TimeInForce time_in_force) {
    if (time_in_force == TimeInForce::at_close) return version >= ApplVersion::fix43;
    return time_in_force != TimeInForce::at_auction || version >= ApplVersion::fix50;
}

// A pegged order has a limit that it never goes through, and a price at which it stands.
void put_prices(MessageWriter& writer, ApplVersion version, const Execution& execution) {
    const bool is_pegged = execution.type_sent == 'P';
    const Price limit = is_pegged ? execution.limit : execution.price;
    // Zero may be a limit, except of a refused order.
    const bool has_price =
        limit.value != 0 || (execution.type_sent == '\0' && has_limit(execution.order_type) &&
                             execution.type != Execution::k_rejected);
    if (has_price) writer.put_decimal(tag::price, limit.value, execution.price_decimals);
    if (is_pegged && version >= ApplVersion::fix44 && execution.price.value > 0)
        writer.put_decimal(tag::pegged_price, execution.price.value, execution.price_decimals);
    if (execution.stop.value != 0) [[unlikely]]
        writer.put_decimal(tag::stop_px, execution.stop.value, execution.price_decimals);
}

void put_terms(MessageWriter& writer, ApplVersion version, const Execution& execution) {
    writer.put(tag::symbol, execution.symbol);
    writer.put_char(tag::side,
                    execution.side_sent == '\0' ? side_char(execution.side) : execution.side_sent);
    writer.put(tag::order_qty, execution.ordered.value);
    writer.put_char(tag::ord_type, type_in(version, execution));
    put_prices(writer, version, execution);
    if (execution.has_time_in_force && has_time_in_force(version, execution.time_in_force))
        [[likely]]
        writer.put_char(tag::time_in_force, time_in_force_char(execution.time_in_force));
}

void put_event(MessageWriter& writer, ApplVersion version, Tag to, EventId event) {
    if (version == ApplVersion::fix40)
        writer.put(to, event.number());
    else
        writer.put_pair(to, event.sequence.value, event.index);
}

void put_execution_id(MessageWriter& writer, ApplVersion version, const Execution& execution) {
    if (!execution.exec_id.empty())
        writer.put(tag::exec_id, execution.exec_id);
    else
        put_event(writer, version, tag::exec_id, execution.event);
    if (changes_trade(execution)) put_event(writer, version, tag::exec_ref_id, execution.changed);
}

void put_status_request(MessageWriter& writer, ApplVersion version, const Execution& execution) {
    if (version >= ApplVersion::fix44 && !execution.status_request.empty())
        writer.put(tag::ord_status_req_id, execution.status_request);
    if (execution.mass_request.empty() || version < ApplVersion::fix44) return;
    writer.put(tag::mass_status_req_id, execution.mass_request)
        .put(tag::tot_num_reports, execution.mass_total)
        .put_bool(tag::last_rpt_requested, execution.mass_last);
}

}  // namespace

FixedText<32> EventId::text(const ReportStyle& style) const {
    if (style.version == ApplVersion::fix40) return FixedText<32>{"{}", number()};
    return FixedText<32>{"{}-{}", sequence.value, index};
}

char status_of(const FixOrder& order) {
    switch (order.state) {
        case FixOrderState::filled:
            return '2';
        case FixOrderState::cancelled:
            return Execution::k_cancelled;
        case FixOrderState::expired:
            return Execution::k_expired;
        case FixOrderState::open:
            break;
    }
    return order.executed.value > 0 ? '1' : '0';
}

Execution execution_of(const FixOrders& orders, const FixOrder& order,
                       const InstrumentDefinition& instrument) {
    return {.type = Execution::k_status,
            .status = status_of(order),
            .order = order.id,
            .name = orders.name(order),
            .symbol = instrument.symbol.view(),
            .price_decimals = instrument.price_decimals,
            .side = order.side,
            .side_sent = order.side_sent,
            .order_type = order.type,
            .type_sent = order.type_sent,
            .time_in_force = order.time_in_force,
            .price = order.price,
            .limit = order.limit,
            .stop = order.stop,
            .ordered = order.ordered,
            .open = order.open(),
            .executed = order.executed,
            .notional = order.notional,
            .fields = orders.fields(order)};
}

// Nothing to refer to, nothing to report: a script has sent the command.
bool describe_changed_trade(const Event& event, const Origin& origin, Execution& execution) {
    const TradeNote note = TradeNote::of(origin);
    execution.type = event.kind == EventKind::trade_busted ? Execution::k_trade_cancelled
                                                           : Execution::k_trade_corrected;
    execution.changed = {.sequence = note.sequence, .index = note.index_of(event.side)};
    execution.last_quantity = event.quantity;
    execution.last_price = event.price;
    execution.trade = event.trade_id();
    return note.sequence.value != 0;
}

bool describe_event(const Event& event, const Origin& origin, const FixOrders::Applied& applied,
                    const ReportStyle& style, Execution& execution) {
    if (applied.renamed) execution.previous_name = applied.previous;
    switch (event.kind) {
        case EventKind::accepted:
            execution.type = Execution::k_new;
            return true;
        case EventKind::executed:
            execution.type = Execution::k_trade;
            execution.last_quantity = event.quantity;
            execution.last_price = event.price;
            execution.trade = event.trade_id();
            execution.liquidity = liquidity_char(event, style.version);
            return true;
        case EventKind::trade_busted:
        case EventKind::trade_corrected:
            return describe_changed_trade(event, origin, execution);
        case EventKind::cancelled:
            // Part of an order goes where it would have met one of the same owner.
            execution.type =
                event.remaining.value == 0 ? Execution::k_cancelled : Execution::k_restated;
            execution.restatement = event.remaining.value == 0
                                        ? restatement_reason(event.reason, style.version)
                                        : Execution::k_partial_decline;
            if (event.reason != Reason::requested) execution.text = text(event.reason);
            return true;
        case EventKind::replaced:
            execution.type = Execution::k_replaced;
            return true;
        case EventKind::expired:
            execution.type = Execution::k_expired;
            execution.text = text(event.reason);
            return true;
        case EventKind::triggered:
            execution.type = Execution::k_triggered;
            return style.version >= ApplVersion::fix50;
        default:
            return false;
    }
}

namespace {

/// What stands behind the identifiers.
void put_state(MessageWriter& writer, const ReportStyle& style, const Execution& execution) {
    const ApplVersion version = style.version;
    const char type = exec_type_in(version, execution);
    const bool is_fill = execution.type == Execution::k_trade;
    const bool is_trade = is_fill || changes_trade(execution);
    put_execution_id(writer, version, execution);
    if (version <= ApplVersion::fix42)
        writer.put_char(tag::exec_trans_type, transaction_of(execution));
    if (version >= ApplVersion::fix41) writer.put_char(tag::exec_type, type);
    writer.put_char(tag::ord_status, status_in(version, execution));
    if (execution.reject_reason >= 0)
        writer.put(tag::ord_rej_reason, reject_reason_in(version, execution.reject_reason));
    if (execution.restatement >= 0 && version >= ApplVersion::fix42)
        writer.put(tag::exec_restatement_reason, execution.restatement);
    put_terms(writer, version, execution);
    if (is_trade || version <= ApplVersion::fix41)
        writer.put(tag::last_qty, execution.last_quantity.value)
            .put_decimal(tag::last_px, execution.last_price.value, execution.price_decimals);
    if (is_trade && trade_tag(version) != 0) writer.put(trade_tag(version), execution.trade.value);
    if (is_fill && has_liquidity(version))
        writer.put_char(tag::last_liquidity_ind, execution.liquidity);
    if (is_trade && execution.fee)
        writer.put_decimal(tag::commission, *execution.fee, execution.price_decimals)
            .put_char(tag::comm_type, k_absolute);
    if (version >= ApplVersion::fix41) writer.put(tag::leaves_qty, execution.open.value);
    writer.put(tag::cum_qty, execution.executed.value);
    put_average(writer, execution.executed, execution.notional, execution.price_decimals);
    writer.put_timestamp(tag::transact_time, execution.time, style.precision);
}

/// The order may have come in a version that has more. Parties are reported whole or not at all.
bool has_it(ApplVersion version, Tag field) {
    if (is_of_parties(field)) return version >= ApplVersion::fix44;
    return fix_codec::Dictionary::of(version).has_field("8", field);
}

}  // namespace

void put_execution(MessageWriter& writer, const ReportStyle& style, const Execution& execution) {
    put_order_id(writer, execution.order);
    if (!execution.name.empty()) writer.put(tag::cl_ord_id, execution.name);
    if (!execution.previous_name.empty() && style.version >= ApplVersion::fix41)
        writer.put(tag::orig_cl_ord_id, execution.previous_name);
    put_status_request(writer, style.version, execution);
    put_state(writer, style, execution);
    std::string_view text = execution.text;
    for (const FixField& field : FixFields{execution.fields}) {
        if (is_repeated(field.tag, field.value) &&
            (!execution.is_copy || has_it(style.version, field.tag)))
            writer.put(field.tag, field.value);
        if (field.tag == tag::text && text.empty()) text = field.value;
    }
    if (!text.empty()) writer.put(tag::text, text);
    if (execution.is_copy && style.version >= ApplVersion::fix44)
        writer.put_bool(tag::copy_msg_indicator, true);
}

}  // namespace damrak::gateway::fix::detail
