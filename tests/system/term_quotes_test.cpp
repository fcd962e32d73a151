// Quotes, their protection and linked orders in `damrak term`: from a script and on a terminal.
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "support/terminal_program.hpp"

namespace damrak::term_quotes_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::ProgramRun;
using testing::run_program;
using testing::RunningServer;
using testing::TerminalProgram;

class TermQuotes : public ::testing::Test {
  protected:
    [[nodiscard]] std::vector<std::string> options() const {
        const auto ports = nlohmann::json::parse(server_.ready_line())["ports"];
        return {"term",
                "--port",
                std::to_string(ports["binary"].get<int>()),
                "--l2-port",
                std::to_string(ports["l2"].get<int>()),
                "--http-port",
                std::to_string(ports["http"].get<int>())};
    }
    [[nodiscard]] ProgramRun script(const std::string& lines) const {
        return run_program(options(), lines);
    }

    testing::ScratchFolder folder_;
    RunningServer server_{(folder_ / "data").string(),
                          (folder_ / "log").string(),
                          {"--only", "l2,http", "--l2-port", "0", "--http-port", "0"}};
};

TEST_F(TermQuotes, AScriptQuotesAndLinksOrders) {
    const auto run = script(
        "protect AAPL 500 1s\n"
        "quote AAPL 100 99.50 120 99.70\n"
        "quote AAPL off\n"
        "sell 10 AAPL 101.00\n"
        "sell 10 AAPL stop 99.00 cancels 3\n"
        "cancel 3\n");
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.out,
                AllOf(HasSubstr("the protection of quotes of AAPL is set\n"
                                "order 1 accepted: buy 100 AAPL 99.50\n"
                                "order 2 accepted: sell 120 AAPL 99.70\n"
                                "order 1 cancelled: buy 100 AAPL 99.50"),
                      HasSubstr("order 4 accepted: sell 10 AAPL stop 99.00 cancels 3\n"
                                "order 3 cancelled: sell 10 AAPL 101.00\n"),
                      HasSubstr("order 4 cancelled: sell 10 AAPL stop 99.00 cancels 3 (the order "
                                "that it was linked to")));
}

TEST_F(TermQuotes, TheScreenFollowsAQuoteUntilItsProtectionEndsIt) {
    auto maker_options = options();
    maker_options.insert(maker_options.begin(), std::getenv("DAMRAK_PROGRAM"));
    TerminalProgram maker{maker_options};
    ASSERT_TRUE(maker.shows("logged in as client 1"));
    maker.type("protect AAPL 50 1min\n");
    ASSERT_TRUE(maker.shows("the protection of quotes of AAPL is set"));
    maker.type("quote AAPL 100 99.50 120 99.70\n");
    ASSERT_TRUE(maker.shows("order 2 accepted: sell 120 AAPL 99.70"));
    EXPECT_TRUE(maker.shows("AAPL 99.50/99.70")) << "the strip of all instruments";
    EXPECT_EQ(script("buy 60 AAPL market\n").exit_code, 0);
    EXPECT_TRUE(maker.shows("order 2 sold 60 AAPL at 99.70, 60 open"));
    EXPECT_TRUE(maker.shows("order 1 cancelled: buy 100 AAPL 99.50"));
}

}  // namespace
}  // namespace damrak::term_quotes_test
