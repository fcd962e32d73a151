// `damrak load` against a running `damrak serve`, both from the outside. Speed is no matter here.
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "support/terminal_program.hpp"

namespace damrak::load_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::lines_in;
using ::testing::MatchesRegex;
using testing::ProgramRun;
using testing::RunningServer;
using testing::ScratchFolder;
using ::testing::StartsWith;

/// At least this many answers, however slow the machine is.
ProgramRun load(const std::vector<std::string>& more, const char* at_least = "500") {
    std::vector<std::string> arguments{"load", "--seconds",  "0.5",   "--warm-up",
                                       "0.2",  "--at-least", at_least};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return testing::run_program(arguments);
}

class LoadProgram : public ::testing::Test {
  protected:
    [[nodiscard]] json measured(std::vector<std::string> more, const char* at_least = "500") const {
        more.insert(more.end(), {"--port", std::to_string(server_.port()), "--json"});
        const ProgramRun run = load(more, at_least);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return json::parse(run.out);
    }

    ScratchFolder folder_;
    RunningServer server_{folder_ / "data", folder_ / "log"};
};

TEST_F(LoadProgram, FindsEveryAnswerRightAndMeasuresEachType) {
    const json report =
        measured({"--clients", "20", "--window", "4", "--threads", "2", "--verify"});
    EXPECT_EQ(report["errors"], 0);
    EXPECT_EQ(report["verified"], true);
    EXPECT_GT(report["requests_per_s"], 0);
    EXPECT_GT(report["trade_messages_per_s"], 0);
    // Nearly all are found once there are more orders than a slow machine makes here.
    EXPECT_GT(report["found"], report["not_found"]) << "orders live when named";
    EXPECT_EQ(report["latency_us"]["count"], report["requests"]);
    for (const char* type : {"new", "cancel", "modify"}) {
        const json& latency = report["latency_us_by_type"][type];
        EXPECT_GT(latency["count"], 0);
        EXPECT_LE(latency["p50"], latency["p99"]);
        EXPECT_LE(latency["p99"], latency["p99_9"]);
        EXPECT_LE(latency["p99_9"], latency["max"]);
    }
}

TEST_F(LoadProgram, KeepsToTheRateOfAnOpenLoop) {
    // A slow machine may fall behind the schedule and catch up, none may run ahead of it.
    const json report = measured({"--clients", "10", "--rate", "500", "--verify"}, "50");
    EXPECT_EQ(report["errors"], 0);
    EXPECT_EQ(report["rate_asked_per_s"], 500);
    EXPECT_GE(report["requests"], 50);
    EXPECT_LE(report["requests"], 500 * (0.2 + report["seconds"].get<double>()) + 1);
}

TEST_F(LoadProgram, SpeaksEveryProtocolToExchangeAndEcho) {
    for (const char* protocol : {"v1", "capture", "v2"}) {
        const json report =
            measured({"--protocol", protocol, "--clients", "5", "--verify", "--echo"});
        EXPECT_EQ(report["protocol"], protocol);
        EXPECT_EQ(report["errors"], 0) << report["first_error"];
        EXPECT_GT(report["requests"], 0);
        EXPECT_GT(report["echo_requests_per_s"], 0);
    }
}

TEST_F(LoadProgram, ReachesTheMixThatWasAsked) {
    // Within the deck of 100 that each client may have begun.
    const json report = measured({"--clients", "1", "--mix", "60/30/10"}, "5000");
    ASSERT_GT(report["requests"], 0);
    EXPECT_THAT(report["mix_reached"].get<std::string>(),
                MatchesRegex("(59|60|61)\\.[0-9]+/(29|30|31)\\.[0-9]+/(9|10|11)\\.[0-9]+"));
}

TEST_F(LoadProgram, ReportsWhatTheServersProcessTakes) {
    const json report = measured({"--clients", "5"});
    EXPECT_GT(report["server"]["process"], 0);
    EXPECT_GT(report["server"]["resident_kib"]["begin"], 0);
    EXPECT_GE(report["server"]["resident_kib"]["max"], report["server"]["resident_kib"]["end"]);
}

TEST_F(LoadProgram, SpinsWithOneClientOnBothSides) {
    const json report =
        measured({"--clients", "1", "--window", "1", "--spin", "--echo", "--verify"});
    EXPECT_EQ(report["errors"], 0) << report["first_error"];
    const double over =
        report["latency_us"]["p50"].get<double>() - report["echo_latency_us"]["p50"].get<double>();
    EXPECT_NEAR(report["over_echo_us"]["p50"].get<double>(), over, 1e-6);
}

TEST_F(LoadProgram, FollowsAScheduleOfItsOwnFile) {
    const std::string file = folder_ / "rates.csv";
    std::ofstream{file} << "second,rate\n0,200\n0.25,400\n";
    const json report = measured({"--clients", "5", "--schedule", file, "--verify"}, "50");
    EXPECT_EQ(report["open_loop"], true);
    EXPECT_EQ(report["errors"], 0) << report["first_error"];
    EXPECT_GE(report["requests"], 50);
    const double seconds = report["seconds"];  // there is no warm-up
    EXPECT_LE(report["requests"], 50 + 400 * (seconds - 0.25) + 1);
}

