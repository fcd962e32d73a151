#include <damrak/session/fix/detail/schedule.hpp>

#include <gtest/gtest.h>

#include <damrak/fix_codec/values.hpp>

namespace damrak::session::fix::schedule_test {
namespace {

// 5 January 2026 was a Monday.
Timestamp at(std::string_view text) { return fix_codec::parse_timestamp(text).value(); }
Schedule schedule(std::string_view text) { return Schedule::parse(text).value(); }

TEST(FixSchedule, AlwaysMeansOneSessionForEver) {
    const Schedule always = schedule("always");
    EXPECT_EQ(always, Schedule{});
    EXPECT_TRUE(always.is_open(at("19691231-23:59:59")));
    EXPECT_LT(always.last_start(at("20260105-00:00:00")), at("19700101-00:00:00"));
}

TEST(FixSchedule, ADayHasItsHoursExcludingTheEnd) {
    const Schedule day = schedule("07:00:00-17:30:00");
    EXPECT_FALSE(day.is_open(at("20260105-06:59:59.999999999")));
    EXPECT_TRUE(day.is_open(at("20260105-07:00:00")));
    EXPECT_TRUE(day.is_open(at("20260105-17:29:59.999999999")));
    EXPECT_FALSE(day.is_open(at("20260105-17:30:00")));
    EXPECT_EQ(day.last_start(at("20260106-06:00:00")), at("20260105-07:00:00"));
}

TEST(FixSchedule, ADayMaySpanMidnight) {
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

TEST(FixSchedule, AWeekSpansFromOneDayToAnother) {
    const Schedule week = schedule("mon 07:00:00-fri 17:30:00");
    EXPECT_FALSE(week.is_open(at("20260105-06:59:59")));
    EXPECT_TRUE(week.is_open(at("20260105-07:00:00")));
    EXPECT_TRUE(week.is_open(at("20260108-03:00:00")));
    EXPECT_FALSE(week.is_open(at("20260109-17:30:00")));
    EXPECT_FALSE(week.is_open(at("20260111-12:00:00")));
    EXPECT_EQ(week.last_start(at("20260111-12:00:00")), at("20260105-07:00:00"));
}

TEST(FixSchedule, AWeekMaySpanSunday) {
    const Schedule week = schedule("sun 22:00-fri 22:00");
    EXPECT_FALSE(week.is_open(at("20260103-22:00:00")));
    EXPECT_TRUE(week.is_open(at("20260104-22:00:00")));
    EXPECT_TRUE(week.is_open(at("20260105-10:00:00")));
    EXPECT_FALSE(week.is_open(at("20260109-22:00:00")));
}

TEST(FixSchedule, TimesBeforeTheEpochWork) {
    const Schedule day = schedule("07:00-17:00");
    EXPECT_TRUE(day.is_open(at("19691231-08:00:00")));
    EXPECT_EQ(day.last_start(at("19691231-06:00:00")), at("19691230-07:00:00"));
}

Schedule schedule_in(std::string_view zone, std::string_view text) {
    return schedule(text).in(TimeZone::find(zone).value());
}

TEST(FixSchedule, HoursAreInLocalTimeOfTheirZone) {
    const Schedule day = schedule_in("Europe/Amsterdam", "07:00:00-17:30:00");
    // Winter, and summer from 29 March 2026 on.
    EXPECT_FALSE(day.is_open(at("20260327-05:59:59.999999999")));
    EXPECT_TRUE(day.is_open(at("20260327-06:00:00")));
    EXPECT_FALSE(day.is_open(at("20260327-16:30:00")));
    EXPECT_FALSE(day.is_open(at("20260330-04:59:59.999999999")));
    EXPECT_TRUE(day.is_open(at("20260330-05:00:00")));
    EXPECT_FALSE(day.is_open(at("20260330-15:30:00")));
    EXPECT_EQ(day.last_start(at("20260330-12:00:00")), at("20260330-05:00:00"));
    EXPECT_EQ(day.last_start(at("20260330-04:00:00")), at("20260329-05:00:00"));
}

TEST(FixSchedule, AWeekIsAnHourShorterOrLongerWhenClocksChange) {
    const Schedule week = schedule_in("America/New_York", "sun 17:00-fri 17:00");
    // The clocks go ahead on Sunday, 8 March 2026, at 02:00 and back on 1 November.
    EXPECT_EQ(week.last_start(at("20260306-12:00:00")), at("20260301-22:00:00"));
    EXPECT_TRUE(week.is_open(at("20260306-21:59:59")));
    EXPECT_FALSE(week.is_open(at("20260306-22:00:00")));
    EXPECT_FALSE(week.is_open(at("20260308-20:59:59.999999999")));
    EXPECT_TRUE(week.is_open(at("20260308-21:00:00")));
    EXPECT_FALSE(week.is_open(at("20261101-21:59:59.999999999")));
    EXPECT_TRUE(week.is_open(at("20261101-22:00:00")));
}

TEST(FixSchedule, ASkippedOrRepeatedStartHappensOnce) {
    const Schedule night = schedule_in("Europe/Amsterdam", "02:30-02:30");
    EXPECT_EQ(night.last_start(at("20260329-00:59:59")), at("20260328-01:30:00"));
    EXPECT_EQ(night.last_start(at("20260329-01:00:00")), at("20260329-01:00:00"));
    EXPECT_EQ(night.last_start(at("20260330-00:30:00")), at("20260330-00:30:00"));
    // 02:30 comes at 00:30 and at 01:30 of UTC.
    EXPECT_EQ(night.last_start(at("20261025-00:29:59")), at("20261024-00:30:00"));
    for (const char* const time : {"20261025-00:30:00", "20261025-01:00:00", "20261025-01:30:00"})
        EXPECT_EQ(night.last_start(at(time)), at("20261025-00:30:00")) << time;
    for (Timestamp now = at("20260328-00:00:00"); now < at("20261103-00:00:00");
         now.value += 600'000'000'000)
        ASSERT_TRUE(night.is_open(now)) << now.value;
}

TEST(FixSchedule, StartsOfAZoneNeverGoBack) {
    for (const char* const zone : {"Europe/Dublin", "Australia/Lord_Howe", "Pacific/Apia"}) {
        const Schedule day = schedule_in(zone, "01:45-01:15");
        Timestamp last = day.last_start(at("20110101-00:00:00"));
        for (Timestamp now = at("20110101-00:00:00"); now < at("20120601-00:00:00");
             now.value += 900'000'000'000) {
            const Timestamp start = day.last_start(now);
            ASSERT_LE(last, start) << zone;
            ASSERT_LE(start, now) << zone;
            last = start;
        }
    }
}

TEST(FixSchedule, InvalidSchedulesAreReported) {
    for (const auto* text : {"", "never", "07:00", "07:00-", "25:00-26:00", "mon 07:00-17:00",
                             "moo 07:00-fri 17:00", "07:00:00 17:00:00"}) {
        const auto parsed = Schedule::parse(text);
        ASSERT_FALSE(parsed.has_value()) << text;
        EXPECT_NE(parsed.error().find("always"), std::string::npos) << parsed.error();
    }
}

}  // namespace
}  // namespace damrak::session::fix::schedule_test
