// Cancels and replaces of one order. Part of order_entry.hpp.
#pragma once

#include <string_view>
#include <utility>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/fields.hpp>
#include <damrak/gateway/fix/detail/fix_attachment.hpp>
#include <damrak/gateway/fix/detail/order_entry.hpp>
#include <damrak/gateway/fix/detail/order_values.hpp>

namespace damrak::gateway::fix {

namespace detail {

[[nodiscard]] inline std::unexpected<Refusal> cannot_change(std::string_view name,
                                                            std::string_view text) {
    return refuse_value(OrderRefusal::k_other,
                        "{} {}: a replace cannot change it, cancel the order and enter another",
                        name, text);
}

/// What an order follows stands in the fields that its reports repeat.
[[nodiscard]] inline Asked<void> check_same_peg(const fix_codec::Message& message,
                                                std::string_view fields) {
    namespace tag = fix_codec::tag;
    using Named = std::pair<fix_codec::Tag, std::string_view>;
    for (const auto& [tag, name] :
         {Named{tag::exec_inst, "ExecInst"}, Named{tag::peg_price_type, "PegPriceType"},
          Named{tag::peg_offset_value, "PegOffsetValue"}, Named{tag::peg_move_type, "PegMoveType"},
          Named{tag::peg_offset_type, "PegOffsetType"}}) {
        const std::string_view now = message.text_or_empty(tag);
        if (is_told('G', tag, now) && message.has(tag) && now != FixFields{fields}.find(tag))
            return cannot_change(name, now);
    }
    return {};
}

/// A replace may repeat these fields but not change them.
[[nodiscard]] inline Asked<void> check_unchanged(const fix_codec::Message& message,
                                                 const FixOrder& order, const FixTerms& terms,
                                                 std::string_view fields,
                                                 const InstrumentDefinition& instrument) {
    namespace tag = fix_codec::tag;
    if (message.has(tag::time_in_force)) {
        const auto time_in_force = read_time_in_force(message);
        if (!time_in_force) return std::unexpected{time_in_force.error()};
        if (*time_in_force != order.time_in_force)
            return cannot_change("TimeInForce", message.text_or_empty(tag::time_in_force));
    }
    // A triggered order keeps the stop price that it had.
    const auto decimals = static_cast<int>(instrument.price_decimals);
    const bool waits = is_stop(order.type) && !order.triggered;
    if (message.has(tag::stop_px) && !waits &&
        message.decimal(tag::stop_px, decimals) != order.stop.value)
        return cannot_change("StopPx", message.text_or_empty(tag::stop_px));
    const auto expiry = read_expiry(message);
    if (!expiry) return std::unexpected{expiry.error()};
    for (const auto& [tag, name] : {std::pair{tag::expire_time, std::string_view{"ExpireTime"}},
                                    std::pair{tag::expire_date, std::string_view{"ExpireDate"}}})
        if (message.has(tag) && *expiry != terms.expiry)
            return cannot_change(name, message.text_or_empty(tag));
    const auto minimum = read_quantity(message, tag::min_qty, "MinQty");
    if (!minimum) return std::unexpected{minimum.error()};
    if (message.has(tag::min_qty) && *minimum != terms.minimum)
        return cannot_change("MinQty", message.text_or_empty(tag::min_qty));
    const auto display = read_display(message);
    if (!display) return std::unexpected{display.error()};
    // A fully displayed order has neither field; zero hides it, anything else shows a part.
    const bool same_display =
        display->shown.value == 0 ? terms.hidden : display->shown == terms.display;
    if (display->tag != 0 && !same_display)
        return cannot_change(display->name(), message.text_or_empty(display->tag));
    const auto exec_inst = read_exec_inst(message);
    if (!exec_inst) return std::unexpected{exec_inst.error()};
    if (message.has(tag::exec_inst) && exec_inst->post_only != terms.post_only)
        return cannot_change("ExecInst", message.text_or_empty(tag::exec_inst));
    return check_same_peg(message, fields);
}

/// The order is the client's, entered with these terms.
[[nodiscard]] inline Asked<Command> read_replace(const fix_codec::Message& message,
                                                 const FixOrder& order, const FixTerms& terms,
                                                 std::string_view fields,
                                                 const InstrumentDefinition& instrument) {
    namespace tag = fix_codec::tag;
    Command command{};
    command.kind = CommandKind::replace_order;
    command.instrument = order.instrument;
    command.participant = order.participant;
    command.order_id = order.id;
    command.new_order_id = order.id;  // it stays the same order for its client
    command.flags = CommandFlags::k_quantity_is_total;
    const auto quantity = read_quantity(message, tag::order_qty, "OrderQty");
    if (!quantity) return std::unexpected{quantity.error()};
    // What is no quantity of an order stays what it is, for the engine to refuse.
    const bool is_possible = quantity->value > 0 && *quantity <= instrument.maximum_quantity;
    command.quantity = is_possible ? order.total(*quantity) : *quantity;
    const auto type = read_type(message);
    if (!type) return std::unexpected{type.error()};
    const bool triggered = order.triggered;
    const OrderType now = triggered && has_limit(order.type) ? OrderType::limit : order.type;
    // An order that was entered as K or P is a limit order by now.
    const bool same_type = type->sent == order.type_sent &&
                           (type->sent != '\0' || type->type == order.type || type->type == now);
    if (!same_type)
        return refuse_value(OrderRefusal::k_other,
                            "OrdType cannot change: cancel the order and enter another");
    command.order_type = order.type_sent == 'K' ? OrderType::limit : type->type;
    const bool waits = is_stop(order.type) && !triggered;
    const StopPrice stop_price = !waits           ? StopPrice::none
                                 : terms.trailing ? StopPrice::optional
                                                  : StopPrice::wanted;
    if (const auto prices = read_prices(message, instrument, command, stop_price); !prices)
        return std::unexpected{prices.error()};
    // A command to replace has no type.
    command.order_type = {};
    if (const auto same = check_unchanged(message, order, terms, fields, instrument); !same)
        return std::unexpected{same.error()};
    if (const auto units = check_units(message); !units) return std::unexpected{units.error()};
    return command;
}

[[nodiscard]] inline Asked<Command> read_cancel(const fix_codec::Message& message,
                                                const FixOrder& order) {
    namespace tag = fix_codec::tag;
    const auto type = message.text(tag::cxl_type);
    if (type && *type != "F")
        return refuse_value(OrderRefusal::k_other, "CxlType {}: here F is (all that is open)",
                            *type);
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.instrument = order.instrument;
    command.participant = order.participant;
    command.order_id = order.id;
    return command;
}

/// Whether the side that a request states is that of the order. Side 2 names any sell, except in a
/// replace (`exact`), where it would change the side.
[[nodiscard]] inline Asked<void> check_side(const fix_codec::Message& message,
                                            const FixOrder& order, bool exact) {
    namespace tag = fix_codec::tag;
    const auto text = message.text(tag::side);
    const char usual = order.side == Side::buy ? '1' : '2';
    const char entered = order.side_sent == '\0' ? usual : order.side_sent;
    const char stated = letter_of(text.value_or(std::string_view{}));
    if (!text || stated == entered || (!exact && stated == usual)) return {};
    return refuse_value(OrderRefusal::k_other, "Side {}: the order was entered with {}", *text,
                        entered);
}

}  // namespace detail

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::change_order(Client& client,
                                                                  const Message& message,
                                                                  char request) {
    namespace tag = fix_codec::tag;
    constexpr int k_too_late = 0;
    constexpr int k_unknown = 1;
    constexpr int k_duplicate = 6;
    const std::string_view name = message.text_or_empty(tag::cl_ord_id);
    const FixOrder* const order = target_of(client, message);
    const auto refused = [&](int code, detail::FixText text) {
        refuse_change(client, message, request, order, {.code = code, .text = text});
        return Reply::accept();
    };
    if (name.size() > ClOrdId::k_length)
        return refused(99, detail::FixText{"ClOrdID has at most {} characters", ClOrdId::k_length});
    if (is_taken(client, message, name)) {
        if (message.text_or_empty(tag::poss_resend) != "Y")
            return refused(k_duplicate, detail::FixText{"ClOrdID {} was used before", name});
        tell_again(client, message, name);
        return Reply::accept();
    }
    if (order == nullptr)
        return refused(k_unknown,
                       detail::FixText{"no order of yours has this OrigClOrdID or OrderID"});
    if (order->state != FixOrderState::open)
        return refused(k_too_late, detail::FixText{"the order is not open any more"});
    if (!earlier_name(client, detail::target_name(message), *order).empty() &&
        detail::target_id(message) != order->id)
        return refused(k_too_late, detail::FixText{"the order was replaced: its ClOrdID is {} now",
                                                   context_->orders.name(*order)});
    const detail::FieldsFound found = detail::look_at_fields(message, request);
    if (found.refused) return refused(99, not_supported(client, *found.refused));
    if (const auto same = check_target(message, *order, request); !same)
        return refused(same.error().code, same.error().text);
    const InstrumentDefinition& instrument = context_->instruments.definition(order->instrument);
    const auto command = request == 'F'
                             ? detail::read_cancel(message, *order)
                             : detail::read_replace(message, *order, context_->orders.terms(*order),
                                                    context_->orders.fields(*order), instrument);
    if (!command) {
        const bool off_tick = command.error().code == detail::OrderRefusal::k_price_increment;
        return refused(off_tick ? command.error().code : 99, command.error().text);
    }
    if (request == 'G' && command->quantity.value > 0 &&
        command->quantity <= order->total(order->executed))
        return refused(k_too_late, detail::FixText{"too late: {} of the order are executed",
                                                   order->executed.value});
    const auto submitted =
        submit(client, *command, message, {.name = {}, .request = request}, order, found.to_keep);
    if (!submitted) return refused(99, submitted.error().text);
    return taken(client);
}

/// The order, open or ended, that OrigClOrdID names or named; if it named none, that of OrderID.
template <class Exchange, class Store>
const FixOrder* FixOrderIntake<Exchange, Store>::target_of(const Client& client,
                                                           const Message& message) const {
    const std::string_view name = detail::target_name(message);
    if (!name.empty() && name.size() <= ClOrdId::k_length)
        if (const auto* const order = context_->orders.find_ever(client.participant, name))
            return order;
    const OrderId id = detail::target_id(message);
    if (!id) return nullptr;
    const auto* const order = context_->orders.find(id);
    const bool is_its = order != nullptr && context_->orders.is_of(*order, client.participant);
    return is_its ? order : nullptr;
}

/// The name, if it is one that this order had before; empty if not.
template <class Exchange, class Store>
std::string_view FixOrderIntake<Exchange, Store>::earlier_name(const Client& client,
                                                               std::string_view name,
                                                               const FixOrder& order) const {
    const bool had_it = name.size() <= ClOrdId::k_length && name != context_->orders.name(order) &&
                        context_->orders.find_ever(client.participant, name) == &order;
    return had_it ? name : std::string_view{};
}

/// Whether the request describes its order correctly.
template <class Exchange, class Store>
detail::Asked<void> FixOrderIntake<Exchange, Store>::check_target(const Message& message,
                                                                  const FixOrder& order,
                                                                  char request) const {
    namespace tag = fix_codec::tag;
    if (message.has(tag::symbol) || message.has(tag::security_id)) {
        const auto instrument = context_->instruments.named_in(message);
        if (!instrument)
            return std::unexpected{Refusal{.code = 99, .text = instrument.error().text}};
        if ((*instrument)->id != order.instrument)
            return std::unexpected{
                Refusal{.code = 99,
                        .text = detail::FixText{
                            "Symbol {}: the order is in {}", message.text_or_empty(tag::symbol),
                            context_->instruments.definition(order.instrument).symbol.view()}}};
    }
    return detail::check_side(message, order, request == 'G');
}

template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::refuse_change(Client& client, const Message& message,
                                                    char request, const FixOrder* order,
                                                    const Refusal& refusal) {
    namespace tag = fix_codec::tag;
    detail::CancelReject reject{.name = message.text_or_empty(tag::cl_ord_id),
                                .target_name = message.text_or_empty(tag::orig_cl_ord_id),
                                .response_to = request == 'F' ? '1' : '2',
                                .reason = refusal.code,
                                .text = refusal.text.view(),
                                .time = context_->now};
    if (order != nullptr) {
        reject.order = order->id;
        reject.status = detail::status_of(*order);
        if (reject.target_name.empty()) reject.target_name = context_->orders.name(*order);
    }
    const detail::ReportStyle style = client.style();
    reports_->reply_to(client, message, "9",
                       [&](auto& writer) { detail::put_cancel_reject(writer, style, reject); });
}

}  // namespace damrak::gateway::fix
