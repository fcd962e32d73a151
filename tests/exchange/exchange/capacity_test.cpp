// What is published of finite resources: levels to everybody, figures to the operator.
#include <damrak/exchange/capacity.hpp>

#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::exchange::capacity_test {
namespace {

using gateway::Usage;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Capacity, LevelsFollowTheShareOfTheAnonymousAndThenTheWhole) {
    const auto level = [](std::uint64_t used, std::uint64_t capacity, std::uint64_t anonymous) {
        return level_of(Usage::of_pool("orders", used, capacity, anonymous));
    };
    EXPECT_EQ(level(0, 100, 50), "ok");
    EXPECT_EQ(level(39, 100, 50), "ok");
    EXPECT_EQ(level(40, 100, 50), "warning");
    EXPECT_EQ(level(50, 100, 50), "warning") << "others still enter orders";
    EXPECT_EQ(level(79, 100, 100), "ok");
    EXPECT_EQ(level(99, 100, 100), "warning");
    EXPECT_EQ(level(100, 100, 100), "full");
    EXPECT_EQ(level(0, 0, 0), "ok") << "there is none";
}

TEST(Capacity, PlacesOfStrangersThatAreTakenAreAWarning) {
    EXPECT_EQ(level_of({"connections", 60, 100, 50, 39}), "ok");
    EXPECT_EQ(level_of({"connections", 60, 100, 50, 50}), "warning");
    EXPECT_EQ(level_of({"connections", 100, 100, 50, 0}), "full");
}

TEST(Capacity, LevelsTellNoFigure) {
    const std::string text = level_metrics({Usage::of_pool("orders", 7'654, 10'000, 10'000),
                                            Usage::of_pool("levels", 85, 100, 100),
                                            Usage::of_pool("accounts", 9, 9, 9)});
    EXPECT_THAT(text, HasSubstr("\ndamrak_capacity_level{of=\"orders\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("\ndamrak_capacity_level{of=\"levels\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("\ndamrak_capacity_level{of=\"accounts\"} 2\n"));
    EXPECT_THAT(text, Not(HasSubstr("7654")));
    EXPECT_THAT(text, Not(HasSubstr("85")));
}

}  // namespace
}  // namespace damrak::exchange::capacity_test
