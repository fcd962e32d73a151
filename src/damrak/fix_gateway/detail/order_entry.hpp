// From what clients ask to commands, and what is answered without one. Part of order_entry.hpp.
#pragma once

#include <algorithm>

#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/fix_gateway/order_entry.hpp>

namespace damrak::gateway {

/// Whether a name is taken is known once the request before it is answered: the order of the
/// commands decides who of two sessions has it.
template <class Exchange, class Store>
bool FixOrderEntry<Exchange, Store>::is_under_way(const Client& client,
                                                  const Message& message) const {
    const std::string_view type = message.msg_type();
    if (type != "D" && type != "F" && type != "G") return false;
    const std::string_view name = message.text_or_empty(fix_codec::tag::cl_ord_id);
    return std::ranges::any_of(sessions_->known(), [&](const Client* one) {
        return one != &client && one->pending > 0 && one->participant == client.participant &&
               one->asking.name.view() == name;
    });
}

template <class Exchange, class Store>
detail::FixText FixOrderEntry<Exchange, Store>::not_supported(const Client& client,
                                                              fix_codec::Tag tag) const {
    const auto& dictionary = fix_codec::Dictionary::of(client.session.appl_version());
    return detail::FixText{"{} ({}) is not supported here", dictionary.field_name(tag), tag};
}

/// Whether what a request says of its order is true.
template <class Exchange, class Store>
detail::Asked<void> FixOrderEntry<Exchange, Store>::check_target(const Message& message,
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

/// `to_keep`: it has fields to repeat, or says who is to be answered.
template <class Exchange, class Store>
detail::Asked<void> FixOrderEntry<Exchange, Store>::submit(Client& client, const Command& command,
                                                           const Message& message, FixNote note,
                                                           const FixOrder* order, bool to_keep) {
    note.set_name(message.text_or_empty(fix_codec::tag::cl_ord_id));
    client.asking = {.inbound_sequence = message.sequence(),
                     .terms = FixTerms::of(command),
                     .attachment = {},
                     .name = ClOrdId::of(message.text_or_empty(fix_codec::tag::cl_ord_id))};
    if (to_keep || note.form == FixNote::Form::begun) [[unlikely]] {
        const auto attachment = detail::read_attachment(
            message,
            {.request = note.request,
             .version = client.session.appl_version(),
             .session = &client.settings.name,
             .name_form = note.form,
             .kept = order == nullptr ? std::string_view{} : context_->orders.fields(*order)});
        if (!attachment) return std::unexpected{attachment.error()};
        client.asking.attachment = *attachment;
    }
    const Origin origin{
        .session = client.id, .inbound_sequence = message.sequence(), .tag = note.tag()};
    client.ever_ordered = true;
    if (context_->probe != nullptr) context_->probe->on_submit();
    if (!client.asking.attachment.empty() &&
        !context_->exchange->attach(client.asking.attachment, origin, context_->now))
        context_->stopped = true;
    context_->submit(client, command, origin);
    return {};
}

template <class Exchange, class Store>
session::fix::Reply FixOrderEntry<Exchange, Store>::new_order(Client& client,
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
    auto command = detail::read_new_order(message, **instrument);
    if (!command) return refused(command.error().code, command.error().text);
    command->participant = client.participant;
    const auto submitted = submit(
        client, *command, message,
        {.name = {}, .request = 'D', .flags = detail::note_flags(message)}, nullptr, found.to_keep);
    if (!submitted) return refused(submitted.error().code, submitted.error().text);
    return taken(client);
}

/// A possible resend that was handled before: only the state of its order is reported.
template <class Exchange, class Store>
void FixOrderEntry<Exchange, Store>::tell_again(Client& client, const Message& message,
                                                std::string_view name) {
    if (const auto* const order = context_->orders.find(client.participant, name))
        send_status(client, message, *order, {});
    else
        refuse_status(client, message, "the order of this ClOrdID has another name now");
}

/// The order that OrigClOrdID names, or OrderID where that names none.
template <class Exchange, class Store>
const FixOrder* FixOrderEntry<Exchange, Store>::target_of(const Client& client,
                                                          const Message& message) const {
    namespace tag = fix_codec::tag;
    const std::string_view name = message.text_or_empty(
        message.has(tag::orig_cl_ord_id) ? tag::orig_cl_ord_id : tag::cl_ord_id);
    if (!name.empty() && name.size() <= ClOrdId::k_length)
        if (const auto* const order = context_->orders.find(client.participant, name)) return order;
    const auto id = message.integer(tag::order_id);
    if (!id || *id <= 0) return nullptr;
    const auto* const order = context_->orders.find(OrderId{static_cast<std::uint64_t>(*id)});
    const bool is_its =
        order != nullptr && order->is_of_fix() && order->participant == client.participant;
    return is_its ? order : nullptr;
}

template <class Exchange, class Store>
session::fix::Reply FixOrderEntry<Exchange, Store>::change_order(Client& client,
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
        return refused(k_unknown, detail::FixText{"no order of yours has this OrigClOrdID now"});
    if (order->state != FixOrderState::open)
        return refused(k_too_late, detail::FixText{"the order is not open any more"});
    const detail::FieldsFound found = detail::look_at_fields(message, request);
    if (found.refused) return refused(99, not_supported(client, *found.refused));
    if (const auto same = check_target(message, *order, request); !same)
        return refused(same.error().code, same.error().text);
    const InstrumentDefinition& instrument = context_->instruments.definition(order->instrument);
    const auto command =
        request == 'F'
            ? detail::read_cancel(message, *order)
            : detail::read_replace(message, *order, context_->orders.terms(*order), instrument);
    if (!command) return refused(99, command.error().text);
    if (request == 'G' && command->quantity.value > 0 && command->quantity <= order->executed)
        return refused(k_too_late, detail::FixText{"too late: {} of the order are executed",
                                                   order->executed.value});
    const auto submitted =
        submit(client, *command, message, {.name = {}, .request = request}, order, found.to_keep);
    if (!submitted) return refused(99, submitted.error().text);
    return taken(client);
}

template <class Exchange, class Store>
session::fix::Reply FixOrderEntry<Exchange, Store>::taken(const Client& client) {
    return client.pending == 0 ? Reply::accept() : Reply::wait();
}

template <class Exchange, class Store>
void FixOrderEntry<Exchange, Store>::refuse_order(Client& client, const Message& message,
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

template <class Exchange, class Store>
void FixOrderEntry<Exchange, Store>::refuse_change(Client& client, const Message& message,
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
    }
    const detail::ReportStyle style = client.style();
    reports_->reply_to(client, message, "9",
                       [&](auto& writer) { detail::put_cancel_reject(writer, style, reject); });
}

/// `asked` has the fields of the request that its answer repeats.
template <class Exchange, class Store>
void FixOrderEntry<Exchange, Store>::send_status(Client& client, const Message& message,
                                                 const FixOrder& order,
                                                 const detail::Execution& asked) {
    const auto id = context_->own_id(client.style());
    detail::Execution status = detail::execution_of(
        context_->orders, order, context_->instruments.definition(order.instrument));
    status.status_request = asked.status_request;
    status.mass_request = asked.mass_request;
    status.mass_total = asked.mass_total;
    status.mass_last = asked.mass_last;
    status.exec_id = id.view();
    status.time = context_->now;
    const detail::ReportStyle style = client.style();
    reports_->reply_to(client, message, "8",
                       [&](auto& writer) { detail::put_execution(writer, style, status); });
}

/// There is no message of its own to say so.
template <class Exchange, class Store>
void FixOrderEntry<Exchange, Store>::refuse_status(Client& client, const Message& message,
                                                   std::string_view text) {
    constexpr int k_unknown_order = 5;
    const auto id = context_->own_id(client.style());
    const detail::Refused refused{.type = detail::Execution::k_status,
                                  .exec_id = id.view(),
                                  .time = context_->now,
                                  .reason = k_unknown_order,
                                  .text = text};
    const detail::ReportStyle style = client.style();
    reports_->reply_to(client, message, "8",
                       [&](auto& writer) { detail::put_refused(writer, style, message, refused); });
}

template <class Exchange, class Store>
session::fix::Reply FixOrderEntry<Exchange, Store>::order_status(Client& client,
                                                                 const Message& message) {
    const FixOrder* const order = target_of(client, message);
    if (order == nullptr) {
        refuse_status(client, message, "no order of yours has this ClOrdID now");
        return Reply::accept();
    }
    const auto same = check_target(message, *order, 'H');
    if (!same) {
        refuse_status(client, message, same.error().text.view());
        return Reply::accept();
    }
    send_status(client, message, *order,
                {.status_request = message.text_or_empty(fix_codec::tag::ord_status_req_id)});
    return Reply::accept();
}

}  // namespace damrak::gateway
