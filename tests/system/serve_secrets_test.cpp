// Secrets of the configuration: a run gets one for each setting that the reference marks as secret,
// is used with them, and nothing that it writes, says or answers has any of them.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "raw_binary.hpp"
#include "support/fix_text.hpp"
#include "support/run_program.hpp"
#include "telemetry_run.hpp"

namespace damrak::serve_secrets_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::content_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RawClient;
using testing::run_program;

// The secrets begin with this, which is nowhere else; as bytes of an API key, too.
constexpr std::string_view k_begin = "hush";
constexpr std::string_view k_begin_hex = "68757368";

struct Secret {
    std::string section;  ///< "page", "[participants]"
    std::string key;
    std::string type;
    std::string word;

    [[nodiscard]] std::string line() const {
        return fmt::format(
            fmt::runtime(type.starts_with("list") ? "{} = [\"USER:{}:5.0\"]\n" : "{} = \"{}\"\n"),
            key, word);
    }
};

/// The settings that the reference marks, each with a secret of its own.
std::vector<Secret> all_secrets() {
    std::vector<Secret> all;
    std::istringstream reference{run_program({"serve", "--describe-config"}).out};
    std::string section;
    for (std::string line; std::getline(reference, line);) {
        if (line.starts_with("### `[")) section = line.substr(6, line.size() - 8);
        if (!line.starts_with("| `") || !line.contains(", secret |")) continue;
        const std::size_t end = line.find("` | ");
        const std::string key = line.substr(3, end - 3);
        // A token is long.
        const std::string word = fmt::format("{}{}", k_begin, all.size() + 1) +
                                 std::string(key == "token" ? 32 : 0, '0');
        all.push_back({section, key, line.substr(end + 4), word});
    }
    return all;
}

/// What else a table with a secret needs.
std::string needed_in(const std::string& section) {
    if (section == "[participants]") return "id = 1\n";
    if (section == "[fix.session]")
        return "target_comp_id = \"CLIENT\"\nuser_name = \"user\"\n"
               "check_sending_time = false\n";
    return "";
}

std::string config_of(const std::vector<Secret>& secrets) {
    std::map<std::string, std::string> tables;
    for (const Secret& one : secrets)
        tables.try_emplace(one.section, needed_in(one.section)).first->second += one.line();
    std::string text;
    for (const auto& [section, lines] : tables) text += fmt::format("[{}]\n{}", section, lines);
    return text;
}

/// In any case of letters, as OUCH has it.
bool has_secret(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text.contains(k_begin) || text.contains(k_begin_hex);
}

class ServeSecrets : public testing::ServeRun {
  protected:
    void write(const std::string& text) const { std::ofstream{file_} << text; }
    [[nodiscard]] testing::ProgramRun print() const {
        return run_program({"serve", "--config", file_, "--print-config"});
    }
    [[nodiscard]] std::string word(std::string_view key) const {
        return std::ranges::find(secrets_, key, &Secret::key)->word;
    }
    [[nodiscard]] std::uint16_t port(const char* gateway) const {
        return nlohmann::json::parse(server_->ready_line())["ports"][gateway];
    }
    // What the server says to these bytes.
    [[nodiscard]] std::string talk(const char* gateway, std::string_view bytes,
                                   std::size_t most = 200) const {
        const RawClient client{port(gateway)};
        client.send(std::as_bytes(std::span{bytes}));
        std::string answer;
        for (const std::byte b : client.receive(most)) answer += static_cast<char>(b);
        return answer;
    }
    [[nodiscard]] std::string log_on_by_fix(std::string_view password) const {
        return talk("fix",
                    testing::fix_message(
                        "FIX.4.4", fmt::format("35=A|34=1|49=CLIENT|52=20260302-09:00:00|56=DAMRAK|"
                                               "98=0|108=30|141=Y|553=user|554={}|",
                                               password)),
                    60);
    }
    [[nodiscard]] std::string log_in_by_ouch(std::string_view password) const {
        return talk(
            "ouch",
            std::string{"\0\x2FL", 3} + fmt::format("USER  {:<10}{:>10}{:>20}", password, "", 1),
            3);
    }
    void expect_no_secret(const std::string& where, const std::string& text) const {
        EXPECT_FALSE(has_secret(text)) << where;
    }

    std::vector<Secret> secrets_ = all_secrets();
    std::string file_ = folder_ / "exchange.toml";
};

/// In a wiring.
class SecretsOfARun : public ServeSecrets, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Wirings, SecretsOfARun, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

