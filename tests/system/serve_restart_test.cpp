// A clean end leaves a snapshot of everything, and the next start uses it whatever is open.
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_binary.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_restart_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RawClient;
using testing::RunningServer;

class ServeRestart : public ::testing::TestWithParam<const char*> {};

// The journal ends with the sessions of those clients, which are nothing to the feed.
TEST_P(ServeRestart, BeginsWithTheLastSnapshotWhenFeedAndArchiveAreOn) {
    const testing::ScratchFolder folder;
    const std::string file = folder / "exchange.toml";
    std::ofstream{file} << "[journal]\nsegment_mib = 1\n"
                           "[[participants]]\nid = 1\napi_key = \"one\"\n";
    const std::vector<std::string> arguments{
        "--config",      file,          "--wiring", GetParam(),    "--only",
        "itch,fix,ouch", "--itch-port", "0",        "--ouch-port", "0"};
    for (int round = 0; round < 3; ++round) {
        const std::string log = folder / ("log" + std::to_string(round));
        RunningServer server{folder / "data", log, arguments};
        const RawClient trader{server.port()};
        const auto login = testing::hello(trader, "one");
        EXPECT_EQ(testing::place(trader, 2, login.client, {}).status, 1U);
        EXPECT_EQ(testing::hello(RawClient{server.port()}, "one").status, 1U);
        EXPECT_EQ(testing::hello(RawClient{server.port()}, "none").status, 3U);
        EXPECT_EQ(server.terminate(), 0);
        if (round == 0) continue;
        EXPECT_THAT(
            testing::content_of(log),
            AllOf(HasSubstr("recovered    the snapshot of record "),
                  HasSubstr(", then 0 records up to record "), Not(HasSubstr("passed over"))));
    }
}

INSTANTIATE_TEST_SUITE_P(Wirings, ServeRestart, ::testing::Values("inline", "pipelined"),
                         [](const auto& each) { return std::string{each.param}; });

}  // namespace
}  // namespace damrak::serve_restart_test
