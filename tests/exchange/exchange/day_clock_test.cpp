// When trading days begin and end, and the commands that open and close them.
#include <damrak/exchange/detail/day_clock.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>

namespace damrak::exchange::day_clock_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

Timestamp utc(int year, unsigned month, unsigned day, std::chrono::nanoseconds time = {}) {
    const std::chrono::sys_days date{std::chrono::year{year} / static_cast<int>(month) /
                                     static_cast<int>(day)};
    return {std::chrono::nanoseconds{date.time_since_epoch()}.count() + time.count()};
}

TradingCalendar calendar(std::string zone, std::chrono::nanoseconds begin,
                         std::chrono::nanoseconds end) {
    return TradingCalendar::make(
               {.zone = std::move(zone), .begin_ns = begin.count(), .end_ns = end.count()})
        .value();
}

std::vector<std::string> texts(const std::vector<Command>& commands) {
    std::vector<std::string> lines;
    for (const Command& command : commands) {
        const auto day = fmt::format("{} {} {}", command.trading_day.date,
                                     command.trading_day.feed_session, command.trading_day.is_open);
        if (command.kind == CommandKind::end_day)
            lines.emplace_back(command.flags == CommandFlags::k_all_of_anonymous ? "end" : "?");
        if (command.kind == CommandKind::day_opened) lines.push_back("opened " + day);
        if (command.kind == CommandKind::day_closed) lines.push_back("closed " + day);
    }
    return lines;
}

}  // namespace

TEST(TradingCalendar, ADayIsFromMidnightToMidnightInUtc) {
    const auto days = TradingCalendar::make({}).value();
    const auto day = days.day_at(utc(2026, 11, 23, 24h - 1ns));
    EXPECT_EQ(day.date, 20261123);
    EXPECT_EQ(day.begin, utc(2026, 11, 23));
    EXPECT_EQ(day.end, utc(2026, 11, 24));
    EXPECT_EQ(days.day_at(utc(2026, 11, 24)).date, 20261124);
    EXPECT_EQ(days.day_at(utc(1969, 12, 31, 1h)).date, 19691231);
}

TEST(TradingCalendar, HoursOfTradingAreLocalTimesInSummerAndWinter) {
    const auto days = calendar("Europe/Amsterdam", 9h, 17h + 30min);
    const auto winter = days.day_at(utc(2026, 11, 23, 12h));
    EXPECT_EQ(winter.begin, utc(2026, 11, 23, 8h));
    EXPECT_EQ(winter.end, utc(2026, 11, 23, 16h + 30min));
    EXPECT_EQ(days.day_at(utc(2026, 7, 1, 12h)).begin, utc(2026, 7, 1, 7h));
    EXPECT_EQ(days.midnight_before(utc(2026, 7, 1, 12h)), utc(2026, 6, 30, 22h));
    const auto next = days.day_at(utc(2026, 11, 23, 16h + 30min));
    EXPECT_EQ(next.date, 20261124) << "after the end it is the next one";
    EXPECT_FALSE(next.contains(utc(2026, 11, 23, 16h + 30min)));
}

TEST(TradingCalendar, ADayMayBeginOnTheEveningBefore) {
    const auto days = calendar("America/Chicago", 17h, 16h);
    const auto day = days.day_at(utc(2026, 11, 23, 23h));
    EXPECT_EQ(day.date, 20261124);
    EXPECT_EQ(day.begin, utc(2026, 11, 23, 23h));
    EXPECT_EQ(day.end, utc(2026, 11, 24, 22h));
}

TEST(TradingCalendar, SaysWhichZoneThereIsNot) {
    const auto none = TradingCalendar::make({.zone = "Europe/Atlantis"});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error(), HasSubstr("Europe/Atlantis"));
}

TEST(DayClock, OpensTheDayOfAnEmptyJournalOnce) {
    DayClock clock{TradingCalendar::make({}).value(), {}};
    EXPECT_THAT(texts(clock.due(utc(2026, 11, 23, 10h))), ElementsAre("opened 20261123 0 1"));
    EXPECT_THAT(clock.due(utc(2026, 11, 23, 10h)), IsEmpty());
    EXPECT_THAT(clock.due(utc(2026, 11, 23, 24h - 1ns)), IsEmpty());
}

