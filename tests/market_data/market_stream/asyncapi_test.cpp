// The description of the stream and the stream hold to each other.
#include <damrak/market_stream/asyncapi.hpp>

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/market_stream/market_stream.hpp>

#include "random_market.hpp"
#include "support/eventually.hpp"
#include "watching.hpp"

namespace damrak::market_stream::asyncapi_test {
namespace {

using testing::Json;

/// Accepts every request, and reports what it is told to.
class AnyTrading final : public ViewerTrading {
  public:
    RequestResult<std::uint32_t> enter(const EnterOrder& order) override {
        if (order.quantity > 1'000) return std::unexpected{RequestError{"not_connected", "later"}};
        return 7;
    }
    RequestResult<void> replace(const ReplaceOrder&) override { return {}; }
    RequestResult<void> cancel(const CancelOrder&) override {
        return std::unexpected{RequestError{"unknown_order", "order: 9 is not open"}};
    }
    std::vector<ViewerOrder> orders() override { return {order("open")}; }
    std::vector<OrderReport> take_reports() override { return std::exchange(reports, {}); }

    static ViewerOrder order(std::string_view state) {
        return {.number = 7, .reference = 12, .symbol = "ONE", .open = 100, .state = state};
    }
    std::vector<OrderReport> reports;
};

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
                         .reading_time = std::chrono::seconds{testing::patience_s()},
                         .publishing_time = std::chrono::seconds{testing::patience_s()}}};
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

TEST_F(AsyncApi, WhatIsSaidOfOrdersIsAsDescribed) {
    testing::RandomMarket market{3};
    AnyTrading trading;
    MarketStream stream{{.session = [&] { return market.session(); }, .trading = &trading}};
    stream.tick();
    testing::TestViewer viewer{stream, "", {.may_trade = true}};
    const std::string enter =
        R"({"op": "enter", "request": 1, "symbol": "ONE", "side": "buy", "quantity": 100})";
    const std::string replace =
        R"({"op": "replace", "request": 2, "order": 7, "quantity": 50, "price": 100.01})";
    const std::string cancel = R"({"op": "cancel", "request": 3, "order": 9})";
    EXPECT_EQ(fault(Json::parse(enter), schema("enter"), "Enter"), "");
    EXPECT_EQ(fault(Json::parse(replace), schema("replace"), "Replace"), "");
    EXPECT_EQ(fault(Json::parse(cancel), schema("cancel"), "Cancel"), "");
    viewer.say(enter);
    viewer.say(
        R"({"op": "enter", "request": 1, "symbol": "ONE", "side": "buy", "quantity": 2000})");
    viewer.say(cancel);
    const Json& described = description_["components"]["schemas"]["Order"]["properties"];
    for (const Json& state : described["state"]["enum"]) {
        for (const Json& what : described["what"]["enum"])
            trading.reports.push_back(
                {.order = AnyTrading::order(state.get_ref<const std::string&>()),
                 .what = what.get_ref<const std::string&>()});
    }
    trading.reports.front().order.price_e2 = 10'001;
    trading.reports.front().fill = {10'001, 50};
    stream.tick();
    viewer.say(replace);
    viewer.read();
    std::size_t orders = 0;
    for (const Json& message : viewer.all()) {
        const auto type = message.at("type").get<std::string>();
        EXPECT_EQ(fault(message, schema(type), type), "") << message.dump();
        orders += type == "order" ? 1U : 0U;
    }
    EXPECT_EQ(orders, 1 + described["state"]["enum"].size() * described["what"]["enum"].size());
    for (const auto& [member, ignored] : described.items())
        EXPECT_TRUE(seen_.contains("order." + member)) << member;
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
}  // namespace damrak::market_stream::asyncapi_test
