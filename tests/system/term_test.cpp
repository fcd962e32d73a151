// `damrak term` from the outside: on a terminal of its own and from scripts, against a running
// exchange.
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "support/terminal_program.hpp"

namespace damrak::term_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramRun;
using testing::run_program;
using testing::RunningServer;
using testing::ScratchFolder;
using ::testing::StartsWith;
using testing::TerminalProgram;

class TermProgram : public ::testing::Test {
  protected:
    [[nodiscard]] RunningServer serve() const {
        return RunningServer{
            data_, log_, {"--only", "l2,http", "--l2-port", "0", "--http-port", "0"}};
    }
    static std::vector<std::string> connect_to(const RunningServer& server) {
        const auto ports = nlohmann::json::parse(server.ready_line())["ports"];
        return {"--port",      std::to_string(ports["binary"].get<int>()),
                "--l2-port",   std::to_string(ports["l2"].get<int>()),
                "--http-port", std::to_string(ports["http"].get<int>())};
    }
    static std::vector<std::string> term(std::vector<std::string> options) {
        options.insert(options.begin(), {std::getenv("DAMRAK_PROGRAM"), "term"});
        return options;
    }
    // The lines as standard input.
    [[nodiscard]] ProgramRun script(const std::string& lines,
                                    std::vector<std::string> options) const {
        options.insert(options.begin(), "term");
        return run_program(options, lines);
    }

    /// The same, again until its output has this text: of what comes to it by itself.
    [[nodiscard]] ProgramRun script_until(std::string_view text, const std::string& lines,
                                          const std::vector<std::string>& options) const {
        ProgramRun run;
        EXPECT_TRUE(testing::turns_until([&] { run = script(lines, options); },
                                         [&] { return run.out.contains(text); }))
            << run.out << run.err;
        return run;
    }

    const ScratchFolder folder_;
    const std::string data_ = folder_ / "data";
    const std::string log_ = folder_ / "log";
};

TEST_F(TermProgram, AScriptTradesAndReportsEachAnswerInALine) {
    const RunningServer server = serve();
    const auto run = script(
        "# both sides of a trade\n"
        "sell 100 AAPL 101.25\n"
        "buy 30 MSFT 99.50\n"
        "modify 2 10 99.60\n"
        "\n"
        "orders\n"
        "cancel all\n"
        "positions",
        connect_to(server));
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_EQ(run.out,
              "logged in as client 1\n"
              "order 1 accepted: sell 100 AAPL 101.25\n"
              "order 2 accepted: buy 30 MSFT 99.50\n"
              "order 2 is now: buy 10 MSFT 99.60\n"
              "order 1 open: sell 100 AAPL 101.25, 0 filled\n"
              "order 2 open: buy 10 MSFT 99.60, 0 filled\n"
              "order 1 cancelled: sell 100 AAPL 101.25\n"
              "order 2 cancelled: buy 10 MSFT 99.60\n"
              "no positions\n");
    EXPECT_EQ(run.err, "");
}

TEST_F(TermProgram, BothVersionsTradeWithEachOther) {
    const RunningServer server = serve();
    TerminalProgram seller{term(connect_to(server))};
    ASSERT_TRUE(seller.shows("logged in as client 1"));
    seller.type("sell 100 AAPL 101.25\n");
    ASSERT_TRUE(seller.shows("order 1 accepted"));
    auto options = connect_to(server);
    options.insert(options.end(), {"--version", "v1"});
    const auto run = script("buy 40 AAPL market\nbuy 5 TEST market\nquit\nnever", options);
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("order 1 bought 40 AAPL at 101.25, done\n"),
                               HasSubstr("nothing left to trade with, 5 not filled\n"),
                               Not(HasSubstr("never"))));
    EXPECT_EQ(script_until("101.25         60\n", "book", options).exit_code, 0);
    EXPECT_TRUE(seller.shows("order 1 sold 40 AAPL at 101.25, 60 open"));
}

