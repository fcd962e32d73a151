// Stage timing: which messages are timed, and to which stage their time is added.

#include <damrak/base/stage_timing.hpp>

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::stage_timing_test {
namespace {

std::vector<int> due_of(std::uint32_t every, int messages) {
    SampleCountdown countdown{every};
    std::vector<int> due;
    for (int i = 1; i <= messages; ++i)
        if (countdown.due()) due.push_back(i);
    return due;
}

TEST(SampleCountdown, PicksEveryNth) {
    EXPECT_EQ(due_of(4, 12), (std::vector{4, 8, 12}));
    EXPECT_EQ(due_of(1, 3), (std::vector{1, 2, 3}));
}

TEST(SampleCountdown, PicksNoneIfItIsOff) { EXPECT_TRUE(due_of(0, 100'000).empty()); }

TEST(StageLaps, PutsEachLapIntoItsStage) {
    StageLaps laps;
    laps.begin(1'000);
    laps.lap(Stage::wait, 1'010);
    laps.lap(Stage::decode, 1'040);
    laps.lap(Stage::keep, 1'100);
    laps.lap(Stage::match, 1'300);
    laps.lap(Stage::buffer, 1'450);
    laps.lap(Stage::write, 2'450);
    const StageTimes& times = laps.times();
    EXPECT_EQ(times.read_ticks, 1'000U);
    EXPECT_EQ(times.spent(Stage::match), 200U);
    EXPECT_EQ(times.spent(Stage::write), 1'000U);
    EXPECT_EQ(times.through(Stage::buffer), 450U);
    EXPECT_EQ(times.through(Stage::write), 1'450U);
}

TEST(StageLaps, AddsUpStagesThatAlternate) {
    StageLaps laps;
    laps.begin(0);
    for (std::uint64_t now = 0; now < 100; now += 10) {
        laps.lap(Stage::match, now + 3);
        laps.lap(Stage::buffer, now + 10);
    }
    EXPECT_EQ(laps.times().spent(Stage::match), 30U);
    EXPECT_EQ(laps.times().spent(Stage::buffer), 70U);
}

TEST(StageLaps, StartsAgainForTheNextMessage) {
    StageLaps laps;
    laps.begin(0);
    laps.lap(Stage::decode, 500);
    laps.begin(900);
    laps.lap(Stage::wait, 901);
    EXPECT_EQ(laps.times().spent(Stage::decode), 0U);
    EXPECT_EQ(laps.times().through(Stage::write), 1U);
}

TEST(StageLaps, AClockThatGoesBackCountsAsZero) {
    StageLaps laps;
    laps.begin(1'000);
    laps.lap(Stage::wait, 990);
    laps.lap(Stage::decode, 1'000);
    EXPECT_EQ(laps.times().spent(Stage::wait), 0U);
    EXPECT_EQ(laps.times().spent(Stage::decode), 10U);
}

TEST(StageLaps, SaturatesAtItsLargestValue) {
    StageLaps laps;
    laps.begin(0);
    laps.lap(Stage::write, std::uint64_t{1} << 40U);
    laps.lap(Stage::write, std::uint64_t{1} << 41U);
    EXPECT_EQ(laps.times().spent(Stage::write), UINT32_MAX);
}

}  // namespace
}  // namespace damrak::stage_timing_test
