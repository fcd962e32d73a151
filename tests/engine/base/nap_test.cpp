// Growing pauses between polls, and naps that another thread ends.
#include <damrak/base/nap.hpp>

#include <atomic>
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

TEST(Nap, MayBeginOnceALookAfterTheLastCallFoundNothing) {
    Nap nap;
    EXPECT_FALSE(nap.may_sleep()) << "a first look proves nothing";
    if (!nap.may_sleep()) GTEST_SKIP() << "this kernel has no barrier for all threads";
    EXPECT_TRUE(nap.may_sleep()) << "one barrier is enough while nobody calls";
    nap.call();
    EXPECT_FALSE(nap.may_sleep());
    EXPECT_TRUE(nap.may_sleep());
    nap.call();
    EXPECT_TRUE(nap.sleep(24h));
    EXPECT_FALSE(nap.may_sleep()) << "a call that ended a nap counts too";
    EXPECT_TRUE(nap.may_sleep());
}

// A call that is overlooked once would make this wait for a day.
TEST(Nap, IsEndedByTheCallForEachPieceOfWork) {
    constexpr int k_pieces = 20'000;
    Nap nap;
    std::atomic<int> given{0};
    std::atomic<int> done{0};
    std::atomic<int> naps{0};
    const std::jthread sleeper{[&] {
        for (int seen = 0; seen < k_pieces;) {
            if (const int now = given.load(std::memory_order_acquire); now != seen)
                done.store(seen = now);
            else if (nap.may_sleep())
                naps += nap.sleep(24h) ? 1 : 0;
        }
    }};
    for (int piece = 1; piece <= k_pieces; ++piece) {
        // Some come while it sleeps, others while it falls asleep.
        if (piece % 16 == 0)
            for (int looks = 0; looks < 100 && !nap.naps(); ++looks) std::this_thread::yield();
        given.store(piece, std::memory_order_release);
        nap.call();
        while (done.load() != piece) std::this_thread::yield();
    }
    EXPECT_GT(naps.load(), 0);
}

}  // namespace
}  // namespace damrak::nap_test
