// What clients ask about phases and halts: SecurityStatusRequest, and TradingSessionStatusRequest,
// for which each instrument has a trading session of its own, named by its symbol. Part of
// market_requests.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/market_requests.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
session::fix::Reply FixMarketRequests<Exchange, Store>::security_status(Client& client,
                                                                        const Message& message) {
    namespace tag = fix_codec::tag;
    return take_status_request(
        client, message,
        {.id = std::string{message.text_or_empty(tag::security_status_req_id)},
         .subject = detail::MarketTerms::Subject::security},
        message.text_or_empty(tag::symbol), [&](detail::MarketRequest& request) {
            const auto instrument = context_->instruments.named_in(message);
            if (!instrument) return std::optional{instrument.error().text};
            request.instruments.push_back(*instrument);
            return std::optional<detail::FixText>{};
        });
}

template <class Exchange, class Store>
session::fix::Reply FixMarketRequests<Exchange, Store>::session_status(Client& client,
                                                                       const Message& message) {
    namespace tag = fix_codec::tag;
    const std::string_view symbol = message.text_or_empty(tag::trading_session_id);
    return take_status_request(
        client, message,
        {.id = std::string{message.text_or_empty(tag::trad_ses_req_id)},
         .subject = detail::MarketTerms::Subject::session},
        symbol, [&](detail::MarketRequest& request) {
            const auto* const one = context_->instruments.by_symbol(symbol);
            if (symbol.empty())
                request.instruments = context_->instruments.all();
            else if (one != nullptr)
                request.instruments.push_back(one);
            return symbol.empty() || one != nullptr
                       ? std::optional<detail::FixText>{}
                       : detail::FixText{"TradingSessionID {}: no instrument has this symbol",
                                         symbol};
        });
}

// `name` adds the instruments of the request, or says why it cannot. The end of a subscription
// names none.
template <class Exchange, class Store>
template <class Name>
session::fix::Reply FixMarketRequests<Exchange, Store>::take_status_request(
    Client& client, const Message& message, const detail::MarketTerms& terms,
    std::string_view symbol, const Name& name) {
    if (!market_) return Reply::unsupported();
    detail::MarketRequest request;
    request.terms = terms;
    const auto refuse = [&](const detail::FixText& text) {
        return refuse_status(client, message, request, symbol, text);
    };
    const auto kind = detail::read_kind(message);
    if (!kind) return refuse(kind.error().text);
    request.terms.kind = *kind;
    if (*kind != detail::MarketTerms::Kind::unsubscribe)
        if (const auto trouble = name(request)) return refuse(*trouble);
    const auto done = market_->take(client.number(), client.holder, request,
                                    context_->exchange->reported_position(), context_->now);
    return done ? Reply::accept() : refuse(done.error().text);
}

template <class Exchange, class Store>
session::fix::Reply FixMarketRequests<Exchange, Store>::refuse_status(
    Client& client, const Message& message, const detail::MarketRequest& request,
    std::string_view symbol, const detail::FixText& text) {
    const auto subject = request.terms.subject;
    reports_->reply_to(client, message, detail::status_type(subject), [&](auto& writer) {
        detail::put_status(writer, client.style(), subject,
                           {.request = request.terms.id,
                            .symbol = symbol.empty() ? "[N/A]" : symbol,
                            .status = {},
                            .time = context_->now,
                            .text = text.view()});
    });
    return Reply::accept();
}

}  // namespace damrak::gateway::fix
