// What the FIX gateway tells of requests that are refused, and of those about many orders.
#include <algorithm>
#include <array>
#include <cstddef>

#include <damrak/domain/reason.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/attachment.hpp>
#include <damrak/gateway/fix/detail/reports.hpp>

namespace damrak::gateway::fix::detail {

using fix_codec::ApplVersion;
using fix_codec::MessageWriter;
using fix_codec::Tag;
namespace tag = fix_codec::tag;

int reject_reason_in(ApplVersion version, int reason) {
    static constexpr std::array<int, 6> k_last{4, 6, 8, 12, 15, 18};
    constexpr int k_other = 99;
    const auto at = std::min<std::size_t>(static_cast<std::size_t>(version), k_last.size() - 1);
    if (reason <= k_last[at]) return reason;
    return version <= ApplVersion::fix43 ? 0 : k_other;
}

void put_order_id(MessageWriter& writer, OrderId order) {
    if (order) {
        writer.put(tag::order_id, order.value);
    } else {
        writer.put(tag::order_id, "NONE");
    }
}

void put_refused(MessageWriter& writer, const ReportStyle& style, const fix_codec::Message& request,
                 const Refused& refused) {
    const ApplVersion version = style.version;
    const auto repeat = [&](Tag tag) {
        if (const auto text = request.text(tag); text && !text->empty()) writer.put(tag, *text);
    };
    const bool is_status = refused.type == Execution::k_status;
    put_order_id(writer, {});
    repeat(tag::cl_ord_id);
    if (is_status && version >= ApplVersion::fix44) repeat(tag::ord_status_req_id);
    writer.put(tag::exec_id, refused.exec_id);
    if (version <= ApplVersion::fix42) writer.put_char(tag::exec_trans_type, is_status ? '3' : '0');
    const bool is_plain_status = is_status && version <= ApplVersion::fix42;
    if (version >= ApplVersion::fix41)
        writer.put_char(tag::exec_type, is_plain_status ? Execution::k_rejected : refused.type);
    writer.put_char(tag::ord_status, Execution::k_rejected);
    writer.put(tag::ord_rej_reason, reject_reason_in(version, refused.reason));
    repeat(tag::symbol);
    repeat(tag::side);
    if (version <= ApplVersion::fix41 && !request.has(tag::order_qty))
        writer.put(tag::order_qty, 0);
    for (const Tag terms :
         {tag::order_qty, tag::ord_type, tag::price, tag::stop_px, tag::time_in_force})
        repeat(terms);
    if (version <= ApplVersion::fix41) writer.put(tag::last_qty, 0).put(tag::last_px, 0);
    if (version >= ApplVersion::fix41) writer.put(tag::leaves_qty, 0);
    writer.put(tag::cum_qty, 0).put(tag::avg_px, 0);
    writer.put_timestamp(tag::transact_time, refused.time, style.precision);
    const char kind = request.msg_type() == "E" ? 'E' : 'D';
    if (refused.type == Execution::k_rejected)
        for (const fix_codec::Field& field : request.fields())
            if (is_repeated(field.tag, request.value(field), kind) && field.length != 0 &&
                (field.tag != tag::position_effect || version >= ApplVersion::fix42))
                writer.put(field.tag, request.value(field));
    writer.put(tag::text, refused.text);
}

int order_reject_reason(Reason reason) {
    constexpr int k_exchange_option = 0;
    constexpr int k_exchange_closed = 2;
    constexpr int k_exceeds_limit = 3;
    constexpr int k_unsupported = 11;
    constexpr int k_incorrect_quantity = 13;
    constexpr int k_outside_band = 16;
    constexpr int k_price_increment = 18;
    switch (reason) {
        case Reason::unknown_participant:
        case Reason::participant_blocked:
            return k_exchange_option;
        case Reason::unknown_instrument:
            return 1;
        case Reason::instrument_halted:
        case Reason::not_in_phase:
            return k_exchange_closed;
        case Reason::limit_order_quantity:
        case Reason::limit_order_notional:
        case Reason::limit_open_orders:
        case Reason::limit_open_notional:
        case Reason::limit_position:
        case Reason::limit_held_orders:
        case Reason::limit_pegged_orders:
            return k_exceeds_limit;
        case Reason::invalid_quantity:
        case Reason::quantity_off_lot:
        case Reason::quantity_too_large:
        case Reason::invalid_display_quantity:
        case Reason::invalid_minimum_quantity:
            return k_incorrect_quantity;
        case Reason::outside_price_band:
        case Reason::price_through_limit:
            return k_outside_band;
        case Reason::price_off_tick:
            return k_price_increment;
        case Reason::invalid_order_type:
        case Reason::invalid_time_in_force:
        case Reason::invalid_combination:
        case Reason::invalid_link:
        case Reason::not_tradable:
        case Reason::invalid_flags:
        case Reason::invalid_peg:
        case Reason::invalid_trail:
            return k_unsupported;
        default:
            return 99;
    }
}

int cancel_reject_reason(Reason reason) {
    constexpr int k_unknown_order = 1;
    constexpr int k_exchange_option = 2;
    constexpr int k_outside_band = 8;
    constexpr int k_price_increment = 18;
    switch (reason) {
        case Reason::unknown_order:
        case Reason::not_owner:
            return k_unknown_order;
        case Reason::instrument_halted:
        case Reason::not_in_phase:
        case Reason::participant_blocked:
            return k_exchange_option;
        case Reason::outside_price_band:
        case Reason::price_through_limit:
            return k_outside_band;
        case Reason::price_off_tick:
            return k_price_increment;
        default:
            return 99;
    }
}

int restatement_reason(Reason reason, ApplVersion version) {
    constexpr int k_broker_option = 4;
    constexpr int k_trading_halt = 6;
    constexpr int k_exchange_option = 8;
    const bool is_old = version <= ApplVersion::fix42;
    switch (reason) {
        case Reason::instrument_halted:
            return is_old ? k_broker_option : k_trading_halt;
        case Reason::self_trade:
        case Reason::own_order:
        case Reason::participant_kill:
        case Reason::price_band:
        case Reason::peg_reference_gone:
        case Reason::quote_protection:
            return is_old ? k_broker_option : k_exchange_option;
        default:  // the terms of the order say it
            return -1;
    }
}

namespace {

// What the version has; -1: it has no code that fits, the text says it.
int cancel_reject_reason_in(ApplVersion version, int reason) {
    static constexpr std::array<int, 5> k_last{1, 1, 3, 6, 6};
    constexpr int k_other = 99;
    if (version >= ApplVersion::fix50 || reason <= k_last[static_cast<std::size_t>(version)])
        return reason;
    return version == ApplVersion::fix44 ? k_other : -1;
}

}  // namespace

void put_cancel_reject(MessageWriter& writer, const ReportStyle& style,
                       const CancelReject& reject) {
    const ApplVersion version = style.version;
    put_order_id(writer, reject.order);
    writer.put(tag::cl_ord_id, reject.name);
    // A request need not have it from FIX.5.0SP1 on, where its answer need not either.
    if (!reject.target_name.empty() && version >= ApplVersion::fix41)
        writer.put(tag::orig_cl_ord_id, reject.target_name);
    else if (version >= ApplVersion::fix41 && version < ApplVersion::fix50sp1)
        writer.put(tag::orig_cl_ord_id, "NONE");
    if (version >= ApplVersion::fix41) writer.put_char(tag::ord_status, reject.status);
    if (version >= ApplVersion::fix42)
        writer.put_char(tag::cxl_rej_response_to, reject.response_to);
    if (const int reason = cancel_reject_reason_in(version, reject.reason); reason >= 0)
        writer.put(tag::cxl_rej_reason, reason);
    if (!reject.text.empty()) writer.put(tag::text, reject.text);
    if (version >= ApplVersion::fix42)
        writer.put_timestamp(tag::transact_time, reject.time, style.precision);
}

void put_mass_cancel_report(MessageWriter& writer, const ReportStyle& style,
                            const MassCancelReport& report) {
    constexpr int k_other = 99;
    const bool refused = report.reject_reason >= 0;
    writer.put(tag::cl_ord_id, report.name).put(tag::order_id, report.id);
    if (style.version >= ApplVersion::fix50sp1) writer.put(tag::mass_action_report_id, report.id);
    writer.put_char(tag::mass_cancel_request_type, report.request_type)
        .put_char(tag::mass_cancel_response, refused ? '0' : report.request_type);
    if (refused) {
        const bool has_other = style.version >= ApplVersion::fix44;
        writer.put(tag::mass_cancel_reject_reason,
                   report.reject_reason == k_other && !has_other ? 0 : report.reject_reason);
    } else {
        writer.put(tag::total_affected_orders, report.cancelled);
    }
    writer.put_timestamp(tag::transact_time, report.time, style.precision);
    if (!report.text.empty()) writer.put(tag::text, report.text);
}

}  // namespace damrak::gateway::fix::detail