TEST_F(TermProgram, AScriptGoesOnAfterAnErrorAndEndsWithOne) {
    const RunningServer server = serve();
    const auto run = script(
        "buy 100 GOOG 1\n"
        "cancel 4\n"
        "buy 100 #77 1.00\n"
        "buy 1 AAPL 1.00\n",
        connect_to(server));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out,
                AllOf(HasSubstr("error: no instrument 'GOOG'"), HasSubstr("error: no open order 4"),
                      HasSubstr("order 1 refused"), HasSubstr("order 2 accepted")));
}

TEST_F(TermProgram, WatchesTheOrderByOrderFeed) {
    const RunningServer server{data_,
                               log_,
                               {"--only", "itch,glimpse,http", "--itch-port", "0", "--glimpse-port",
                                "0", "--http-port", "0"}};
    const auto ports = nlohmann::json::parse(server.ready_line())["ports"];
    const auto port = [&](const char* gateway) {
        return std::to_string(ports[gateway].get<int>());
    };
    const std::vector<std::string> options{"--port",      port("binary"),   "--itch-port",
                                           port("itch"),  "--glimpse-port", port("glimpse"),
                                           "--http-port", port("http")};
    TerminalProgram trader{term(options)};
    ASSERT_TRUE(trader.shows("logged in as client 1"));
    trader.type("sell 100 AAPL 101.25\n");
    ASSERT_TRUE(trader.shows("order 1 accepted"));
    EXPECT_TRUE(trader.shows("AAPL -/101.25")) << "the strip of all instruments";
    trader.type("buy 7 AAPL 100.50\n");
    EXPECT_TRUE(trader.shows("AAPL 100.50/101.25"));
}

