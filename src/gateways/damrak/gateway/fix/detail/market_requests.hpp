// What clients ask about the market and its instruments, and the answers. Part of
// market_requests.hpp.
#pragma once

#include <algorithm>
#include <span>

#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/securities.hpp>
#include <damrak/gateway/fix/market_requests.hpp>

namespace damrak::gateway::fix {

/// How market data leaves: not kept, and only while what waits for the client leaves more than
/// half of the room to what is.
template <class Exchange, class Store>
struct FixMarketRequests<Exchange, Store>::MarketTeller {
    /// More than the longest message.
    static constexpr std::size_t k_room_bytes = 131'072;

    [[nodiscard]] bool has_room(std::uint32_t number) const {
        const session::OutputBuffer* const out = owner->sessions_->client_at(number)->out;
        return out != nullptr && out->room() >= out->size() + k_room_bytes;
    }
    [[nodiscard]] bool tell_snapshot(std::uint32_t number, const detail::MarketMessage& message) {
        return tell(number, "W", [&](auto& writer, const auto& style) {
            detail::put_market_snapshot(writer, style, message);
        });
    }
    [[nodiscard]] bool tell_changes(std::uint32_t number, const detail::MarketMessage& message) {
        return tell(number, "X", [&](auto& writer, const auto& style) {
            detail::put_market_changes(writer, style, message);
        });
    }
    [[nodiscard]] bool tell_status(std::uint32_t number, detail::MarketTerms::Subject subject,
                                   const detail::StatusMessage& message) {
        return tell(number, detail::status_type(subject), [&](auto& writer, const auto& style) {
            detail::put_status(writer, style, subject, message);
        });
    }
    void refuse(std::uint32_t number, std::string_view request,
                const detail::MarketRefusal& refusal) {
        Client& client = *owner->sessions_->client_at(number);
        static_cast<void>(client.session.send("Y", owner->context_->now, [&](auto& writer) {
            detail::put_market_refusal(writer, request, refusal);
        }));
        owner->context_->touch(client);
    }

    template <class Fill>
    [[nodiscard]] bool tell(std::uint32_t number, std::string_view msg_type, Fill&& fill) {
        Client& client = *owner->sessions_->client_at(number);
        const detail::ReportStyle style = client.style();
        const bool sent = client.session.send_fleeting(msg_type, owner->context_->now,
                                                       [&](auto& writer) { fill(writer, style); });
        owner->context_->touch(client);
        return sent;
    }

    FixMarketRequests* owner;
};

template <class Exchange, class Store>
void FixMarketRequests<Exchange, Store>::tell_watchers(Timestamp now) {
    context_->now = std::max(context_->now, now);
    market_->tell(now, MarketTeller{this});
}

template <class Exchange, class Store>
session::fix::Reply FixMarketRequests<Exchange, Store>::market_data(Client& client,
                                                                    const Message& message) {
    if (!market_) return Reply::unsupported();
    const fix_codec::Dictionary& dictionary =
        client.settings.dictionary != nullptr
            ? *client.settings.dictionary
            : fix_codec::Dictionary::of(client.session.appl_version());
    const auto request = detail::read_market_request(
        message, dictionary,
        [this](std::string_view name) { return context_->instruments.by_isin_or_symbol(name); });
    const auto done = request
                          ? market_->take(client.number(), client.holder, *request,
                                          context_->exchange->reported_position(), context_->now)
                          : std::unexpected{request.error()};
    if (!done)
        reports_->reply_to(client, message, "Y", [&](auto& writer) {
            detail::put_market_refusal(writer, message.text_or_empty(fix_codec::tag::md_req_id),
                                       done.error());
        });
    return Reply::accept();
}

/// SecurityListRequest: one instrument, or all of them in as many messages as it takes.
template <class Exchange, class Store>
session::fix::Reply FixMarketRequests<Exchange, Store>::security_list(Client& client,
                                                                      const Message& message) {
    namespace tag = fix_codec::tag;
    using detail::SecurityList;
    const std::string_view type = message.text_or_empty(tag::security_list_request_type);
    std::vector<const InstrumentDefinition*> found;
    SecurityList list{.request = message.text_or_empty(tag::security_req_id)};
    if (type == "0") {
        if (const auto one = context_->instruments.named_in(message)) found.push_back(*one);
    } else if (type == "4") {
        found = context_->instruments.all();
    }
    list.total = found.size();
    if (found.empty())
        list.result =
            type == "0" || type == "4" ? SecurityList::k_not_found : SecurityList::k_unsupported;
    const detail::ReportStyle style = client.style();
    const auto id = context_->own_id(style);
    list.id = id.view();
    std::span<const InstrumentDefinition* const> rest{found};
    do {
        list.instruments = rest.first(std::min(rest.size(), detail::k_instruments_a_list));
        rest = rest.subspan(list.instruments.size());
        list.is_last = rest.empty();
        reports_->reply_to(client, message, "y",
                           [&](auto& writer) { detail::put_security_list(writer, style, list); });
    } while (!rest.empty());
    return Reply::accept();
}

/// SecurityDefinitionRequest: one instrument, or all of them in an answer each.
template <class Exchange, class Store>
session::fix::Reply FixMarketRequests<Exchange, Store>::security_definition(
    Client& client, const Message& message) {
    namespace tag = fix_codec::tag;
    using detail::SecurityAnswer;
    const std::string_view type = message.text_or_empty(tag::security_request_type);
    const std::string_view symbol = message.text_or_empty(tag::symbol);
    const bool of_one = type == "0" || type == "1" || type == "4";
    const bool of_all = type == "3" || type == "8";
    const detail::ReportStyle style = client.style();
    SecurityAnswer answer{.request = message.text_or_empty(tag::security_req_id),
                          .market = client.settings.name.sender_comp_id};
    const auto tell = [&] {
        const auto id = context_->own_id(style);
        answer.id = id.view();
        reports_->reply_to(client, message, "d", [&](auto& writer) {
            detail::put_security_definition(writer, style, answer);
        });
    };
    const auto all =
        of_all ? context_->instruments.all() : std::vector<const InstrumentDefinition*>{};
    if (all.size() > k_most_reports)
        return Reply::business_reject(session::fix::BusinessRejectReason::other,
                                      "there are more than 1000: send a SecurityListRequest",
                                      answer.request);
    if (!all.empty()) {
        answer.response = SecurityAnswer::k_list;
        answer.total = all.size();
        for (const InstrumentDefinition* const instrument : all) {
            answer.instrument = instrument;
            tell();
        }
        return Reply::accept();
    }
    if (of_one) answer.instrument = context_->instruments.named_in(message).value_or(nullptr);
    answer.total = answer.instrument == nullptr ? 0 : 1;
    if (answer.instrument == nullptr) {
        answer.response =
            of_one || of_all ? SecurityAnswer::k_not_found : SecurityAnswer::k_rejected;
        answer.symbol = symbol;
        answer.text = of_one || of_all
                          ? "no such instrument"
                          : "SecurityRequestType 0, 1 and 4 (of Symbol), 3 and 8 (all)";
    }
    tell();
    return Reply::accept();
}

}  // namespace damrak::gateway::fix
