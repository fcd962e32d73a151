#include <damrak/gateway/fix/detail/lists.hpp>

#include <algorithm>

#include <damrak/domain/reason.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/fields.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::Message;
using fix_codec::Tag;
namespace tag = fix_codec::tag;

bool is_of_header(Tag tag) {
    switch (tag) {
        case tag::sender_comp_id:
        case tag::target_comp_id:
        case tag::msg_seq_num:
        case tag::sending_time:
            return true;
        default:
            return use_of('E', tag) == FieldUse::routing;
    }
}

Asked<void> check_terms(const Command& order, bool waits) {
    const TimeInForce in_force = order.time_in_force;
    constexpr auto k_follows = CommandFlags::k_pegged | CommandFlags::k_trailing;
    if (order.order_type == OrderType::market || (order.flags & k_follows) != 0)
        return refuse_value(OrderRefusal::k_unsupported,
                            "OrdType of an order of a list: here 2, 3 and 4 are (limit, stop, stop "
                            "limit), neither pegged nor trailing");
    if (is_immediate(in_force) || is_for_auctions(in_force))
        return refuse_value(OrderRefusal::k_unsupported,
                            "TimeInForce of an order of a list: here 0, 1 and 6 are (day, GTC, "
                            "GTD)");
    if (order.order.display_quantity.value != 0 || order.order.minimum_quantity.value != 0)
        return refuse_value(OrderRefusal::k_unsupported,
                            "an order of a list has neither MinQty nor a displayed part");
    if (waits && has_flag(order, CommandFlags::k_post_only))
        return refuse_value(OrderRefusal::k_unsupported,
                            "an order that another one triggers is not post-only");
    return {};
}

}  // namespace

bool ListedOrder::read(const Message& list, const fix_codec::Group& entry,
                       fix_codec::TimestampCache& times) {
    fix_codec::MessageWriter writer{bytes_, times};
    writer.begin(list.begin_string(), "E");
    const auto copy = [&](Tag tag, std::string_view value) {
        // Data is for people, and an order is read without it.
        if (!value.contains(fix_codec::k_soh)) writer.put(tag, value);
    };
    for (const fix_codec::Field& field : list.fields())
        if (is_of_header(field.tag)) copy(field.tag, list.value(field));
    copy(tag::list_id, list.text_or_empty(tag::list_id));
    for (const fix_codec::Field& field : entry.fields()) copy(field.tag, entry.value(field));
    const auto bytes = writer.finish();
    return !bytes.empty() &&
           decoder_.scan(bytes, message_).status == fix_codec::Scan::Status::message;
}

Asked<Contingency> read_contingency(const Message& list) {
    const auto value = list.integer(tag::contingency_type);
    if (!value || *value < 1 || *value > 2)
        return refuse_value(OrderRefusal::k_unsupported,
                            "ContingencyType {}: here 1 and 2 are (one cancels the other, one "
                            "triggers the other)",
                            list.text_or_empty(tag::contingency_type));
    const auto total = list.integer(tag::list_no_ords);
    const auto fragment = list.boolean(tag::last_fragment);
    if (!total || *total != 2 || (fragment && !*fragment))
        return refuse_value(OrderRefusal::k_unsupported,
                            "a list has two orders here, in one message");
    const std::string_view when = list.text_or_empty(tag::list_exec_inst_type);
    if (!when.empty() && when != "1")
        return refuse_value(OrderRefusal::k_unsupported, "ListExecInstType {}: here 1 is (at once)",
                            when);
    return static_cast<Contingency>(*value);
}

Asked<void> check_listed(const Command& order, const InstrumentDefinition& instrument) {
    const auto refused = [](Reason reason) {
        return refuse_value(order_reject_reason(reason), "{}", text(reason));
    };
    if (order.quantity.value <= 0) return refused(Reason::invalid_quantity);
    if (order.quantity > instrument.maximum_quantity) return refused(Reason::quantity_too_large);
    if (order.quantity.value % instrument.lot_size.value != 0)
        return refused(Reason::quantity_off_lot);
    if (std::max(order.price, order.order.stop_price) > instrument.maximum_price)
        return refused(Reason::price_too_large);
    return {};
}

Asked<void> check_pair(const Command& first, const Command& second, Contingency contingency) {
    const bool waits = contingency == Contingency::one_triggers_other;
    if (first.instrument != second.instrument)
        return refuse_value(OrderRefusal::k_unsupported,
                            "both orders of a list are for one instrument");
    if (auto checked = check_terms(first, false); !checked) return checked;
    if (auto checked = check_terms(second, waits); !checked) return checked;
    const bool both_limits =
        first.order_type == OrderType::limit && second.order_type == OrderType::limit;
    if (waits || !both_limits) return {};
    const Command& buy = first.side == Side::buy ? first : second;
    const Command& sell = first.side == Side::buy ? second : first;
    if (buy.side == Side::buy && sell.side == Side::sell && buy.price < sell.price) return {};
    return refuse_value(OrderRefusal::k_unsupported,
                        "two limit orders that cancel each other are a buy below a sell");
}

void put_list_status(fix_codec::MessageWriter& writer, const ReportStyle& style,
                     const Message& list, const Refusal* refusal, Timestamp time) {
    constexpr int k_acknowledgement = 1;
    constexpr int k_response = 2;
    constexpr int k_received = 1;
    constexpr int k_rejected = 7;
    writer.put(tag::list_id, list.text_or_empty(tag::list_id))
        .put(tag::list_status_type, refusal == nullptr ? k_acknowledgement : k_response)
        .put(tag::no_rpts, 1)
        .put(tag::list_order_status, refusal == nullptr ? k_received : k_rejected);
    if (const auto contingency = list.text(tag::contingency_type))
        writer.put(tag::contingency_type, *contingency);
    if (refusal != nullptr) writer.put(tag::list_reject_reason, refusal->code);
    writer.put(tag::rpt_seq, 1);
    if (refusal != nullptr) writer.put(tag::list_status_text, refusal->text.view());
    writer.put_timestamp(tag::transact_time, time, style.precision);
    const auto total = list.integer(tag::list_no_ords);
    writer.put(tag::list_no_ords, total ? *total : 0);
    const auto* const layout = fix_codec::Dictionary::of(style.version).group("E", tag::no_orders);
    const fix_codec::GroupRange entries = list.groups(*layout);
    writer.put(tag::no_orders, std::distance(entries.begin(), entries.end()));
    for (const fix_codec::Group& entry : entries) {
        const auto quantity = refusal == nullptr ? entry.text_or_empty(tag::order_qty) : "0";
        writer.put(tag::cl_ord_id, entry.text_or_empty(tag::cl_ord_id))
            .put(tag::cum_qty, 0)
            .put_char(tag::ord_status, refusal == nullptr ? 'A' : '8')
            .put(tag::leaves_qty, quantity)
            .put(tag::cxl_qty, 0)
            .put(tag::avg_px, 0);
    }
}

}  // namespace damrak::gateway::fix::detail
