// What `damrak serve --replay` answers by HTTP.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_of_day.hpp>
#include <damrak/market_data_api/query.hpp>
#include <damrak/wire/itch/view_mark.hpp>

#include "day_text.hpp"
#include "modify_option.hpp"
#include "serve/fix_admin.hpp"
#include "serve/replay.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;
using recorded_market::DriftCounts;

struct Count {
    const char* name;
    std::uint64_t DriftCounts::* field;
    const char* help;
};
constexpr std::array k_counts{
    Count{"messages", &DriftCounts::messages, "Recorded messages played"},
    Count{"taken", &DriftCounts::taken, "Quantity that clients traded with the recording"},
    Count{"missed_trades", &DriftCounts::missed_trades,
          "Recorded trades that could not happen whole"},
    Count{"missed_quantity", &DriftCounts::missed_quantity,
          "Quantity of recorded trades that could not happen"},
    Count{"withdrawn", &DriftCounts::withdrawn,
          "Quantity that recorded orders kept beyond their recording, withdrawn later"},
    Count{"differences", &DriftCounts::differences,
          "Recorded messages that did not do what they did in the recording"},
    Count{"refused", &DriftCounts::refused, "Recorded messages that the exchange refused"},
    Count{"not_played", &DriftCounts::not_played,
          "Recorded crosses and broken trades, which are not played"},
    Count{"revealed", &DriftCounts::revealed,
          "Quantity that traded with clients when it came into view"}};

Json json_of(const DriftCounts& drift) {
    Json object;
    for (const Count& count : k_counts) object[count.name] = drift.*count.field;
    return object;
}

http::Answer answer_with(const Json& object) {
    return {.content_type = "application/json",
            .body = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"};
}

constexpr const char* k_no_replay = "no day is replayed: damrak serve --replay FILE";

http::Answer refused(unsigned status, const char* code, std::string why) {
    return market_data_api::answer_of({.status = status, .code = code, .message = std::move(why)});
}
http::Answer invalid(std::string parameter, std::string why) {
    return market_data_api::answer_of({.status = 400,
                                       .code = "invalid_parameter",
                                       .message = std::move(why),
                                       .parameter = std::move(parameter)});
}

http::Answer status_of(const recorded_market::ReplayedDay& day) {
    const recorded_market::ReplayStatus status = day.status();
    Json instruments = Json::array();
    for (const archive::Instrument& one : day.instruments()) {
        Json object{{"symbol", one.symbol}, {"locate", one.locate}};
        const auto since = day.drift().differs_since_ns(InstrumentId{one.locate});
        object["differs_since"] = since ? Json(time_text(*since)) : Json(nullptr);
        object["drift"] = json_of(day.drift().of(InstrumentId{one.locate}));
        instruments.push_back(std::move(object));
    }
    Json object{{"file", day.file().filename().string()},
                {"date", day.date()},
                {"not_known", archive::sentences(day.depth())},
                {"time", time_text(status.time_ns)},
                {"time_ns", status.time_ns},
                {"speed", std::isinf(status.speed) ? Json("max") : Json(status.speed)},
                {"paused", status.paused},
                {"over", status.over},
                {"seeking", status.sought_ns ? Json(time_text(*status.sought_ns)) : Json()},
                {"messages", day.messages()},
                {"drift", json_of(day.drift().total())},
                {"instruments", std::move(instruments)}};
    object["modified"] = nullptr;
    if (day.changes()) add_changes(object, *day.changes());
    return answer_with(object);
}

constexpr std::string_view k_methods = R"json({
  "get": {"summary": "How far the replayed day is, its pace and its drift", "responses": {
    "200": {"description": "the answer", "content": {"application/json": {"schema":
      {"$ref": "#/components/schemas/Replay"}}}},
    "default": {"description": "what is wrong", "content": {"application/json": {"schema":
      {"$ref": "#/components/schemas/Error"}}}}}},
  "post": {"summary": "Pause, resume, seek or change the speed; from this machine only",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"$ref": "#/components/schemas/ReplayControl"}}}}, "responses": {
    "200": {"description": "the new state", "content": {"application/json": {"schema":
      {"$ref": "#/components/schemas/Replay"}}}},
    "default": {"description": "what is wrong; nothing is changed", "content":
      {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}}}})json";