TEST_F(LoadProgram, SendsBurstsOnTopOfAJitteredRamp) {
    const json report = measured({"--clients", "5", "--rate", "200", "--ramp", "0.5", "--jitter",
                                  "50", "--burst", "20", "--burst-every", "100", "--verify"},
                                 "50");
    EXPECT_EQ(report["errors"], 0) << report["first_error"];
    EXPECT_GE(report["requests"], 50);
    const double seconds = report["seconds"];
    EXPECT_LE(report["requests"], 200 * (seconds - 0.25) + 20 * seconds / 0.1 + 1);
}

TEST_F(LoadProgram, GoesOnUntilSoManyAreAnswered) {
    // Far more than 0.5 s of this rate.
    const json report = measured({"--clients", "3", "--threads", "2", "--rate", "300"}, "300");
    EXPECT_GE(report["requests"], 300);
    EXPECT_GT(report["seconds"], 0.7);
    EXPECT_EQ(report["interrupted"], false);
    EXPECT_DOUBLE_EQ(report["requests_per_s"].get<double>() * report["seconds"].get<double>(),
                     report["requests"].get<double>());
}

TEST_F(LoadProgram, GoesOnNoLongerThanItsClientsAreConnected) {
    RunningServer mortal{folder_ / "other", folder_ / "log"};
    testing::TerminalProgram run{
        {std::getenv("DAMRAK_PROGRAM"), "load", "--port", std::to_string(mortal.port()),
         "--clients", "2", "--warm-up", "0", "--seconds", "0.1", "--at-least", "1000000000"},
        120,
        40};
    ASSERT_TRUE(run.shows(" 0 s left")) << run.output();
    mortal.kill();
    EXPECT_EQ(run.exit_code(), 1) << run.output();
    EXPECT_THAT(run.output(), HasSubstr("a client lost its connection"));
}

TEST_F(LoadProgram, MeasuresTheBareEchoInTheSameRun) {
    const json report = measured({"--clients", "10", "--echo"});
    EXPECT_GT(report["echo_requests_per_s"], 0);
    EXPECT_DOUBLE_EQ(
        report["ratio_to_echo"].get<double>(),
        report["requests_per_s"].get<double>() / report["echo_requests_per_s"].get<double>());
}

