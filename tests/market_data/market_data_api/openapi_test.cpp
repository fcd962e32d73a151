// The OpenAPI description and the service hold to each other: everything described is there and
// answers as described, and nothing is there or answered that is not described.
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/market_data_api/api.hpp>

#include "small_archive.hpp"

namespace damrak::market_data_api::openapi_test {
namespace {

using Json = nlohmann::json;
using testing::Asked;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Values of a parameter that make sense, and such as are refused.
struct Values {
    std::vector<std::string> good;
    std::vector<std::string> bad;
};
const std::map<std::string, Values>& samples() {
    static const std::vector<std::string> k_no_times{"noon", "25:00", "-1", "10:00:60", "%00"};
    static const Values k_time{{"10:00:12", "36012000000000", "10:00:12.000000001"}, k_no_times};
    static const std::vector<std::string> k_no_numbers{
        "", "x", "-1", "1.5", "%2b1", "0x1", "99999999999999999999"};
    static const Values k_number{{"1", "2"}, k_no_numbers};
    static const std::map<std::string, Values> k_samples{
        {"day", {{"2026112300", "2026-11-20", "20261120"}, {"yesterday", "2026-11-21", "%2e%2e"}}},
        {"symbol", {{"ONE", "TWO", "%4fNE"}, {"NONE", "one", "%00"}}},
        {"at", k_time},
        {"from", k_time},
        {"until", k_time},
        {"after", {{"0", "3"}, k_no_numbers}},
        {"limit", k_number},
        {"sequence", {{"0", "1", "17"}, k_no_numbers}},
        {"depth", {{"0", "1"}, k_no_numbers}},
        {"interval", k_number},
        {"order", k_number},
        {"participant", k_number},
        {"from_record", {{"0", "3"}, k_no_numbers}},
        {"to_record", {{"0", "99"}, k_no_numbers}},
        {"columns", k_number},
        {"rows", k_number},
        {"low", {{"99.5", "100", "0.0001"}, {"", "x", "-1", "1.", ".5", "1.00001", "429496.7296"}}},
        {"high", {{"100.5", "101", "429496.7295"}, {"", "y", "-1", "1e2", "1.2.3", "+1"}}},
        {"orders", {{"true", "false", "1", "0"}, {"yes", "2", ""}}},
    };
    return k_samples;
}

class OpenApi : public testing::SmallArchive {
  protected:
    struct Parameter {
        std::string name;
        bool is_required = false;
        Json schema;
    };
    struct Operation {
        std::string path;  // with the braces filled in
        std::vector<Parameter> parameters;
        Json responses;

        [[nodiscard]] std::string target(const std::map<std::string, std::string>& values,
                                         const std::string& without = {}) const {
            std::map<std::string, std::string> all = values;
            for (const Parameter& one : parameters)
                if (one.is_required && one.name != without)
                    all.try_emplace(one.name, samples().at(one.name).good.front());
            std::string text = path;
            for (const auto& [name, value] : all)
                text += fmt::format("{}{}={}", text == path ? "?" : "&", name, value);
            return text;
        }
    };

    OpenApi() {
        for (const auto& [path, methods] : description_["paths"].items()) {
            Operation operation{.path = path, .parameters = {}, .responses = {}};
            EXPECT_EQ(methods.size(), 1U) << "one method alone";
            if (methods.contains("post")) {  // tested beside a running exchange
                EXPECT_TRUE(methods.at("post").at("responses").contains("202")) << path;
                continue;
            }
            const Json& get = methods.at("get");
            for (const Json& one : get.at("parameters")) {
                const auto name = one.at("name").get<std::string>();
                EXPECT_THAT(one.at("description").get<std::string>(), ::testing::Not(IsEmpty()));
                if (one.at("in") == "path")
                    operation.path = std::regex_replace(path, std::regex{R"(\{[a-z]+\})"}, "13");
                else
                    operation.parameters.push_back(
                        {name, one.at("required").get<bool>(), one.at("schema")});
            }
            operation.responses = get.at("responses");
            operations_.push_back(std::move(operation));
        }
    }

