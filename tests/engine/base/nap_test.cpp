// Growing pauses between polls, and naps that another thread ends.
#include <damrak/base/nap.hpp>

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include <damrak/base/waiting.hpp>

namespace damrak::nap_test {
namespace {

using namespace std::chrono_literals;

TEST(GrowingPause, DoublesWithEveryIdlePollUntilThereIsWork) {
    GrowingPause pause{10ms, 50ms};
    EXPECT_EQ(pause.after(0), 10ms);
    EXPECT_EQ(pause.after(0), 20ms);
    EXPECT_EQ(pause.after(0), 40ms);
    EXPECT_EQ(pause.after(0), 50ms);
    EXPECT_EQ(pause.after(0), 50ms);
    EXPECT_EQ(pause.after(3), 10ms);
    EXPECT_EQ(pause.after(0), 10ms);
    EXPECT_EQ(pause.after(0), 20ms);
}

TEST(GrowingPause, IsConstantWithoutALongestPause) {
    GrowingPause pause{10ms, {}};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(pause.after(0), 10ms);
}

TEST(Nap, EndsAtOnceAfterAnUncheckedCall) {
    Nap nap;
    nap.call();
    nap.call();
    EXPECT_TRUE(nap.sleep(24h));
    EXPECT_FALSE(nap.sleep(1ms)) << "the second call was for the same work";
    nap.call();
    EXPECT_TRUE(nap.was_called());
    EXPECT_FALSE(nap.was_called());
    EXPECT_FALSE(nap.sleep(1ms));
}

TEST(Nap, EndsOnEachCallOfAnotherThread) {
    Nap nap;
    std::jthread other{[&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            nap.call();
            std::this_thread::yield();
        }
    }};
    // A call that comes too late for one nap ends the next one at once.
    for (int called = 0; called < 1'000;) called += nap.sleep(24h) ? 1 : 0;
}

}  // namespace
}  // namespace damrak::nap_test