TEST(DayClock, EndsADayAndOpensTheNextAtMidnight) {
    DayClock clock{TradingCalendar::make({}).value(), {.date = 20261123, .is_open = 1}};
    EXPECT_THAT(clock.due(utc(2026, 11, 23, 23h)), IsEmpty());
    EXPECT_THAT(texts(clock.due(utc(2026, 11, 24))),
                ElementsAre("end", "closed 20261123 0 0", "opened 20261124 0 1"));
}

TEST(DayClock, NoDayIsOpenBetweenTheEndAndTheNextBegin) {
    DayClock clock{calendar("UTC", 9h, 17h), {}};
    EXPECT_THAT(clock.due(utc(2026, 11, 23, 8h)), IsEmpty());
    EXPECT_THAT(texts(clock.due(utc(2026, 11, 23, 9h))), ElementsAre("opened 20261123 0 1"));
    EXPECT_THAT(texts(clock.due(utc(2026, 11, 23, 17h))),
                ElementsAre("end", "closed 20261123 0 0"));
    EXPECT_THAT(clock.due(utc(2026, 11, 24, 8h)), IsEmpty());
    EXPECT_THAT(texts(clock.due(utc(2026, 11, 24, 9h))), ElementsAre("opened 20261124 0 1"));
}

TEST(DayClock, AnEndThatWasMissedIsMadeUpForAtTheStart) {
    DayClock clock{TradingCalendar::make({}).value(),
                   {.date = 20261120, .feed_session = 2, .is_open = 1}};
    EXPECT_THAT(texts(clock.due(utc(2026, 11, 23, 10h))),
                ElementsAre("end", "closed 20261120 2 0", "opened 20261123 0 1"));
}

TEST(DayClock, AStartWithinTheDayChangesNothing) {
    DayClock clock{TradingCalendar::make({}).value(), {.date = 20261123, .is_open = 1}};
    EXPECT_THAT(clock.due(utc(2026, 11, 23, 10h)), IsEmpty());
}

TEST(DayClock, ANewFeedSessionIsOfTheSameDay) {
    DayClock clock{TradingCalendar::make({}).value(),
                   {.date = 20261123, .feed_session = 4, .is_open = 1}};
    clock.renew_feed_session();
    EXPECT_THAT(texts(clock.due(utc(2026, 11, 23, 10h))), ElementsAre("opened 20261123 5 1"));
    EXPECT_THAT(clock.due(utc(2026, 11, 23, 11h)), IsEmpty());
}

TEST(DayClock, AClockThatIsSetBackBringsNoEarlierDay) {
    DayClock clock{TradingCalendar::make({}).value(), {.date = 20261123, .is_open = 1}};
    EXPECT_THAT(clock.due(utc(2026, 11, 22, 23h)), IsEmpty());
    EXPECT_THAT(clock.due(utc(2026, 11, 23, 10h)), IsEmpty());
    EXPECT_EQ(clock.due(utc(2026, 11, 24)).size(), 3U);
}

// As a seek in a replayed day leaves it, or somebody who moved the journal away.
TEST(DayClock, NumbersFeedSessionsBehindThoseThatHaveFilesWhereTheJournalIsNew) {
    DayClock same_date{calendar("UTC", 0h, 24h), {}, {.date = 20261123, .feed_session = 6}};
    EXPECT_THAT(texts(same_date.due(utc(2026, 11, 23, 12h))), ElementsAre("opened 20261123 7 1"));
    DayClock later{calendar("UTC", 0h, 24h), {}, {.date = 20261122, .feed_session = 6}};
    EXPECT_THAT(texts(later.due(utc(2026, 11, 23, 12h))), ElementsAre("opened 20261123 0 1"));
}

}  // namespace damrak::exchange::day_clock_test
