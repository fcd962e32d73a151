// What clients ask about phases and halts: SecurityStatusRequest, and TradingSessionStatusRequest,
// for which each instrument has a trading session of its own, named by its symbol. Part of
// market_requests.hpp.
#pragma once

#include <string>
#include <string_view>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/fix_gateway/market_requests.hpp>

namespace damrak::gateway {

template <class Exchange, class Store>
session::fix::Reply FixMarketRequests<Exchange, Store>::security_status(Client& client,
                                                                        const Message& message) {
    namespace tag = fix_codec::tag;
    using detail::MarketTerms;
    if (!market_) return Reply::unsupported();
    detail::MarketRequest request;
    request.terms.subject = MarketTerms::Subject::security;
    request.terms.id = message.text_or_empty(tag::security_status_req_id);
    const std::string_view symbol = message.text_or_empty(tag::symbol);
    const auto kind = detail::read_kind(message);
    if (!kind) return refuse_status(client, message, request, symbol, kind.error().text);
    request.terms.kind = *kind;
    if (*kind != MarketTerms::Kind::unsubscribe) {
        const auto instrument = context_->instruments.named_in(message);
        if (!instrument)
            return refuse_status(client, message, request, symbol, instrument.error().text);
        request.instruments.push_back(*instrument);
    }
    return take_status_request(client, message, request, symbol);
}

template <class Exchange, class Store>
session::fix::Reply FixMarketRequests<Exchange, Store>::session_status(Client& client,
                                                                       const Message& message) {
    namespace tag = fix_codec::tag;
    using detail::MarketTerms;
    if (!market_) return Reply::unsupported();
    detail::MarketRequest request;
    request.terms.subject = MarketTerms::Subject::session;
    request.terms.id = message.text_or_empty(tag::trad_ses_req_id);
    const std::string_view symbol = message.text_or_empty(tag::trading_session_id);
    const auto kind = detail::read_kind(message);
    if (!kind) return refuse_status(client, message, request, symbol, kind.error().text);
    request.terms.kind = *kind;
    if (symbol.empty()) {
        request.instruments = context_->instruments.all();
    } else if (const auto* const one = context_->instruments.by_symbol(symbol); one != nullptr) {
        request.instruments.push_back(one);
    } else if (*kind != MarketTerms::Kind::unsubscribe) {
        return refuse_status(
            client, message, request, symbol,
            detail::FixText{"TradingSessionID {}: no instrument has this symbol", symbol});
    }
    return take_status_request(client, message, request, symbol);
}

template <class Exchange, class Store>
session::fix::Reply FixMarketRequests<Exchange, Store>::take_status_request(
    Client& client, const Message& message, const detail::MarketRequest& request,
    std::string_view symbol) {
    const auto done = market_->take(client.number(), request,
                                    context_->exchange->reported_position(), context_->now);
    return done ? Reply::accept()
                : refuse_status(client, message, request, symbol, done.error().text);
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

}  // namespace damrak::gateway
