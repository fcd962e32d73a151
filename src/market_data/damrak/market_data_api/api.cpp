#include <damrak/market_data_api/api.hpp>

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/http/origin.hpp>
#include <damrak/market_data_api/detail/routes.hpp>
#include <damrak/market_data_api/detail/schemas.hpp>

namespace damrak::market_data_api {

namespace {

constexpr std::string_view k_root = "/v1";
constexpr std::string_view k_description = "/v1/openapi.json";
constexpr std::string_view k_private = "/v1/private";
constexpr const char* k_json = "application/json";

/// The name of the parameter in braces, if the path ends with one.
std::string_view last_name(std::string_view path) {
    const std::size_t brace = path.find('{');
    if (brace == std::string_view::npos) return {};
    return path.substr(brace + 1, path.size() - brace - 2);
}

/// The part of `path` in place of the route's braces; nothing if the path does not match.
std::optional<std::string_view> match(const Route& route, std::string_view path) {
    const std::size_t brace = route.path.find('{');
    if (brace == std::string_view::npos)
        return path == route.path ? std::optional{std::string_view{}} : std::nullopt;
    if (!path.starts_with(route.path.substr(0, brace))) return std::nullopt;
    return path.substr(brace);
}

http::Answer index(const OtherRoutes& others) {
    std::string json = R"({"description": )";
    archive::append_string(json, k_description);
    json += R"(, "routes": [)";
    const auto append = [&](std::string_view path) {
        if (!json.ends_with('[')) json += ", ";
        archive::append_string(json, path);
    };
    for (const Route& route : routes()) append(route.path);
    for (const OtherRoute& route : others.routes) append(route.path);
    return {.content_type = k_json, .body = json + "]}\n"};
}

http::Answer wrong_method(const Route& route) {
    return answer_of(
        {.status = 405,
         .code = "method",
         .message = route.is_post ? "this acts: use POST" : "market data is read: use GET"});
}

std::string schema_of(const Parameter& parameter) {
    switch (parameter.kind) {
        case ParameterKind::number: {
            std::string json =
                fmt::format(R"({{"type": "integer", "minimum": {})", parameter.least);
            if (parameter.most != k_no_limit)
                json += fmt::format(R"(, "maximum": {})", parameter.most);
            if (parameter.otherwise)
                json += fmt::format(R"(, "default": {})", *parameter.otherwise);
            return json + "}";
        }
        case ParameterKind::truth:
            return R"({"type": "boolean"})";
        case ParameterKind::price:
            return R"({"type": "number", "minimum": 0})";
        case ParameterKind::text:
        case ParameterKind::time:
            break;
    }
    return R"({"type": "string"})";
}

void append_parameter(std::string& json, std::string_view name, std::string_view place,
                      std::string_view help, bool is_required, std::string_view schema) {
    if (!json.ends_with('[')) json += ", ";
    archive::append_string(json += R"({"name": )", name);
    archive::append_string(json += R"(, "in": )", place);
    archive::append_string(json += R"(, "description": )", help);
    json += fmt::format(R"(, "required": {}, "schema": {}}})", is_required, schema);
}

void append_path(std::string& json, const Route& route) {
    archive::append_string(json, route.path);
    json += fmt::format(R"(: {{"{}": {{"summary": )", route.is_post ? "post" : "get");
    archive::append_string(json, route.help);
    json += R"(, "parameters": [)";
    if (const auto name = last_name(route.path); !name.empty())
        append_parameter(json, name, "path", "of the order, as the feed gives it", true,
                         R"({"type": "integer", "minimum": 0})");
    for (const Parameter& one : route.parameters)
        append_parameter(json, one.name, "query", one.help, one.is_required, schema_of(one));
    const bool has_lines = route.schema == "Message" || route.schema == "Event";
    const std::string_view type = has_lines ? "application/x-ndjson" : k_json;
    json += fmt::format(
        R"(], "responses": {{"{}": {{"description": "the answer", "content": {{"{}": )"
        R"({{"schema": {{"$ref": "#/components/schemas/{}"}}}}}}}}, )"
        R"({}: {{"description": "{}"}}, "default": {{"description": )"
        R"("what is wrong", "content": {{"application/json": {{"schema": )"
        R"({{"$ref": "#/components/schemas/Error"}}}}}}}}}}{}}}}})",
        route.is_post ? 202 : 200, type, route.schema, route.is_private ? R"("401")" : R"("304")",
        route.is_private ? "without the operator's token" : "as the client has it",
        route.is_private ? R"(, "security": [{"operator": []}])" : "");
}

}  // namespace

http::Answer unauthorized(const http::Request& request) {
    const bool has_token = !request.authorization.empty();
    http::Answer answer =
        answer_of({.status = 401,
                   .code = "unauthorized",
                   .message = has_token ? fmt::format("this is not the {}", k_where_the_token_is)
                                        : "only for the operator: Authorization: Bearer TOKEN"});
    answer.www_authenticate = "Bearer realm=\"damrak operator\"";
    if (has_token) answer.www_authenticate += ", error=\"invalid_token\"";
    return answer;
}

bool is_route(std::string_view path) { return path == k_root || path.starts_with("/v1/"); }

bool MarketDataApi::is_refused(const http::Request& request) const {
    const bool is_private =
        request.path.starts_with(k_private) &&
        (request.path.size() == k_private.size() || request.path[k_private.size()] == '/');
    // A page of another service must not act with the cookie of a login.
    const bool is_foreign = request.is_post && !http::is_of_own_page(request);
    return is_private && !(admits_ && !is_foreign && admits_(request));
}

http::Answer MarketDataApi::answer_of_route(const Route& route, std::string_view last,
                                            const http::Request& request) {
    std::vector<std::string_view> names;
    for (const Parameter& one : route.parameters) names.push_back(one.name);
    const auto query = Query::parse(request.query, names);
    if (!query) return answer_of(query.error());
    auto answer = route.answer({.days = days_,
                                .events = events_,
                                .query = *query,
                                .request = request,
                                .last = last,
                                .submit = submit_,
                                .definition = definition_,
                                .fees = fees_,
                                .status = status_});
    return answer ? *std::move(answer) : answer_of(answer.error());
}

http::Answer MarketDataApi::answer(const http::Request& request) {
    if (is_refused(request)) return unauthorized(request);
    if (request.path == k_root || request.path == "/v1/") return index(others_);
    if (request.path == k_description) return {.content_type = k_json, .body = openapi(others_)};
    for (const Route& route : routes())
        if (const auto last = match(route, request.path))
            return route.is_post == request.is_post ? answer_of_route(route, *last, request)
                                                    : wrong_method(route);
    return answer_of(
        {.status = 404,
         .code = "unknown_path",
         .message = fmt::format("there is no {}: /v1 lists what there is", request.path)});
}

std::string openapi(const OtherRoutes& others) {
    std::string json =
        R"({"openapi": "3.0.3", "info": {"title": "Damrak market data", "version": "1", )"
        R"("description": "The books, trades and orders of the exchange's feed and of its )"
        R"(archive."}, "paths": {)";
    for (const Route& route : routes()) {
        if (!json.ends_with('{')) json += ", ";
        append_path(json, route);
    }
    for (const OtherRoute& route : others.routes) {
        archive::append_string(json += ", ", route.path);
        json.append(": ").append(route.methods);
    }
    json.append(R"(}, "components": {"securitySchemes": {"operator": {"type": "http", )"
                R"("scheme": "bearer", "description": "the operator's token"}}, )"
                R"("schemas": {)")
        .append(k_schemas);
    if (!others.schemas.empty()) json.append(", ").append(others.schemas);
    return json + "}}}\n";
}

}  // namespace damrak::market_data_api