TEST_F(TermProgram, AScriptWithoutAnExchangeFailsAtOnce) {
    const auto run = script("orders\n", {"--port", "1", "--l2-port", "off"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, StartsWith("damrak: cannot connect to 127.0.0.1:1"));
    EXPECT_EQ(testing::lines_in(run.err), 1U);
    const auto nowhere = script("orders\n", {"--host", "no.such.host.invalid"});
    EXPECT_EQ(nowhere.exit_code, 1);
    EXPECT_THAT(nowhere.err,
                HasSubstr("'no.such.host.invalid' is neither an address nor a known host name"));
}

TEST_F(TermProgram, WrongUsageIsReported) {
    EXPECT_EQ(script("", {"--version", "v3"}).exit_code, 2);
    EXPECT_EQ(script("", {"--l2-port", "0"}).exit_code, 2);
    EXPECT_EQ(script("", {"--api-key", "longer than sixteen, and no number"}).exit_code, 2);
    const auto run = script("", {"--api-key", "k", "--version", "v2"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("no field for an API key"));
}

TEST_F(TermProgram, TheScreenFollowsTheMarketAndTheOwnOrders) {
    const RunningServer server = serve();
    TerminalProgram screen{term(connect_to(server))};
    ASSERT_TRUE(screen.shows("logged in as client 1"));
    ASSERT_TRUE(screen.shows("the book is empty")) << screen.screen().text();
    screen.type("bu\t100 AA\t101.25\n");
    EXPECT_TRUE(screen.shows("  1 buy     100 AAPL    101.25")) << screen.screen().text();
    EXPECT_TRUE(screen.shows("100    101.25 |")) << "the depth";
    screen.type("\x1bOA");  // the line before, of which the price is changed
    screen.type(
        "\x7f\x7f\x7f\x7f\x7f\x7f"
        "99.00\n");
    EXPECT_TRUE(screen.shows("buy     100 AAPL     99.00")) << screen.screen().text();
    EXPECT_TRUE(screen.shows("orders 2"));
    ASSERT_EQ(script("sell 30 AAPL market\n", connect_to(server)).exit_code, 0);
    EXPECT_TRUE(screen.shows("order 1 bought 30 AAPL at 101.25, 70 open"));
    EXPECT_TRUE(screen.shows("AAPL     +30   101.25"));
    screen.type("cancel all\n");
    EXPECT_TRUE(screen.shows("orders 0")) << screen.screen().text();
    EXPECT_TRUE(screen.shows("the book is empty"));
    EXPECT_EQ(screen.screen().unknown(), "");
    screen.type("quit\n");
    EXPECT_EQ(screen.exit_code(), 0);
}

TEST_F(TermProgram, TheTapeReportsTheTradesOfOthers) {
    const RunningServer server = serve();
    TerminalProgram watcher{term(connect_to(server)), 180, 30};
    ASSERT_TRUE(watcher.shows(" tape "));
    EXPECT_EQ(script("buy 2000 AAPL 101.25\n", connect_to(server)).exit_code, 0);
    static_cast<void>(script_until("AAPL     101.25      15 sell\n",
                                   "sell 15 AAPL 101.25\nwait 1\ntape\n", connect_to(server)));
    EXPECT_TRUE(watcher.shows("AAPL    101.25    15 S")) << watcher.screen().text();
}

TEST_F(TermProgram, TheScreenTakesTheSizeOfTheTerminal) {
    const RunningServer server = serve();
    TerminalProgram screen{term(connect_to(server))};
    ASSERT_TRUE(screen.shows("the book is empty"));
    screen.resize(120, 40);
    EXPECT_TRUE(screen.shows(std::string(120, '-')));
    screen.type("zz");
    EXPECT_TRUE(screen.shows("> zz"));
    EXPECT_EQ(screen.screen().row(39), "> zz");
    screen.resize(40, 10);
    EXPECT_TRUE(screen.shows("40x10 is too small: need 60x16"));
    screen.resize(80, 24);
    EXPECT_TRUE(screen.shows("the book is empty"));
    EXPECT_EQ(screen.screen().unknown(), "");
}

TEST_F(TermProgram, ALostExchangeIsReportedAndFoundAgain) {
    std::optional<RunningServer> server;
    server.emplace(
        data_, log_,
        std::vector<std::string>{"--only", "l2,http", "--l2-port", "0", "--http-port", "0"});
    const auto options = connect_to(*server);
    TerminalProgram screen{term(options)};
    ASSERT_TRUE(screen.shows("logged in as client 1"));
    ASSERT_TRUE(screen.shows("the book is empty"));
    screen.type("buy 5 AAPL 1.00\n");
    ASSERT_TRUE(screen.shows("order 1 accepted"));
    server->kill();
    EXPECT_TRUE(screen.shows("no connection to 127.0.0.1"));
    EXPECT_TRUE(screen.shows("next try in"));
    EXPECT_TRUE(screen.shows("; 1 of its orders"));
    EXPECT_TRUE(screen.shows("?  1 buy"));
    EXPECT_TRUE(screen.shows("no market data received"));
    screen.type("buy 5 AAPL 1.00\n");
    EXPECT_TRUE(screen.shows("not connected: "));
    server.emplace(data_, log_,
                   std::vector<std::string>{"--only", "l2,http", "--binary-port", options[1],
                                            "--l2-port", options[3], "--http-port", options[5]});
    EXPECT_TRUE(screen.shows("logged in as client 2")) << screen.screen().text();
    EXPECT_TRUE(screen.shows("  5      1.00 |")) << "the order rests";
}

TEST_F(TermProgram, WhoLeavesWithOpenOrdersIsAskedTwice) {
    const RunningServer server = serve();
    TerminalProgram screen{term(connect_to(server))};
    ASSERT_TRUE(screen.shows("logged in as client 1"));
    screen.type("buy 5 AAPL 1.00\n");
    ASSERT_TRUE(screen.shows("order 1 accepted"));
    screen.type("quit\n");
    ASSERT_TRUE(screen.shows("1 open order left: quit again to leave, or cancel all first"));
    screen.type("quit\n");
    EXPECT_EQ(screen.exit_code(), 0);
    EXPECT_THAT(screen.output(), HasSubstr("1 order left in the book"));
}

TEST_F(TermProgram, ASignalEndsItInOrder) {
    const RunningServer server = serve();
    TerminalProgram screen{term(connect_to(server))};
    ASSERT_TRUE(screen.shows("the book is empty"));
    screen.type("\x03");
    EXPECT_EQ(screen.exit_code(), 0);
}

TEST_F(TermProgram, WithoutItsTerminalItEnds) {
    const RunningServer server = serve();
    TerminalProgram screen{term(connect_to(server))};
    ASSERT_TRUE(screen.shows("the book is empty"));
    EXPECT_TRUE(screen.ends_without_terminal());
}

TEST_F(TermProgram, ATerminalThatCannotBeDrawnOnIsReported) {
    TerminalProgram screen{term({"--port", "1"}), 80, 24, "no-such-terminal"};
    EXPECT_EQ(screen.exit_code(), 1);
    EXPECT_THAT(screen.output(), HasSubstr("TERM is 'no-such-terminal'"));
}

class TermAtTheFixGateway : public TermProgram {
  protected:
    [[nodiscard]] RunningServer serve(const std::string& fix_port = "0") const {
        return RunningServer{data_,
                             log_,
                             {"--only", "fix,l2,http", "--l2-port", "0", "--fix-port", fix_port,
                              "--http-port", "0"}};
    }
    static std::vector<std::string> connect_to(const RunningServer& server) {
        return {"--fix", "--port", std::to_string(server.fix_port())};
    }
};

TEST_F(TermAtTheFixGateway, ItsBooksComeOverTheSessionUnlessTheMulticastIsAskedFor) {
    const RunningServer server{data_, log_, {"--only", "fix"}};
    const std::string orders = "sell 10 TEST 1.05\nbuy 5 TEST 1.00\n";
    EXPECT_EQ(script(orders, connect_to(server)).exit_code, 0);
    const auto run =
        script_until("5       1.00 |       1.05         10\n", "book TEST\n", connect_to(server));
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    auto by_multicast = connect_to(server);
    by_multicast.insert(by_multicast.end(), {"--l2-port", "off"});
    EXPECT_THAT(script("book TEST\n", by_multicast).out, HasSubstr("market data is off"));
}

TEST_F(TermAtTheFixGateway, AScriptTradesAndReportsEachAnswerInALine) {
    const RunningServer server = serve();
    const auto run = script_until("101.30         10\n",
                                  "sell 100 AAPL 101.25\nmodify 1 10 101.30\nstatus 1\n"
                                  "buy 5 TEST market\nbook\ncancel 1\n",
                                  connect_to(server));
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.out,
                AllOf(StartsWith("logged in as TERM (FIX.4.4)\n"
                                 "order 1 accepted: sell 100 AAPL 101.25\n"
                                 "order 1 is now: sell 10 AAPL 101.30\n"
                                 "order 1 stands: sell 10 AAPL 101.30, 0 filled\n"
                                 "order 2 accepted: buy 5 TEST market\n"
                                 "order 2 ended: nothing left to trade with, 5 not filled\n"),
                      HasSubstr("order 1 cancelled: sell 10 AAPL 101.30\n")));
}

TEST_F(TermAtTheFixGateway, EveryKindOfOrderIsEnteredAndTheTapeReportsTheTrades) {
    const RunningServer server = serve();
    const auto run = script(
        "sell 50 AAPL 101.25 show 10\n"
        "sell 5 TEST stop 0.70 limit 0.60 until 2199-01-01T00:00\n"
        "buy 5 AAPL 101.00 post\nbuy 9 AAPL 99.00 ioc\norders\nwait 1\n",
        connect_to(server));
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(
        run.out,
        AllOf(HasSubstr("order 1 open: sell 50 AAPL 101.25 show 10, 0 filled\n"),
              HasSubstr("open: sell 5 TEST stop 0.70 limit 0.60 until 2199-01-01T00:00, 0 filled"),
              HasSubstr("order 3 accepted: buy 5 AAPL 101.00 post\n"),
              HasSubstr("order 4 ended: nothing left to trade with, 9 not filled\n")));
    auto other = connect_to(server);
    other.insert(other.end(), {"--comp-id", "OTHER"});
    TerminalProgram watcher{term(other)};
    ASSERT_TRUE(watcher.shows("101.25       10"));
    ASSERT_EQ(script("buy 20 AAPL market\n", TermProgram::connect_to(server)).exit_code, 0);
    EXPECT_TRUE(watcher.shows("AAPL    101.25    10 B")) << watcher.screen().text();
    EXPECT_THAT(script("sell 1 AAPL stop 1.00\n", TermProgram::connect_to(server)).out,
                HasSubstr("error: the binary gateway has no stop orders"));
}

TEST_F(TermAtTheFixGateway, TheScreenTradesWithTheBinaryGateway) {
    const RunningServer server = serve();
    TerminalProgram screen{term(connect_to(server))};
    ASSERT_TRUE(screen.shows("TERM (FIX.4.4) at 127.0.0.1")) << screen.screen().text();
    ASSERT_TRUE(screen.shows("the book is empty"));
    screen.type("buy 100 AAPL 101.25\n");
    EXPECT_TRUE(screen.shows("  1 buy     100 AAPL    101.25")) << screen.screen().text();
    ASSERT_EQ(script("sell 30 AAPL market\n", TermProgram::connect_to(server)).exit_code, 0);
    EXPECT_TRUE(screen.shows("order 1 bought 30 AAPL at 101.25, 70 open"));
    EXPECT_TRUE(screen.shows("AAPL     +30   101.25"));
    screen.type("cancel all\n");
    EXPECT_TRUE(screen.shows("orders 0")) << screen.screen().text();
    screen.type("quit\n");
    EXPECT_EQ(screen.exit_code(), 0);
}

TEST_F(TermAtTheFixGateway, ALostExchangeIsFoundAgainWithItsOrders) {
    std::optional<RunningServer> server;
    server.emplace(data_, log_, std::vector<std::string>{"--only", "fix"});
    const std::string port = std::to_string(server->fix_port());
    TerminalProgram screen{term({"--fix", "--port", port, "--l2-port", "off"})};
    ASSERT_TRUE(screen.shows("TERM (FIX.4.4) at 127.0.0.1"));
    screen.type("buy 5 AAPL 1.00\n");
    ASSERT_TRUE(screen.shows("order 1 accepted"));
    server->kill();
    EXPECT_TRUE(screen.shows("no connection to 127.0.0.1"));
    EXPECT_TRUE(screen.shows("?  1 buy"));
    server.emplace(data_, log_, std::vector<std::string>{"--only", "fix", "--fix-port", port});
    EXPECT_TRUE(screen.shows("TERM (FIX.4.4) at 127.0.0.1")) << screen.screen().text();
    screen.type("cancel 1\n");
    EXPECT_TRUE(screen.shows("order 1 cancelled: buy 5 AAPL 1.00")) << screen.screen().text();
}

TEST_F(TermAtTheFixGateway, ARefusedLogonIsReported) {
    const RunningServer server = serve();
    const std::string port = std::to_string(server.fix_port());
    const auto stranger = script("orders\n", {"--fix", "--port", port, "--exchange-comp-id", "X"});
    EXPECT_EQ(stranger.exit_code, 1);
    EXPECT_THAT(stranger.err, HasSubstr("is this comp id unknown"));
    const auto first = term(connect_to(server));
    TerminalProgram screen{first};
    ASSERT_TRUE(screen.shows("logged in as TERM"));
    const auto second = script("orders\n", connect_to(server));
    EXPECT_EQ(second.exit_code, 1);
    EXPECT_THAT(second.err, HasSubstr("see --comp-id"));
    auto other = connect_to(server);
    other.insert(other.end(), {"--comp-id", "OTHER", "--version", "fix50sp2"});
    EXPECT_THAT(script("orders\n", other).out, HasSubstr("logged in as OTHER (FIX.5.0SP2)"));
    EXPECT_EQ(script("", {"--fix", "--version", "v2"}).exit_code, 2);
    EXPECT_EQ(script("", {"--fix", "--api-key", "k"}).exit_code, 2);
    EXPECT_EQ(script("", {"--version", "fix44"}).exit_code, 2);
}

}  // namespace
}  // namespace damrak::term_test
