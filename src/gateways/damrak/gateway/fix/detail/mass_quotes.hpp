// Quotes by FIX: MassQuote and QuoteCancel become a run of commands, one for each entry, and one
// MassQuoteAcknowledgement answers them all. Part of order_entry.hpp and reporting.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/order_entry.hpp>
#include <damrak/gateway/fix/detail/reporting.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::mass_quote(Client& client,
                                                                const Message& message) {
    if (const auto why = obstacle_to_quotes(client, message, 'i'); why.code != 0)
        return refuse_quotes(client, message, why);
    if (const auto read =
            detail::read_quotes(message, context_->instruments, client.quotes, quotes_);
        !read)
        return refuse_quotes(client, message, read.error());
    return submit_quotes(client, message, {.name = {}, .request = 'i'});
}

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::quote_cancel(Client& client,
                                                                  const Message& message) {
    if (const auto why = obstacle_to_quotes(client, message, 'Z'); why.code != 0)
        return refuse_quotes(client, message, why);
    const char type = detail::letter_of(message.text_or_empty(fix_codec::tag::quote_cancel_type));
    if (type == detail::QuoteAnswer::k_cancelled_all) return cancel_all_quotes(client, message);
    if (type != detail::QuoteAnswer::k_cancelled_for_symbols) {
        return refuse_quotes(client, message,
                             {.code = 99,
                              .text = detail::FixText{"QuoteCancelType (298): here 1 and 4 are "
                                                      "(of symbols, all)"}});
    } else if (const auto read = detail::read_quote_symbols(message, context_->instruments,
                                                            client.quotes, quotes_);
               !read) {
        return refuse_quotes(client, message, read.error());
    }
    return submit_quotes(client, message, {.name = {}, .request = 'Z', .scope = type});
}

/// Code zero: none.
template <class Exchange, class Store>
detail::Refusal FixOrderIntake<Exchange, Store>::obstacle_to_quotes(const Client& client,
                                                                    const Message& message,
                                                                    char request) const {
    const detail::FieldsFound found = detail::look_at_fields(message, request);
    if (found.refused) return {.code = 99, .text = not_supported(client, *found.refused)};
    if (message.text_or_empty(fix_codec::tag::quote_id).size() > ShortName::k_length)
        return {.code = 99,
                .text = detail::FixText{"QuoteID has at most {} characters", ShortName::k_length}};
    return {.code = 0, .text = {}};
}

/// One command for each instrument with a quote of the participant.
template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::cancel_all_quotes(Client& client,
                                                                       const Message& message) {
    client.quotes = {};
    quoted_.clear();
    std::uint32_t looked_at = 0;
    for (std::uint32_t i = context_->orders.first_open(client.participant); i != 0;
         i = context_->orders.at(i).next) {
        if (++looked_at > k_most_looked_at)
            return refuse_quotes(client, message,
                                 {.code = 99,
                                  .text = detail::FixText{"with more than {} open orders, quotes "
                                                          "are cancelled by symbols (1)",
                                                          k_most_looked_at}});
        const FixOrder& order = context_->orders.at(i);
        if (order.quoted) quoted_.push_back(order.instrument);
    }
    std::ranges::sort(quoted_);
    quoted_.erase(std::ranges::unique(quoted_).begin(), quoted_.end());
    FixNote note{.name = {}, .request = 'Z', .scope = detail::QuoteAnswer::k_cancelled_all};
    if (quoted_.empty()) {
        answer_quotes(client, message, reports_->answer_to_quotes(client, note));
        return Reply::accept();
    }
    const bool to_keep = detail::look_at_fields(message, note.request).to_keep;
    Command command{};
    command.kind = CommandKind::quote;
    command.participant = client.participant;
    command.quote = QuoteDetails{};
    const std::size_t entries = std::min(quoted_.size(), detail::QuoteRun::k_most);
    client.quotes.count = entries;
    for (const InstrumentId instrument : quoted_) {
        command.instrument = instrument;
        command.client_order_id = {command.client_order_id.value % entries + 1};
        if (instrument == quoted_.back()) note.flags |= FixNote::k_last_of_run;
        if (const auto submitted = submit(client, command, message, note, nullptr, to_keep);
            !submitted)
            return refuse_quotes(client, message, submitted.error());
    }
    return taken(client);
}

