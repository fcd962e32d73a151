// The system's clock under the exchange: set back, set ahead, far from the journal's last record at
// a start. The clock is that of a library that is loaded before the system's.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "raw_binary.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_clock_test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using testing::RawClient;
using testing::RunningServer;

// A text with these seconds. They are the difference of two clocks that are not read at the same
// instant, so they may be a little less.
auto has_seconds(std::string_view before, int seconds) {
    return AnyOf(HasSubstr(fmt::format("{}{}.", before, seconds)),
                 HasSubstr(fmt::format("{}{}.", before, seconds - 1)));
}

class ServeWithAClockThatIsSet : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const std::filesystem::path program = std::getenv("DAMRAK_PROGRAM");
        library_ = program.parent_path() / "tests" / "moved_clock.so";
        if (!std::filesystem::exists(library_)) GTEST_SKIP() << "the sanitizers do not allow it";
        std::ofstream{config_} << "[capacity]\nparticipants = 1000\naccounts = 4000\n";
    }
    void move_clock(int seconds) const {
        std::ofstream{moved_ + ".new"} << seconds;
        std::filesystem::rename(moved_ + ".new", moved_);
    }
    [[nodiscard]] std::unique_ptr<RunningServer> serve(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments{"--config", config_, "--wiring",    GetParam(),
                                           "--only",   "http",  "--http-port", "0"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return std::make_unique<RunningServer>(
            data_, log_, arguments,
            std::vector<std::string>{"LD_PRELOAD=" + library_, "DAMRAK_CLOCK_MOVED_BY=" + moved_});
    }
    static void order(const RunningServer& server) {
        const RawClient client{server.port()};
        const std::uint64_t id = testing::hello(client).client;
        ASSERT_EQ(testing::place(client, 2, id, {}).status, 1U);
    }
    static std::string get(const RunningServer& server, std::string_view path) {
        const auto ready = nlohmann::json::parse(server.ready_line());
        const RawClient client{ready["ports"]["http"].get<std::uint16_t>()};
        const std::string request = "GET " + std::string{path} +
                                    " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        client.send(std::as_bytes(std::span{request}));
        std::string answer;
        for (const std::byte b : client.receive(1'000'000))
            answer += static_cast<char>(std::to_integer<unsigned char>(b));
        return answer;
    }
    void expect_refused(const std::string& reason) const {
        std::filesystem::remove(log_);
        EXPECT_EQ(serve()->wait(), 1);
        EXPECT_THAT(testing::content_of(log_), AllOf(HasSubstr(reason), HasSubstr("set the clock"),
                                                     HasSubstr("--accept-clock")));
    }

    testing::ScratchFolder folder_;
    std::string library_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
    std::string config_ = folder_ / "exchange.toml";
    std::string moved_ = folder_ / "moved";
};

TEST_P(ServeWithAClockThatIsSet, ReportsAtOnceThatItGoesBackAndThatItHasCaughtUp) {
    const auto server = serve();
    order(*server);
    EXPECT_THAT(get(*server, "/health"), HasSubstr("\"status\": \"ok\""));
    move_clock(-3'600);
    EXPECT_THAT(server->log_with("behind the last record"),
                AllOf(has_seconds("the system clock was set back by ", 3'600),
                      HasSubstr("carry the time of that record")));
    EXPECT_THAT(get(*server, "/health"),
                AllOf(HasSubstr("200 OK"), HasSubstr("\"status\": \"warning\""),
                      HasSubstr("s behind the last record"), HasSubstr("\"clock_set_s\": -3")));
    EXPECT_THAT(get(*server, "/metrics"), AllOf(HasSubstr("\ndamrak_clock_behind_seconds 35"),
                                                HasSubstr("\ndamrak_clock_set_total 1\n")));
    order(*server);
    std::filesystem::remove(moved_);
    EXPECT_THAT(server->log_with("has caught up with the last"),
                has_seconds("was set ahead by ", 3'600));
    EXPECT_THAT(get(*server, "/health"), HasSubstr("\"status\": \"ok\""));
    order(*server);
    EXPECT_EQ(server->terminate(), 0);
}

TEST_P(ServeWithAClockThatIsSet, ReportsAtOnceThatItGoesFarAheadAndWhatThatLeaves) {
    const auto server = serve();
    move_clock(86'400);
    EXPECT_THAT(server->log_with("was set ahead"), has_seconds("set ahead by ", 86'400));
    EXPECT_THAT(get(*server, "/health"), has_seconds("set by +", 86'400));
    order(*server);
    std::filesystem::remove(moved_);
    EXPECT_THAT(server->log_with("behind the last record"), has_seconds("set back by ", 86'400));
    EXPECT_EQ(server->terminate(), 0);
}

TEST_P(ServeWithAClockThatIsSet, DoesNotStartFarFromTheLastRecordUnlessAskedTo) {
    {
        const auto server = serve();
        order(*server);
        EXPECT_EQ(server->terminate(), 0);
    }
    move_clock(-3'600);
    expect_refused("s behind the last record");
    move_clock(31 * 86'400);
    expect_refused("s ahead of the last record");
    move_clock(-30);
    EXPECT_EQ(serve()->terminate(), 0) << "within what is allowed";
    move_clock(-3'600);
    std::filesystem::remove(log_);
    const auto server = serve({"--accept-clock"});
    EXPECT_THAT(server->log_with("behind the last record"),
                ContainsRegex("the system clock is [0-9.]+ s behind"));
    order(*server);
    EXPECT_EQ(server->terminate(), 0);
}

INSTANTIATE_TEST_SUITE_P(Wirings, ServeWithAClockThatIsSet,
                         ::testing::Values("inline", "pipelined"));

}  // namespace
}  // namespace damrak::serve_clock_test
