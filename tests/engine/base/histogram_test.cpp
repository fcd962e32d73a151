// The histogram compared with sorted samples: percentiles are within its stated error, up to 64
// bits.

#include <damrak/base/histogram.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::histogram_test {
namespace {

constexpr std::uint64_t k_largest = std::numeric_limits<std::uint64_t>::max();

TEST(Histogram, IsEmptyAtFirst) {
    const Histogram histogram;
    EXPECT_EQ(histogram.count(), 0U);
    EXPECT_EQ(histogram.min(), 0U);
    EXPECT_EQ(histogram.max(), 0U);
    EXPECT_EQ(histogram.mean(), 0.0);
    EXPECT_EQ(histogram.percentile(99.0), 0U);
}

TEST(Histogram, IsExactForSmallValues) {
    Histogram histogram;
    for (std::uint64_t value = 1; value <= 100; ++value) histogram.record(value);
    EXPECT_EQ(histogram.percentile(0.0), 1U);
    EXPECT_EQ(histogram.percentile(50.0), 50U);
    EXPECT_EQ(histogram.percentile(99.0), 99U);
    EXPECT_EQ(histogram.percentile(99.1), 100U);
    EXPECT_EQ(histogram.percentile(100.0), 100U);
    EXPECT_EQ(histogram.mean(), 50.5);
}

TEST(Histogram, BucketsFollowEachOtherWithoutGapOrOverlap) {
    for (std::size_t bucket = 1; Histogram::bucket_bound(bucket) != k_largest; ++bucket) {
        const std::uint64_t below = Histogram::bucket_bound(bucket - 1);
        ASSERT_EQ(Histogram::bucket_of(below), bucket - 1);
        ASSERT_EQ(Histogram::bucket_of(below + 1), bucket);
    }
}

TEST(Histogram, TakesTheLargestValue) {
    Histogram histogram;
    histogram.record(k_largest);
    histogram.record(0);
    EXPECT_EQ(histogram.percentile(100.0), k_largest);
    EXPECT_EQ(histogram.percentile(50.0), 0U);
    EXPECT_EQ(histogram.max(), k_largest);
}

TEST(Histogram, IsWithinItsErrorOfSortedSamples) {
    RandomStream random(11);
    Histogram histogram;
    std::vector<std::uint64_t> samples;
    for (int i = 0; i < 50'000; ++i) {
        samples.push_back(random.next() >> random.below(64));
        histogram.record(samples.back());
    }
    std::ranges::sort(samples);
    for (const double percent : {0.1, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
        const auto rank = static_cast<std::size_t>(std::ceil(percent / 100 * 50'000));
        const std::uint64_t exact = samples[rank - 1];
        const std::uint64_t told = histogram.percentile(percent);
        EXPECT_GE(told, exact) << percent;
        EXPECT_LE(told - exact, exact / 128) << percent;
    }
}

TEST(Histogram, MergesAsIfRecordedTogether) {
    RandomStream random(12);
    Histogram first;
    Histogram second;
    Histogram together;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t value = random.below(1'000'000);
        (i % 3 == 0 ? first : second).record(value);
        together.record(value);
    }
    first.merge(second);
    EXPECT_EQ(first.count(), together.count());
    EXPECT_EQ(first.min(), together.min());
    EXPECT_EQ(first.max(), together.max());
    EXPECT_DOUBLE_EQ(first.mean(), together.mean());
    for (double percent = 0; percent <= 100; percent += 0.5) {
        EXPECT_EQ(first.percentile(percent), together.percentile(percent));
    }
}

TEST(Histogram, GivesTheStandardDeviationOfTheValues) {
    Histogram histogram;
    EXPECT_EQ(histogram.standard_deviation(), 0.0);
    for (const std::uint64_t value : {2U, 4U, 4U, 4U, 5U, 5U, 7U, 9U}) histogram.record(value);
    EXPECT_DOUBLE_EQ(histogram.standard_deviation(), 2.0);
    Histogram equal;
    equal.record(1'000'003, 1'000);
    EXPECT_NEAR(equal.standard_deviation(), 0.0, 1.0);
    histogram.merge(equal);
    EXPECT_GT(histogram.standard_deviation(), 80'000.0);
}

TEST(Histogram, ShowsItsBucketsUpToTheLargestValue) {
    Histogram histogram;
    EXPECT_TRUE(histogram.counts().empty());
    histogram.record(3, 2);
    histogram.record(300);
    ASSERT_EQ(histogram.counts().size(), Histogram::bucket_of(300) + 1);
    EXPECT_EQ(histogram.counts()[3], 2U);
    EXPECT_EQ(histogram.counts().back(), 1U);
}

TEST(Histogram, RecordsAValueManyTimes) {
    Histogram histogram;
    histogram.record(5, 999);
    histogram.record(7'000, 1);
    EXPECT_EQ(histogram.count(), 1'000U);
    EXPECT_EQ(histogram.percentile(99.9), 5U);
    EXPECT_EQ(histogram.percentile(99.95), 7'000U);
    EXPECT_DOUBLE_EQ(histogram.mean(), (999 * 5 + 7'000) / 1'000.0);
}

}  // namespace
}  // namespace damrak::histogram_test
