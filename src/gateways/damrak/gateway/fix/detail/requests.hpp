// From a request to its command: which request a message is, and all of a new order. Other requests
// for orders are in change_order.hpp, order_status.hpp and mass_requests.hpp. Part of
// order_entry.hpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/order_entry.hpp>
#include <damrak/gateway/fix/detail/order_values.hpp>

namespace damrak::gateway::fix {

namespace detail {

/// Of FixNote::flags: what events do not say of side, type and time in force.
[[nodiscard]] inline std::uint8_t note_flags(const fix_codec::Message& message) {
    namespace tag = fix_codec::tag;
    std::uint8_t flags = message.has(tag::time_in_force) ? 0 : FixNote::k_no_time_in_force;
    const char type = letter_of(message.text_or_empty(tag::ord_type));
    if (type == 'K') flags |= FixNote::k_to_limit;
    if (type == 'P') flags |= FixNote::k_pegged;
    const char side = letter_of(message.text_or_empty(tag::side));
    if (side == '5') flags |= FixNote::k_sell_short;
    if (side == '6') flags |= FixNote::k_sell_short_exempt;
    return flags;
}

/// Prices, and what few orders have: their terms beside side, quantity, type and time in force.
[[nodiscard]] inline Asked<void> read_terms(const fix_codec::Message& message,
                                            const InstrumentDefinition& instrument,
                                            const TypeAsked& type, Command& command) {
    namespace tag = fix_codec::tag;
    const auto exec_inst = read_exec_inst(message);
    if (!exec_inst) return std::unexpected{exec_inst.error()};
    if (exec_inst->post_only) command.flags |= CommandFlags::k_post_only;
    if (const auto peg = read_peg(message, *exec_inst, instrument, type, command); !peg) return peg;
    const StopPrice stop_price = !is_stop(type.type)                           ? StopPrice::none
                                 : has_flag(command, CommandFlags::k_trailing) ? StopPrice::optional
                                                                               : StopPrice::wanted;
    if (const auto prices = read_prices(message, instrument, command, stop_price); !prices)
        return prices;
    if (message.has(tag::stop_px) && !is_stop(type.type))
        return refuse_value(OrderRefusal::k_unsupported,
                            "StopPx (99) is for stop and stop limit orders");
    const auto minimum = read_quantity(message, tag::min_qty, "MinQty");
    if (!minimum) return std::unexpected{minimum.error()};
    command.order.minimum_quantity = *minimum;
    const auto display = read_display(message);
    if (!display) return std::unexpected{display.error()};
    command.order.display_quantity = display->shown;
    if (display->tag != 0 && display->shown.value == 0) command.flags |= CommandFlags::k_hidden;
    if (display->shown.value != 0 && type.sent == 'P')
        return refuse_value(OrderRefusal::k_unsupported, "a pegged order is not displayed: {} is 0",
                            display->name());
    const auto expiry = read_expiry(message);
    if (!expiry) return std::unexpected{expiry.error()};
    const bool is_gtd = command.time_in_force == TimeInForce::gtd;
    if (is_gtd && expiry->value == 0)
        return refuse_value(OrderRefusal::k_other,
                            "TimeInForce 6 (GTD) needs ExpireTime (126) or ExpireDate (432)");
    if (!is_gtd && expiry->value != 0)
        return refuse_value(OrderRefusal::k_other,
                            "ExpireTime (126) and ExpireDate (432) are for TimeInForce 6 (GTD)");
    command.order.expire_time = *expiry;
    return check_units(message);
}

/// The command without its participant. `is_basic`: no other field has an effect.
[[nodiscard]] inline Asked<Command> read_new_order(const fix_codec::Message& message,
                                                   const InstrumentDefinition& instrument,
                                                   bool is_basic) {
    namespace tag = fix_codec::tag;
    Command command{};
    command.kind = CommandKind::new_order;
    command.instrument = instrument.id;
    const auto side = read_side(message);
    if (!side) return std::unexpected{side.error()};
    const auto type = read_type(message);
    if (!type) return std::unexpected{type.error()};
    const auto time_in_force = read_time_in_force(message);
    if (!time_in_force) return std::unexpected{time_in_force.error()};
    if (!message.has(tag::order_qty))
        return refuse_value(OrderRefusal::k_incorrect_quantity, "OrderQty (38) is missing");
    const auto quantity = read_quantity(message, tag::order_qty, "OrderQty");
    if (!quantity) return std::unexpected{quantity.error()};
    command.side = *side;
    command.order_type = type->type;
    if (type->sent == 'K') command.flags |= CommandFlags::k_to_limit;
    command.time_in_force = *time_in_force;
    command.quantity = *quantity;
    // These types and this time in force need further fields.
    const bool wants_more =
        type->sent == 'P' || is_stop(type->type) || *time_in_force == TimeInForce::gtd;
    const auto terms = is_basic && !wants_more
                           ? read_prices(message, instrument, command, StopPrice::none)
                           : read_terms(message, instrument, *type, command);
    if (!terms) return std::unexpected{terms.error()};
    return command;
}

}  // namespace detail

template <class Exchange, class Store>
session::fix::Reply ConnectedClient<Exchange, Store>::on_message(Session& /*session*/,
                                                                 const Message& message) {
    using session::fix::BusinessRejectReason;
    using session::fix::Reply;
    const std::string_view type = message.msg_type();
    if (context->stopped)
        return Reply::business_reject(BusinessRejectReason::application_not_available,
                                      "trading has stopped");
    if (settings.drop_copy && detail::is_about_orders(type))
        return Reply::business_reject(BusinessRejectReason::not_authorized,
                                      "a drop-copy session receives reports and enters no orders");
    auto& entry = context->application->entry();
    auto& market = context->application->market();
    if (type == "AF") return entry.mass_status(*this, message);
    switch (type.size() == 1 ? type.front() : '\0') {
        case 'D':
            return entry.new_order(*this, message);
        case 'E':
            return entry.new_order_list(*this, message);
        case 'F':
        case 'G':
            return entry.change_order(*this, message, type.front());
        case 'H':
            return entry.order_status(*this, message);
        case 'q':
            return entry.mass_cancel(*this, message);
        case 'i':
            return entry.mass_quote(*this, message);
        case 'Z':
            return entry.quote_cancel(*this, message);
        case 'V':
            return market.market_data(*this, message);
        case 'e':
            return market.security_status(*this, message);
        case 'g':
            return market.session_status(*this, message);
        case 'x':
            return market.security_list(*this, message);
        case 'c':
            return market.security_definition(*this, message);
        default:
            return Reply::unsupported();
    }
}

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::new_order(Client& client,
                                                               const Message& message) {
    namespace tag = fix_codec::tag;
    constexpr int k_unsupported = 11;
    constexpr int k_duplicate = 6;
    const std::string_view name = message.text_or_empty(tag::cl_ord_id);
    const auto refused = [&](int code, detail::FixText text) {
        refuse_order(client, message, {.code = code, .text = text});
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
    const detail::FieldsFound found = detail::look_at_fields(message, 'D');
    if (found.refused) return refused(k_unsupported, not_supported(client, *found.refused));
    const auto instrument = context_->instruments.named_in(message);
    if (!instrument) return refused(instrument.error().code, instrument.error().text);
    auto command = detail::read_new_order(message, **instrument, found.is_basic);
    if (!command) return refused(command.error().code, command.error().text);
    command->participant = client.participant;
    const auto submitted = submit(
        client, *command, message,
        {.name = {}, .request = 'D', .flags = detail::note_flags(message)}, nullptr, found.to_keep);
    if (!submitted) return refused(submitted.error().code, submitted.error().text);
    return taken(client);
}

/// `to_keep`: it has fields to repeat, or says who is to be answered.
template <class Exchange, class Store>
detail::Asked<void> FixOrderIntake<Exchange, Store>::submit(Client& client, const Command& command,
                                                            const Message& message, FixNote note,
                                                            const FixOrder* order, bool to_keep) {
    if (auto noted = note_asking(client, client.asking, command, message, note, order, to_keep);
        !noted)
        return noted;
    dispatch(client, command, note);
    return {};
}

template <class Exchange, class Store>
detail::Asked<void> FixOrderIntake<Exchange, Store>::note_asking(
    const Client& client, typename Client::Asking& asking, const Command& command,
    const Message& message, FixNote& note, const FixOrder* order, bool to_keep) const {
    const bool quotes = note.request == 'i' || note.request == 'Z';
    note.set_name(
        message.text_or_empty(quotes ? fix_codec::tag::quote_id : fix_codec::tag::cl_ord_id));
    asking.inbound_sequence = message.sequence();
    asking.terms = FixTerms::of(command);
    asking.attachment.length = 0;
    asking.name.set(message.text_or_empty(fix_codec::tag::cl_ord_id));
    if (to_keep || note.form == FixNote::Form::begun) [[unlikely]] {
        const auto attachment = detail::read_attachment(
            message,
            {.request = note.request,
             .version = client.session.appl_version(),
             .session = &client.settings.name,
             .name_form = note.form,
             .kept = order == nullptr ? std::string_view{} : context_->orders.fields(*order)});
        if (!attachment) return std::unexpected{attachment.error()};
        asking.attachment = *attachment;
    }
    return {};
}

template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::dispatch(Client& client, const Command& command,
                                               const FixNote& note) {
    const Origin origin{.session = client.id,
                        .inbound_sequence = client.asking.inbound_sequence,
                        .tag = note.tag()};
    client.ever_ordered = true;
    if (context_->probe != nullptr) context_->probe->on_submit();
    if (!client.asking.attachment.empty() &&
        !context_->exchange->attach(client.asking.attachment, origin, context_->now))
        context_->stopped = true;
    context_->submit(client, command, origin);
}

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::taken(const Client& client) {
    return client.pending == 0 ? Reply::accept() : Reply::wait();
}

template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::refuse_order(Client& client, const Message& message,
                                                   const Refusal& refusal) {
    const auto id = context_->own_id(client.style());
    const detail::Refused refused{.exec_id = id.view(),
                                  .time = context_->now,
                                  .reason = refusal.code,
                                  .text = refusal.text.view()};
    const detail::ReportStyle style = client.style();
    reports_->reply_to(client, message, "8",
                       [&](auto& writer) { detail::put_refused(writer, style, message, refused); });
}

/// Whether a name is taken is known once the request before it is answered: the order of the
/// commands decides who of two sessions has it.
template <class Exchange, class Store>
bool FixOrderIntake<Exchange, Store>::is_under_way(const Client& client,
                                                   const Message& message) const {
    const std::string_view type = message.msg_type();
    if (type != "D" && type != "E" && type != "F" && type != "G") return false;
    const std::string_view name = message.text_or_empty(fix_codec::tag::cl_ord_id);
    return std::ranges::any_of(sessions_->known(), [&](const Client* one) {
        return one != &client && one->pending > 0 && one->participant == client.participant &&
               (one->asking.name.view() == name ||
                (one->linking.waits && one->linking.asking.name.view() == name));
    });
}

template <class Exchange, class Store>
detail::FixText FixOrderIntake<Exchange, Store>::not_supported(const Client& client,
                                                               fix_codec::Tag tag) const {
    const auto& dictionary = fix_codec::Dictionary::of(client.session.appl_version());
    return detail::FixText{"{} ({}) is not supported here", dictionary.field_name(tag), tag};
}

}  // namespace damrak::gateway::fix
