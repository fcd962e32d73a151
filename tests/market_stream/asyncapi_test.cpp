// The description of the stream and the stream hold to each other.
#include <damrak/market_stream/asyncapi.hpp>

#include <chrono>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/market_stream/market_stream.hpp>

#include "random_market.hpp"
#include "watching.hpp"

namespace damrak::market_stream {
namespace {

using testing::Json;

class AsyncApi : public ::testing::Test {
  protected:
    static bool is_of(const Json& value, const std::string& type) {
        return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
               (type == "string" && value.is_string()) ||
               (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null()) ||
               (type == "integer" && value.is_number_integer()) ||
               (type == "number" && value.is_number());
    }
    /// What is wrong with a value; empty: nothing.
    std::string fault(const Json& value, const Json& schema, const std::string& where) {
        if (schema.contains("$ref"))
            return fault(
                value,
                description_.at(Json::json_pointer{schema["$ref"].get<std::string>().substr(1)}),
                where);
        const Json types =
            schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
        bool is_right = false;
        for (const Json& one : types) is_right = is_right || is_of(value, one.get<std::string>());
        if (!is_right) return fmt::format("{}: {} is no {}", where, value.dump(), types.dump());
        if (schema.contains("enum") &&
            std::ranges::find(schema["enum"], value) == schema["enum"].end())
            return fmt::format("{}: {} is not listed", where, value.dump());
        if (value.is_array()) {
            if (value.size() < schema.value("minItems", std::size_t{0}) ||
                value.size() > schema.value("maxItems", SIZE_MAX))
                return fmt::format("{}: {} values", where, value.size());
            for (const Json& one : value)
                if (auto found = fault(one, schema.at("items"), where); !found.empty())
                    return found;
        }
        return value.is_object() ? fault_of_members(value, schema, where) : std::string{};
    }
    std::string fault_of_members(const Json& value, const Json& schema, const std::string& where) {
        const Json properties = schema.value("properties", Json::object());
        for (const Json& name : schema.value("required", Json::array()))
            if (!value.contains(name.get<std::string>()))
                return fmt::format("{}: {} is not there", where, name.dump());
        for (const auto& [name, one] : value.items()) {
            const Json more = schema.value("additionalProperties", Json(false));
            if (!properties.contains(name) && !more.is_object())
                return fmt::format("{}: {} is not described", where, name);
            seen_.insert(where + "." + name);
            if (auto found = fault(one, properties.contains(name) ? properties[name] : more,
                                   where + "." + name);
                !found.empty())
                return found;
        }
        return {};
    }
    [[nodiscard]] const Json& schema(const std::string& message) const {
        return description_.at("components").at("messages").at(message).at("payload");
    }

    Json description_ = Json::parse(answer_asyncapi().body);
    std::set<std::string> seen_;
};

TEST_F(AsyncApi, EveryMessageIsAsDescribedAndEveryMemberIsSent) {
    testing::RandomMarket market{3};
    MarketStream stream{{.session = [&] { return market.session(); },
                         .reading_time = std::chrono::seconds{10},
                         .publishing_time = std::chrono::seconds{10}}};
    stream.tick();
    testing::TestViewer viewer{stream, ""};
    for (const std::string_view channel : k_channel_names) {
        Json message{{"op", "subscribe"}, {"channel", channel}};
        if (channel != "exchange") message["symbol"] = "ONE";
        EXPECT_EQ(fault(message, schema("subscribe"), "Subscribe"), "");
        viewer.say(message.dump());
    }
    for (int i = 0; i < 60; ++i) {
        stream.tick();
        market.step(50);
    }
    viewer.say(R"({"op": "subscribe", "channel": "top", "symbol": "NONE"})");
    for (const std::string_view channel : k_channel_names) {
        Json message{{"op", "unsubscribe"}, {"channel", channel}};
        if (channel != "exchange") message["symbol"] = "ONE";
        EXPECT_EQ(fault(message, schema("unsubscribe"), "Unsubscribe"), "");
        viewer.say(message.dump());
    }
    viewer.read();
    for (const Json& message : viewer.all()) {
        const auto type = message.at("type").get<std::string>();
        EXPECT_EQ(fault(message, schema(type), type), "") << message.dump();
    }
    for (const std::string type : {"hello", "error", "changes"}) {
        const std::string name = static_cast<char>(std::toupper(type[0])) + type.substr(1);
        const Json& properties = description_["components"]["schemas"][name]["properties"];
        for (const auto& [member, ignored] : properties.items())
            EXPECT_TRUE(seen_.contains(type + "." + member)) << type << "." << member;
    }
}

TEST_F(AsyncApi, DescribesTheLimits) {
    const Json& schemas = description_.at("components").at("schemas");
    EXPECT_EQ(schemas["Channel"]["enum"], Json(k_channel_names));
    EXPECT_EQ(schemas["Interval"]["enum"], Json(k_intervals_ms));
    EXPECT_EQ(schemas["Seconds"]["enum"], Json(k_candle_seconds));
    EXPECT_EQ(schemas["Levels"]["maximum"], Json(k_maximum_levels));
    EXPECT_TRUE(description_.at("channels").contains(std::string{k_stream_path}));
}

}  // namespace
}  // namespace damrak::market_stream
