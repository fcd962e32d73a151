// Requests about many orders at once: their status, and their end. Part of order_entry.hpp.
#pragma once

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/order_entry.hpp>
#include <damrak/gateway/fix/detail/order_scope.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::mass_status(Client& client,
                                                                 const Message& message) {
    namespace tag = fix_codec::tag;
    using session::fix::BusinessRejectReason;
    const std::string_view request = message.text_or_empty(tag::mass_status_req_id);
    const auto refused = [&](BusinessRejectReason why, const detail::FixText& text) {
        client.reply_text = text;
        return Reply::business_reject(why, client.reply_text.view(), request);
    };
    if (const auto field = detail::look_at_fields(message, 'M').refused)
        return refused(BusinessRejectReason::other, not_supported(client, *field));
    const auto scope =
        detail::read_scope(message, tag::mass_status_req_type, context_->instruments);
    if (!scope)
        return refused(scope.error().code == 0 ? BusinessRejectReason::other
                                               : BusinessRejectReason::unknown_security,
                       scope.error().text);
    std::uint32_t total = 0;
    std::uint32_t looked_at = 0;
    std::uint32_t i = context_->orders.first_open(client.participant);
    for (; i != 0 && total <= k_most_reports && looked_at < k_most_looked_at; ++looked_at) {
        total += scope->has(context_->orders.at(i)) ? 1U : 0U;
        i = context_->orders.at(i).next;
    }
    if (total > k_most_reports || i != 0)
        return refused(BusinessRejectReason::other,
                       detail::FixText{"more than {} orders are open: ask for fewer",
                                       total > k_most_reports ? k_most_reports : k_most_looked_at});
    if (total == 0)
        return refused(BusinessRejectReason::unknown_id,
                       detail::FixText{"there are no such orders"});
    std::uint32_t told = 0;
    for (i = context_->orders.first_open(client.participant); told < total;
         i = context_->orders.at(i).next) {
        if (!scope->has(context_->orders.at(i))) continue;
        ++told;
        send_status(client, message, context_->orders.at(i),
                    {.mass_request = request, .mass_total = total, .mass_last = told == total});
    }
    return Reply::accept();
}

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::mass_cancel(Client& client,
                                                                 const Message& message) {
    namespace tag = fix_codec::tag;
    constexpr int k_unsupported = 0;
    constexpr int k_other = 99;
    const std::string_view name = message.text_or_empty(tag::cl_ord_id);
    const std::string_view type = message.text_or_empty(tag::mass_cancel_request_type);
    const auto refused = [&](int code, const detail::FixText& text) {
        const detail::ReportStyle style = client.style();
        const auto id = context_->own_id(style);
        const detail::MassCancelReport report{.name = name,
                                              .id = id.view(),
                                              .request_type = type.empty() ? '7' : type.front(),
                                              .reject_reason = code,
                                              .text = text.view(),
                                              .time = context_->now};
        reports_->reply_to(client, message, "r", [&](auto& writer) {
            detail::put_mass_cancel_report(writer, style, report);
        });
        return Reply::accept();
    };
    if (name.size() > ClOrdId::k_length)
        return refused(k_unsupported,
                       detail::FixText{"ClOrdID has at most {} characters", ClOrdId::k_length});
    const detail::FieldsFound found = detail::look_at_fields(message, 'q');
    if (found.refused) return refused(k_other, not_supported(client, *found.refused));
    const auto scope =
        detail::read_scope(message, tag::mass_cancel_request_type, context_->instruments);
    if (!scope) return refused(scope.error().code, scope.error().text);
    Command command{};
    command.kind = CommandKind::mass_cancel;
    command.participant = client.participant;
    if (scope->instrument != nullptr) command.instrument = scope->instrument->id;
    if (scope->side) {
        command.side = *scope->side;
    } else {
        command.flags = CommandFlags::k_both_sides;
    }
    const auto submitted =
        submit(client, command, message, {.name = {}, .request = 'q', .scope = scope->type},
               nullptr, found.to_keep);
    if (!submitted) return refused(k_other, submitted.error().text);
    return taken(client);
}

}  // namespace damrak::gateway::fix
