// What a running exchange answers below /v1 beside the market data: each route is in the list of
// /v1, in the OpenAPI description and on the page of the service, and answers as described.
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "telemetry_run.hpp"

namespace damrak::testing::program_routes_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAreArray;

constexpr std::string_view k_venue =
    "name = \"small\"\n"
    "[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n"
    "[fees]\nmaker = { per_share = -0.002 }\ntaker = { per_share = 0.003 }\n"
    "[[obligation]]\nname = \"quotes\"\nparticipants = [1]\nsymbols = [\"AAPL\"]\nspread = 0.05\n"
    "[index]\nname = \"Two\"\nparts = [{ symbol = \"AAPL\" }, { symbol = \"MSFT\", weight = 5 }]\n";

class ProgramRoutes : public ServeRun {
  protected:
    void start(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"--only", "http,itch",   "--http-port",
                                           "0",      "--itch-port", "0"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        serve(std::move(arguments));
        const std::string token = content_of(data_ + "/operator-token");
        bearer_ = "Authorization: Bearer " + token.substr(0, token.find('\n')) + "\r\n";
        api_ = body_of(get("/v1/openapi.json"));
    }
    [[nodiscard]] static Json body_of(const std::string& answer) {
        const std::size_t head = answer.find("\r\n\r\n");
        return Json::parse(answer.substr(head == std::string::npos ? answer.size() : head + 4),
                           nullptr, false);
    }
    [[nodiscard]] std::string ask(const std::string& target) const { return get(target, bearer_); }

    /// What is wrong with a value; empty: nothing.
    [[nodiscard]] std::string fault(const Json& value, const Json& schema) const {
        if (schema.contains("$ref"))
            return fault(value,
                         api_.at(Json::json_pointer{schema["$ref"].get<std::string>().substr(1)}));
        if (value.is_null()) return schema.value("nullable", false) ? "" : "null";
        if (schema.contains("allOf")) return fault(value, schema["allOf"][0]);
        if (schema["type"] == "array") {
            for (const Json& one : value)
                if (const std::string found = fault(one, schema["items"]); !found.empty())
                    return found;
            return value.is_array() ? "" : "no array: " + value.dump();
        }
        if (schema["type"] == "integer" && !value.is_number_integer()) return value.dump();
        if (schema["type"] == "number" && !value.is_number()) return value.dump();
        if (schema["type"] == "string" && !value.is_string()) return value.dump();
        if (!schema.contains("properties")) return "";
        for (const Json& name : schema["required"])
            if (!value.contains(name.get<std::string>())) return name.dump() + " is missing";
        for (const auto& [name, one] : value.items()) {
            if (!schema["properties"].contains(name)) return name + " is not described";
            if (const std::string found = fault(one, schema["properties"][name]); !found.empty())
                return name + ": " + found;
        }
        return "";
    }
    void expect_described(const std::string& path) const {
        const std::string answer = ask(path);
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
        EXPECT_THAT(answer, HasSubstr("Content-Type: application/json\r\n"));
        const Json& content = api_["paths"][path]["get"]["responses"]["200"]["content"];
        EXPECT_EQ(fault(body_of(answer), content["application/json"]["schema"]), "") << answer;
    }
    void expect_error(const std::string& answer, const std::string& status, const char* code,
                      const char* text) const {
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + status));
        const Json body = body_of(answer);
        ASSERT_EQ(fault(body, api_["components"]["schemas"]["Error"]), "") << answer;
        EXPECT_EQ(body["error"]["code"], code);
        EXPECT_THAT(body["error"]["message"].get<std::string>(), HasSubstr(text));
    }

    std::string bearer_;
    Json api_;
};

TEST_F(ProgramRoutes, AreListedAndDescribed) {
    start();
    std::vector<std::string> described;
    for (const auto& [path, methods] : api_.at("paths").items()) described.push_back(path);
    EXPECT_THAT(body_of(get("/v1")).at("routes").get<std::vector<std::string>>(),
                UnorderedElementsAreArray(described));

    std::ifstream file{"docs/reference/http.md"};
    const std::string page{std::istreambuf_iterator<char>{file}, {}};
    for (const std::string& path : described) EXPECT_THAT(page, HasSubstr("`" + path + "`"));
    const std::regex named{R"(/v1/[a-z/.-]*[a-z](/\{[a-z]+\})?)"};
    described.insert(described.end(), {"/v1/openapi.json", "/v1/private"});
    for (std::sregex_iterator found{page.begin(), page.end(), named}, end; found != end; ++found)
        EXPECT_THAT(described, ::testing::Contains(found->str()));
}

TEST_F(ProgramRoutes, AnyPathThatIsAnsweredIsDescribed) {
    start();
    // Names that routes have had, or might have.
    for (const char* path :
         {"/v1/index", "/v1/stream", "/v1/replay", "/v1/login", "/v1/logout", "/v1/asyncapi.json",
          "/v1/private/venue", "/v1/private/subscribers", "/v1/venue", "/v1/subscribers",
          "/v1/private/index", "/v1/timeline", "/v1/metrics", "/v1/private/replay"}) {
        const Json body = body_of(ask(path));
        const bool is_unknown =
            body.is_object() && body.contains("error") && body["error"]["code"] == "unknown_path";
        EXPECT_EQ(api_["paths"].contains(path), !is_unknown) << path;
    }
}

TEST_F(ProgramRoutes, TheVenueAnswersAsDescribed) {
    std::ofstream{folder_ / "small.toml"} << k_venue;
    start({"--venue", folder_ / "small.toml"});
    expect_described("/v1/index");
    EXPECT_EQ(body_of(get("/v1/index")), Json({{"name", "Two"}, {"value", nullptr}}));
    trade_a_little();
    static_cast<void>(get_until("/v1/trades?symbol=AAPL", "\"quantity\": 25"));
    for (const char* path : {"/v1/index", "/v1/private/venue", "/v1/private/subscribers"})
        expect_described(path);
    const Json venue = body_of(ask("/v1/private/venue"));
    EXPECT_EQ(venue["index"]["name"], "Two");
    EXPECT_EQ(venue["fees"].size(), 2U);
    EXPECT_EQ(venue["obligations"].size(), 1U);
    EXPECT_THAT(get("/v1/private/venue"), StartsWith("HTTP/1.1 401"));
}

TEST_F(ProgramRoutes, WithoutAVenueSayWhatIsMissing) {
    start();
    expect_error(get("/v1/index"), "404", "no_index", "[index]");
    expect_error(ask("/v1/private/venue"), "404", "no_venue_state", "[[obligation]]");
    expect_described("/v1/private/subscribers");
}

TEST_F(ProgramRoutes, RefuseWhatTheyDoNotTake) {
    start();
    const std::string post =
        "POST /v1/index HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Length: 0\r\nConnection: close\r\n\r\n";
    expect_error(send(post), "405", "method", "GET");
    expect_error(get("/v1/index?day=1"), "400", "unknown_parameter", "day");
    expect_error(ask("/v1/private/subscribers?limit=1"), "400", "unknown_parameter", "limit");
    expect_error(get("/v1/stream"), "426", "web_socket", "WebSocket");
    EXPECT_THAT(get("/v1/private/venue?day=1"), StartsWith("HTTP/1.1 401"));
}

}  // namespace
}  // namespace damrak::testing::program_routes_test
