// Sessions of earlier days are opened when somebody asks for them, and stay open while they are
// read.
#include <damrak/feed/earlier_sessions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"

namespace damrak::feed::earlier_sessions_test {
namespace {

class EarlierFeedSessions : public ::testing::Test {
  protected:
    static FeedSessionId day(std::int32_t number) { return {.date = 20261100 + number}; }
    /// With one message.
    void make(std::int32_t number) const {
        const auto session = FeedSession::open(folder_.path(), day(number), 0);
        constexpr std::array k_frame{std::byte{0}, std::byte{1}, std::byte{'x'}};
        ASSERT_TRUE((*session)->append(k_frame, 1));
        (*session)->end();
        ASSERT_TRUE((*session)->sync());
    }
    /// Once it is known whether there is one.
    EarlierSessions::Session find(std::int32_t number) {
        for (;;) {
            if (auto found = sessions_.find(day(number))) return *std::move(found);
            std::this_thread::yield();
        }
    }

    testing::ScratchFolder folder_;
    EarlierSessions sessions_{folder_.path()};
};

}  // namespace

TEST_F(EarlierFeedSessions, AreOpenedWithAllTheirMessages) {
    make(1);
    make(2);
    EXPECT_EQ(sessions_.find(day(1)), std::nullopt) << "it is being opened";
    const auto first = find(1);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->id(), day(1));
    EXPECT_EQ(first->messages(), 1U);
    EXPECT_TRUE(first->ended());
    EXPECT_NE(find(2), nullptr);
    EXPECT_EQ(find(1), first) << "it stays open";
}

TEST_F(EarlierFeedSessions, ThatAreNotThereOrCannotBeOpenedAreNone) {
    EXPECT_EQ(sessions_.find(day(1)), EarlierSessions::Session{});
    make(1);
    std::filesystem::remove(folder_.path() / "2026110100.itch");
    EXPECT_EQ(find(1), nullptr);
    EXPECT_EQ(find(1), nullptr);
}

TEST_F(EarlierFeedSessions, AreClosedForOthersUnlessTheyAreRead) {
    std::vector<EarlierSessions::Session> read;
    constexpr auto k_most = static_cast<std::int32_t>(EarlierSessions::k_most);
    for (std::int32_t number = 1; number <= k_most + 1; ++number) make(number);
    for (std::int32_t number = 1; number <= k_most; ++number) read.push_back(find(number));
    EXPECT_EQ(find(k_most + 1), nullptr) << "all are being read";
    read.erase(read.begin() + 2);
    EXPECT_NE(find(k_most + 1), nullptr);
    EXPECT_EQ(find(1), read.front());
}

}  // namespace damrak::feed::earlier_sessions_test
