#include "serve/program_routes.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/market_data_api/query.hpp>
#include <damrak/market_stream/asyncapi.hpp>

#include "serve/replay.hpp"

namespace damrak::app {

namespace {

constexpr std::array<std::pair<std::string_view, ProgramRoute>, 9> k_routes{{
    {k_index_path, ProgramRoute::index},
    {market_stream::k_asyncapi_path, ProgramRoute::asyncapi},
    {market_stream::k_stream_path, ProgramRoute::stream},
    {k_login_path, ProgramRoute::login},
    {k_logout_path, ProgramRoute::logout},
    {k_replay_path, ProgramRoute::replay},
    {k_replay_orders_path, ProgramRoute::replay_orders},
    {k_subscribers_path, ProgramRoute::subscribers},
    {k_venue_path, ProgramRoute::venue},
}};

http::Answer denied(unsigned status, const char* code, std::string why) {
    return market_data_api::answer_of({.status = status, .code = code, .message = std::move(why)});
}

/// What is only read, and has no parameters.
std::optional<http::Answer> refusal_of_reading(const http::Request& request) {
    if (request.is_post) return denied(405, "method", "this is read: use GET");
    const auto query = market_data_api::Query::parse(request.query, {});
    if (!query) return market_data_api::answer_of(query.error());
    return std::nullopt;
}

http::Answer index_of(const VenueState& venue) {
    http::Answer answer = venue.answer_index();
    if (answer.status != 404) return answer;
    return denied(404, "no_index",
                  "this exchange has no index: start it with a venue whose file has [index], "
                  "damrak serve --venue FILE");
}

http::Answer venue_of(const VenueState& venue) {
    http::Answer answer = venue.answer_venue();
    if (answer.status != 404) return answer;
    return denied(404, "no_venue_state",
                  "this exchange has neither fees nor obligations nor an index: start it with a "
                  "venue whose file has [fees], [[obligation]] or [index], "
                  "damrak serve --venue FILE");
}

constexpr std::string_view k_error_response = R"json("default": {"description": "what is wrong",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}})json";

constexpr std::string_view k_program_schemas = R"json(
  "Index": {"type": "object", "required": ["name", "value"], "properties": {
    "name": {"type": "string"},
    "value": {"type": "number", "nullable": true,
      "description": "in the currency; null: a part has not traded yet"}}},
  "Venue": {"type": "object", "required": ["venue", "day", "index", "fees", "obligations"],
    "properties": {"venue": {"type": "string", "description": "name"},
      "day": {"type": "integer", "description": "yyyymmdd; 0: none began yet"},
      "index": {"nullable": true, "allOf": [{"$ref": "#/components/schemas/Index"}]},
      "fees": {"type": "array", "items": {"type": "object",
        "required": ["participant", "symbol", "trades", "maker_volume", "taker_volume",
          "auction_volume", "fees"],
        "properties": {"participant": {"type": "integer"}, "symbol": {"type": "string"},
          "trades": {"type": "integer"}, "maker_volume": {"type": "integer"},
          "taker_volume": {"type": "integer"}, "auction_volume": {"type": "integer"},
          "fees": {"type": "number", "description": "in the currency; negative: a rebate"}}}},
      "obligations": {"type": "array", "items": {"type": "object",
        "required": ["obligation", "participant", "symbol", "trading_seconds", "present_seconds",
          "presence", "wanted", "spread_mean", "periods", "periods_met"],
        "properties": {"obligation": {"type": "string", "description": "name"},
          "participant": {"type": "integer"}, "symbol": {"type": "string"},
          "trading_seconds": {"type": "number"}, "present_seconds": {"type": "number"},
          "presence": {"type": "number", "description": "share of the time of trading"},
          "wanted": {"type": "number", "description": "share of each period"},
          "spread_mean": {"type": "number"}, "periods": {"type": "integer"},
          "periods_met": {"type": "integer"}}}}}},
  "Subscribers": {"type": "object", "required": ["slow"], "properties": {"slow": {
    "type": "array", "items": {"type": "object",
      "required": ["service", "client", "behind", "unit"], "properties": {
        "service": {"type": "string", "enum": ["itch", "glimpse", "stream"]},
        "client": {"type": "string"}, "behind": {"type": "integer"},
        "unit": {"type": "string", "enum": ["messages", "bytes"]}}}}}})json";

std::string reading(std::string_view summary, std::string_view schema, bool is_private = false) {
    return fmt::format(
        R"({{"get": {{"summary": "{}", "responses": {{"200": {{"description": "the answer", )"
        R"("content": {{"application/json": {{"schema": {}}}}}}}, {}{}}}{}}}}})",
        summary, schema,
        is_private ? R"("401": {"description": "without the operator's token"}, )" : "",
        k_error_response, is_private ? R"(, "security": [{"operator": []}])" : "");
}

std::string schema(std::string_view name) {
    return fmt::format(R"({{"$ref": "#/components/schemas/{}"}})", name);
}

std::string posting(std::string_view summary, std::string_view body, std::string_view done) {
    return fmt::format(
        R"({{"post": {{"summary": "{}", {}"responses": {{"204": {{"description": "{}"}}, {}}}}}}})",
        summary, body, done, k_error_response);
}

std::string description_of(ProgramRoute route) {
    switch (route) {
        case ProgramRoute::asyncapi:
            return reading("The description of /v1/stream, in AsyncAPI 2.6",
                           R"({"type": "object"})");
        case ProgramRoute::index:
            return reading("The index of the venue; 404 if it has none", schema("Index"));
        case ProgramRoute::login:
            return posting("Log in with the operator's token",
                           R"json("requestBody": {"required": true, "content": {
    "application/json": {"schema": {"type": "object", "required": ["token"], "properties": {
      "token": {"type": "string"}}}}}}, )json",
                           "a cookie that stands for the token until the logout");
        case ProgramRoute::logout:
            return posting("Log out", "", "the login has ended");
        case ProgramRoute::replay:
            return std::string{replay_description().methods};
        case ProgramRoute::replay_orders:
            return std::string{replay_description().orders_methods};
        case ProgramRoute::stream:
            return fmt::format(
                R"({{"get": {{"summary": "The live stream, a WebSocket: /v1/asyncapi.json )"
                R"(describes it", "responses": {{"101": {{"description": "it begins"}}, {}}}}}}})",
                k_error_response);
        case ProgramRoute::subscribers:
            return reading("Who does not take what is sent to it, and by how much",
                           schema("Subscribers"), true);
        case ProgramRoute::venue:
            return reading(
                "What the rules of the venue come to: fees, obligations, index; 404 if "
                "it has none of them",
                schema("Venue"), true);
    }
    return {};
}

}  // namespace

