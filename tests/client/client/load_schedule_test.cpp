// When the requests of an open-loop run are due.
#include <damrak/client/load_schedule.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace damrak::client::load_schedule_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::array<std::uint32_t, 1> k_one_part{10};

std::vector<std::int64_t> due(const LoadTimetable& table, std::size_t count) {
    LoadSchedule schedule{table, k_one_part, 0};
    std::vector<std::int64_t> instants;
    for (std::size_t i = 0; i < count; ++i, schedule.advance())
        instants.push_back(schedule.due_ns());
    return instants;
}

std::size_t due_before(const LoadTimetable& table, std::int64_t end_ns,
                       std::span<const std::uint32_t> parts = k_one_part, std::size_t part = 0) {
    LoadSchedule schedule{table, parts, part};
    std::size_t count = 0;
    for (; schedule.due_ns() < end_ns; schedule.advance()) ++count;
    return count;
}

LoadTimetable at_rate(double rate) {
    return {.stretches = {{.begin_s = 0, .rate = rate, .rate_at_end = rate}}};
}

constexpr std::int64_t k_second_ns = 1'000'000'000;

TEST(LoadSchedule, SpreadsARateEvenly) {
    EXPECT_THAT(due(at_rate(4), 3), ElementsAre(250'000'000, 500'000'000, 750'000'000));
}

TEST(LoadSchedule, WithoutARateNothingIsDue) {
    EXPECT_THAT(due(at_rate(0), 2), ElementsAre(LoadSchedule::k_never, LoadSchedule::k_never));
}

TEST(LoadSchedule, RampSendsHalfOfWhatTheFullRateWould) {
    LoadTimetable table = at_rate(1'000);
    table.stretches = {{.begin_s = 0, .rate = 0, .rate_at_end = 1'000},
                       {.begin_s = 10, .rate = 1'000, .rate_at_end = 1'000}};
    EXPECT_NEAR(static_cast<double>(due_before(table, 10 * k_second_ns)), 5'000, 1);
    EXPECT_NEAR(static_cast<double>(due_before(table, 5 * k_second_ns)), 1'250, 1);
    EXPECT_NEAR(static_cast<double>(due_before(table, 11 * k_second_ns)), 6'000, 1);
}

TEST(LoadSchedule, FollowsTheRatesOfAFile) {
    const auto rates = parse_rates("second,rate\n0,100\n2,0\n# nothing for a while\n4, 1000\n");
    ASSERT_TRUE(rates) << rates.error();
    const LoadTimetable table{.stretches = *rates};
    EXPECT_NEAR(static_cast<double>(due_before(table, 2 * k_second_ns)), 200, 1);
    EXPECT_NEAR(static_cast<double>(due_before(table, 4 * k_second_ns)), 200, 1);
    EXPECT_NEAR(static_cast<double>(due_before(table, 5 * k_second_ns)), 1'200, 1);
}

TEST(LoadSchedule, AddsBurstsToTheRate) {
    LoadTimetable table = at_rate(1);
    table.burst = 3;
    table.burst_every_s = 0.6;
    EXPECT_THAT(due(table, 6), ElementsAre(600'000'000, 600'000'000, 600'000'000, k_second_ns,
                                           1'200'000'000, 1'200'000'000));
}

TEST(LoadSchedule, BurstsNeedNoRate) {
    const LoadTimetable table{.burst = 2, .burst_every_s = 1};
    EXPECT_THAT(due(table, 3), ElementsAre(k_second_ns, k_second_ns, 2 * k_second_ns));
}

TEST(LoadSchedule, JitterMakesLateByLessThanTheNext) {
    LoadTimetable table = at_rate(1'000);
    table.jitter = 1;
    const auto instants = due(table, 1'000);
    EXPECT_TRUE(std::ranges::is_sorted(instants));
    bool any_late = false;
    for (std::size_t i = 0; i < instants.size(); ++i) {
        const auto on_time_ns = static_cast<std::int64_t>(i + 1) * 1'000'000;
        EXPECT_GE(instants[i], on_time_ns - 1);
        EXPECT_LE(instants[i], on_time_ns + 1'000'000);
        any_late |= instants[i] > on_time_ns + 100'000;
    }
    EXPECT_TRUE(any_late);
    EXPECT_EQ(instants, due(table, 1'000)) << "the same for the same seed";
    table.seed = 2;
    EXPECT_NE(instants, due(table, 1'000));
}

TEST(LoadSchedule, PartsAddUpToTheWhole) {
    LoadTimetable table = at_rate(1'000);
    table.burst = 10;
    table.burst_every_s = 0.1;
    const std::array<std::uint32_t, 3> parts{3, 3, 4};
    std::size_t sum = 0;
    for (std::size_t part = 0; part < parts.size(); ++part)
        sum += due_before(table, k_second_ns, parts, part);
    EXPECT_NEAR(static_cast<double>(sum), 1'090, 3);
}

TEST(LoadSchedule, ReportsTheLineThatIsWrong) {
    const auto error = [](const char* text) {
        const auto rates = parse_rates(text);
        return rates ? std::string{} : rates.error();
    };
    EXPECT_THAT(error("0,10\n1;20\n"), HasSubstr("line 2: expected second,rate"));
    EXPECT_THAT(error("0,10\n\n# a note\nx,20\n"),
                HasSubstr("line 4: second and rate must be non-negative numbers"));
    EXPECT_THAT(error("0,-1\n"), HasSubstr("line 1: second and rate"));
    EXPECT_THAT(error("0,1e999\n"), HasSubstr("line 1: second and rate"));
    EXPECT_THAT(error("1,10\n"), HasSubstr("line 1: the first second must be 0"));
    EXPECT_THAT(error("0,10\n5,10\n5,20\n"), HasSubstr("line 3: seconds must ascend"));
    EXPECT_THAT(error(""), HasSubstr("the file has no line of the form second,rate"));
    EXPECT_THAT(error("second,rate\n"), HasSubstr("the file has no line of the form second,rate"));
}

}  // namespace
}  // namespace damrak::client::load_schedule_test