/// The entries that the gateway has not refused; the last one says so.
template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::submit_quotes(Client& client,
                                                                   const Message& message,
                                                                   FixNote note) {
    const detail::QuoteRun& run = client.quotes;
    const bool to_keep = detail::look_at_fields(message, note.request).to_keep;
    std::size_t left = run.count - run.refused;
    if (left == 0) {
        const detail::QuoteAnswer answer = reports_->answer_to_quotes(client, note);
        answer_quotes(client, message, answer);
        return Reply::accept();
    }
    for (std::size_t i = 0; i < run.count; ++i) {
        if (run.entries[i].refused != 0) continue;
        Command command = quotes_[i];
        command.participant = client.participant;
        if (--left == 0) note.flags |= FixNote::k_last_of_run;
        if (const auto submitted = submit(client, command, message, note, nullptr, to_keep);
            !submitted)
            return refuse_quotes(client, message, submitted.error());
    }
    return taken(client);
}

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::refuse_quotes(Client& client,
                                                                   const Message& message,
                                                                   const Refusal& refusal) {
    answer_quotes(client, message,
                  {.status = detail::QuoteAnswer::k_rejected,
                   .reject_reason = refusal.code,
                   .text = refusal.text.view()});
    return Reply::accept();
}

template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::answer_quotes(Client& client, const Message& message,
                                                    detail::QuoteAnswer answer) {
    answer.quote = message.text_or_empty(fix_codec::tag::quote_id);
    const auto version = client.session.appl_version();
    reports_->reply_to(client, message, "b",
                       [&](auto& writer) { detail::put_quote_answer(writer, version, answer); });
}

/// Once the last command of the run has its first event, which says whether it was refused.
template <class Exchange, class Store>
void FixReporting<Exchange, Store>::report_quotes(const Event& event, const Origin& origin,
                                                  const Applied& applied) {
    Client* const client = sessions_->client_at(static_cast<std::uint32_t>(origin.session.value));
    const FixNote note = FixNote::of(origin.tag);
    if (client == nullptr || index_ != 0 || note.request == '\0') return;
    // That there was no quote is no failure of a cancel.
    const bool is_refused = event.kind == EventKind::rejected &&
                            (note.request == 'i' || event.reason != Reason::unknown_order);
    if (is_refused)
        client->quotes.refuse(event.reference - 1, detail::quote_reject_reason(event.reason),
                              detail::FixText{"{}", text(event.reason)});
    if ((note.flags & FixNote::k_last_of_run) == 0) return;
    detail::QuoteAnswer answer = answer_to_quotes(*client, note);
    const ClOrdId name = note.full_name({});
    answer.quote = name.view();
    const auto version = client->session.appl_version();
    send(*client, "b", applied.attachment,
         [&](auto& writer) { detail::put_quote_answer(writer, version, answer); });
}

/// Rejected if all entries are.
template <class Exchange, class Store>
detail::QuoteAnswer FixReporting<Exchange, Store>::answer_to_quotes(const Client& client,
                                                                    const FixNote& note) {
    const detail::QuoteRun& run = client.quotes;
    detail::QuoteAnswer answer{
        .status = note.request == 'Z' ? note.scope : detail::QuoteAnswer::k_accepted,
        .text = run.text.view(),
        .run = note.request == 'Z' ? nullptr : &run};
    if (run.refused == 0 || run.refused < run.count) return answer;
    answer.status = detail::QuoteAnswer::k_rejected;
    answer.reject_reason = run.count == 0 ? 99 : run.all().back().refused;
    return answer;
}

}  // namespace damrak::gateway::fix
