// Each gateway that a thread wakes up for has its own flag, however many there are.
#include <damrak/gateway/detail/neighbours.hpp>

#include <array>

#include <gtest/gtest.h>

namespace damrak::gateway::detail {
namespace {

TEST(Neighbours, EachIsSignalledByItsOwnFlagHoweverManyThereAre) {
    std::array<bool, 5> flags{};
    Neighbours neighbours;
    for (bool& flag : flags) neighbours.add(flag);
    for (bool& flag : flags) {
        EXPECT_TRUE(neighbours.signal(&flag));
        for (const bool& other : flags) EXPECT_EQ(other, &other == &flag);
        flag = false;
    }
}

TEST(Neighbours, ExcludeOtherOwners) {
    bool known = false;
    const int connection = 0;
    Neighbours neighbours;
    EXPECT_FALSE(neighbours.signal(nullptr));
    neighbours.add(known);
    EXPECT_FALSE(neighbours.signal(&connection));
    EXPECT_FALSE(neighbours.signal(nullptr)) << "whoever waits to be let in";
    EXPECT_FALSE(known);
}

}  // namespace
}  // namespace damrak::gateway::detail
