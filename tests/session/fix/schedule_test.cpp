#include <damrak/session/fix/schedule.hpp>

#include <gtest/gtest.h>

#include <damrak/wire/fix/values.hpp>

namespace damrak::session::fix {
namespace {

// 5 January 2026 was a Monday.
Timestamp at(std::string_view text) { return wire::fix::parse_timestamp(text).value(); }
Schedule schedule(std::string_view text) { return Schedule::parse(text).value(); }

TEST(FixSchedule, AlwaysMeansOneSessionForEver) {
    const Schedule always = schedule("always");
    EXPECT_EQ(always, Schedule{});
    EXPECT_TRUE(always.is_open(at("19691231-23:59:59")));
    EXPECT_LT(always.last_start(at("20260105-00:00:00")), at("19700101-00:00:00"));
}

TEST(FixSchedule, ADayHasItsHoursWithTheEndLeftOut) {
    const Schedule day = schedule("07:00:00-17:30:00");
    EXPECT_FALSE(day.is_open(at("20260105-06:59:59.999999999")));
    EXPECT_TRUE(day.is_open(at("20260105-07:00:00")));
    EXPECT_TRUE(day.is_open(at("20260105-17:29:59.999999999")));
    EXPECT_FALSE(day.is_open(at("20260105-17:30:00")));
    EXPECT_EQ(day.last_start(at("20260106-06:00:00")), at("20260105-07:00:00"));
}

TEST(FixSchedule, ADayMayGoOverMidnight) {
    const Schedule night = schedule("22:00-05:00");
    EXPECT_TRUE(night.is_open(at("20260105-23:00:00")));
    EXPECT_TRUE(night.is_open(at("20260106-04:59:59")));
    EXPECT_FALSE(night.is_open(at("20260106-05:00:00")));
    EXPECT_EQ(night.last_start(at("20260106-04:00:00")), at("20260105-22:00:00"));
}

TEST(FixSchedule, EqualTimesAreAroundTheClock) {
    const Schedule clock = schedule("17:00-17:00");
    EXPECT_TRUE(clock.is_open(at("20260105-16:59:59")));
    EXPECT_TRUE(clock.is_open(at("20260105-17:00:00")));
    EXPECT_EQ(clock.last_start(at("20260105-16:59:59")), at("20260104-17:00:00"));
    EXPECT_EQ(clock.last_start(at("20260105-17:00:00")), at("20260105-17:00:00"));
}

TEST(FixSchedule, AWeekGoesFromOneDayToAnother) {
    const Schedule week = schedule("mon 07:00:00-fri 17:30:00");
    EXPECT_FALSE(week.is_open(at("20260105-06:59:59")));
    EXPECT_TRUE(week.is_open(at("20260105-07:00:00")));
    EXPECT_TRUE(week.is_open(at("20260108-03:00:00")));
    EXPECT_FALSE(week.is_open(at("20260109-17:30:00")));
    EXPECT_FALSE(week.is_open(at("20260111-12:00:00")));
    EXPECT_EQ(week.last_start(at("20260111-12:00:00")), at("20260105-07:00:00"));
}

TEST(FixSchedule, AWeekMayGoOverSunday) {
    const Schedule week = schedule("sun 22:00-fri 22:00");
    EXPECT_FALSE(week.is_open(at("20260103-22:00:00")));
    EXPECT_TRUE(week.is_open(at("20260104-22:00:00")));
    EXPECT_TRUE(week.is_open(at("20260105-10:00:00")));
    EXPECT_FALSE(week.is_open(at("20260109-22:00:00")));
}

TEST(FixSchedule, TimesBeforeTheEpochAreTimes) {
    const Schedule day = schedule("07:00-17:00");
    EXPECT_TRUE(day.is_open(at("19691231-08:00:00")));
    EXPECT_EQ(day.last_start(at("19691231-06:00:00")), at("19691230-07:00:00"));
}

TEST(FixSchedule, WhatIsNoScheduleIsTold) {
    for (const auto* text : {"", "never", "07:00", "07:00-", "25:00-26:00", "mon 07:00-17:00",
                             "moo 07:00-fri 17:00", "07:00:00 17:00:00"}) {
        const auto parsed = Schedule::parse(text);
        ASSERT_FALSE(parsed.has_value()) << text;
        EXPECT_NE(parsed.error().find("always"), std::string::npos) << parsed.error();
    }
}

}  // namespace
}  // namespace damrak::session::fix
