// From what clients ask to commands, and what is answered without one. Part of fix_desk.hpp.
#pragma once

#include <damrak/gateway/detail/fix_desk_reports.hpp>
#include <damrak/gateway/fix_desk.hpp>
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
void FixDesk<Exchange, Store>::submit(Client& client, const Command& command,
                                      const Message& message, const views::FixNote& note) {
    ++client.pending;
    const Origin origin{
        .session = client.id, .inbound_sequence = message.sequence(), .tag = note.tag()};
    if (probe_ != nullptr) probe_->on_submit();
    asking_ = {.session = origin.session,
               .inbound_sequence = origin.inbound_sequence,
               .stop = command.order.stop_price};
    if (!exchange_->submit(command, origin, now_)) stopped_ = true;
    // Where the answers come later they are waited for: a request whose number the session counts
    // as received is in the journal, and the next may be about the order that this one makes.
    if constexpr (requires { exchange_->pipeline(); })
        while (client.pending > 0 && !stopped_) stopped_ = !exchange_->do_work(now_);
}

template <class Exchange, class Store>
session::fix::Reply FixDesk<Exchange, Store>::new_order(Client& client, const Message& message) {
    namespace tag = wire::fix::tag;
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
    const std::string_view symbol = message.text_or_empty(tag::symbol);
    const InstrumentDefinition* const instrument = instrument_named(symbol);
    if (instrument == nullptr)
        return refused(1, detail::FixText{"Symbol {}: no such instrument", symbol});
    auto command = detail::read_new_order(message, *instrument);
    if (!command) return refused(command.error().code, command.error().text);
    command->participant = client.participant;
    submit(client, *command, message, {.name = own_name, .request = 'D'});
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
    const InstrumentDefinition& instrument = definition(order->instrument);
    if (const auto same = detail::check_target(message, *order, instrument); !same)
        return refused(same.error().code, same.error().text);
    Command command = detail::read_cancel(*order);
    if (request == 'G') {
        const auto replace = detail::read_replace(message, *order, instrument);
        if (!replace) return refused(99, replace.error().text);
        if (replace->quantity.value > 0 && replace->quantity <= order->executed)
            return refused(k_too_late, detail::FixText{"too late: {} of the order are executed",
                                                       order->executed.value});
        command = *replace;
    }
    submit(client, command, message, {.name = own_name, .request = request});
    return Reply::accept();
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::refuse_order(Client& client, const Message& message,
                                            const Refusal& refusal) {
    namespace tag = wire::fix::tag;
    const auto id = own_id(client.style());
    // What can be read of the order is told back; a refused price is in the text.
    const auto side = detail::read_side(message);
    const auto quantity = message.decimal(tag::order_qty, 0);
    constexpr unsigned k_decimals = 9;
    const auto price = message.decimal(tag::price, k_decimals);
    const detail::Execution execution{
        .type = detail::Execution::k_rejected,
        .status = detail::Execution::k_rejected,
        .name = message.text_or_empty(tag::cl_ord_id),
        .exec_id = id.view(),
        .symbol = message.text_or_empty(tag::symbol),
        .price_decimals = k_decimals,
        .side = side.value_or(Side::buy),
        .order_type = detail::read_type(message).value_or(OrderType::market),
        .time_in_force = detail::read_time_in_force(message).value_or(TimeInForce::day),
        .price = Price{price.value_or(0)},
        .ordered = Quantity{quantity.value_or(0)},
        .time = now_,
        .reject_reason = refusal.code,
        .text = refusal.text.view()};
    const detail::ReportStyle style = client.style();
    send(
        client, "8", [&](auto& writer) { detail::put_execution(writer, style, execution); }, false);
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
    send(
        client, "9", [&](auto& writer) { detail::put_cancel_reject(writer, style, reject); },
        false);
}

/// `execution` has what the request is to be told again.
template <class Exchange, class Store>
void FixDesk<Exchange, Store>::send_status(Client& client, const views::FixOrder& order,
                                           detail::Execution execution) {
    const auto id = own_id(client.style());
    detail::Execution status = detail::execution_of(order, definition(order.instrument));
    status.status_request = execution.status_request;
    status.mass_request = execution.mass_request;
    status.mass_total = execution.mass_total;
    status.mass_last = execution.mass_last;
    status.exec_id = id.view();
    status.time = now_;
    const detail::ReportStyle style = client.style();
    send(client, "8", [&](auto& writer) { detail::put_execution(writer, style, status); }, false);
}

template <class Exchange, class Store>
session::fix::Reply FixDesk<Exchange, Store>::order_status(Client& client, const Message& message) {
    namespace tag = wire::fix::tag;
    const auto id = own_id(client.style());
    if (const views::FixOrder* const order = target_of(client, message)) {
        send_status(client, *order,
                    {.status_request = message.text_or_empty(tag::ord_status_req_id)});
        return Reply::accept();
    }
    // There is no other message to say so.
    const detail::Execution unknown{
        .type = detail::Execution::k_status,
        .status = detail::Execution::k_rejected,
        .name = message.text_or_empty(tag::cl_ord_id),
        .exec_id = id.view(),
        .symbol = message.text_or_empty(tag::symbol),
        .side = detail::read_side(message).value_or(Side::buy),
        .order_type = OrderType::market,
        .time = now_,
        .reject_reason = 5,
        .text = "no order of yours has this ClOrdID now",
        .status_request = message.text_or_empty(tag::ord_status_req_id)};
    const detail::ReportStyle style = client.style();
    send(client, "8", [&](auto& writer) { detail::put_execution(writer, style, unknown); }, false);
    return Reply::accept();
}

template <class Exchange, class Store>
session::fix::Reply FixDesk<Exchange, Store>::mass_status(Client& client, const Message& message) {
    namespace tag = wire::fix::tag;
    const std::string_view type = message.text_or_empty(tag::mass_status_req_type);
    const std::string_view symbol = message.text_or_empty(tag::symbol);
    const bool of_one = type == "1";
    if (!of_one && type != "7")
        return Reply::business_reject(session::fix::BusinessRejectReason::other,
                                      "MassStatusReqType 1 (of a security) and 7 (of all orders)");
    const InstrumentDefinition* const instrument = of_one ? instrument_named(symbol) : nullptr;
    if (of_one && instrument == nullptr)
        return Reply::business_reject(session::fix::BusinessRejectReason::unknown_security,
                                      "no such instrument", symbol);
    const auto side = detail::read_side(message);
    const auto wanted = [&](const views::FixOrder& order) {
        return (instrument == nullptr || order.instrument == instrument->id) &&
               (!side || order.side == *side);
    };
    const auto for_each_wanted = [&](auto&& f) {
        std::uint32_t looked_at = 0;
        std::uint32_t i = orders_.first_open(client.participant);
        for (; i != 0 && looked_at < k_most_reports; i = orders_.at(i).next, ++looked_at)
            if (wanted(orders_.at(i))) f(orders_.at(i));
        return i == 0;
    };
    std::uint32_t total = 0;
    const bool is_all = for_each_wanted([&](const views::FixOrder& /*order*/) { ++total; });
    const std::string_view request = message.text_or_empty(tag::mass_status_req_id);
    if (!is_all)
        return Reply::business_reject(session::fix::BusinessRejectReason::other,
                                      "more than 1000 orders are open: ask for them one by one",
                                      request);
    if (total == 0)
        return Reply::business_reject(session::fix::BusinessRejectReason::unknown_id,
                                      "there are no such orders", request);
    std::uint32_t told = 0;
    static_cast<void>(for_each_wanted([&](const views::FixOrder& order) {
        ++told;
        send_status(client, order,
                    {.mass_request = request, .mass_total = total, .mass_last = told == total});
    }));
    return Reply::accept();
}

template <class Exchange, class Store>
session::fix::Reply FixDesk<Exchange, Store>::mass_cancel(Client& client, const Message& message) {
    namespace tag = wire::fix::tag;
    constexpr int k_unsupported = 0;
    constexpr int k_unknown_security = 1;
    const std::string_view name = message.text_or_empty(tag::cl_ord_id);
    const std::string_view type = message.text_or_empty(tag::mass_cancel_request_type);
    const auto id = own_id(client.style());
    const auto refused = [&](int code, std::string_view text) {
        const detail::MassCancelReport report{.name = name,
                                              .id = id.view(),
                                              .request_type = type.empty() ? '7' : type.front(),
                                              .reject_reason = code,
                                              .text = text,
                                              .time = now_};
        const detail::ReportStyle style = client.style();
        send(
            client, "r",
            [&](auto& writer) { detail::put_mass_cancel_report(writer, style, report); }, false);
        return Reply::accept();
    };
    if (name.size() > views::ClOrdId::k_length)
        return refused(k_unsupported, "ClOrdID has at most 20 characters");
    if (type != "1" && type != "7")
        return refused(k_unsupported,
                       "MassCancelRequestType 1 (of a security) and 7 (of all orders)");
    Command command{};
    command.kind = CommandKind::mass_cancel;
    command.participant = client.participant;
    if (type == "1") {
        const auto* const instrument = instrument_named(message.text_or_empty(tag::symbol));
        if (instrument == nullptr) return refused(k_unknown_security, "no such instrument");
        command.instrument = instrument->id;
    }
    if (const auto side = detail::read_side(message)) {
        command.side = *side;
    } else if (message.has(tag::side)) {
        return refused(k_unsupported, "Side 1 (buy) and 2 (sell), or none for both");
    } else {
        command.flags = CommandFlags::k_both_sides;
    }
    submit(client, command, message,
           {.name = views::ClOrdId::of(name), .request = 'q', .scope = type.front()});
    return Reply::accept();
}

}  // namespace damrak::gateway