    /// What is wrong with a value; the names of the properties that it has are noted.
    std::string fault(const Json& value, const Json& schema, const std::string& where) {
        if (schema.contains("$ref")) {
            const auto name = schema["$ref"].get<std::string>();
            return fault(value, description_.at(Json::json_pointer{name.substr(1)}),
                         name.substr(name.rfind('/') + 1));
        }
        if (value.is_null() && schema.value("nullable", false)) return {};
        const auto type = schema.at("type").get<std::string>();
        const bool is_right =
            (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
            (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
            (type == "integer" && value.is_number_integer()) ||
            (type == "number" && value.is_number());
        if (!is_right) return fmt::format("{}: {} is no {}", where, value.dump(), type);
        if (schema.contains("enum") &&
            std::ranges::find(schema["enum"], value) == schema["enum"].end())
            return fmt::format("{}: {} is not listed", where, value.dump());
        if (type == "array")
            for (const Json& one : value)
                if (const auto found = fault(one, schema.at("items"), where); !found.empty())
                    return found;
        if (type == "object") {
            const Json& properties = schema.at("properties");
            for (const Json& name : schema.value("required", Json::array()))
                if (!value.contains(name.get<std::string>()))
                    return fmt::format("{}: {} is not there", where, name.dump());
            for (const auto& [name, one] : value.items()) {
                if (!properties.contains(name))
                    return fmt::format("{}: {} is not described", where, name);
                seen_.insert(where + "." + name);
                if (const auto found = fault(one, properties[name], where + "." + name);
                    !found.empty())
                    return found;
            }
        }
        return {};
    }
    void names_of(const Json& schema, const std::string& where, std::set<std::string>& names) {
        if (schema.contains("items")) names_of(schema["items"], where, names);
        if (!schema.contains("properties")) return;
        for (const auto& [name, one] : schema["properties"].items()) {
            names.insert(where + "." + name);
            names_of(one, where + "." + name, names);
        }
    }

    void expect_described(const Operation& operation, const std::string& target) {
        SCOPED_TRACE(target);
        const Asked asked = ask(target);
        ASSERT_EQ(asked.status, 200U) << asked.text;
        const Json& content = operation.responses.at("200").at("content");
        ASSERT_TRUE(content.contains(asked.content_type)) << asked.content_type;
        const Json& schema = content[asked.content_type].at("schema");
        if (asked.content_type == "application/json") {
            EXPECT_EQ(fault(asked.json(), schema, ""), "");
            return;
        }
        std::istringstream lines{asked.text};
        for (std::string line; std::getline(lines, line);)
            ASSERT_EQ(fault(Json::parse(line), schema, ""), "") << line;
    }
    void expect_refused(const Operation& operation, const std::string& target,
                        const std::string& parameter) {
        SCOPED_TRACE(target);
        const Asked asked = ask(target);
        EXPECT_TRUE(asked.status == 400U || asked.status == 404U) << asked.status << asked.text;
        EXPECT_EQ(asked.content_type, "application/json");
        const Json& schema =
            operation.responses.at("default").at("content").at(asked.content_type).at("schema");
        EXPECT_EQ(fault(asked.json(), schema, ""), "");
        EXPECT_EQ(asked.json()["error"].value("parameter", "-"), parameter);
        EXPECT_THAT(asked.json()["error"]["message"].get<std::string>(), HasSubstr(parameter));
    }

    Json description_ = Json::parse(openapi());
    std::vector<Operation> operations_;
    std::set<std::string> seen_;
};

TEST_F(OpenApi, ListsTheRoutesThatTheIndexLists) {
    EXPECT_EQ(description_["openapi"], "3.0.3");
    std::vector<std::string> described;
    for (const auto& [path, methods] : description_["paths"].items()) described.push_back(path);
    auto listed = ask("/v1").json()["routes"].get<std::vector<std::string>>();
    EXPECT_THAT(listed, ::testing::UnorderedElementsAreArray(described));
    EXPECT_EQ(ask("/v1/openapi.json").json(), description_);
}

TEST_F(OpenApi, EveryParameterIsTakenAndAnsweredAsDescribed) {
    for (const Operation& operation : operations_) {
        expect_described(operation, operation.target({}));
        for (const Parameter& one : operation.parameters) {
            ASSERT_TRUE(samples().contains(one.name))
                << one.name << ": give it values in samples()";
            for (const std::string& value : samples().at(one.name).good)
                expect_described(operation, operation.target({{one.name, value}}));
        }
    }
}

TEST_F(OpenApi, DescribesNothingThatIsNeverAnswered) {
    for (const Operation& operation : operations_) {
        expect_described(operation, operation.target({}));
        if (operation.path == "/v1/book")
            expect_described(operation, operation.target({{"orders", "true"}}));
        expect_refused(operation, operation.target({{"nonsense", "1"}}), "nonsense");
    }
    std::set<std::string> described;
    for (const auto& [name, schema] : description_["components"]["schemas"].items())
        if (name != "Bust" && name != "Correction" && name != "QuoteProtection")  // of a POST
            names_of(schema, name, described);
    for (const std::string name : {"phase", "call", "halted", "cause"})  // of a current session
        described.erase("Instruments.instruments." + name);
    described.erase("Trade.broken");                        // the day has none
    std::erase_if(described, [](const std::string& name) {  // its depth is not limited
        return name.ends_with(".made_by_view");
    });
    std::vector<std::string> unseen;
    std::ranges::set_difference(described, seen_, std::back_inserter(unseen));
    EXPECT_THAT(unseen, IsEmpty());
}

TEST_F(OpenApi, WhatIsNotDescribedIsRefused) {
    for (const Operation& operation : operations_) {
        expect_refused(operation, operation.target({{"nonsense", "1"}}), "nonsense");
        for (const auto& [name, values] : samples())
            if (std::ranges::find(operation.parameters, name, &Parameter::name) ==
                operation.parameters.end())
                expect_refused(operation, operation.target({{name, values.good.front()}}), name);
    }
    for (const char* path : {"/v1/nothing", "/v1/book/", "/v1//book", "/v1/Book", "/v1/orders",
                             "/v1/openapi.json/", "/v1/..", "/v1/%62ook"})
        EXPECT_EQ(ask(path).status, 404U) << path;
}

TEST_F(OpenApi, BadAndMissingValuesAreRefusedByName) {
    for (const Operation& operation : operations_)
        for (const Parameter& one : operation.parameters) {
            for (const std::string& value : samples().at(one.name).bad)
                expect_refused(operation, operation.target({{one.name, value}}), one.name);
            const std::string good = samples().at(one.name).good.front();
            expect_refused(operation,
                           operation.target({{one.name, good}}) + "&" + one.name + "=" + good,
                           one.name);
            if (one.is_required)
                expect_refused(operation, operation.target({}, one.name), one.name);
        }
}

TEST_F(OpenApi, TypesOfParametersAreWhatTheyTake) {
    for (const Operation& operation : operations_)
        for (const Parameter& one : operation.parameters) {
            const auto type = one.schema.at("type").get<std::string>();
            const std::string& good = samples().at(one.name).good.front();
            SCOPED_TRACE(operation.path + " " + one.name);
            EXPECT_EQ(type == "integer" || type == "number",
                      Json::parse(good, nullptr, false).is_number() && one.name != "day");
            EXPECT_EQ(type == "boolean", Json::parse(good, nullptr, false).is_boolean());
            if (!one.schema.contains("maximum")) continue;
            const auto least = one.schema.at("minimum").get<std::uint64_t>();
            const auto most = one.schema.at("maximum").get<std::uint64_t>();
            expect_described(operation, operation.target({{one.name, std::to_string(least)}}));
            expect_described(operation, operation.target({{one.name, std::to_string(most)}}));
            expect_refused(operation, operation.target({{one.name, std::to_string(most + 1)}}),
                           one.name);
            if (least > 0)
                expect_refused(operation, operation.target({{one.name, std::to_string(least - 1)}}),
                               one.name);
        }
}

TEST_F(OpenApi, ThePageOfTheServiceNamesEveryRouteAndParameter) {
    std::ifstream file{"docs/reference/http.md"};
    const std::string page{std::istreambuf_iterator<char>{file}, {}};
    // By the program: tests/system/program_routes_test.cpp.
    std::set<std::string> described{"/v1/index", "/v1/login", "/v1/logout", "/v1/replay",
                                    "/v1/stream"};
    for (const auto& [path, methods] : description_["paths"].items()) {
        described.insert(path);
        EXPECT_THAT(page, HasSubstr("`" + path + "`"));
        for (const Json& one : methods.begin().value()["parameters"])
            EXPECT_THAT(page, HasSubstr("`" + one["name"].get<std::string>() + "`"));
    }
    const std::regex route{R"(`(/v1/[a-z]+(/\{[a-z]+\})?)`)"};
    for (std::sregex_iterator found{page.begin(), page.end(), route}, end; found != end; ++found)
        EXPECT_TRUE(described.contains((*found)[1])) << (*found)[1];
}

}  // namespace
}  // namespace damrak::market_data_api::openapi_test
