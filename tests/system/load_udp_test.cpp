// `damrak load --gateway udp` from the outside, against a running exchange, over loopback sockets.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::load_udp_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::ProgramRun;

ProgramRun load(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"load",   "--gateway",  "udp", "--udp-path",
                                       "socket", "--seconds",  "0.3", "--warm-up",
                                       "0.1",    "--at-least", "200"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return testing::run_program(arguments);
}

class LoadUdp : public ::testing::TestWithParam<const char*> {
  protected:
    [[nodiscard]] json run(std::vector<std::string> more) const {
        more.insert(more.end(), {"--json", "--protocol", GetParam(), "--port",
                                 std::to_string(server_.udp_port())});
        const ProgramRun run = load(more);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return json::parse(run.out);
    }

    testing::ScratchFolder folder_;
    testing::RunningServer server_{
        folder_ / "data", folder_ / "log", {"--only", "udp", "--binary-port", "off"}};
};

TEST_P(LoadUdp, EveryOrderOfAClosedLoopIsAnsweredAndEveryPairTrades) {
    const json report = run({"--window", "4", "--echo", "--answer-timeout", "600"});
    EXPECT_GT(report["orders"], 0);
    EXPECT_EQ(report["answered"], report["orders"]);
    EXPECT_EQ(report["lost"], 0);
    EXPECT_EQ(report["accepted"], report["answered"]);
    EXPECT_EQ(report["refused"], 0);
    EXPECT_EQ(report["busy"], 0);
    EXPECT_EQ(report["strange_datagrams"], 0);
    EXPECT_GT(report["trades_per_s"], 0.0);
    EXPECT_GT(report["latency_us"]["count"], 0);
    EXPECT_GT(report["latency_us"]["p50"], 0.0);
    EXPECT_GT(report["echo"]["answered"], 0);
    EXPECT_EQ(report["echo"]["lost"], 0);
    EXPECT_EQ(report["echo"]["strange_datagrams"], 0);
    EXPECT_TRUE(report["over_echo_us"].contains("p50"));
}

TEST_P(LoadUdp, AnOpenLoopSendsWhatIsDue) {
    const json report = run({"--rate", "1000", "--answer-timeout", "600"});
    EXPECT_TRUE(report["open_loop"]);
    EXPECT_EQ(report["lost"], 0);
    const double due = 1'000 * (0.1 + report["seconds"].get<double>());
    const int orders = report["orders"];
    EXPECT_GE(orders, 200);
    // A request of the public formats is a pair.
    EXPECT_LE(orders, (std::string{GetParam()} == "extended" ? 1 : 2) * (due + 1));
}

INSTANTIATE_TEST_SUITE_P(Formats, LoadUdp, ::testing::Values("extended", "packed", "words"),
                         [](const auto& one) { return std::string{one.param}; });

class LoadUdpExtended : public LoadUdp {};

TEST_P(LoadUdpExtended, ADatagramMayCarryManyOrders) {
    const json report =
        run({"--orders-a-datagram", "45", "--window", "2", "--answer-timeout", "600"});
    EXPECT_EQ(report["lost"], 0);
    EXPECT_EQ(static_cast<int>(report["orders"]) % 45, 0);
}

TEST_P(LoadUdpExtended, OneWayCountsWhatIsLost) {
    const json report = run({"--one-way"});
    EXPECT_TRUE(report["one_way"]);
    EXPECT_GT(report["orders"], 0);
    EXPECT_EQ(
        static_cast<std::int64_t>(report["orders"]),
        static_cast<std::int64_t>(report["answered"]) + static_cast<std::int64_t>(report["lost"]));
}

INSTANTIATE_TEST_SUITE_P(Formats, LoadUdpExtended, ::testing::Values("extended"),
                         [](const auto& one) { return std::string{one.param}; });

TEST(LoadUdpUsage, WhatCannotBeIsReportedInOneLine) {
    const ProgramRun nobody =
        testing::run_program({"load", "--gateway", "udp", "--udp-path", "socket", "--port", "1",
                              "--warm-up", "0", "--seconds", "0.3"});
    EXPECT_EQ(nobody.exit_code, 1);
    EXPECT_THAT(nobody.err, HasSubstr("no answer from 127.0.0.1:1"));
    const ProgramRun protocol = load({"--protocol", "v2"});
    EXPECT_EQ(protocol.exit_code, 2);
    EXPECT_THAT(protocol.err, HasSubstr("v2 is not a UDP protocol"));
    const ProgramRun several = load({"--protocol", "packed", "--orders-a-datagram", "2"});
    EXPECT_EQ(several.exit_code, 2);
    const ProgramRun interface =
        testing::run_program({"load", "--gateway", "udp", "--udp-path", "xdp", "--port", "1"});
    EXPECT_EQ(interface.exit_code, 1);
    EXPECT_THAT(interface.err, HasSubstr("AF_XDP needs the name of a network interface"));
}

}  // namespace
}  // namespace damrak::load_udp_test