// The session of FIX asks for its time; the wrong one is not shown either.
TEST_P(SecretsOfARun, AreInNothingThatItMakes) {
    ASSERT_GE(secrets_.size(), 4U);
    write("[journal]\nsegment_mib = 1\n" + config_of(secrets_));
    serve({"--config",
           file_,
           "--wiring",
           GetParam(),
           "--only",
           "binary,fix,ouch,itch,glimpse,retransmit,http",
           "--ouch-port",
           "0",
           "--itch-port",
           "0",
           "--glimpse-port",
           "0",
           "--retransmit-port",
           "0",
           "--http-port",
           "0",
           "--timing",
           "1",
           "--event-log",
           "--classic-logs"});
    EXPECT_EQ(testing::hello(RawClient{server_->port()}, word("api_key")).status, 1U);
    EXPECT_EQ(testing::hello(RawClient{server_->port()}, "hushed").status, 3U);
    std::string answers = log_on_by_fix("hushed");
    EXPECT_THAT(answers, HasSubstr("\00135=5\001"));
    answers += log_on_by_fix(word("password"));
    EXPECT_THAT(answers, HasSubstr("\00135=A\001"));
    EXPECT_THAT(log_in_by_ouch("hushed"), HasSubstr("J"));
    EXPECT_THAT(log_in_by_ouch(word("ouch_users")), HasSubstr("A"));
    expect_no_secret("answers", answers);

    const std::string shown = "Authorization: Bearer " + word("token") + "\r\n";
    std::vector<std::string> paths{
        "/",       "/metrics",      "/health",  "/instruments", "/trades",
        "/timing", "/fix/sessions", "/nothing", "/v1",          "/timing?format=json"};
    const std::string index = get("/v1/openapi.json");
    const auto described = nlohmann::json::parse(index.substr(index.find("\r\n\r\n") + 4));
    for (const auto& [path, what] : described["paths"].items()) paths.push_back(path);
    EXPECT_GT(paths.size(), 20U);
    for (const std::string& path : paths)
        for (const std::string& fields : {std::string{}, shown}) {
            const std::string answer = get(path, fields);
            EXPECT_THAT(answer,
                        AllOf(HasSubstr("HTTP/1.1 "), Not(HasSubstr(folder_.path().string()))))
                << path;
            expect_no_secret(path, answer);
        }

    write("[[participants]]\nid = 1\napi_key = [\"hushed\"]\n");
    server_->ask_to_reload();
    static_cast<void>(server_->log_with("not reloaded"));
    server_->ask_for_timing();
    EXPECT_EQ(server_->terminate(), 0);
    expect_no_secret("ready line", server_->ready_line());
    const std::string said = content_of(log_);
    EXPECT_THAT(said, HasSubstr("not reloaded"));
    expect_no_secret("log", said);
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator{data_}) {
        const auto others = entry.status().permissions() & fs::perms::others_all;
        EXPECT_EQ(others, fs::perms::none) << entry.path();
        if (!entry.is_regular_file()) continue;
        ++files;
        expect_no_secret(entry.path().string(), content_of(entry.path()));
    }
    EXPECT_GT(files, 20U);
    EXPECT_EQ(fs::status(run_folder()).permissions(), fs::perms::owner_all);
}

// A file is in the way of the folder of the session's messages.
TEST_F(ServeSecrets, WhereFilesAreIsToldToTheOperatorOnly) {
    write("[[fix.session]]\n" + needed_in("[fix.session]") + "password = \"none\"\n");
    serve({"--config", file_, "--only", "fix,http", "--http-port", "0"});
    const fs::path blocked = fs::path{data_} / "fix/FIX.4.4+DAMRAK++CLIENT+";
    std::ofstream{blocked} << "in the way";
    EXPECT_THAT(log_on_by_fix("none"),
                AllOf(HasSubstr("\00135=5\001"), Not(HasSubstr(folder_.path().string()))));
    EXPECT_THAT(get("/health"), AllOf(HasSubstr("\"status\": \"warning\""),
                                      HasSubstr("FIX sessions cannot be stored"),
                                      Not(HasSubstr(folder_.path().string()))));
    EXPECT_THAT(server_->log_with(blocked.string()), HasSubstr(blocked.string()));
    fs::remove(blocked);
    EXPECT_THAT(log_on_by_fix("none"), HasSubstr("\00135=A\001"));
    EXPECT_THAT(get("/health"), HasSubstr("\"status\": \"ok\""));
}

TEST_F(ServeSecrets, AreMarkedWhereTheConfigurationIsPrintedAndTheMarkIsNoValue) {
    write(config_of(secrets_));
    const auto printed = print();
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    expect_no_secret("--print-config", printed.out);
    for (const Secret& one : secrets_) {
        EXPECT_THAT(printed.out, HasSubstr(fmt::format("\n{} = \"(secret)\"\n", one.key)));
        write(fmt::format("[{}]\n{}{} = \"(secret)\"\n", one.section, needed_in(one.section),
                          one.key));
        const auto run = print();
        EXPECT_EQ(run.exit_code, 1);
        EXPECT_THAT(run.err, AllOf(HasSubstr(file_ + ":"),
                                   HasSubstr(one.key + ": \"(secret)\" stands for")));
    }
    write("");
    EXPECT_THAT(print().out, Not(HasSubstr("(secret)"))) << "what is not set is no secret";
}

// Whatever is wrong with the line: who reads the error need not be who may know the secret.
TEST_F(ServeSecrets, AreNotQuotedByErrors) {
    for (const Secret& one : secrets_)
        for (const char* const value :
             {"\"hush: much too long and with too many words for a key, a password or a user\"",
              "[\"hush\"]", "[\"hush\", 5]", "[[\"hush\"]]", "{ hush = \"hush\" }",
              "[{ a = \"hush\" }]", "\"hush", "hush", "'hush' 5", "\"\"\"hush\nhush"}) {
            write(fmt::format("[{}]\n{}{} = {}\n", one.section, needed_in(one.section), one.key,
                              value));
            const auto run = print();
            EXPECT_FALSE(has_secret(run.out + run.err)) << run.out << run.err;
        }
    write("[page]\ntrading_user = \"PAGE:hush\"\n");
    EXPECT_THAT(print().err, AllOf(HasSubstr("page.trading_password"), Not(HasSubstr("hush"))));
}

}  // namespace
}  // namespace damrak::serve_secrets_test
