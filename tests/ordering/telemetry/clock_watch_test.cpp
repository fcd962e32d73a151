// The watch on the system's clock: set back, set ahead, corrected slightly, behind the last stamp.
#include <damrak/telemetry/clock_watch.hpp>

#include <gtest/gtest.h>

namespace damrak::telemetry::clock_watch_test {
namespace {

constexpr std::int64_t k_second = 1'000'000'000;
constexpr std::int64_t k_begin = 1'800'000'000 * k_second;

TEST(ClockWatch, FindsNothingWhileTheClockRunsNormally) {
    ClockWatch watch{k_begin, 7};
    for (std::int64_t i = 0; i < 1'000; ++i) {
        const std::int64_t corrected = i * 10'000'000 + i * 50'000'000;  // 0.5 s per 10 s
        const auto found = watch.look({.system_ns = k_begin + corrected,
                                       .steady_ns = 7 + i * 10'000'000,
                                       .last_stamp_ns = k_begin + corrected - 1});
        EXPECT_EQ(found.set_ns, 0);
        EXPECT_FALSE(found.stands_still || found.goes_on);
    }
    EXPECT_EQ(watch.times_set(), 0U);
    EXPECT_EQ(watch.behind_ns(), 0);
}

TEST(ClockWatch, ReportsOnceThatTheClockWasSetBackAndTimeStandsStill) {
    ClockWatch watch{k_begin, 0};
    const std::int64_t stamp = k_begin + k_second;
    auto found = watch.look({k_begin + 2 * k_second - 3'600 * k_second, 2 * k_second, stamp});
    EXPECT_EQ(found.set_ns, -3'600 * k_second);
    EXPECT_TRUE(found.stands_still);
    EXPECT_TRUE(watch.stands_still());
    EXPECT_EQ(watch.behind_ns(), 3'599 * k_second);
    found = watch.look({k_begin + 3 * k_second - 3'600 * k_second, 3 * k_second, stamp});
    EXPECT_EQ(found.set_ns, 0);
    EXPECT_FALSE(found.stands_still);
    EXPECT_EQ(watch.behind_ns(), 3'598 * k_second);
    EXPECT_EQ(watch.set_ns(), -3'600 * k_second);
    found = watch.look({k_begin + 4 * k_second, 4 * k_second, stamp});
    EXPECT_EQ(found.set_ns, 3'600 * k_second);
    EXPECT_TRUE(found.goes_on);
    EXPECT_FALSE(watch.stands_still());
    EXPECT_EQ(watch.times_set(), 2U);
    EXPECT_EQ(watch.set_ns(), 0);
}

TEST(ClockWatch, ReportsThatTheClockWasSetAheadAndBack) {
    ClockWatch watch{k_begin, 0};
    auto found = watch.look({k_begin + 86'400 * k_second, 0, k_begin});
    EXPECT_EQ(found.set_ns, 86'400 * k_second);
    EXPECT_FALSE(found.stands_still);
    // An order arrived meanwhile.
    found = watch.look({k_begin + k_second, k_second, k_begin + 86'400 * k_second});
    EXPECT_EQ(found.set_ns, -86'400 * k_second);
    EXPECT_TRUE(found.stands_still);
    EXPECT_EQ(watch.behind_ns(), 86'399 * k_second);
}

TEST(ClockWatch, IsBehindFromTheStartAfterAJournalWithLaterStamps) {
    ClockWatch watch{k_begin, 0};
    const auto found = watch.look({k_begin, 0, k_begin + 50 * k_second});
    EXPECT_EQ(found.set_ns, 0);
    EXPECT_TRUE(found.stands_still);
}

}  // namespace
}  // namespace damrak::telemetry::clock_watch_test
