// How an order stands: asked for by the client, or the answer to a possible resend. Part of
// order_entry.hpp.
#pragma once

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/order_entry.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::order_status(Client& client,
                                                                  const Message& message) {
    const FixOrder* const order = target_of(client, message);
    if (order == nullptr) {
        refuse_status(client, message, "no order of yours has this ClOrdID or OrderID");
        return Reply::accept();
    }
    const auto same = check_target(message, *order, 'H');
    if (!same) {
        refuse_status(client, message, same.error().text.view());
        return Reply::accept();
    }
    send_status(client, message, *order,
                {.previous_name = earlier_name(client, detail::target_name(message), *order),
                 .status_request = message.text_or_empty(fix_codec::tag::ord_status_req_id)});
    return Reply::accept();
}

/// A possible resend that was handled before: only the state of its order is reported.
template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::tell_again(Client& client, const Message& message,
                                                 std::string_view name) {
    if (const auto* const order = context_->orders.find_ever(client.participant, name))
        send_status(client, message, *order, {.previous_name = earlier_name(client, name, *order)});
    else
        refuse_status(client, message, "the order of this ClOrdID ended too long ago");
}

/// `asked` has the fields of the request that its answer repeats.
template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::send_status(Client& client, const Message& message,
                                                  const FixOrder& order,
                                                  const detail::Execution& asked) {
    const auto id = context_->own_id(client.style());
    detail::Execution status = detail::execution_of(
        context_->orders, order, context_->instruments.definition(order.instrument));
    status.previous_name = asked.previous_name;
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
void FixOrderIntake<Exchange, Store>::refuse_status(Client& client, const Message& message,
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

}  // namespace damrak::gateway::fix
