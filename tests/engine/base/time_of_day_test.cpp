#include <damrak/base/time_of_day.hpp>

#include <gtest/gtest.h>

namespace damrak::time_of_day_test {
namespace {

constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr std::int64_t k_open_ns = 34'200 * k_second_ns;

TEST(TimeOfDay, ReadsMinutesSecondsAndDecimals) {
    EXPECT_EQ(parse_time_of_day("09:30"), k_open_ns);
    EXPECT_EQ(parse_time_of_day("09:30:00"), k_open_ns);
    EXPECT_EQ(parse_time_of_day("09:30:01.5"), k_open_ns + 1'500'000'000);
    EXPECT_EQ(parse_time_of_day("09:30:00.000000001"), k_open_ns + 1);
    EXPECT_EQ(parse_time_of_day("00:00"), 0);
    EXPECT_EQ(parse_time_of_day("24:00"), 86'400 * k_second_ns);
}

TEST(TimeOfDay, RefusesEverythingElse) {
    for (const char* text : {"",
                             "9:30",
                             "0930",
                             "09",
                             "09:",
                             "09:60",
                             "25:00",
                             "24:00:01",
                             "24:00:00.000000001",
                             "09:30:",
                             "09:30:60",
                             "09:30:00.",
                             "09:30:00.0000000001",
                             "09:30:00,5",
                             "09:30 ",
                             " 09:30",
                             "-1:30",
                             "09:30:00.5x",
                             "09:30.5",
                             "ab:cd",
                             "34200"}) {
        EXPECT_FALSE(parse_time_of_day(text).has_value()) << text;
    }
}

}  // namespace
}  // namespace damrak::time_of_day_test
