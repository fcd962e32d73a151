#include <damrak/base/number_text.hpp>

#include <cstdint>

#include <gtest/gtest.h>

namespace damrak::number_text_test {
namespace {

TEST(NumberText, GroupsThreeDigitsFromTheRight) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1'000), "1,000");
    EXPECT_EQ(grouped(-999), "-999");
    EXPECT_EQ(grouped(-1'234'567), "-1,234,567");
    EXPECT_EQ(grouped(INT64_MIN), "-9,223,372,036,854,775,808");
}

TEST(NumberText, CountsOneAndMany) {
    EXPECT_EQ(counted(1, "order"), "1 order");
    EXPECT_EQ(counted(0, "order"), "0 orders");
    EXPECT_EQ(counted(12'000, "order"), "12,000 orders");
}

}  // namespace
}  // namespace damrak::number_text_test
