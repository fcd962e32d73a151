// What is told of finite resources: levels to everybody, figures to the operator.
#include <damrak/exchange/capacity.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::exchange::capacity_test {
namespace {

using gateway::Usage;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Capacity, LevelsFollowTheShareOfTheAnonymousAndThenTheWhole) {
    EXPECT_EQ(level_of({"orders", 0, 100, 50}), "ok");
    EXPECT_EQ(level_of({"orders", 39, 100, 50}), "ok");
    EXPECT_EQ(level_of({"orders", 40, 100, 50}), "warning");
    EXPECT_EQ(level_of({"orders", 50, 100, 50}), "warning") << "others still enter orders";
    EXPECT_EQ(level_of({"orders", 79, 100, 100}), "ok");
    EXPECT_EQ(level_of({"orders", 99, 100, 100}), "warning");
    EXPECT_EQ(level_of({"orders", 100, 100, 100}), "full");
    EXPECT_EQ(level_of({"none", 0, 0, 0}), "ok");
}

TEST(Capacity, LevelsTellNoFigure) {
    const std::string text = level_metrics(
        {{"orders", 7'654, 10'000, 10'000}, {"levels", 85, 100, 100}, {"accounts", 9, 9, 9}});
    EXPECT_THAT(text, HasSubstr("\ndamrak_capacity_level{of=\"orders\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("\ndamrak_capacity_level{of=\"levels\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("\ndamrak_capacity_level{of=\"accounts\"} 2\n"));
    EXPECT_THAT(text, Not(HasSubstr("7654")));
    EXPECT_THAT(text, Not(HasSubstr("85")));
}

}  // namespace
}  // namespace damrak::exchange::capacity_test
