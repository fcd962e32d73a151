// `--modify` of the commands that replay recorded days, as a user sees it.
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/http/client.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::modify_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using testing::ProgramRun;
using testing::run_program;
using testing::RunningServer;

struct Modify : ::testing::Test {
    testing::ScratchFolder folder;
    std::string day = folder.path() / "day.itch";

    Modify() {
        EXPECT_EQ(run_program({"generate", day, "--messages", "5000", "--symbols", "1", "--live",
                               "200", "--seed", "3"})
                      .exit_code,
                  0);
    }
    [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
        std::string path = folder.path() / name;
        std::ofstream{path} << text;
        return path;
    }
    [[nodiscard]] static Json json_of(const ProgramRun& run) {
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return Json::parse(run.out, nullptr, false);
    }
};

TEST_F(Modify, EveryCommandReplaysTheSameDayAndTellsWhatWasChanged) {
    const std::string thin = file("thin.toml", "seed = 4\n[thin]\nshare = 0.5\n");
    const std::string nobody = file("nobody.toml", "");
    const Json recorded = json_of(run_program({"replay", day, "--json"}));
    const Json built = json_of(run_program({"replay", day, "--modify", thin, "--json"}));
    EXPECT_FALSE(recorded.contains("modified"));
    const Json& told = built["modified"];
    EXPECT_EQ(told["file"], thin);
    EXPECT_EQ(told["seed"], 4);
    EXPECT_EQ(told["messages_in"], recorded["messages"]);
    EXPECT_EQ(told["messages_out"], built["messages"]);
    EXPECT_EQ(built["anomalies"]["total"], 0);
    const auto added = [](const Json& of) { return of["instruments"][0]["added"].get<int>(); };
    EXPECT_EQ(added(recorded) - added(built), told["thin"]["orders"]);

    const auto also_told = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--modify", thin, "--json"});
        return json_of(run_program(arguments))["modified"];
    };
    EXPECT_EQ(also_told({"replay", day, "--mode", "rematch"}), told);
    EXPECT_EQ(also_told({"replay", day, "--venue", "continuous"}), told);
    EXPECT_EQ(also_told({"sim", "whatif", day, "--with", nobody}), told);

    RunningServer server{
        folder.path() / "data",
        folder.path() / "log",
        {"--only", "binary,http", "--http-port", "0", "--replay", day, "--modify", thin}};
    const auto port = Json::parse(server.ready_line())["ports"]["http"].get<std::uint16_t>();
    const auto answer =
        http::ask({.address = "127.0.0.1", .port = port, .path = "/v1/replay", .json = {}});
    ASSERT_TRUE(answer) << answer.error();
    EXPECT_EQ(Json::parse(answer->body)["modified"], told);
    EXPECT_EQ(Json::parse(answer->body)["messages"], told["messages_out"]);
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(server.log_with("[thin]"), HasSubstr("orders left out"));
    EXPECT_THAT(run_program({"replay", day, "--modify", thin}).out,
                HasSubstr("modified by " + thin + ", seed 4"));
}

TEST_F(Modify, AFileWithoutAnEffectChangesNothing) {
    const std::string neutral = file("neutral.toml",
                                     "[thin]\nshare = 0\n[scale]\nfactor = 1\n"
                                     "[tick]\nsize = 0.0001\n[delay]\nmost = \"0s\"\n");
    Json recorded = json_of(run_program({"replay", day, "--mode", "rematch", "--json"}));
    Json made =
        json_of(run_program({"replay", day, "--mode", "rematch", "--modify", neutral, "--json"}));
    for (const char* own : {"modified", "notes"}) made.erase(own);
    recorded["seconds"] = made["seconds"] = 0;
    EXPECT_EQ(made, recorded);
}

TEST_F(Modify, WhatCannotBeIsOneErrorThatNamesIt) {
    const std::string bad = file("bad.toml", "[thin]\nshare = 2\n");
    const std::string good = file("good.toml", "");
    const std::string script = file("script", "");
    struct Case {
        std::vector<std::string> arguments;
        int exit_code;
        std::string error;
    };
    const std::vector<Case> cases{
        {{"replay", day, "--modify", bad}, 1, "bad.toml:2: thin: share must be a number from 0"},
        {{"sim", "whatif", day, "--with", good, "--modify", bad}, 1, "bad.toml:2: thin: share"},
        {{"serve", "--data", folder.path() / "data", "--replay", day, "--modify", bad},
         1,
         "bad.toml:2: thin: share"},
        {{"replay", day, "--modify", folder.path() / "none.toml"}, 1, "none.toml: cannot be read"},
        {{"replay", day, "--modify", good, "--verify"}, 2, "without --modify"},
        {{"replay", script, "--modify", good, "--format", "commands"}, 2, "a command script"},
        {{"replay", folder.path(), "--modify", good, "--format", "journal"}, 2, "not a journal"},
        {{"serve", "--modify", good}, 2, "--replay"},
    };
    for (const Case& one : cases) {
        const ProgramRun run = run_program(one.arguments);
        EXPECT_EQ(run.exit_code, one.exit_code) << one.error << "\n" << run.err;
        EXPECT_THAT(run.err, HasSubstr(one.error));
        EXPECT_EQ(testing::lines_in(run.err), 1U) << run.err;
        EXPECT_EQ(run.out, "");
    }
}

}  // namespace
}  // namespace damrak::modify_test
