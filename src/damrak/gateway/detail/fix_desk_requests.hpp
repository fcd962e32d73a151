// From what clients ask to commands, and what is answered without one. Part of fix_desk.hpp.
#pragma once

#include <damrak/gateway/detail/fix_desk_reports.hpp>
#include <damrak/gateway/fix_desk.hpp>
#include <damrak/wire/fix/dictionary.hpp>
#include <damrak/wire/fix/tags.hpp>

namespace damrak::gateway {

template <class Exchange, class Store>
session::fix::Reply FixDesk<Exchange, Store>::on_request(Client& client, const Message& message) {
    const std::string_view type = message.msg_type();
    if (stopped_)
        return Reply::business_reject(session::fix::BusinessRejectReason::application_not_available,
                                      "trading has stopped");
    if (type == "AF") return mass_status(client, message);
    switch (type.size() == 1 ? type.front() : '\0') {
        case 'D':
            return new_order(client, message);
        case 'F':
        case 'G':
            return change_order(client, message, type.front());
        case 'H':
            return order_status(client, message);
        case 'q':
            return mass_cancel(client, message);
        case 'V':
            return market_data(client, message);
        case 'x':
            return security_list(client, message);
        case 'c':
            return security_definition(client, message);
        default:
            return Reply::unsupported();
    }
}

template <class Exchange, class Store>
const InstrumentDefinition* FixDesk<Exchange, Store>::instrument_named(
    std::string_view symbol) const {
    if (symbol.size() > sizeof(Symbol)) return nullptr;
    const auto found = symbols_.find(Symbol::of(symbol));
    return found == symbols_.end() ? nullptr : &definitions_[found->second.value - 1U];
}

template <class Exchange, class Store>
detail::FixText FixDesk<Exchange, Store>::not_supported(const Client& client,
                                                        wire::fix::Tag tag) const {
    const auto& dictionary = wire::fix::Dictionary::of(client.session.appl_version());
    return detail::FixText{"{} ({}) is not supported here", dictionary.field_name(tag), tag};
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::submit(Client& client, const Command& command,
                                      const Message& message, const views::FixNote& note) {
    ++client.pending;
    const Origin origin{
        .session = client.id, .inbound_sequence = message.sequence(), .tag = note.tag()};
    if (probe_ != nullptr) probe_->on_submit();
    client.asking = {.inbound_sequence = origin.inbound_sequence,
                     .terms = views::FixTerms::of(command)};
    if (!exchange_->submit(command, origin, now_)) stopped_ = true;
    // Where the answers come later they are waited for: a request whose number the session counts
    // as received is in the journal, and the next may be about the order that this one makes.
    if constexpr (requires { exchange_->pipeline(); })
        while (client.pending > 0 && !stopped_) stopped_ = !exchange_->do_work(now_);
}

template <class Exchange, class Store>
session::fix::Reply FixDesk<Exchange, Store>::new_order(Client& client, const Message& message) {
    namespace tag = wire::fix::tag;
    constexpr int k_unsupported = 11;
    const std::string_view name = message.text_or_empty(tag::cl_ord_id);
    const auto refused = [&](int code, detail::FixText text) {
        refuse_order(client, message, {.code = code, .text = text});
        return Reply::accept();
    };
    if (name.size() > views::ClOrdId::k_length)
        return refused(
            99, detail::FixText{"ClOrdID has at most {} characters", views::ClOrdId::k_length});
    const auto own_name = views::ClOrdId::of(name);
    if (orders_.is_taken(client.participant, own_name)) {
        // May have been sent before, and was: nothing is to be done (case 19a of the session-layer
        // test cases).
        if (message.text_or_empty(tag::poss_resend) == "Y") return Reply::accept();
        return refused(6, detail::FixText{"ClOrdID {} was used before", name});
    }
    if (const auto field = detail::refused_field(message, 'D'))
        return refused(k_unsupported, not_supported(client, *field));
    const std::string_view symbol = message.text_or_empty(tag::symbol);
    const InstrumentDefinition* const instrument = instrument_named(symbol);
    if (instrument == nullptr)
        return refused(1, detail::FixText{"Symbol {}: no such instrument", symbol});
    auto command = detail::read_new_order(message, *instrument);
    if (!command) return refused(command.error().code, command.error().text);
    command->participant = client.participant;
    const bool says_when = message.has(tag::time_in_force);
    submit(client, *command, message,
           {.name = own_name,
            .request = 'D',
            .flags = says_when ? std::uint8_t{0} : views::FixNote::k_no_time_in_force});
    return Reply::accept();
}

/// The order that OrigClOrdID names, or OrderID where that names none.
template <class Exchange, class Store>
const views::FixOrder* FixDesk<Exchange, Store>::target_of(const Client& client,
                                                           const Message& message) const {
    namespace tag = wire::fix::tag;
    const std::string_view name = message.text_or_empty(
        message.has(tag::orig_cl_ord_id) ? tag::orig_cl_ord_id : tag::cl_ord_id);
    if (!name.empty() && name.size() <= views::ClOrdId::k_length)
        if (const auto* const order = orders_.find(client.participant, views::ClOrdId::of(name)))
            return order;
    const auto id = message.integer(tag::order_id);
    if (!id || *id <= 0) return nullptr;
    const auto* const order = orders_.find(OrderId{static_cast<std::uint64_t>(*id)});
    return order != nullptr && order->participant == client.participant ? order : nullptr;
}

template <class Exchange, class Store>
session::fix::Reply FixDesk<Exchange, Store>::change_order(Client& client, const Message& message,
                                                           char request) {
    namespace tag = wire::fix::tag;
    constexpr int k_too_late = 0;
    constexpr int k_unknown = 1;
    constexpr int k_duplicate = 6;
    const std::string_view name = message.text_or_empty(tag::cl_ord_id);
    const views::FixOrder* const order = target_of(client, message);
    const auto refused = [&](int code, detail::FixText text) {
        refuse_change(client, message, request, order, {.code = code, .text = text});
        return Reply::accept();
    };
    if (name.size() > views::ClOrdId::k_length)
        return refused(
            99, detail::FixText{"ClOrdID has at most {} characters", views::ClOrdId::k_length});
    if (order == nullptr)
        return refused(k_unknown, detail::FixText{"no order of yours has this OrigClOrdID now"});
    if (order->state != views::FixOrderState::open)
        return refused(k_too_late, detail::FixText{"the order is not open any more"});
    const auto own_name = views::ClOrdId::of(name);
    if (orders_.is_taken(client.participant, own_name))
        return refused(k_duplicate, detail::FixText{"ClOrdID {} was used before", name});
    if (const auto field = detail::refused_field(message, request))
        return refused(99, not_supported(client, *field));
    const InstrumentDefinition& instrument = definition(order->instrument);
    if (const auto same = detail::check_target(message, *order, instrument); !same)
        return refused(same.error().code, same.error().text);
    const auto command =
        request == 'F' ? detail::read_cancel(message, *order)
                       : detail::read_replace(message, *order, orders_.terms(*order), instrument);
    if (!command) return refused(99, command.error().text);
    if (request == 'G' && command->quantity.value > 0 && command->quantity <= order->executed)
        return refused(k_too_late, detail::FixText{"too late: {} of the order are executed",
                                                   order->executed.value});
    submit(client, *command, message, {.name = own_name, .request = request});
    return Reply::accept();
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::refuse_order(Client& client, const Message& message,
                                            const Refusal& refusal) {
    const auto id = own_id(client.style());
    const detail::Refused refused{
        .exec_id = id.view(), .time = now_, .reason = refusal.code, .text = refusal.text.view()};
    const detail::ReportStyle style = client.style();
    reply_to(client, message, "8",
             [&](auto& writer) { detail::put_refused(writer, style, message, refused); });
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::refuse_change(Client& client, const Message& message, char request,
                                             const views::FixOrder* order, const Refusal& refusal) {
    namespace tag = wire::fix::tag;
    detail::CancelReject reject{.name = message.text_or_empty(tag::cl_ord_id),
                                .target_name = message.text_or_empty(tag::orig_cl_ord_id),
                                .response_to = request == 'F' ? '1' : '2',
                                .reason = refusal.code,
                                .text = refusal.text.view(),
                                .time = now_};
    if (order != nullptr) {
        reject.order = order->id;
        reject.status = detail::execution_of(*order, definition(order->instrument)).status;
    }
    const detail::ReportStyle style = client.style();
    reply_to(client, message, "9",
             [&](auto& writer) { detail::put_cancel_reject(writer, style, reject); });
}

/// `asked` has what the request is to be told again.
template <class Exchange, class Store>
void FixDesk<Exchange, Store>::send_status(Client& client, const Message& message,
                                           const views::FixOrder& order,
                                           const detail::Execution& asked) {
    const auto id = own_id(client.style());
    detail::Execution status = detail::execution_of(order, definition(order.instrument));
    status.status_request = asked.status_request;
    status.mass_request = asked.mass_request;
    status.mass_total = asked.mass_total;
    status.mass_last = asked.mass_last;
    status.exec_id = id.view();
    status.time = now_;
    const detail::ReportStyle style = client.style();
    reply_to(client, message, "8",
             [&](auto& writer) { detail::put_execution(writer, style, status); });
}

/// There is no message of its own to say so.
template <class Exchange, class Store>
void FixDesk<Exchange, Store>::refuse_status(Client& client, const Message& message,
                                             std::string_view text) {
    constexpr int k_unknown_order = 5;
    const auto id = own_id(client.style());
    const detail::Refused refused{.type = detail::Execution::k_status,
                                  .exec_id = id.view(),
                                  .time = now_,
                                  .reason = k_unknown_order,
                                  .text = text};
    const detail::ReportStyle style = client.style();
    reply_to(client, message, "8",
             [&](auto& writer) { detail::put_refused(writer, style, message, refused); });
}

template <class Exchange, class Store>
session::fix::Reply FixDesk<Exchange, Store>::order_status(Client& client, const Message& message) {
    const views::FixOrder* const order = target_of(client, message);
    if (order == nullptr) {
        refuse_status(client, message, "no order of yours has this ClOrdID now");
        return Reply::accept();
    }
    const auto same = detail::check_target(message, *order, definition(order->instrument));
    if (!same) {
        refuse_status(client, message, same.error().text.view());
        return Reply::accept();
    }
    send_status(client, message, *order,
                {.status_request = message.text_or_empty(wire::fix::tag::ord_status_req_id)});
    return Reply::accept();
}

}  // namespace damrak::gateway
