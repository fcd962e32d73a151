// The pace of a replayed day.
#include <damrak/recorded_market/detail/schedule.hpp>

#include <limits>

#include <gtest/gtest.h>

#include <damrak/recorded_market/replayed_day.hpp>

namespace damrak::recorded_market::schedule_test {
namespace {

constexpr std::int64_t k_ms = 1'000'000;

TEST(Schedule, GoesAtItsSpeed) {
    Schedule schedule{100};
    EXPECT_EQ(schedule.due_ns({5 * k_ms}, 60), 100);  // it begins with its first turn
    EXPECT_EQ(schedule.due_ns({6 * k_ms}, 60), 100 + 60 * k_ms);
    EXPECT_EQ(schedule.due_ns({7 * k_ms}, 0.5), 100 + 60 * k_ms + k_ms / 2);
}

TEST(Schedule, StandsStillWhilePausedAndWhereTheClockIsSetBack) {
    Schedule schedule{0};
    static_cast<void>(schedule.due_ns({0}, 1));
    schedule.pause({10 * k_ms});
    EXPECT_EQ(schedule.due_ns({11 * k_ms}, 1), k_ms);
    EXPECT_EQ(schedule.due_ns({3 * k_ms}, 1), k_ms);
    EXPECT_EQ(schedule.due_ns({4 * k_ms}, 1), 2 * k_ms);
}

TEST(Schedule, GoesOnFromWhatWasPlayedAtOnce) {
    Schedule schedule{0};
    EXPECT_EQ(schedule.due_ns({k_ms}, k_fastest), std::numeric_limits<std::int64_t>::max());
    schedule.note(500 * k_ms);
    EXPECT_EQ(schedule.due_ns({2 * k_ms}, 1), 501 * k_ms);
}

TEST(Speed, IsANumberOrMax) {
    EXPECT_EQ(parse_speed("max").value_or(0), k_fastest);
    EXPECT_EQ(parse_speed("1").value_or(0), 1);
    EXPECT_EQ(parse_speed("0.25").value_or(0), 0.25);
    for (const char* const wrong : {"", "0", "-1", "1x", "inf", "nan", "1e9", "fast"})
        EXPECT_FALSE(parse_speed(wrong)) << wrong;
}

}  // namespace
}  // namespace damrak::recorded_market::schedule_test
