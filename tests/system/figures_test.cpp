// Who sees figures of a running exchange: counts of orders, messages, connections and places are
// for the operator; everybody sees levels.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "telemetry_run.hpp"

namespace damrak::figures_test {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string k_token(40, 't');

class Figures : public testing::ServeRun {
  protected:
    void start(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"--only", "http", "--http-port", "0", "--timing", "1"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        serve(arguments);
    }
    void start_with_operator(std::vector<std::string> more = {}) {
        const std::string file = folder_ / "exchange.toml";
        std::ofstream{file} << "[operator]\ntoken = \"" << k_token << "\"\n";
        more.insert(more.end(), {"--config", file});
        start(more);
    }
    [[nodiscard]] static std::string showing(const std::string& token) {
        return "Authorization: Bearer " + token + "\r\n";
    }
    [[nodiscard]] static std::string body_of(const std::string& answer) {
        return answer.substr(answer.find("\r\n\r\n") + 4);
    }
    [[nodiscard]] nlohmann::json health(const std::string& fields = {}) const {
        const std::string answer = get("/health", fields);
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
        return nlohmann::json::parse(body_of(answer), nullptr, false);
    }

    void expect_figures(const std::string& fields) const {
        EXPECT_THAT(get("/metrics", fields), HasSubstr("\ndamrak_trades_total "));
        EXPECT_THAT(get("/metrics", fields),
                    HasSubstr("\ndamrak_capacity_level{of=\"orders\"} 0\n"));
        EXPECT_THAT(get("/timing", fields), StartsWith("HTTP/1.1 200"));
        const auto told = health(fields);
        EXPECT_TRUE(told["capacity"]["orders"]["used"].is_number()) << told;
        EXPECT_TRUE(told.contains("messages") && told.contains("journal_kept")) << told;
        EXPECT_EQ(told["levels"]["orders"], "ok");
    }
    /// Whatever is added to the answers: what everybody may see is listed here.
    void expect_levels_only(const std::string& fields) const {
        const std::regex allowed{
            "#.*|damrak_up [01]|damrak_capacity_level\\{of=\"[a-z_]+\"\\} [012]"};
        std::istringstream metrics{body_of(get("/metrics", fields))};
        int lines = 0;
        for (std::string line; std::getline(metrics, line); ++lines)
            EXPECT_TRUE(std::regex_match(line, allowed)) << line;
        EXPECT_GT(lines, 10);
        const auto told = health(fields);
        std::vector<std::string> members;
        for (const auto& [name, value] : told.items()) members.push_back(name);
        EXPECT_THAT(members,
                    ::testing::UnorderedElementsAre("status", "version", "uptime_s", "levels"));
        for (const auto& [name, level] : told["levels"].items())
            EXPECT_TRUE(level == "ok" || level == "warning" || level == "full") << name << level;
        const std::string timing = get("/timing", fields);
        EXPECT_THAT(timing, StartsWith("HTTP/1.1 401"));
        EXPECT_THAT(timing, HasSubstr("WWW-Authenticate: Bearer realm=\"damrak operator\"\r\n"));
        EXPECT_THAT(timing, Not(HasSubstr("new_order")));
    }
    void expect_refused(const std::string& fields) const {
        for (const char* const path : {"/metrics", "/health", "/timing", "/timing?format=json"}) {
            const std::string answer = get(path, fields);
            EXPECT_THAT(answer, StartsWith("HTTP/1.1 401")) << path;
            EXPECT_THAT(answer, HasSubstr("error=\"invalid_token\"")) << path;
            EXPECT_THAT(answer, Not(HasSubstr("damrak_"))) << path;
        }
    }
};

class FiguresOfAWiring : public Figures, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Wirings, FiguresOfAWiring, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

TEST_P(FiguresOfAWiring, AreForTheMachineOfAnExchangeThatOnlyListensThere) {
    start({"--wiring", GetParam()});
    trade_a_little();
    expect_figures("");
    expect_figures(showing(content_of(data_ + "/operator-token").substr(0, 64)));
    expect_refused(showing(std::string(64, 'x')));
    expect_levels_only("Origin: http://elsewhere.example\r\n");
    EXPECT_THAT(get("/v1/private/events"), StartsWith("HTTP/1.1 401"))
        << "who acts is another matter";
}

TEST_F(Figures, AreForTheConfiguredOperatorAlone) {
    start_with_operator();
    trade_a_little();
    expect_levels_only("");
    expect_refused(showing(std::string(40, 'x')));
    expect_refused("Authorization: Basic dHR0dA==\r\n");
    expect_figures(showing(k_token));
    EXPECT_THAT(get("/metrics", showing(k_token)),
                HasSubstr("\ndamrak_http_wrong_tokens_total 8\n"));
    EXPECT_THAT(get("/v1/private/days", showing(k_token)), StartsWith("HTTP/1.1 200"));
    EXPECT_FALSE(std::filesystem::exists(data_ + "/operator-token"));
}

TEST_F(Figures, AreForTheOperatorAloneOnceOthersCanReachTheExchange) {
    start({"--address", "0.0.0.0"});
    trade_a_little();
    expect_levels_only("");
    expect_refused(showing(std::string(64, 'x')));
    expect_figures(showing(content_of(data_ + "/operator-token").substr(0, 64)));
}

TEST_F(Figures, WithATokenAreThePrometheusEndpoint) {
    start_with_operator({"--address", "0.0.0.0"});
    expect_levels_only("");
    expect_figures(showing(k_token));
}

TEST_F(Figures, NeedATokenThatNobodyGuesses) {
    const std::string file = folder_ / "exchange.toml";
    std::ofstream{file} << "[operator]\ntoken = \"hushhush\"\n";
    const auto run = testing::run_program({"serve", "--config", file, "--print-config"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("token: expected 32 to 256 letters"));
    EXPECT_THAT(run.err, Not(HasSubstr("hushhush")));
}

}  // namespace
}  // namespace damrak::figures_test
