#include <damrak/session/fix/detail/early_messages.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace damrak::session::fix::early_messages_test {
namespace {

class EarlyMessagesTest : public ::testing::Test {
  protected:
    bool keep(std::uint64_t sequence, const std::string& message) {
        return early_.keep(sequence, message);
    }
    std::string take(std::uint64_t sequence) {
        const auto message = early_.take(sequence);
        return {message.begin(), message.end()};
    }
    EarlyMessages early_{640};
};

TEST_F(EarlyMessagesTest, AreReturnedByNumberInAnyOrderOfArrival) {
    EXPECT_TRUE(keep(7, "seven"));
    EXPECT_TRUE(keep(5, "five"));
    EXPECT_TRUE(keep(6, "six"));
    EXPECT_EQ(take(4), "");
    EXPECT_EQ(take(5), "five");
    EXPECT_TRUE(keep(8, "eight"));
    EXPECT_EQ(take(6), "six");
    EXPECT_EQ(take(7), "seven");
    EXPECT_EQ(take(8), "eight");
    EXPECT_TRUE(early_.empty());
}

TEST_F(EarlyMessagesTest, TheFirstMessageWithANumberIsKept) {
    EXPECT_TRUE(keep(5, "five"));
    EXPECT_TRUE(keep(5, "again"));
    EXPECT_EQ(take(5), "five");
    EXPECT_TRUE(early_.empty());
}

TEST_F(EarlyMessagesTest, EarlierMessagesAreDropped) {
    EXPECT_TRUE(keep(5, "five"));
    EXPECT_TRUE(keep(9, "nine"));
    EXPECT_EQ(take(6), "");
    EXPECT_EQ(take(5), "");
    EXPECT_EQ(take(9), "nine");
}

TEST_F(EarlyMessagesTest, MessagesThatDoNotFitAreDroppedUntilThereIsRoom) {
    const std::string large(600, 'x');
    EXPECT_TRUE(keep(5, large));
    EXPECT_FALSE(keep(6, large));
    EXPECT_TRUE(keep(7, "seven"));
    EXPECT_EQ(take(5), large);
    EXPECT_EQ(take(7), "seven");
    EXPECT_TRUE(keep(8, large));
}

TEST_F(EarlyMessagesTest, TheirNumberIsBoundedToo) {
    std::uint64_t kept = 0;
    while (keep(100 + kept, "x")) ++kept;
    EXPECT_EQ(kept, 10U);
}

}  // namespace
}  // namespace damrak::session::fix::early_messages_test
