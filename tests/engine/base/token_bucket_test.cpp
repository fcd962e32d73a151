#include <damrak/base/token_bucket.hpp>

#include <limits>

#include <gtest/gtest.h>

namespace damrak::token_bucket_test {
namespace {

constexpr std::int64_t k_second_ns = 1'000'000'000;

bool take(TokenBucket& bucket, std::int64_t now_ns) {
    if (!bucket.allows(now_ns)) return false;
    bucket.take();
    return true;
}

TEST(TokenBucket, AllowsABurstAndThenItsRate) {
    TokenBucket bucket{4, 3};
    EXPECT_TRUE(take(bucket, 0) && take(bucket, 0) && take(bucket, 0));
    EXPECT_FALSE(take(bucket, 0));
    EXPECT_FALSE(take(bucket, k_second_ns / 4 - 1)) << "to the nanosecond";
    EXPECT_TRUE(take(bucket, k_second_ns / 4));
    EXPECT_FALSE(take(bucket, k_second_ns / 4));
}

TEST(TokenBucket, KeepsARateExactlyThatDoesNotDivideASecond) {
    TokenBucket bucket{7, 1};
    int taken = 0;
    for (std::int64_t now = 0; now < 3'000 * k_second_ns; now += 1'234'567)
        taken += take(bucket, now) ? 1 : 0;
    EXPECT_LE(taken, 3'000 * 7 + 1);
    EXPECT_GE(taken, 3'000 * 7 * 98 / 100) << "steps of 1.2 ms lose no more than this";
}

TEST(TokenBucket, IsNeverFullerThanItsBurst) {
    TokenBucket bucket{1'000'000, 2};
    EXPECT_TRUE(take(bucket, 0));
    EXPECT_TRUE(take(bucket, std::numeric_limits<std::int64_t>::max()));
    EXPECT_TRUE(take(bucket, std::numeric_limits<std::int64_t>::max()));
    EXPECT_FALSE(take(bucket, std::numeric_limits<std::int64_t>::max()));
}

TEST(TokenBucket, GainsNothingWhenTimeGoesBack) {
    TokenBucket bucket{1, 1};
    EXPECT_TRUE(take(bucket, 5 * k_second_ns));
    EXPECT_FALSE(take(bucket, 2 * k_second_ns));
    EXPECT_FALSE(take(bucket, 6 * k_second_ns - 1));
    EXPECT_TRUE(take(bucket, 6 * k_second_ns));
}

TEST(TokenBucket, WithoutARateAllowsEverything) {
    TokenBucket bucket{0, 0};
    for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(take(bucket, 0));
}

}  // namespace
}  // namespace damrak::token_bucket_test
