// A published value is seen whole or not at all.

#include <damrak/base/seqlock.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

#include <gtest/gtest.h>

namespace damrak::seqlock_test {
namespace {

struct Sixteen {
    std::uint64_t words[16]{};
};

TEST(Seqlock, HoldsZerosAtFirst) {
    const Seqlock<Sixteen> cell;
    EXPECT_EQ(cell.load().words[15], 0U);
}

TEST(Seqlock, GivesTheLastValue) {
    Seqlock<Sixteen> cell;
    for (std::uint64_t i = 1; i <= 3; ++i) {
        Sixteen value;
        value.words[7] = i;
        cell.store(value);
        EXPECT_EQ(cell.load().words[7], i);
    }
}

TEST(Seqlock, NeverShowsATornValue) {
    Seqlock<Sixteen> cell;
    std::atomic<bool> done{false};
    std::jthread writer{[&] {
        Sixteen value;
        for (std::uint64_t i = 1; i <= 200'000; ++i) {
            for (auto& word : value.words) word = i;
            cell.store(value);
        }
        done = true;
    }};
    std::uint64_t last = 0;
    bool whole = true;
    bool forward = true;
    while (!done) {
        const Sixteen seen = cell.load();
        for (const auto word : seen.words) whole &= word == seen.words[0];
        forward &= seen.words[0] >= last;
        last = seen.words[0];
    }
    EXPECT_TRUE(whole);
    EXPECT_TRUE(forward);
    EXPECT_EQ(cell.load().words[0], 200'000U);
}

}  // namespace
}  // namespace damrak::seqlock_test
