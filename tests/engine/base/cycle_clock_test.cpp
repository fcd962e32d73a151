// The cycle clock: the rate from a calibration, and the drift between the clocks. Tests on the
// machine's own clocks check only what holds on any machine at any load.

#include <damrak/base/cycle_clock.hpp>

#include <chrono>
#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

namespace damrak::cycle_clock_test {
namespace {

using Source = CycleClock::Source;
using namespace std::chrono_literals;

constexpr std::int64_t k_second_ns = 1'000'000'000;

CycleClock clock_of_2_ghz() {
    return CycleClock{{.source = Source::time_stamp_counter,
                       .ns_per_tick = 0.5,
                       .base = {.ticks = 1'000'000, .monotonic_ns = 5 * k_second_ns},
                       .base_utc_ns = 1'700'000'000 * k_second_ns}};
}

TEST(CycleClock, TwoReadingsGiveTheRate) {
    EXPECT_DOUBLE_EQ(CycleClock::ns_per_tick({100, 1'000}, {300, 1'100}), 0.5);
    EXPECT_DOUBLE_EQ(CycleClock::ns_per_tick({0, 0}, {3'000, 1'000}), 1.0 / 3);
}

TEST(CycleClock, AClockThatStoodStillGivesNoRate) {
    EXPECT_EQ(CycleClock::ns_per_tick({100, 1'000}, {100, 2'000}), 1.0);
    EXPECT_EQ(CycleClock::ns_per_tick({300, 1'000}, {100, 2'000}), 1.0);
    EXPECT_EQ(CycleClock::ns_per_tick({100, 1'000}, {200, 1'000}), 1.0);
}

TEST(CycleClock, ConvertsSpansWithoutLosingNanoseconds) {
    const CycleClock clock = clock_of_2_ghz();
    EXPECT_EQ(clock.to_ns(0), 0U);
    EXPECT_EQ(clock.to_ns(2), 1U);
    EXPECT_EQ(clock.to_ns(2'000'000'000), 1'000'000'000U);
    EXPECT_EQ(clock.to_ns(std::uint64_t{1} << 62U), std::uint64_t{1} << 61U) << "no overflow";
}

TEST(CycleClock, ConvertsATimeOfDayToACount) {
    const CycleClock clock = clock_of_2_ghz();
    const std::int64_t begin = 1'700'000'000 * k_second_ns;
    EXPECT_EQ(clock.ticks_at(begin), 1'000'000U);
    EXPECT_EQ(clock.ticks_at(begin + 1'000), 1'002'000U);
    EXPECT_EQ(clock.ticks_at(begin - 1'000), 998'000U);
    EXPECT_EQ(clock.ticks_at(begin - k_second_ns), 0U) << "before the counter began";
}

TEST(CycleClock, MeasuresHowFarTheClocksDiffer) {
    const CycleClock clock = clock_of_2_ghz();
    // After a hundred seconds the counter is 1 ms ahead.
    const auto ahead = clock.drift({1'000'000 + 200'002'000'000, 105 * k_second_ns});
    EXPECT_EQ(ahead.elapsed_ns, 100 * k_second_ns);
    EXPECT_EQ(ahead.error_ns, 1'000'000);
    EXPECT_DOUBLE_EQ(ahead.parts_per_million(), 10.0);
    const auto behind = clock.drift({1'000'000 + 199'998'000'000, 105 * k_second_ns});
    EXPECT_DOUBLE_EQ(behind.parts_per_million(), -10.0);
    EXPECT_EQ(clock.drift({1'000'000, 5 * k_second_ns}).parts_per_million(), 0.0);
}

TEST(CycleClock, AgreesWithTheSystemOnTheRate) {
    const CycleClock clock = CycleClock::calibrated(20ms);
    EXPECT_GT(clock.calibration().ns_per_tick, 0.0);
    EXPECT_EQ(clock.calibration().source, CycleClock::best_source());
    const auto now = [] {
        return std::chrono::steady_clock::now();  // real time: the clocks are compared
    };
    const auto begin = now();
    const std::uint64_t begin_ticks = clock.now_ticks();
    while (now() - begin < 20ms) continue;
    // The interval by the counter contains the interval by the system clock.
    EXPECT_GE(clock.to_ns(clock.now_ticks() - begin_ticks), 19'000'000U);
    EXPECT_GE(clock.drift().elapsed_ns, 40'000'000);
}

TEST(CycleClock, FallsBackToTheClockOfTheSystem) {
    const CycleClock clock = CycleClock::calibrated(20ms, Source::monotonic_clock);
    EXPECT_EQ(clock.calibration().ns_per_tick, 1.0);
    EXPECT_EQ(clock.to_ns(1'234), 1'234U);
    const std::uint64_t before = clock.now_ticks();
    EXPECT_LE(before, clock.now_ticks());
    EXPECT_EQ(clock.drift().error_ns, 0) << "the clock is compared with itself";
    EXPECT_EQ(name(clock.calibration().source), "monotonic clock of the system");
}

}  // namespace
}  // namespace damrak::cycle_clock_test
