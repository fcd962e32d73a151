// An exchange started in a terminal, by the script of `make run` and by hand, until Ctrl-C.
#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"
#include "support/terminal_program.hpp"

namespace damrak::run_script_test {
namespace {

using ::testing::HasSubstr;
using testing::TerminalProgram;

class ExchangeInATerminal : public ::testing::Test {
  protected:
    testing::ScratchFolder folder_;
    std::string data_ = (folder_.path() / "data").string();
};

TEST_F(ExchangeInATerminal, TheScriptOfMakeRunStartsAnExchangeWithADemoMarket) {
    TerminalProgram run{{"scripts/run", "--data", data_, "--only", "binary,itch,l2",
                         "--binary-port", "0", "--itch-port", "0", "--l2-port", "0"},
                        160,
                        24};
    ASSERT_TRUE(run.shows("ready binary=")) << run.screen().text();
    EXPECT_TRUE(run.shows("from a second terminal"));
    EXPECT_TRUE(run.shows(" term --port "));
    EXPECT_TRUE(run.shows("a few built-in participants trade"));
    run.type("\x03");
    EXPECT_EQ(run.exit_code(), 0) << run.output();
    EXPECT_THAT(run.output(), HasSubstr("closed"));
}

TEST_F(ExchangeInATerminal, IsClosedByControlCAlsoWhileItWrites) {
    TerminalProgram run{{std::getenv("DAMRAK_PROGRAM"), "serve", "--data", data_, "--only",
                         "binary", "--binary-port", "0"},
                        160,
                        24};
    run.type("\x13");
    ASSERT_TRUE(run.is_held_back());
    run.type("\x03");
    EXPECT_EQ(run.exit_code(), 0) << run.output();
    EXPECT_THAT(run.output(), HasSubstr("closed"));
}

}  // namespace
}  // namespace damrak::run_script_test
