// The ring between two threads: first in, first out, nothing lost or duplicated, and full when
// full.

#include <damrak/base/spsc_ring.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::spsc_ring_test {
namespace {

using Ring = SpscRing<std::uint64_t>;

bool push(Ring& ring, std::uint64_t value) {
    std::uint64_t* const slot = ring.claim();
    if (slot == nullptr) return false;
    *slot = value;
    ring.publish();
    return true;
}

std::vector<std::uint64_t> take_all(Ring& ring) {
    std::vector<std::uint64_t> taken;
    for (auto batch = ring.front(); !batch.empty(); batch = ring.front()) {
        taken.insert(taken.end(), batch.begin(), batch.end());
        ring.release(batch.size());
    }
    return taken;
}

TEST(SpscRing, IsEmptyAtFirst) {
    Ring ring{8};
    EXPECT_EQ(ring.capacity(), 8U);
    EXPECT_TRUE(ring.front().empty());
    EXPECT_EQ(ring.published(), 0U);
}

TEST(SpscRing, GivesBackInOrder) {
    Ring ring{8};
    for (std::uint64_t i = 0; i < 5; ++i) ASSERT_TRUE(push(ring, i));
    EXPECT_EQ(take_all(ring), (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
    EXPECT_TRUE(ring.front().empty());
}

TEST(SpscRing, ShowsNothingBeforeItIsPublished) {
    Ring ring{8};
    *ring.claim() = 7;
    EXPECT_TRUE(ring.front().empty());
    EXPECT_EQ(*ring.claim(), 7U) << "the claimed slot stays the same until it is published";
    ring.publish();
    EXPECT_EQ(take_all(ring), (std::vector<std::uint64_t>{7}));
}

TEST(SpscRing, HasRoomForExactlyTheFreeSlots) {
    SpscRing<std::uint64_t> ring{4};
    EXPECT_TRUE(ring.has_room(4));
    EXPECT_FALSE(ring.has_room(5));
    *ring.claim() = 1;
    ring.publish();
    EXPECT_TRUE(ring.has_room(3));
    EXPECT_FALSE(ring.has_room(4));
    ASSERT_EQ(ring.front().size(), 1U);
    ring.release(1);
    EXPECT_TRUE(ring.has_room(4));
}

TEST(SpscRing, PublishesSlotsClaimedAheadTogether) {
    Ring ring{4};
    for (std::uint64_t i = 0; i < 4; ++i) *ring.claim(i) = 10 + i;
    EXPECT_EQ(ring.claim(4), nullptr) << "exceeds the capacity";
    EXPECT_TRUE(ring.front().empty());
    ring.publish(3);
    EXPECT_EQ(take_all(ring), (std::vector<std::uint64_t>{10, 11, 12}));
    EXPECT_EQ(*ring.claim(), 13U) << "an unpublished slot stays the next one";
    ASSERT_NE(ring.claim(3), nullptr);
    EXPECT_EQ(ring.claim(4), nullptr);
}

TEST(SpscRing, IsFullUntilSlotsAreReleased) {
    Ring ring{4};
    for (std::uint64_t i = 0; i < 4; ++i) ASSERT_TRUE(push(ring, i));
    EXPECT_FALSE(push(ring, 99));
    ASSERT_EQ(ring.front().size(), 4U);
    EXPECT_FALSE(push(ring, 99)) << "read but not released";
    ring.release(1);
    EXPECT_TRUE(push(ring, 4));
    EXPECT_FALSE(push(ring, 99));
    EXPECT_EQ(take_all(ring), (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

TEST(SpscRing, ABatchEndsAtTheWrapAround) {
    Ring ring{4};
    for (std::uint64_t i = 0; i < 3; ++i) ASSERT_TRUE(push(ring, i));
    ASSERT_EQ(take_all(ring).size(), 3U);
    for (std::uint64_t i = 3; i < 7; ++i) ASSERT_TRUE(push(ring, i));
    EXPECT_EQ(ring.front().size(), 1U);
    EXPECT_EQ(take_all(ring), (std::vector<std::uint64_t>{3, 4, 5, 6}));
}

TEST(SpscRing, GivesBackABatchInParts) {
    Ring ring{8};
    for (std::uint64_t i = 0; i < 6; ++i) ASSERT_TRUE(push(ring, i));
    ASSERT_EQ(ring.front().size(), 6U);
    ring.release(2);
    EXPECT_EQ(ring.released(), 2U);
    EXPECT_EQ(ring.front().front(), 2U);
    EXPECT_EQ(ring.front().size(), 4U);
}

TEST(SpscRing, KeepsCountOverManyRounds) {
    Ring ring{8};
    std::uint64_t next_in = 0;
    std::uint64_t next_out = 0;
    for (int round = 0; round < 1'000; ++round) {
        for (int i = 0; i < round % 9; ++i)
            if (push(ring, next_in)) ++next_in;
        for (const std::uint64_t value : take_all(ring)) ASSERT_EQ(value, next_out++);
    }
    EXPECT_EQ(next_in, next_out);
    EXPECT_EQ(ring.published(), next_in);
    EXPECT_EQ(ring.released(), next_in);
}

TEST(SpscRingDeathTest, RejectsCallsBeyondItsCapacity) {
    EXPECT_DEATH(Ring{6}, "single_bit");
    EXPECT_DEATH(
        {
            Ring ring{4};
            ring.release(1);
        },
        "count");
}

struct Wide {
    std::uint64_t number = 0;
    std::uint64_t copies[7]{};
};

// Slots of a whole cache line: a slot seen half filled, too early or twice breaks the count.
TEST(SpscRing, ASecondThreadSeesEachSlotOnceAndWhole) {
    constexpr std::uint64_t k_count = 300'000;
    SpscRing<Wide> ring{64};
    std::jthread producer{[&ring] {
        for (std::uint64_t i = 0; i < k_count;) {
            Wide* const slot = ring.claim();
            if (slot == nullptr) {
                std::this_thread::yield();
                continue;
            }
            slot->number = i;
            for (auto& copy : slot->copies) copy = i;
            ring.publish();
            ++i;
        }
    }};
    while (ring.published() < ring.capacity()) std::this_thread::yield();
    std::uint64_t expected = 0;
    bool whole = true;
    while (expected < k_count) {
        const auto batch = ring.front();
        if (batch.empty()) std::this_thread::yield();
        for (const Wide& slot : batch) {
            whole &= slot.number == expected++;
            for (const auto copy : slot.copies) whole &= copy == slot.number;
        }
        ring.release(batch.size());
    }
    producer.join();
    EXPECT_TRUE(whole);
    EXPECT_EQ(ring.released(), k_count);
}

// The same in batches of different sizes on each side, as agents use them.
TEST(SpscRing, ASecondThreadSeesEachBatchOnceAndWhole) {
    constexpr std::uint64_t k_count = 300'000;
    SpscRing<Wide> ring{64};
    std::jthread producer{[&ring] {
        for (std::uint64_t i = 0; i < k_count;) {
            std::size_t claimed = 0;
            for (; claimed < 7 && i + claimed < k_count; ++claimed) {
                Wide* const slot = ring.claim(claimed);
                if (slot == nullptr) break;
                slot->number = i + claimed;
                for (auto& copy : slot->copies) copy = i + claimed;
            }
            if (claimed == 0) std::this_thread::yield();
            ring.publish(claimed);
            i += claimed;
        }
    }};
    std::uint64_t expected = 0;
    bool whole = true;
    while (expected < k_count) {
        auto batch = ring.front();
        batch = batch.first(std::min<std::size_t>(batch.size(), 5));
        if (batch.empty()) std::this_thread::yield();
        for (const Wide& slot : batch) {
            whole &= slot.number == expected++;
            for (const auto copy : slot.copies) whole &= copy == slot.number;
        }
        ring.release(batch.size());
    }
    producer.join();
    EXPECT_TRUE(whole);
    EXPECT_EQ(ring.released(), k_count);
}

}  // namespace
}  // namespace damrak::spsc_ring_test