constexpr std::string_view k_schemas = R"json(
  "ReplayControl": {"type": "object", "minProperties": 1, "additionalProperties": false,
    "properties": {"paused": {"type": "boolean"},
      "speed": {"oneOf": [{"type": "number", "minimum": 0, "exclusiveMinimum": true},
        {"type": "string", "enum": ["max"]}]},
      "seek": {"type": "string", "description": "time of day: 10:31, 10:31:05.5"}}},
  "Replay": {"type": "object", "required": ["file", "date", "time", "time_ns", "speed", "paused",
      "over", "seeking", "messages", "drift", "instruments", "modified"],
    "properties": {"file": {"type": "string"},
      "date": {"type": "integer", "description": "yyyymmdd; 0: not known"},
      "not_known": {"$ref": "#/components/schemas/NotKnown"},
      "time": {"type": "string"},
      "time_ns": {"type": "integer", "description": "since midnight"},
      "speed": {"oneOf": [{"type": "number"}, {"type": "string", "enum": ["max"]}]},
      "paused": {"type": "boolean"}, "over": {"type": "boolean"},
      "seeking": {"type": "string", "nullable": true, "description": "time of a seek in progress"},
      "messages": {"type": "integer", "description": "of the recording"},
      "drift": {"$ref": "#/components/schemas/Drift"},
      "instruments": {"type": "array", "items": {"type": "object",
        "required": ["symbol", "locate", "drift"], "properties": {"symbol": {"type": "string"},
          "locate": {"type": "integer"}, "differs_since": {"type": "string", "nullable": true,
            "description": "time of day from which it differs from the recording"},
          "drift": {"$ref": "#/components/schemas/Drift"}}}},
      "modified": {"type": "object", "nullable": true,
        "description": "file and seed of --modify, and what each of its tables changed"}}},
  "ReplayOrders": {"type": "object", "required": ["time", "orders", "complete"], "properties": {
    "time": {"type": "string", "description": "of the market"},
    "orders": {"type": "array", "items": {"type": "object",
      "required": ["symbol", "reference", "order"], "properties": {"symbol": {"type": "string"},
        "reference": {"type": "integer", "nullable": true,
          "description": "in the recording; null: of an unknown number of orders"},
        "order": {"type": "integer", "description": "in the market and its feed"}}}},
    "complete": {"type": "boolean", "description": "false: there are more than the limit"}}},
  "Drift": {"type": "object", "properties": {)json";

constexpr std::array<std::string_view, 4> k_order_parameters{"symbol", "reference", "order",
                                                             "limit"};
constexpr market_data_api::Parameter k_reference{
    .name = "reference", .kind = market_data_api::ParameterKind::number, .otherwise = 0};
constexpr market_data_api::Parameter k_order{
    .name = "order", .kind = market_data_api::ParameterKind::number, .otherwise = 0};
constexpr market_data_api::Parameter k_limit{.name = "limit",
                                             .kind = market_data_api::ParameterKind::number,
                                             .least = 1,
                                             .most = 10'000,
                                             .otherwise = 1'000};

constexpr std::string_view k_orders_methods = R"json({
  "get": {"summary": "Which order of the recording is which order of this market", "parameters": [
    {"name": "symbol", "in": "query", "description": "instrument; otherwise all",
      "schema": {"type": "string"}},
    {"name": "reference", "in": "query", "description": "only this one of the recording",
      "schema": {"type": "integer"}},
    {"name": "order", "in": "query", "description": "only this one of the market",
      "schema": {"type": "integer"}},
    {"name": "limit", "in": "query", "description": "how many at most",
      "schema": {"type": "integer", "minimum": 1, "maximum": 10000, "default": 1000}}],
    "responses": {"200": {"description": "the recorded orders that rest now, oldest first",
      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ReplayOrders"}}}},
    "default": {"description": "what is wrong", "content": {"application/json": {"schema":
      {"$ref": "#/components/schemas/Error"}}}}}}})json";

// All of it or nothing.
http::Answer control(recorded_market::ReplayedDay& day, std::string_view body) {
    const Json wanted = Json::parse(body, nullptr, false);
    if (!wanted.is_object() || wanted.empty())
        return invalid("", "expected a JSON object with paused, speed or seek");
    std::optional<bool> paused;
    std::optional<double> speed;
    std::optional<std::int64_t> sought_ns;
    for (const auto& [key, value] : wanted.items()) {
        if (key == "paused" && value.is_boolean()) {
            paused = value.get<bool>();
        } else if (key == "speed" && (value.is_number() || value.is_string())) {
            const auto parsed = recorded_market::parse_speed(
                value.is_string() ? value.get<std::string>() : value.dump());
            if (!parsed) return invalid(key, "speed: " + parsed.error());
            speed = *parsed;
        } else if (key == "seek" && value.is_string()) {
            sought_ns = parse_time_of_day(value.get<std::string>());
            if (!sought_ns)
                return invalid(key, fmt::format("seek: expected a time of day like 10:31 or "
                                                "10:31:05.5; found {}",
                                                value.dump()));
        } else {
            return invalid(key, fmt::format("{}: expected paused (true or false), speed (a number, "
                                            "or \"max\") or seek (a time of day)",
                                            key));
        }
    }
    if (sought_ns && !day.seek(*sought_ns))
        return invalid("seek", fmt::format("seek: the day ends at {}, not after {}",
                                           time_text(day.end_ns()), time_text(*sought_ns)));
    if (speed) day.set_speed(*speed);
    if (paused) day.pause(*paused);
    return status_of(day);
}

}  // namespace

