// The measurements of the rings: every ring under them gives each item once, in order.

#include <cstdint>

#include <gtest/gtest.h>

#include <damrak/lab/rings/experiment.hpp>
#include <damrak/lab/rings/queues.hpp>

namespace damrak::lab::rings::rings_test {
namespace {

template <class Ring>
void expect_each_item_once() {
    Ring ring;
    std::uint64_t sum = 0;
    EXPECT_EQ(ring.pop(4, sum), 0U);
    EXPECT_EQ(ring.push(1, 10), 10U);
    EXPECT_EQ(ring.pop(4, sum), 4U);
    EXPECT_EQ(sum, 1U + 2U + 3U + 4U);
    EXPECT_EQ(ring.pop(100, sum), 6U);
    EXPECT_EQ(sum, 55U);
    std::size_t held = 0;
    while (ring.push(held + 1, 1) == 1 && held < 100 * k_capacity) ++held;
    EXPECT_LT(held, 2 * k_capacity) << "it has an end";
}

TEST(LabRings, GiveEachItemOnce) {
    expect_each_item_once<OurRing<8>>();
    expect_each_item_once<OurRing<256>>();
    expect_each_item_once<BoostRing<8>>();
    expect_each_item_once<BoostRing<256>>();
#ifdef DAMRAK_HAS_READER_WRITER_QUEUE
    expect_each_item_once<ReaderWriterRing<8>>();
    expect_each_item_once<ReaderWriterRing<256>>();
#endif
}

// Each run checks the sum of what came over, and asserts it.
TEST(LabRings, EveryTrialRuns) {
    for (const Trial& trial : ring_experiment().trials({.size = Effort::Size::counting}))
        for (const Variant& variant : trial.variants)
            EXPECT_GT(variant.run().operations, 0) << trial.name << ", " << variant.name;
}

}  // namespace
}  // namespace damrak::lab::rings::rings_test
