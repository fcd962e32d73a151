// Resource use of an idle `damrak serve`. The test counts wake-ups of its helpers, as processor
// time depends on the machine and its load.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/standard_exchange/gateway_table.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_idle_test {
namespace {

using testing::RawClient;
using testing::RunningServer;

/// How often each thread of a process has gone to sleep, by its name.
std::map<std::string, std::int64_t> sleeps_of(const RunningServer& server) {
    std::map<std::string, std::int64_t> sleeps;
    const std::string tasks = "/proc/" + std::to_string(server.process()) + "/task";
    for (const auto& task : std::filesystem::directory_iterator{tasks}) {
        std::ifstream status{task.path() / "status"};
        std::string name;
        for (std::string word; status >> word;) {
            if (word == "Name:") status >> name;
            std::int64_t times = 0;
            if (word == "voluntary_ctxt_switches:" && status >> times) sleeps[name] += times;
        }
    }
    return sleeps;
}

std::chrono::steady_clock::time_point now() {
    return std::chrono::steady_clock::now();  // real time: wake-ups are counted per second
}

class IdleServeTest : public ::testing::TestWithParam<const char*> {};

TEST_P(IdleServeTest, HelpersSeldomWakeUpAndAreThereWhenAnOrderComes) {
    const testing::ScratchFolder folder;
    RunningServer server{folder / "data",
                         folder / "log",
                         {"--wiring", GetParam(), "--only", "fix,udp", "--udp-port", "0"}};
    const auto seconds_since = [](std::chrono::steady_clock::time_point begin) {
        return std::chrono::duration<double>(now() - begin).count();
    };
    const auto start = now();
    ASSERT_TRUE(testing::eventually([&] { return seconds_since(start) > 1; }));
    const auto begin = now();
    const auto before = sleeps_of(server);
    ASSERT_TRUE(testing::eventually([&] { return seconds_since(begin) > 2; }));
    const auto after = sleeps_of(server);
    const double seconds = seconds_since(begin);
    // A pause is never shorter than it was requested.
    for (const char* const name : {"journal-alloc", "journal-syncer", "fix-stores", "notices"}) {
        ASSERT_TRUE(before.contains(name)) << name;
        EXPECT_LE(static_cast<double>(after.at(name) - before.at(name)), 10 + 25 * seconds) << name;
    }
    const RawClient client{server.port()};
    EXPECT_EQ(testing::place(client, 2, testing::hello(client).client, {}).status, 1U);
    EXPECT_EQ(server.terminate(), 0);
}

// With every gateway open, a turn costs what is due in it, not what there is.
TEST_P(IdleServeTest, WakesUpNoMoreForEightThousandInstruments) {
    const testing::ScratchFolder folder;
    {
        std::ofstream config{folder / "config.toml"};
        config << "capacity.instruments = 8192\n";
        for (int id = 1; id <= 8'000; ++id)
            config << "[[instruments]]\nid = " << id << "\nsymbol = \"S" << id << "\"\n";
    }
    std::vector<std::string> options{"--wiring", GetParam(), "--config",
                                     (folder / "config.toml").string()};
    for (const auto& gateway : standard_exchange::k_gateways)
        options.insert(options.end(), {"--only", std::string{gateway.name},
                                       "--" + std::string{gateway.name} + "-port", "0"});
    RunningServer server{folder / "data", folder / "log", options};
    const auto sleeps_in_all = [&server] {
        std::int64_t all = 0;
        for (const auto& [name, sleeps] : sleeps_of(server)) all += sleeps;
        return all;
    };
    const auto begin = now();
    const std::int64_t before = sleeps_in_all();
    const auto seconds = [&] { return std::chrono::duration<double>(now() - begin).count(); };
    ASSERT_TRUE(testing::eventually([&] { return seconds() > 2; }));
    // 14 threads with pauses of 20 ms and more.
    EXPECT_LE(static_cast<double>(sleeps_in_all() - before), 500 + 14 * 60 * seconds());
    EXPECT_EQ(server.terminate(), 0);
}

INSTANTIATE_TEST_SUITE_P(Wirings, IdleServeTest, ::testing::Values("inline", "pipelined"),
                         [](const auto& tested) { return std::string{tested.param}; });

}  // namespace
}  // namespace damrak::serve_idle_test