std::optional<ProgramRoute> program_route(std::string_view path) {
    const auto* const found =
        std::ranges::find(k_routes, path, [](const auto& one) { return one.first; });
    return found == k_routes.end() ? std::nullopt : std::optional{found->second};
}

http::Answer answer_of(ProgramRoute route, const http::Request& request,
                       const ProgramParts& parts) {
    switch (route) {
        case ProgramRoute::login:
        case ProgramRoute::logout:
            return parts.access.answer_login(request);
        case ProgramRoute::replay:
            return answer_replay(parts.replayed, request, parts.access.admits(request));
        case ProgramRoute::replay_orders:
            return answer_replay_orders(parts.replayed, request);
        case ProgramRoute::asyncapi:
        case ProgramRoute::index:
        case ProgramRoute::stream:
        case ProgramRoute::subscribers:
        case ProgramRoute::venue:
            break;
    }
    if (auto refusal = refusal_of_reading(request)) return *std::move(refusal);
    if (route == ProgramRoute::asyncapi) return market_stream::answer_asyncapi();
    if (route == ProgramRoute::subscribers) return parts.operations.subscribers(parts.stream);
    if (route == ProgramRoute::venue) return venue_of(parts.venue);
    if (route == ProgramRoute::index) return index_of(parts.venue);
    return denied(426, "web_socket", "this is a WebSocket: docs/protocols/stream.md describes it");
}

market_data_api::OtherRoutes program_routes() {
    using market_data_api::OtherRoute;
    struct Description {
        std::vector<std::string> methods;
        std::vector<OtherRoute> routes;
        std::string schemas;
    };
    static const Description k_description = [] {
        Description all;
        for (const auto& [path, route] : k_routes) all.methods.push_back(description_of(route));
        for (std::size_t i = 0; i < k_routes.size(); ++i)
            all.routes.push_back({.path = k_routes[i].first, .methods = all.methods[i]});
        all.schemas = fmt::format("{}, {}", k_program_schemas, replay_description().schemas);
        return all;
    }();
    return {.routes = k_description.routes, .schemas = k_description.schemas};
}

}  // namespace damrak::app
