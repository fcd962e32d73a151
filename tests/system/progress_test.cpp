// The progress of long work: drawn where a person looks, gone when the work is done, and never in
// what another program reads.

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"
#include "support/terminal_program.hpp"

namespace damrak::progress_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_program;
using testing::ScratchFolder;
using testing::TerminalProgram;

constexpr const char* k_edge_of_the_bar = "▕";

TEST(Progress, IsDrawnOnATerminalAndGoneAtTheEnd) {
    const ScratchFolder folder;
    const std::string day = folder / "day.itch";
    ASSERT_EQ(run_program({"generate", day, "--messages", "50000"}).exit_code, 0);
    TerminalProgram replay{{std::getenv("DAMRAK_PROGRAM"), "replay", day}};
    EXPECT_EQ(replay.exit_code(), 0);
    EXPECT_THAT(replay.output(), HasSubstr(k_edge_of_the_bar));
    EXPECT_THAT(replay.output(), HasSubstr("M msg/s"));
    EXPECT_THAT(replay.screen().text(), Not(HasSubstr(k_edge_of_the_bar)));
}

TEST(Progress, IsNotInWhatAnotherProgramReads) {
    const ScratchFolder folder;
    const std::string day = folder / "day.itch";
    EXPECT_EQ(run_program({"generate", day, "--messages", "50000"}).err, "");
    EXPECT_EQ(run_program({"replay", day}).err, "");
}

}  // namespace
}  // namespace damrak::progress_test
