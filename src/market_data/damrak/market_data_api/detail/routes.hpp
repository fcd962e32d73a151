// The routes of the service with their parameters. Requests are dispatched by them, and the OpenAPI
// description is built from them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <damrak/market_data_api/api.hpp>
#include <damrak/market_data_api/detail/days.hpp>
#include <damrak/market_data_api/detail/event_days.hpp>
#include <damrak/market_data_api/query.hpp>

namespace damrak::market_data_api {

/// One request.
struct Call {
    Days& days;
    const EventDays& events;
    const Query& query;
    const http::Request& request;
    std::string_view last;  ///< part of the path in place of the braces
    const SubmitCommand& submit;
    const DefinitionNow& definition;
    const FeesNow& fees;
    const StatusNow& status;
};

struct Route {
    std::string_view path;  ///< /v1/orders/{reference}
    std::string_view help;
    std::span<const Parameter> parameters;
    std::string_view schema;  ///< of the answer, in schemas.hpp
    Result<http::Answer> (*answer)(const Call& call);
    bool is_private = false;  ///< only for the operator
    bool is_post = false;     ///< takes POST and not GET
};

[[nodiscard]] std::span<const Route> routes();

/// `why` is a sentence of archive::sentences().
[[nodiscard]] Problem book_not_known(std::string_view why);

/// There is no exchange, or it takes nothing now.
[[nodiscard]] Problem no_exchange();

/// Gives the exchange a command of the operator; the tag goes with its origin.
[[nodiscard]] Result<void> submit(const Call& call, const Command& command, const Tag& tag = {});

// One function for each route:
[[nodiscard]] Result<http::Answer> answer_days(const Call& call);
[[nodiscard]] Result<http::Answer> answer_instruments(const Call& call);
[[nodiscard]] Result<http::Answer> answer_book(const Call& call);
[[nodiscard]] Result<http::Answer> answer_trades(const Call& call);
[[nodiscard]] Result<http::Answer> answer_candles(const Call& call);
[[nodiscard]] Result<http::Answer> answer_heatmap(const Call& call);
[[nodiscard]] Result<http::Answer> answer_measures(const Call& call);
[[nodiscard]] Result<http::Answer> answer_messages(const Call& call);
[[nodiscard]] Result<http::Answer> answer_order(const Call& call);
[[nodiscard]] Result<http::Answer> answer_event_days(const Call& call);
[[nodiscard]] Result<http::Answer> answer_events(const Call& call);
[[nodiscard]] Result<http::Answer> answer_participants(const Call& call);
[[nodiscard]] Result<http::Answer> answer_bust(const Call& call);
[[nodiscard]] Result<http::Answer> answer_correction(const Call& call);
[[nodiscard]] Result<http::Answer> answer_quote_protection(const Call& call);

}  // namespace damrak::market_data_api
