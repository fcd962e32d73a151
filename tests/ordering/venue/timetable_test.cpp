// Sessions over time: weekdays, summer time, random ends.
#include <damrak/venue/timetable.hpp>

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/venue/venue_file.hpp>

namespace damrak::venue::timetable_test {
namespace {

using namespace std::chrono_literals;

constexpr InstrumentId k_instrument{1};

Timestamp utc(int year, unsigned month, unsigned day, std::chrono::nanoseconds time = {}) {
    const std::chrono::sys_days date{std::chrono::year{year} / static_cast<int>(month) /
                                     static_cast<int>(day)};
    return {std::chrono::nanoseconds{date.time_since_epoch()}.count() + time.count()};
}

Timetable timetable(std::string_view venue, std::uint64_t seed = 1) {
    return Timetable::make(find_venue(venue).value(), seed).value();
}

std::string session_at(const Timetable& of, Timestamp time) {
    return of.session(of.scheduled(time).session).name;
}

TEST(Timetable, SessionsBeginAtLocalTimesInSummerAndWinter) {
    const Timetable xetra = timetable("xetra-like");
    // 2026-11-27 is a Friday.
    EXPECT_EQ(session_at(xetra, utc(2026, 11, 27, 7h - 1ns)), "closed");
    EXPECT_EQ(session_at(xetra, utc(2026, 11, 27, 7h)), "pre-trading");
    EXPECT_EQ(session_at(xetra, utc(2026, 11, 27, 7h + 50min)), "opening auction");
    EXPECT_EQ(session_at(xetra, utc(2026, 11, 27, 8h)), "continuous trading");
    EXPECT_EQ(session_at(xetra, utc(2026, 7, 1, 7h)), "continuous trading");
    const auto slot = xetra.scheduled(utc(2026, 11, 27, 10h));
    EXPECT_EQ(slot.begin, utc(2026, 11, 27, 8h));
    EXPECT_EQ(slot.end, utc(2026, 11, 27, 12h));
}

TEST(Timetable, OverAWeekendTheLastSessionOfFridayGoesOn) {
    const Timetable xetra = timetable("xetra-like");
    const auto slot = xetra.scheduled(utc(2026, 11, 29, 12h));
    EXPECT_EQ(xetra.session(slot.session).name, "closed");
    EXPECT_EQ(slot.begin, utc(2026, 11, 27, 21h));
    EXPECT_EQ(slot.end, utc(2026, 11, 30, 7h));
}

TEST(Timetable, SessionsMayHaveTheirOwnWeekdays) {
    const Timetable cme = timetable("cme-like");
    EXPECT_EQ(session_at(cme, utc(2026, 11, 27, 12h)), "open") << "since Thursday evening";
    EXPECT_EQ(session_at(cme, utc(2026, 11, 28, 12h)), "closed") << "Saturday";
    EXPECT_EQ(session_at(cme, utc(2026, 11, 29, 22h + 50min)), "pre-open") << "Sunday evening";
    EXPECT_EQ(session_at(cme, utc(2026, 11, 29, 23h)), "open");
}

TEST(Timetable, OneSessionIsAlwaysOn) {
    const Timetable always = timetable("continuous");
    EXPECT_EQ(session_at(always, {0}), "continuous");
    EXPECT_EQ(session_at(always, utc(2026, 11, 27)), "continuous");
}

TEST(Timetable, ACallLastsUpToItsRandomEndLonger) {
    const Timestamp due = utc(2026, 11, 27, 8h);
    std::set<std::int64_t> ends;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Timetable xetra = timetable("xetra-like", seed);
        const auto before = xetra.at(due - Timestamp{1}, k_instrument);
        EXPECT_EQ(xetra.session(before.session).name, "opening auction");
        EXPECT_EQ(before.begin, due - Timestamp{(10min / 1ns) * std::int64_t{1}});
        EXPECT_GE(before.end, due);
        EXPECT_LE(before.end, due + Timestamp{30s / 1ns});
        ends.insert(before.end.value);
        if (before.end > due) {
            const auto later = xetra.at(before.end - Timestamp{1}, k_instrument);
            EXPECT_EQ(later.session, before.session);
            EXPECT_EQ(later.end, before.end) << "whenever it is asked";
        }
        const auto after = xetra.at(before.end, k_instrument);
        EXPECT_EQ(xetra.session(after.session).name, "continuous trading");
        EXPECT_EQ(after.begin, before.end);
        EXPECT_EQ(timetable("xetra-like", seed).at(due - Timestamp{1}, k_instrument).end,
                  before.end);
    }
    EXPECT_GT(ends.size(), 90) << "other seeds have other ends";
    EXPECT_LT(*ends.begin(), due.value + 3s / 1ns);
    EXPECT_GT(*ends.rbegin(), due.value + 27s / 1ns);
}

TEST(Timetable, InstrumentsAndDaysHaveEndsOfTheirOwn) {
    const Timetable xetra = timetable("xetra-like");
    const Timestamp due = utc(2026, 11, 27, 8h);
    const auto end = [&](Timestamp scheduled, std::uint32_t instrument) {
        return xetra.at(scheduled - Timestamp{1}, InstrumentId{instrument}).end - scheduled;
    };
    EXPECT_NE(end(due, 1), end(due, 2));
    EXPECT_NE(end(due, 1), end(utc(2026, 11, 26, 8h), 1));
}

}  // namespace
}  // namespace damrak::venue::timetable_test
