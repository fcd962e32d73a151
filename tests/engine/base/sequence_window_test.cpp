// A window of sequence numbers, compared with a plain set of all that arrived.
#include <damrak/base/sequence_window.hpp>

#include <cstdint>
#include <set>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::sequence_window_test {
namespace {

using Arrival = SequenceWindow::Arrival;

TEST(SequenceWindow, AnyFirstNumberLeavesNoGapBeforeIt) {
    for (const std::uint32_t first : {0U, 1U, 77U, 4'294'967'295U}) {
        SequenceWindow window;
        EXPECT_EQ(window.look(first), Arrival::next);
        EXPECT_EQ(window.gap(first), 0U);
        window.note(first);
        EXPECT_EQ(window.look(first), Arrival::duplicate);
        EXPECT_EQ(window.look(first + 1), Arrival::next);
        EXPECT_EQ(window.gap(first + 1), 0U);
    }
}

TEST(SequenceWindow, SkippedNumbersAreMissingUntilTheyArriveLate) {
    SequenceWindow window;
    window.note(10);
    EXPECT_EQ(window.gap(14), 3U);
    window.note(14);
    EXPECT_EQ(window.look(12), Arrival::late);
    window.note(12);
    EXPECT_EQ(window.look(12), Arrival::duplicate);
    EXPECT_EQ(window.look(13), Arrival::late);
}

TEST(SequenceWindow, NumbersBelowTheWindowAreTooOld) {
    SequenceWindow window;
    window.note(5'000);
    EXPECT_EQ(window.look(5'000 - SequenceWindow::k_width + 1), Arrival::late);
    EXPECT_EQ(window.look(5'000 - SequenceWindow::k_width), Arrival::too_old);
    window.note(5'000 - SequenceWindow::k_width);
    EXPECT_EQ(window.look(5'000 - SequenceWindow::k_width), Arrival::too_old);
    EXPECT_EQ(window.highest(), 5'000U);
}

TEST(SequenceWindow, WrapsAroundToZero) {
    SequenceWindow window;
    window.note(4'294'967'294U);
    EXPECT_EQ(window.look(1), Arrival::next);
    EXPECT_EQ(window.gap(1), 2U);
    window.note(1);
    EXPECT_EQ(window.look(4'294'967'295U), Arrival::late);
    EXPECT_EQ(window.look(4'294'967'294U), Arrival::duplicate);
    EXPECT_EQ(window.look(0), Arrival::late);
}

TEST(SequenceWindow, AgreesWithTheSetOfAllArrivals) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomStream random{seed};
        SequenceWindow window;
        std::set<std::uint32_t> came;
        auto at = static_cast<std::uint32_t>(random.next());
        std::uint32_t highest = at;
        for (int step = 0; step < 20'000; ++step) {
            // Mostly forward, sometimes back, now and then far ahead.
            const std::uint64_t kind = random.next() % 100;
            if (kind < 70) {
                at = highest + 1 + static_cast<std::uint32_t>(random.next() % 3);
            } else if (kind < 99) {
                at = highest - static_cast<std::uint32_t>(random.next() % 1'200);
            } else {
                at = highest + static_cast<std::uint32_t>(random.next() % 3'000);
            }
            const auto ahead = static_cast<std::int32_t>(at - highest);
            Arrival expected = Arrival::late;
            if (came.empty() || ahead > 0) {
                expected = Arrival::next;
            } else if (ahead <= -static_cast<std::int32_t>(SequenceWindow::k_width)) {
                expected = Arrival::too_old;
            } else if (came.contains(at)) {
                expected = Arrival::duplicate;
            }
            ASSERT_EQ(window.look(at), expected) << "seed " << seed << " step " << step;
            if (expected == Arrival::next) highest = at;
            if (expected == Arrival::next || expected == Arrival::late) {
                window.note(at);
                came.insert(at);
            }
        }
        EXPECT_EQ(window.highest(), highest);
    }
}

}  // namespace
}  // namespace damrak::sequence_window_test