TEST_F(LoadProgram, ReportsRefusalsAndFails) {
    const ProgramRun run = load({"--port", std::to_string(server_.port()), "--clients", "2",
                                 "--instrument", "999", "--json"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_GT(json::parse(run.out)["errors_by_cause"]["refused"], 0);
    EXPECT_THAT(run.err, HasSubstr("a new order was refused with status 2"));
    EXPECT_EQ(lines_in(run.err), 1U);
}

TEST(Load, LogsInWithItsKeysWhereOnlyKeysGetIn) {
    const ScratchFolder folder;
    std::ofstream{folder / "keys.toml"} << "[[participants]]\nid = 1\napi_key = \"one\"\n"
                                           "[[participants]]\nid = 2\napi_key = \"two\"\n";
    const RunningServer server{folder / "data", folder / "log", {"--config", folder / "keys.toml"}};
    const std::vector<std::string> usual{
        "--port", std::to_string(server.port()), "--clients", "4", "--verify", "--json"};
    const auto with = [&usual](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = usual;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return load(arguments);
    };
    EXPECT_THAT(with({}).err, HasSubstr("refused the login"));
    EXPECT_THAT(with({"--api-key", "three"}).err, HasSubstr("refused the login"));
    const ProgramRun run = with({"--api-key", "one,two"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_GT(json::parse(run.out)["trade_messages_per_s"], 0) << "the two trade with each other";
    EXPECT_EQ(with({"--api-key", "one", "--protocol", "v2"}).exit_code, 2);
    EXPECT_EQ(with({"--api-key", "of more than 16 characters"}).exit_code, 2);
}

TEST(Load, OfAThousandClientsIsAnsweredWithTheDefaults) {
    const ScratchFolder folder;
    const RunningServer server{folder / "data", folder / "log"};
    const ProgramRun run =
        load({"--port", std::to_string(server.port()), "--clients", "1000", "--json"}, "2000");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["errors"], 0);
    EXPECT_EQ(report["clients"], 1'000);
    EXPECT_GE(report["requests"], 2'000);
}

TEST(Load, IsRightWhereOrdersTradeInBatches) {
    const ScratchFolder folder;
    const RunningServer server{folder / "data",
                               folder / "log",
                               {"--venue", "frequent-batch", "--only", "binary,fix,ouch",
                                "--fix-port", "0", "--ouch-port", "0"}};
    const json ports = json::parse(server.ready_line())["ports"];
    const auto verified = [&ports](const char* gateway, const char* protocol, bool auctions) {
        std::vector<std::string> more{
            "--gateway",           gateway,     "--protocol", protocol,   "--port",
            ports[gateway].dump(), "--clients", "4",          "--verify", "--json"};
        if (auctions) more.emplace_back("--auctions");
        return load(more);
    };
    for (const auto& [gateway, protocol] :
         {std::pair{"binary", "v1"}, {"binary", "v2"}, {"fix", "fix44"}, {"ouch", "ouch50"}}) {
        const ProgramRun run = verified(gateway, protocol, true);
        EXPECT_EQ(run.exit_code, 0) << protocol << ": " << run.err;
        EXPECT_GT(json::parse(run.out)["trade_messages_per_s"], 0) << protocol;
    }
    EXPECT_EQ(verified("binary", "v1", false).exit_code, 1) << "the rules of continuous trading";
}

// A venue whose only phase is this one.
std::string venue_of(const std::string& phase) {
    return "name = \"one phase\"\nzone = \"UTC\"\nday_begin = \"00:00\"\nday_end = \"23:59\"\n"
           "[[session]]\nname = \"all day\"\nat = \"00:00\"\n" +
           phase;
}

TEST(Load, IsRightWhereAPhaseRefusesRequests) {
    const ScratchFolder folder;
    const auto venue = folder.write(
        "venue.toml",
        venue_of(
            "phase = \"call\"\ncall = \"opening\"\nauction = \"lse\"\nrefuses = [\"changes\"]\n"));
    const RunningServer server{folder / "data",
                               folder / "log",
                               {"--venue", venue.string(), "--only", "binary,fix,ouch",
                                "--fix-port", "0", "--ouch-port", "0"}};
    const json ports = json::parse(server.ready_line())["ports"];
    for (const auto& [gateway, protocol] :
         {std::pair{"binary", "v1"}, {"binary", "v2"}, {"fix", "fix44"}, {"ouch", "ouch50"}}) {
        const ProgramRun run =
            load({"--gateway", gateway, "--protocol", protocol, "--port", ports[gateway].dump(),
                  "--clients", "4", "--verify", "--auctions", "--json"});
        EXPECT_EQ(run.exit_code, 0) << protocol << ": " << run.err;
        EXPECT_GT(json::parse(run.out)["declined"], 0) << protocol;
    }
}

TEST(Load, FailsWhereNoOrderIsAccepted) {
    const ScratchFolder folder;
    const auto venue = folder.write("venue.toml", venue_of("phase = \"closed\"\n"));
    const RunningServer server{folder / "data", folder / "log", {"--venue", venue.string()}};
    const ProgramRun run =
        load({"--port", std::to_string(server.port()), "--clients", "4", "--auctions"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("no order was accepted"));
}

TEST_F(LoadProgram, StoppedEarlyItReportsWhatItMeasured) {
    testing::TerminalProgram run{
        {std::getenv("DAMRAK_PROGRAM"), "load", "--port", std::to_string(server_.port()),
         "--clients", "2", "--warm-up", "0", "--seconds", "600", "--verify"},
        120,
        40};
    ASSERT_TRUE(run.shows("s left")) << run.output();
    run.type("\x03");
    EXPECT_EQ(run.exit_code(), 0) << run.output();
    EXPECT_THAT(run.output(), AllOf(HasSubstr("stopped early"), HasSubstr("requests/s"),
                                    HasSubstr("no errors, every answer checked")));
}

TEST(Load, SaysInOneLineThatNothingListens) {
    const ProgramRun run = load({"--port", "1"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, AllOf(StartsWith("damrak: cannot connect to 127.0.0.1:1: "),
                               HasSubstr("damrak serve")));
    EXPECT_EQ(lines_in(run.err), 1U);
}

TEST(Load, ReportsTheLineOfAScheduleThatIsWrong) {
    const ScratchFolder folder;
    const std::string file = folder / "rates.csv";
    std::ofstream{file} << "0,100\nlater,200\n";
    const ProgramRun run = load({"--schedule", file});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, AllOf(HasSubstr("rates.csv, line 2: "), HasSubstr("'later,200'")));
    EXPECT_THAT(load({"--schedule", folder / "none.csv"}).err, HasSubstr("cannot read"));
}

TEST(Load, RefusesTimingThatContradictsItself) {
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--ramp", "2"},
                                                  {"--jitter", "10"},
                                                  {"--schedule", "rates.csv", "--rate", "5"}}) {
        const ProgramRun run = load(wrong);
        EXPECT_EQ(run.exit_code, 2) << wrong.front();
        EXPECT_THAT(run.err, HasSubstr("--rate")) << wrong.front();
    }
}

TEST(Load, RefusesAMixWithoutNewOrders) {
    for (const char* mix : {"0/50/50", "60/30", "60/30/10/5", "many"}) {
        const ProgramRun run = load({"--mix", mix});
        EXPECT_EQ(run.exit_code, 2) << mix;
        EXPECT_THAT(run.err, HasSubstr("--mix"));
    }
    EXPECT_EQ(load({"--mid", "10", "--range", "10"}).exit_code, 2);
}

}  // namespace
}  // namespace damrak::load_test
