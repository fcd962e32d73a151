// `damrak sim watch`: kept runs in a browser, each under the name of its folder.
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "support/terminal_program.hpp"

namespace damrak::testing::sim_watch_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class SimWatch : public ::testing::Test {
  protected:
    using Json = nlohmann::json;

    std::string keep(const std::string& name, const std::string& seed) {
        const std::string folder = (scratch_.path() / name).string();
        const auto run = run_program({"sim", "run", "examples/markets/bad_day.toml", "--seed", seed,
                                      "--duration", "6min", "--keep", folder});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return folder;
    }
    [[nodiscard]] std::string get(std::string_view target, std::string_view host) const {
        const RawClient client{port_};
        const std::string request =
            fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", target, host);
        client.send(std::as_bytes(std::span{request}));
        std::string answer;
        for (const std::byte b : client.receive(1'000'000)) answer += static_cast<char>(b);
        return answer;
    }
    [[nodiscard]] Json ask(std::string_view target) const {
        const std::string answer = get(target, "localhost");
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
        // Without the lengths of a chunked body, which has one chunk here.
        const std::size_t begin = answer.find('{', answer.find("\r\n\r\n"));
        return Json::parse(answer.substr(begin, answer.rfind('}') + 1 - begin));
    }

    ScratchFolder scratch_;
    std::uint16_t port_ = 0;
};

TEST_F(SimWatch, ShowsTwoRunsBesideEachOther) {
    const std::string one = keep("one", "1");
    const std::string two = keep("two", "2");
    TerminalProgram watch{
        {std::getenv("DAMRAK_PROGRAM"), "sim", "watch", one, two, "--http-port", "0"}, 120};
    ASSERT_TRUE(watch.shows("#day=one&beside=two"));
    std::smatch found;
    const std::string output = watch.output();
    ASSERT_TRUE(std::regex_search(output, found, std::regex{"http://127.0.0.1:([0-9]+)/"}));
    port_ = static_cast<std::uint16_t>(std::stoi(found[1].str()));
    EXPECT_THAT(get("/", "localhost"), HasSubstr("src=\"/page.js\""));
    EXPECT_THAT(get("/", "evil.example"), StartsWith("HTTP/1.1 421"));
    EXPECT_EQ(ask("/v1/days").at("days").size(), 2U);
    const Json timeline = ask("/v1/timeline?day=one");
    ASSERT_EQ(timeline.at("timeline").size(), 1U) << "what comes after the end is dropped";
    EXPECT_EQ(timeline["timeline"][0]["event"], "fat_finger");
    EXPECT_EQ(timeline["timeline"][0]["time_ns"], (9 * 3'600 + 35 * 60) * 1'000'000'000LL);
    EXPECT_THAT(get("/v1/timeline?day=three", "localhost"), StartsWith("HTTP/1.1 404"));
    // The same as the run itself wrote down.
    const Json told = ask("/v1/private/participants?day=one").at("participants");
    std::map<std::string, Json> by_participant;
    for (const Json& each : told) by_participant[each["participant"].dump()] = each;
    std::ifstream table{one + "/participants.csv"};
    std::string line;
    std::getline(table, line);
    int compared = 0;
    while (std::getline(table, line)) {
        std::istringstream cells{line};
        std::string participant;
        std::string group;
        std::string cell;
        std::getline(cells, participant, ',');
        std::getline(cells, group, ',');
        for (int i = 0; i < 2; ++i) std::getline(cells, cell, ',');
        std::getline(cells, cell, ',');
        const Json& account = by_participant[participant];
        if (!account.is_object() || account["positions"].empty()) continue;  // it never traded
        EXPECT_EQ(account["group"], group);
        EXPECT_EQ(account["positions"][0]["position"].dump(), cell) << participant;
        ++compared;
    }
    EXPECT_GT(compared, 50);
    watch.signal(SIGINT);
    EXPECT_EQ(watch.exit_code(), 0);
}

TEST_F(SimWatch, ShowsARunWhateverItsFolderIsCalled) {
    const std::string odd = keep("calm & it's 50%", "1");
    TerminalProgram watch{{std::getenv("DAMRAK_PROGRAM"), "sim", "watch", odd, "--http-port", "0"},
                          120};
    ASSERT_TRUE(watch.shows("#day="));
    const std::string name = "calm%20%26%20it%27s%2050%25";
    EXPECT_THAT(watch.output(), HasSubstr("#day=" + name));
    std::smatch found;
    const std::string output = watch.output();
    ASSERT_TRUE(std::regex_search(output, found, std::regex{"http://127.0.0.1:([0-9]+)/"}));
    port_ = static_cast<std::uint16_t>(std::stoi(found[1].str()));
    EXPECT_EQ(ask("/v1/timeline?day=" + name).at("day"), "calm & it's 50%");
    EXPECT_EQ(ask("/v1/instruments?day=" + name).at("day"), "calm & it's 50%");
    EXPECT_THAT(get("/v1/timeline?day=%2", "localhost"), StartsWith("HTTP/1.1 400"));
    watch.signal(SIGINT);
    EXPECT_EQ(watch.exit_code(), 0);
}

TEST_F(SimWatch, SaysHowToMakeARunToWatch) {
    const auto run = run_program({"sim", "watch", scratch_.path().string()});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("is no kept run: `damrak sim run FILE --keep"));
}

}  // namespace
}  // namespace damrak::testing::sim_watch_test
