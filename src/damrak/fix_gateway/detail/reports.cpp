#include <damrak/fix_gateway/detail/reports.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <damrak/base/inline.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/fix_gateway/detail/attachment.hpp>
#include <damrak/fix_gateway/detail/slots.hpp>
#include <damrak/fix_gateway/fix_attachment.hpp>

namespace damrak::gateway::detail {

namespace {

using fix_codec::ApplVersion;
using fix_codec::MessageTemplate;
using fix_codec::MessageWriter;
using fix_codec::Tag;
using fix_codec::TemplateWriter;
namespace tag = fix_codec::tag;

char side_char(Side side) { return side == Side::buy ? '1' : '2'; }

char type_char(OrderType type) {
    static constexpr std::array<char, 4> k_types{'2', '1', '3', '4'};
    return k_types[static_cast<std::size_t>(type)];
}

char time_in_force_char(TimeInForce time_in_force) {
    static constexpr std::array<char, 5> k_times{'0', '1', '6', '3', '4'};
    return k_times[static_cast<std::size_t>(time_in_force)];
}

// Up to FIX.4.2 a fill says what it left, and a replaced order is one for a moment.
char exec_type_in(ApplVersion version, const Execution& execution) {
    if (version > ApplVersion::fix42) return execution.type;
    if (execution.type == Execution::k_trade) return execution.open.value == 0 ? '2' : '1';
    return execution.type == Execution::k_status ? execution.status : execution.type;
}
char status_in(ApplVersion version, const Execution& execution) {
    const bool replaced = execution.type == Execution::k_replaced;
    return version <= ApplVersion::fix42 && replaced ? Execution::k_replaced : execution.status;
}

// Rounded to four digits more than a price has, fewer if the number would not fit.
template <class Writer>
void put_average(Writer& writer, const Execution& execution) {
    unsigned digits = execution.price_decimals;
    constexpr unsigned k_more_digits = 4;
    constexpr std::int64_t k_scale = 10'000;
    constexpr std::int64_t k_highest = std::numeric_limits<std::int64_t>::max();
    if (execution.executed.value == 0) {
        writer.put(tag::avg_px, 0);
        return;
    }
    Int128 total = execution.notional;
    // Nearly always it fits where the processor divides at once.
    if (total < (k_highest - execution.executed.value) / k_scale) [[likely]] {
        const auto short_total = static_cast<std::int64_t>(total);
        const std::int64_t executed = execution.executed.value;
        // Mostly all of it was executed at one price.
        if (short_total % executed == 0)
            writer.put_decimal(tag::avg_px, short_total / executed, digits);
        else
            writer.put_decimal(tag::avg_px, (short_total * k_scale + executed / 2) / executed,
                               digits + k_more_digits);
        return;
    }
    const Int128 quantity = execution.executed.value;
    constexpr Int128 k_largest = k_highest / 10;
    for (unsigned i = 0; i < k_more_digits && total / quantity < k_largest; ++i) {
        total *= 10;
        ++digits;
    }
    const Int128 average = (total + quantity / 2) / quantity;
    writer.put_decimal(tag::avg_px, static_cast<std::int64_t>(average), digits);
}

template <class Writer>
DAMRAK_HOT void put_terms(Writer& writer, const Execution& execution) {
    writer.put(tag::symbol, execution.symbol);
    put_same(writer, tag::side,
             execution.side_sent == '\0' ? side_char(execution.side) : execution.side_sent);
    writer.put(tag::order_qty, execution.ordered.value);
    put_same(writer, tag::ord_type, type_char(execution.order_type));
    if (execution.price.value > 0)
        writer.put_decimal(tag::price, execution.price.value, execution.price_decimals);
    if (execution.stop.value > 0) [[unlikely]]
        writer.put_decimal(tag::stop_px, execution.stop.value, execution.price_decimals);
    if (execution.has_time_in_force) [[likely]]
        writer.put_char(tag::time_in_force, time_in_force_char(execution.time_in_force));
}

std::uint64_t number_of(const EventId& event) {
    constexpr std::uint64_t k_events = 1'000'000;
    return event.sequence.value * k_events + event.index;
}

template <class Writer>
DAMRAK_HOT void put_execution_id(Writer& writer, ApplVersion version, const Execution& execution) {
    if (!execution.exec_id.empty()) {
        writer.put(tag::exec_id, execution.exec_id);
    } else if (version == ApplVersion::fix40) {
        writer.put(tag::exec_id, number_of(execution.event));
    } else {
        writer.put_pair(tag::exec_id, execution.event.sequence.value, execution.event.index);
    }
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
    if (style.version == ApplVersion::fix40) return FixedText<32>{"{}", number_of(*this)};
    return FixedText<32>{"{}-{}", sequence.value, index};
}

char status_of(const gateway::FixOrder& order) {
    switch (order.state) {
        case gateway::FixOrderState::filled:
            return '2';
        case gateway::FixOrderState::cancelled:
            return Execution::k_cancelled;
        case gateway::FixOrderState::expired:
            return Execution::k_expired;
        case gateway::FixOrderState::open:
            break;
    }
    return order.executed.value > 0 ? '1' : '0';
}

Execution execution_of(const gateway::FixOrders& orders, const gateway::FixOrder& order,
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
            .time_in_force = order.time_in_force,
            .price = order.price,
            .stop = order.stop,
            .ordered = order.ordered,
            .open = order.open(),
            .executed = order.executed,
            .notional = order.notional,
            .fields = orders.fields(order)};
}

bool describe_event(const Event& event, const gateway::FixOrders::Applied& applied,
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
            execution.took_liquidity = has_flag(event, EventFlags::k_aggressor);
            return true;
        case EventKind::cancelled:
            // Part of an order goes where it would have met one of the same owner.
            execution.type =
                event.remaining.value == 0 ? Execution::k_cancelled : Execution::k_restated;
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

/// What the version has of which trade it was, and who came first. FIX.4.2 and before have nothing.
template <class Writer>
DAMRAK_HOT void put_trade(Writer& writer, ApplVersion version, const Execution& execution) {
    if (version >= ApplVersion::fix50sp1) {
        writer.put(tag::trd_match_id, execution.trade.value);
    } else if (version >= ApplVersion::fix43) {
        writer.put(tag::secondary_exec_id, execution.trade.value);
    }
    if (version >= ApplVersion::fix44)
        writer.put_char(tag::last_liquidity_ind, execution.took_liquidity ? '2' : '1');
}

/// What stands behind the identifiers.
template <class Writer>
DAMRAK_HOT void put_state(Writer& writer, const ReportStyle& style, const Execution& execution) {
    const ApplVersion version = style.version;
    const char type = exec_type_in(version, execution);
    const bool is_trade = execution.type == Execution::k_trade;
    const bool is_status = execution.type == Execution::k_status;
    put_execution_id(writer, version, execution);
    if (version <= ApplVersion::fix42)
        put_same(writer, tag::exec_trans_type, is_status ? '3' : '0');
    if (is_trade && version >= ApplVersion::fix41 && version <= ApplVersion::fix42) {
        writer.put_char(tag::exec_type, type);
    } else if (version >= ApplVersion::fix41) {
        put_same(writer, tag::exec_type, type);
    }
    writer.put_char(tag::ord_status, status_in(version, execution));
    if (execution.reject_reason >= 0)
        writer.put(tag::ord_rej_reason, reject_reason_in(version, execution.reject_reason));
    if (type == Execution::k_restated && version >= ApplVersion::fix42)
        writer.put_char(tag::exec_restatement_reason, '5');
    put_terms(writer, execution);
    if (is_trade || version <= ApplVersion::fix41)
        writer.put(tag::last_qty, execution.last_quantity.value)
            .put_decimal(tag::last_px, execution.last_price.value, execution.price_decimals);
    if (is_trade) put_trade(writer, version, execution);
    if (version >= ApplVersion::fix41) writer.put(tag::leaves_qty, execution.open.value);
    writer.put(tag::cum_qty, execution.executed.value);
    put_average(writer, execution);
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
    for (const gateway::FixField& field : gateway::FixFields{execution.fields}) {
        if (is_repeated(field.tag) && (!execution.is_copy || has_it(style.version, field.tag)))
            writer.put(field.tag, field.value);
        if (field.tag == tag::text && text.empty()) text = field.value;
    }
    if (!text.empty()) writer.put(tag::text, text);
    if (execution.is_copy && style.version >= ApplVersion::fix44)
        writer.put_bool(tag::copy_msg_indicator, true);
}

ReportTemplates::ReportTemplates(fix_codec::BeginString begin_string, ApplVersion version) {
    templates_.reserve(k_templates);
    const auto add = [&](const Execution& one) {
        MessageTemplate& made = templates_.emplace_back(begin_string, "8");
        made.slot(tag::msg_seq_num).slot(tag::sender_comp_id).slot(tag::sending_time);
        made.slot(tag::target_comp_id).slot(tag::order_id).slot(tag::cl_ord_id);
        SlotMaker slots{made};
        put_state(slots, {.version = version, .precision = {}}, one);
    };
    // In the order of place_of().
    for (const char type : {Execution::k_new, Execution::k_trade})
        for (const OrderType order_type : {OrderType::market, OrderType::limit})
            for (const Side side : {Side::sell, Side::buy})
                add({.type = type,
                     .side = side,
                     .order_type = order_type,
                     .price = Price{order_type == OrderType::limit ? 1 : 0}});
}

const MessageTemplate* ReportTemplates::find(const Execution& execution) const {
    const bool is_trade = execution.type == Execution::k_trade;
    const bool has_price = execution.price.value > 0;
    const bool is_usual =
        (is_trade || execution.type == Execution::k_new) &&
        execution.order_type == (has_price ? OrderType::limit : OrderType::market);
    const bool is_plain = execution.order && !execution.name.empty() &&
                          execution.previous_name.empty() && execution.text.empty() &&
                          execution.exec_id.empty() && execution.reject_reason < 0 &&
                          execution.status_request.empty() && execution.mass_request.empty() &&
                          execution.fields.empty() && execution.side_sent == '\0';
    if (!is_usual || !is_plain) return nullptr;
    return &templates_[place_of(is_trade, has_price, execution.side)];
}

std::span<const char> ReportTemplates::write(const MessageTemplate& found, std::span<char> into,
                                             fix_codec::TimestampCache& times,
                                             const ReportStyle& style, const Header& header,
                                             const Execution& execution) {
    TemplateWriter writer{found, into, times};
    writer.put(header.sequence).put(header.sender).put_timestamp(header.time, style.precision);
    writer.put(header.target).put(execution.order.value).put(execution.name);
    SlotFiller slots{writer};
    put_state(slots, style, execution);
    return writer.finish();
}

}  // namespace damrak::gateway::detail
