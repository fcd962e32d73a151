// The speed bump of a venue from the outside: at each gateway, in both wirings, with answers that
// are all right, and what a kill does to orders that wait.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_units.hpp>

#include "raw_binary.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::venue_delay_test {
namespace {

using testing::run_program;
using testing::RunningServer;

class VenueDelay : public ::testing::TestWithParam<const char*> {
  protected:
    std::vector<std::string> options(const std::string& delay, const std::string& gateways) {
        const std::string venue = folder_ / "bump.toml";
        std::ofstream{venue} << "name = \"bump\"\n[[session]]\nat = \"00:00\"\n"
                                "phase = \"continuous\"\n[delay]\n"
                             << delay;
        return {"--venue",    venue, "--wiring",    GetParam(), "--only",     gateways,
                "--fix-port", "0",   "--ouch-port", "0",        "--udp-port", "0"};
    }
    [[nodiscard]] nlohmann::json records() const {
        const auto run = run_program({"journal", "dump", data_, "--json"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        nlohmann::json all = nlohmann::json::array();
        std::istringstream lines{run.out};
        for (std::string line; std::getline(lines, line);)
            all.push_back(nlohmann::json::parse(line));
        return all;
    }

    testing::ScratchFolder folder_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
};

TEST_P(VenueDelay, EveryAnswerIsRightAtEveryGateway) {
    RunningServer server{data_, log_,
                         options("taking = \"2ms\"\ntaking_random = \"1ms\"\nreports = \"2ms\"\n",
                                 "binary,fix,ouch,udp")};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const auto ports = nlohmann::json::parse(server.ready_line())["ports"];
    for (const std::string gateway : {"binary", "fix", "ouch", "udp"}) {
        std::vector<std::string> arguments{
            "load",      "--gateway", gateway,     "--port", ports[gateway].dump(),
            "--clients", "4",         "--warm-up", "0",      "--seconds",
            "0.4",       "--verify",  "--json"};
        if (gateway == "udp") arguments.insert(arguments.end(), {"--udp-path", "socket"});
        const auto run = run_program(arguments);
        ASSERT_EQ(run.exit_code, 0) << gateway << run.err;
        if (gateway == "udp") continue;  // its report has other members
        const auto report = nlohmann::json::parse(run.out);
        EXPECT_EQ(report["errors"], 0) << gateway;
        EXPECT_EQ(report["verified"], true) << gateway;
        EXPECT_GT(report["requests"], 0) << gateway;
    }
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(VenueDelay, AnAnswerTakesAtLeastTheDelayAndTheRecordHasIt) {
    RunningServer server{data_, log_, options("taking = \"50ms\"\n", "binary")};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const testing::RawClient client{server.port()};
    (void)testing::hello(client);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(testing::place(client, 2, 1, {}).status, 1U);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{50});
    EXPECT_EQ(server.terminate(), 0);
    int found = 0;
    for (const auto& record : records()) {
        if (record["kind"] != "new_order") continue;
        ++found;
        EXPECT_EQ(record["delay_ns"], 50'000'000);
    }
    EXPECT_EQ(found, 1);
}

TEST_P(VenueDelay, ReportsWaitOnTheirWayBackAndRequestsDoNot) {
    RunningServer server{data_, log_, options("reports = \"50ms\"\n", "binary")};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const testing::RawClient client{server.port()};
    const std::uint64_t id = testing::hello(client).client;
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t i = 0; i < 10; ++i) {
        client.send(testing::new_order(2 + i, id, {}));
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    (void)client.receive(64);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{50});
    EXPECT_EQ(server.terminate(), 0);
    std::vector<std::int64_t> stamps;
    for (const auto& record : records())
        if (record["kind"] == "new_order")
            stamps.push_back(record["timestamp_ns"].get<std::int64_t>());
    ASSERT_EQ(stamps.size(), 10U);
    EXPECT_LT(stamps[1] - stamps[0], 50 * k_millisecond_ns) << "each is taken as it comes";
}

TEST_P(VenueDelay, MarketDataWaits) {
    auto arguments = options("market_data = \"200ms\"\n", "binary,http,itch");
    arguments.insert(arguments.end(), {"--http-port", "0", "--itch-port", "0"});
    RunningServer server{data_, log_, arguments};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const auto http =
        nlohmann::json::parse(server.ready_line())["ports"]["http"].get<std::uint16_t>();
    const testing::RawClient client{server.port()};
    const std::uint64_t id = testing::hello(client).client;
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(testing::place(client, 2, id, {}).status, 1U);
    const std::string request =
        "GET /v1/book?symbol=AAPL HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    std::string seen;
    for (int tries = 0; tries < 500 && !seen.contains("\"quantity\""); ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
        const testing::RawClient viewer{http};
        viewer.send(std::as_bytes(std::span{request}));
        seen.clear();
        for (const std::byte b : viewer.receive(1'000'000))
            seen += static_cast<char>(std::to_integer<unsigned char>(b));
    }
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{200}) << seen;
    EXPECT_THAT(seen, ::testing::HasSubstr("\"quantity\""));
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(VenueDelay, AKillLosesWhatWaits) {
    {
        RunningServer server{data_, log_, options("taking = \"1s\"\n", "binary")};
        ASSERT_NE(server.port(), 0) << testing::content_of(log_);
        const testing::RawClient client{server.port()};
        (void)testing::hello(client);
        client.send(testing::new_order(2, 1, {}));
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
        server.kill();
    }
    for (const auto& record : records()) EXPECT_NE(record["kind"], "new_order");
}

TEST_P(VenueDelay, AGracefulStopTakesWhatWaits) {
    RunningServer server{data_, log_, options("taking = \"1s\"\n", "binary")};
    ASSERT_NE(server.port(), 0) << testing::content_of(log_);
    const testing::RawClient client{server.port()};
    (void)testing::hello(client);
    client.send(testing::new_order(2, 1, {}));
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
    EXPECT_EQ(server.terminate(), 0);
    int orders = 0;
    for (const auto& record : records()) orders += record["kind"] == "new_order" ? 1 : 0;
    EXPECT_EQ(orders, 1);
}

INSTANTIATE_TEST_SUITE_P(Wirings, VenueDelay, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

}  // namespace
}  // namespace damrak::venue_delay_test
