// The market data of an exchange and its archive over HTTP: what the feed shows, and nothing else.
// GET /v1/openapi.json and docs/reference/http.md describe it. Called by the worker of the HTTP
// service, one thread. A query costs what archive/ needs for it, some milliseconds; long answers
// are made in pieces.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <damrak/http/server.hpp>
#include <damrak/market_data_api/days.hpp>

namespace damrak::market_data_api {

/// Whether the path belongs to this service: /v1 and below.
[[nodiscard]] bool is_route(std::string_view path);

/// Routes below /v1 that the program answers itself, for the description: members of the OpenAPI
/// objects `paths` and `components.schemas`, as JSON without the enclosing braces.
struct OtherRoutes {
    std::string_view paths;
    std::string_view schemas;
};

class MarketDataApi {
  public:
    /// `archive`: folder of the archived days; `present`: empty if there is no feed. What `others`
    /// refers to must outlive it.
    MarketDataApi(std::filesystem::path archive, PresentSession present, OtherRoutes others = {})
        : days_(std::move(archive), std::move(present)), others_(others) {}

    [[nodiscard]] http::Answer answer(const http::Request& request);

  private:
    Days days_;
    OtherRoutes others_;
};

/// The description of the service, OpenAPI 3.0 as JSON.
[[nodiscard]] std::string openapi(const OtherRoutes& others = {});

}  // namespace damrak::market_data_api
