#include <damrak/lab/measured.hpp>

#include <cstdint>
#include <thread>

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
    // It sleeps while another thread works, which takes its own processor time.
    constexpr std::int64_t k_work_ns = 20'000'000;
    const Sample asleep = measured(1, Clock::cpu, [] {
        std::thread{[] {
            while (now_ns(Clock::cpu) < k_work_ns) continue;
        }}.join();
    });
    EXPECT_LT(asleep.elapsed_ns, k_work_ns);
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
