// Capacities over a journal that has others, from the outside, in both wirings: larger ones are
// taken over at a start, whatever stopped the last run, and smaller ones are refused.
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_binary.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::capacity_test {
namespace {

using ::testing::HasSubstr;
using testing::hello;
using testing::Login;
using testing::place;
using testing::RawClient;
using testing::run_program;
using testing::RunningServer;

class Capacities : public ::testing::TestWithParam<std::string> {
  protected:
    void ask_for(int orders, int participants, int instruments = 2) const {
        std::string text = fmt::format(
            "[capacity]\nanonymous_share = 100\norders = {}\nparticipants = {}\ninstruments = "
            "{}\n",
            orders, participants, instruments);
        for (int id = 1; id <= instruments; ++id)
            text += fmt::format("[[instruments]]\nid = {}\nsymbol = \"I{}\"\n", id, id);
        std::ofstream{file_} << text;
    }
    [[nodiscard]] std::vector<std::string> flags() const {
        return {"--config", file_, "--wiring", GetParam()};
    }
    [[nodiscard]] RunningServer start() const { return {data_, log_, flags()}; }
    void expect_sound() const {
        const auto run = run_program({"journal", "verify", data_});
        EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    }

    testing::ScratchFolder folder_;
    std::string file_ = folder_ / "exchange.toml";
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
};

// This many are accepted, and no more.
void fill(const RunningServer& server, int orders, std::uint32_t instrument = 1) {
    const RawClient client{server.port()};
    const Login login = hello(client);
    ASSERT_EQ(login.status, 1U);
    std::uint32_t sequence = 2;
    for (int i = 0; i < orders; ++i)
        ASSERT_EQ(place(client, sequence++, login.client, {.instrument = instrument}).status, 1U)
            << i;
    EXPECT_EQ(place(client, sequence, login.client, {.instrument = instrument}).status, 2U);
}

TEST_P(Capacities, GrowOverAJournal) {
    ask_for(10, 3);
    {
        RunningServer server = start();
        fill(server, 10);
        server.kill();
    }
    ask_for(30, 6);
    {
        RunningServer server = start();
        fill(server, 20);
        server.kill();
    }
    expect_sound();
    {
        RunningServer server = start();
        fill(server, 0);
        EXPECT_EQ(server.terminate(), 0);
    }
    // From the snapshot of that stop, and over the record that comes after it.
    for (int run = 0; run < 3; ++run) {
        ask_for(40 + 10 * run, 12 + run, 4);
        RunningServer server = start();
        fill(server, 10, 4 - static_cast<std::uint32_t>(run));
        if (run == 1) {
            EXPECT_EQ(server.terminate(), 0);
        } else {
            server.kill();
        }
    }
    expect_sound();
}

TEST_P(Capacities, NeverShrink) {
    ask_for(10, 3);
    EXPECT_EQ(start().terminate(), 0);
    ask_for(20, 3);
    start().kill();
    ask_for(15, 3);
    std::vector<std::string> arguments{"serve", "--data", data_,   "--binary-port",
                                       "0",     "--only", "binary"};
    for (const std::string& flag : flags()) arguments.push_back(flag);
    const auto run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("orders = 15 (the journal has 20)"));
    ask_for(20, 3);
    RunningServer server = start();
    fill(server, 20);
}

INSTANTIATE_TEST_SUITE_P(Wirings, Capacities, ::testing::Values("inline", "pipelined"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace damrak::capacity_test
