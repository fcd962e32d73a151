// What `damrak serve` refuses to start with, in its file and in its flags, and what flags and file
// make together.
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::run_program;
using testing::RunningServer;
using testing::ScratchFolder;

class ServeSettings : public ::testing::Test {
  protected:
    void write(const std::string& text) const { std::ofstream{file_} << text; }
    [[nodiscard]] testing::ProgramRun print(std::vector<std::string> flags = {}) const {
        flags.insert(flags.begin(), {"serve", "--config", file_, "--print-config"});
        return run_program(flags);
    }

    ScratchFolder folder_;
    std::string file_ = folder_ / "exchange.toml";
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
};

TEST_F(ServeSettings, WhatIsNoFileIsNotTakenForTheDefaults) {
    const auto folder = run_program({"serve", "--config", folder_ / "", "--print-config"});
    EXPECT_EQ(folder.exit_code, 1);
    EXPECT_THAT(folder.err, HasSubstr(": is a directory; expected a file in TOML"));
    const auto nothing = run_program({"serve", "--config", "", "--print-config"});
    EXPECT_EQ(nothing.exit_code, 2);
    EXPECT_THAT(nothing.err, HasSubstr("--config: expected a name"));
    const auto endless = run_program({"serve", "--config", "/dev/zero", "--print-config"});
    EXPECT_EQ(endless.exit_code, 1);
    EXPECT_THAT(endless.err, HasSubstr("/dev/zero: is no configuration"));
    for (const auto& run : {folder, nothing, endless}) {
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(testing::lines_in(run.err), 1U) << run.err;
    }
}

TEST_F(ServeSettings, APipeIsReadLikeAFileButNotAgain) {
    const auto run =
        run_program({"serve", "--config", "/dev/stdin", "--print-config"}, "[doors]\nbinary = 7\n");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("binary = 7\n"));
    RunningServer server{data_, log_, {"--config", "/dev/null"}};
    server.ask_to_reload();
    EXPECT_THAT(server.log_with("not reloaded"),
                HasSubstr("not reloaded /dev/null: is not a file that can be read again"));
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(ServeSettings, OnlyOpensWhatItNamesAndNothingElse) {
    write("[doors]\nfix = \"off\"\n");
    EXPECT_THAT(print({"--only", "fix,binary"}).out,
                AllOf(HasSubstr("fix = 9878\n"), HasSubstr("binary = 12345\n"),
                      HasSubstr("udp = \"off\"")));
    EXPECT_THAT(print({"--only", "fix", "--fix-port", "5", "--udp-port", "6"}).out,
                AllOf(HasSubstr("fix = 5\n"), HasSubstr("udp = \"off\"")));
}

TEST_F(ServeSettings, ADoorThatDoesNotExistCanOnlyBeOff) {
    for (const std::string door : {"ouch", "itch", "mold", "retransmit", "glimpse"}) {
        SCOPED_TRACE(door);
        for (const char* const port : {"23099", "0"}) {
            const auto run = run_program({"serve", "--" + door + "-port", port, "--print-config"});
            EXPECT_EQ(run.exit_code, 2);
            EXPECT_EQ(testing::lines_in(run.err), 1U) << run.err;
            EXPECT_THAT(run.err, HasSubstr("this release has no " + door + " door: expected off"));
        }
        const auto off = run_program({"serve", "--" + door + "-port", "off", "--print-config"});
        EXPECT_EQ(off.exit_code, 0) << off.err;
        const auto only = run_program({"serve", "--only", "binary," + door, "--print-config"});
        EXPECT_EQ(only.exit_code, 2);
        EXPECT_THAT(only.err, HasSubstr("no door '" + door + "': expected binary, fix"));
    }
}

}  // namespace
}  // namespace damrak
