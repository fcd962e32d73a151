#include <damrak/lab/measured.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::lab::measured_test {
namespace {

TEST(Measured, ReportsTheWorkThatWasDoneAndRunsItOnce) {
    int calls = 0;
    const Sample sample = measured(3, Clock::wall, [&] { ++calls; });
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(sample.operations, 3);
    EXPECT_GE(sample.elapsed_ns, 0);
    EXPECT_FALSE(sample.latency_ns.has_value());
}

TEST(Measured, ProcessorTimeStandsStillWhileTheThreadSleeps) {
    const std::int64_t wall_ns = now_ns(Clock::wall);
    const Sample asleep = measured(1, Clock::cpu, [&] {
        while (now_ns(Clock::wall) < wall_ns + 20'000'000) {
            const timespec pause{.tv_sec = 0, .tv_nsec = 5'000'000};
            nanosleep(&pause, nullptr);
        }
    });
    EXPECT_LT(asleep.elapsed_ns, now_ns(Clock::wall) - wall_ns);
}

TEST(Measured, AnEffortScalesWorkDownButNotToNothing) {
    EXPECT_EQ((Effort{.size = Effort::Size::full}.scaled(6'400)), 6'400);
    EXPECT_EQ((Effort{.size = Effort::Size::quick}.scaled(6'400)), 400);
    EXPECT_EQ((Effort{.size = Effort::Size::counting}.scaled(6'400)), 100);
    EXPECT_EQ((Effort{.size = Effort::Size::counting}.scaled(6'400, 1'000)), 1'000);
}

TEST(Measured, AnExperimentThatIsNotThereIsNotFound) {
    EXPECT_EQ(find_experiment("no such thing"), nullptr);
}

}  // namespace
}  // namespace damrak::lab::measured_test