http::Answer answer_replay_orders(const recorded_market::ReplayedDay* day,
                                  const http::Request& request) {
    if (day == nullptr) return refused(404, "no_replay", k_no_replay);
    const auto query = market_data_api::Query::parse(request.query, k_order_parameters);
    if (!query) return market_data_api::answer_of(query.error());
    const auto reference = query->number(k_reference);
    if (!reference) return market_data_api::answer_of(reference.error());
    const auto id = query->number(k_order);
    if (!id) return market_data_api::answer_of(id.error());
    const auto limit = query->number(k_limit);
    if (!limit) return market_data_api::answer_of(limit.error());
    const std::string symbol = query->text("symbol").value_or("");
    const auto& instruments = day->instruments();
    const auto listed = std::ranges::find(instruments, symbol, &archive::Instrument::symbol);
    if (!symbol.empty() && listed == instruments.end())
        return invalid("symbol", fmt::format("symbol: the day has no instrument '{}'", symbol));
    std::vector<recorded_market::OpenOrder> found;
    day->open_orders().for_each([&](const recorded_market::OpenOrder& order) {
        if ((symbol.empty() || order.instrument.value == listed->locate) &&
            (*reference == 0 || order.recorded.value == *reference) &&
            (*id == 0 || order.id.value == *id))
            found.push_back(order);
    });
    std::ranges::sort(found, {}, [](const auto& order) { return order.id.value; });
    Json orders = Json::array();
    for (const recorded_market::OpenOrder& order : found) {
        if (orders.size() == *limit) break;
        const auto of =
            std::ranges::find(instruments, order.instrument.value, &archive::Instrument::locate);
        const bool is_named = !wire::itch::is_anonymous(order.recorded.value);
        orders.push_back({{"symbol", of->symbol},
                          {"reference", is_named ? Json(order.recorded.value) : Json()},
                          {"order", order.id.value}});
    }
    const bool is_all = orders.size() == found.size();
    return answer_with({{"time", time_text(day->status().time_ns)},
                        {"orders", std::move(orders)},
                        {"complete", is_all}});
}

http::Answer answer_replay(recorded_market::ReplayedDay* day, const http::Request& request,
                           bool is_operator) {
    if (day == nullptr) return refused(404, "no_replay", k_no_replay);
    if (!request.is_post) return status_of(*day);
    if (!may_administer(request, is_operator))
        return refused(403, "forbidden",
                       "the day is controlled by programs of this machine, which ask localhost, "
                       "and by who has logged in with the operator's token");
    if (!request.content_type.starts_with("application/json"))
        return refused(415, "content_type", "Content-Type must be application/json");
    return control(*day, request.body);
}

ReplayDescription replay_description() {
    static const std::string schemas = [] {
        std::string json{k_schemas};
        for (const Count& count : k_counts) {
            if (!json.ends_with('{')) json += ", ";
            json += fmt::format(R"("{}": {{"type": "integer", "description": "{}"}})", count.name,
                                count.help);
        }
        return json + "}}";
    }();
    return {.methods = k_methods, .orders_methods = k_orders_methods, .schemas = schemas};
}

std::string replay_metrics(const recorded_market::ReplayedDay& day) {
    const DriftCounts drift = day.drift().total();
    std::string out;
    for (const Count& count : k_counts)
        out += fmt::format(
            "# HELP damrak_replay_{0}_total {1}\n# TYPE damrak_replay_{0}_total counter\n"
            "damrak_replay_{0}_total {2}\n",
            count.name, count.help, drift.*count.field);
    return out;
}

}  // namespace damrak::app
