#include <damrak/base/version.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::version_test {
namespace {

TEST(Version, IsThreeNumbersJoinedByDots) {
    EXPECT_THAT(std::string{version()}, ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace
}  // namespace damrak::version_test
