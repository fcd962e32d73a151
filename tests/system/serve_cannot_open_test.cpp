// What the exchange opens at its start and cannot open: one line that says what, and exit code 1;
// never a signal.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_binary.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_cannot_open_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* k_serve =
    "serve --data {} --binary-port 0 --fix-port 0 --ouch-port 0 --itch-port 0 --glimpse-port 0 "
    "--retransmit-port 0 --http-port 0 --udp-port off --mold-port off --l2-port off --json";

std::string serve(const testing::ScratchFolder& folder) {
    return fmt::format(fmt::runtime(k_serve), (folder / "data").string());
}

class ServeCannotOpen : public ::testing::TestWithParam<const char*> {};

// Root may open everything but a folder as a file, and a file as a folder.
TEST_P(ServeCannotOpen, WhatItNeedsAndSaysSoInOneLine) {
    const testing::ScratchFolder folder;
    std::filesystem::create_directories(folder / "data");
    const std::filesystem::path blocked = folder / "data" / GetParam();
    if (blocked.has_extension() || blocked.filename() == "operator-token")
        std::filesystem::create_directories(blocked);
    else
        std::ofstream{blocked} << "no folder";
    const auto run = testing::run_shell("exec $DAMRAK_PROGRAM " + serve(folder));
    EXPECT_EQ(run.exit_code, 1) << run.err;
    const std::string line = run.err.substr(run.err.find("damrak: "));
    EXPECT_THAT(line, HasSubstr(blocked.string()));
    EXPECT_EQ(testing::lines_in(line), 1U) << line;
}

INSTANTIATE_TEST_SUITE_P(Paths, ServeCannotOpen,
                         ::testing::Values("feed", "fix", "archive", "operator-token"));

TEST(ServeWithFewDescriptors, SaysHowManyItNeeds) {
    for (const int limit : {16, 64, 191}) {
        const testing::ScratchFolder folder;
        const auto run = testing::run_shell(
            fmt::format("ulimit -n {}; exec $DAMRAK_PROGRAM {}", limit, serve(folder)));
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_THAT(run.err,
                    HasSubstr(fmt::format("the limit of open files is {}, and 192", limit)));
        EXPECT_THAT(run.err, HasSubstr("ulimit -n"));
        EXPECT_FALSE(std::filesystem::exists(folder / "data")) << "nothing was begun";
    }
}

// A connection costs a descriptor. Those that the clients may not have are for the journal, which
// begins a segment of 1 MiB after 5,440 records and makes the one after next.
class FewDescriptors : public ::testing::TestWithParam<const char*> {};

TEST_P(FewDescriptors, AreKeptInPartFromClients) {
    const testing::ScratchFolder folder;
    const std::string log = folder / "log";
    const std::string file = folder / "exchange.toml";
    std::ofstream{file} << "[journal]\nsegment_mib = 1\n";
    testing::RunningServer server{
        folder / "data", log, {"--config", file, "--wiring", GetParam()}, {}, 256};
    std::vector<std::unique_ptr<testing::RawClient>> idle;
    const auto trade = [](const testing::RawClient& client) {
        const testing::Login login = testing::hello(client);
        ASSERT_EQ(login.status, 1U);
        constexpr std::uint32_t k_orders = 3'000;
        for (std::uint32_t i = 0; i < k_orders; ++i)
            ASSERT_EQ(testing::place(client, i + 2, login.client, {}).status, 1U) << i;
    };
    for (int i = 0; i < 300; ++i)
        idle.push_back(std::make_unique<testing::RawClient>(server.port()));
    EXPECT_TRUE(idle.front()->is_closed()) << "who waited longest made room";
    const testing::RawClient first{server.port()};
    const testing::RawClient second{server.port()};
    trade(first);
    trade(second);
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(testing::content_of(log), AllOf(HasSubstr("at most 88 clients at once (binary 88)"),
                                                Not(HasSubstr("cannot create")),
                                                HasSubstr("binary_connections: 88 of 88 in use")));
}

INSTANTIATE_TEST_SUITE_P(Wirings, FewDescriptors, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

}  // namespace
}  // namespace damrak::serve_cannot_open_test
