// The market data of an exchange and its archive over HTTP: what the feed shows, and below
// /v1/private, for the operator alone, what it does not show: owners, hidden quantities and so on.
// GET /v1/openapi.json and docs/reference/http.md describe it. Called by the worker of the HTTP
// service, one thread. A query costs what archive/ needs for it, some milliseconds; long answers
// are made in pieces.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <damrak/domain/command.hpp>
#include <damrak/domain/fees.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/feed/market_snapshots.hpp>
#include <damrak/http/server.hpp>
#include <damrak/market_data_api/detail/days.hpp>
#include <damrak/market_data_api/detail/event_days.hpp>

namespace damrak::market_data_api {

struct Route;

inline constexpr std::string_view k_where_the_token_is =
    "operator's token: operator.token of the configuration, or else DATA/operator-token, has it";
/// The answer to what only the operator may ask (RFC 6750: a wrong token is told apart from none).
[[nodiscard]] http::Answer unauthorized(const http::Request& request);

/// Whether the path belongs to this service: /v1 and below.
[[nodiscard]] bool is_route(std::string_view path);

/// A route below /v1 that the program answers itself: in the index, and in the description with
/// this object of OpenAPI, as JSON.
struct OtherRoute {
    std::string_view path;
    std::string_view methods;
};
/// Routes that others add, with their part of the description.
struct OtherRoutes {
    std::span<const OtherRoute> routes{};
    /// What the routes refer to: members of `components.schemas` without the enclosing braces.
    std::string_view schemas{};
};

/// Hands a command of the operator to the exchange. False: it takes none now. Any thread.
using SubmitCommand = std::function<bool(const Command& command, const Tag& tag)>;

/// What an instrument does with its orders now; none: unknown. Any thread.
using StatusNow = std::function<std::optional<feed::TradingStatus>(std::string_view symbol)>;

/// How the exchange defines an instrument; none: unknown. Any thread.
using DefinitionNow = std::function<std::optional<InstrumentDefinition>(std::string_view symbol)>;

/// What the exchange charges now. Any thread.
using FeesNow = std::function<Fees()>;

/// What the private routes need.
struct PrivateAccess {
    /// Whether a request is the operator's. Any thread. If empty, they are closed to everybody.
    std::function<bool(const http::Request&)> admits{};
    WriteEvents write_events{};
    // Empty: there is no exchange.
    SubmitCommand submit{};
    DefinitionNow definition{};
    FeesNow fees{};  ///< empty: none
};

/// Market data over HTTP: the handler of a server.
class MarketDataApi {
  public:
    /// `archive`: folder of the archived days; `present`: empty if there is no feed. What `others`
    /// refers to must outlive it.
    MarketDataApi(const std::filesystem::path& archive, const PresentSession& present,
                  OtherRoutes others = {}, PrivateAccess access = {}, StatusNow status = {})
        : days_(archive, present),
          events_(archive, present, std::move(access.write_events)),
          admits_(std::move(access.admits)),
          submit_(std::move(access.submit)),
          definition_(std::move(access.definition)),
          fees_(std::move(access.fees)),
          status_(std::move(status)),
          others_(others) {}

    [[nodiscard]] http::Answer answer(const http::Request& request);
    /// Whether it asks for what only the operator may see, without the operator's token. The answer
    /// takes no time then, so the worker is spared. Any thread.
    [[nodiscard]] bool is_refused(const http::Request& request) const;

  private:
    [[nodiscard]] http::Answer answer_of_route(const Route& route, std::string_view last,
                                               const http::Request& request);

    Days days_;
    EventDays events_;
    std::function<bool(const http::Request&)> admits_;
    SubmitCommand submit_;
    DefinitionNow definition_;
    FeesNow fees_;
    StatusNow status_;
    OtherRoutes others_;
};

/// The description of the service, OpenAPI 3.0 as JSON.
[[nodiscard]] std::string openapi(const OtherRoutes& others = {});

}  // namespace damrak::market_data_api
