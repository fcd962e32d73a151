// What `damrak serve --replay` answers by HTTP.
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_of_day.hpp>
#include <damrak/market_data_api/query.hpp>

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
          "Recorded crosses and broken trades, which are not played"}};

Json json_of(const DriftCounts& drift) {
    Json object;
    for (const Count& count : k_counts) object[count.name] = drift.*count.field;
    return object;
}

http::Answer answer_with(const Json& object) {
    return {.content_type = "application/json",
            .body = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"};
}

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
        object["drift"] = json_of(day.drift().of(InstrumentId{one.locate}));
        instruments.push_back(std::move(object));
    }
    Json object{{"file", day.file().string()},
                {"date", day.date()},
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
      "time": {"type": "string"},
      "time_ns": {"type": "integer", "description": "since midnight"},
      "speed": {"oneOf": [{"type": "number"}, {"type": "string", "enum": ["max"]}]},
      "paused": {"type": "boolean"}, "over": {"type": "boolean"},
      "seeking": {"type": "string", "nullable": true, "description": "time of a seek in progress"},
      "messages": {"type": "integer", "description": "of the recording"},
      "drift": {"$ref": "#/components/schemas/Drift"},
      "instruments": {"type": "array", "items": {"type": "object",
        "required": ["symbol", "locate", "drift"], "properties": {"symbol": {"type": "string"},
          "locate": {"type": "integer"}, "drift": {"$ref": "#/components/schemas/Drift"}}}},
      "modified": {"type": "object", "nullable": true,
        "description": "file and seed of --modify, and what each of its tables changed"}}},
  "Drift": {"type": "object", "properties": {)json";

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

http::Answer answer_replay(recorded_market::ReplayedDay* day, const http::Request& request,
                           bool is_operator) {
    if (day == nullptr)
        return refused(404, "no_replay", "no day is replayed: damrak serve --replay FILE");
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
    return {.methods = k_methods, .schemas = schemas};
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
