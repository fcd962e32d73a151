// `damrak load` at every ready-made venue, in the phase of its day that is hardest for it: calls in
// which nothing trades at once, stages without cancels, batches, the moment of an auction. The
// clock is that of a library that is loaded before the system's.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/base/local_days.hpp>
#include <damrak/base/system_time.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/venue/ready_made.hpp>
#include <damrak/venue/venue_file.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::load_venues_test {
namespace {

using Json = nlohmann::json;
using ::testing::Contains;

struct Moment {
    std::string_view venue;
    std::string_view name;
    int hour = 12;
    int minute = 0;
    int second = 0;
};

constexpr Moment k_moments[]{
    {"continuous", "day"},
    {"nasdaq-like", "opening", 9, 29, 59},
    {"nasdaq-like", "closing", 15, 59, 59},
    {"xetra-like", "call", 8, 55},
    {"lse-like", "call", 12, 1},
    {"tokyo-like", "opening", 8, 59, 59},
    {"hong-kong-like", "without_cancels", 9, 16},
    {"cme-like", "opening", 16, 59, 59},
    {"iex-like", "day", 10},
    {"frequent-batch", "batches"},
    {"crypto-like", "day"},
};

constexpr std::string_view k_gateways[]{"binary v1", "binary v2", "fix", "ouch"};

class LoadAtVenues : public ::testing::TestWithParam<std::tuple<Moment, std::string_view>> {};

TEST_P(LoadAtVenues, CountsNoErrorOfTheExchange) {
    const auto& [moment, how] = GetParam();
    const std::filesystem::path program = std::getenv("DAMRAK_PROGRAM");
    const std::filesystem::path library = program.parent_path() / "tests" / "moved_clock.so";
    if (!std::filesystem::exists(library)) GTEST_SKIP() << "the sanitizers do not allow it";
    const ScratchFolder folder;
    const std::string moved = folder / "moved";
    const auto venue = venue::find_venue(moment.venue);
    ASSERT_TRUE(venue) << venue.error();
    const LocalDays days = LocalDays::make(venue->zone).value();
    const std::int64_t first = system_time_ns() / k_day_ns + 1;
    constexpr std::int64_t k_monday = 4;  // the first one was the fifth day of 1970
    const std::int64_t wanted = days.at(
        first + (k_monday + 7 - first % 7) % 7,
        ((std::int64_t{moment.hour} * 60 + moment.minute) * 60 + moment.second) * k_second_ns);
    std::ofstream{moved} << (wanted - system_time_ns()) / k_second_ns;

    const std::string gateway{how.substr(0, how.find(' '))};
    const std::string environment =
        fmt::format("LD_PRELOAD={} DAMRAK_CLOCK_MOVED_BY={}", library.string(), moved);
    const RunningServer server{
        folder / "data",
        folder / "log",
        {"--venue", std::string{moment.venue}, "--only", "binary,fix,ouch", "--ouch-port", "0"},
        {"LD_PRELOAD=" + library.string(), "DAMRAK_CLOCK_MOVED_BY=" + moved}};
    const std::string port = Json::parse(server.ready_line())["ports"][gateway].dump();
    const std::string protocol =
        gateway == "binary" ? fmt::format("--protocol {}", how.substr(how.size() - 2)) : "";
    const auto run =
        run_shell(fmt::format("env {} $DAMRAK_PROGRAM load --gateway {} {} --port {} --clients 3 "
                              "--seconds 1.5 --warm-up 0.1 --verify --json",
                              environment, gateway, protocol, port));
    ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
    const Json report = Json::parse(run.out);
    EXPECT_EQ(report["errors"], 0) << report.value("first_error", "");
    EXPECT_GT(report["requests"], 0);
}

TEST(LoadAtVenuesTable, HasEachReadyMadeVenue) {
    std::vector<std::string_view> tried;
    for (const Moment& one : k_moments) tried.push_back(one.venue);
    for (const venue::ReadyMade& one : venue::ready_made()) EXPECT_THAT(tried, Contains(one.name));
}

std::string name_of(const ::testing::TestParamInfo<LoadAtVenues::ParamType>& info) {
    const auto& [moment, how] = info.param;
    std::string name = fmt::format("{}_{}_{}", moment.venue, moment.name, how);
    for (char& character : name)
        if (character == '-' || character == ' ') character = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, LoadAtVenues,
                         ::testing::Combine(::testing::ValuesIn(k_moments),
                                            ::testing::ValuesIn(k_gateways)),
                         name_of);

}  // namespace
}  // namespace damrak::testing::load_venues_test
