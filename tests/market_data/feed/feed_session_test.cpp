// A feed session in its file: what is written is read, even after a kill, also by many.
#include <damrak/feed/feed_session.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"

namespace damrak::feed::feed_session_test {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr FeedSessionId k_id{.date = 20261123, .number = 1};

std::vector<std::byte> framed(std::string_view text) {
    std::vector<std::byte> frame{static_cast<std::byte>(text.size() / 256),
                                 static_cast<std::byte>(text.size() % 256)};
    for (const char letter : text) frame.push_back(static_cast<std::byte>(letter));
    return frame;
}

std::vector<std::string> texts_of(std::span<const std::byte> frames) {
    std::vector<std::string> texts;
    while (!frames.empty()) {
        const auto length =
            std::to_integer<std::size_t>(frames[0]) * 256 + std::to_integer<std::size_t>(frames[1]);
        const auto text = frames.subspan(2, length);
        texts.emplace_back(reinterpret_cast<const char*>(text.data()), text.size());
        frames = frames.subspan(2 + length);
    }
    return texts;
}

class FeedSessionFile : public ::testing::Test {
  protected:
    std::shared_ptr<FeedSession> open(std::uint64_t record = 0) {
        auto opened = FeedSession::open(folder_.path(), k_id, record);
        EXPECT_TRUE(opened) << opened.error();
        return opened ? *opened : nullptr;
    }
    /// Messages `first` to `last`, each its number, of record 1,000 + number.
    static void write(FeedSession& session, std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t number = first; number <= last; ++number)
            ASSERT_TRUE(session.append(framed(std::to_string(number)), 1'000 + number));
    }
    std::vector<std::string> read(const std::shared_ptr<FeedSession>& session, std::uint64_t from,
                                  std::size_t memory_bytes = FeedSession::k_longest_frame) {
        std::vector<std::byte> memory(memory_bytes);
        std::vector<std::string> all;
        FeedReader reader{session, from};
        for (;;) {
            const auto texts = texts_of(reader.read(memory));
            if (texts.empty()) return all;
            all.insert(all.end(), texts.begin(), texts.end());
        }
    }
    void damage(const std::string& file, std::streamoff offset) {
        std::fstream stream{folder_.path() / file, std::ios::in | std::ios::out | std::ios::binary};
        stream.seekp(offset);
        stream.write("\xFF\xFF", 2);
    }
    void flip_a_bit(std::size_t offset) {
        std::fstream stream{folder_.path() / "2026112301.itch",
                            std::ios::in | std::ios::out | std::ios::binary};
        stream.seekg(static_cast<std::streamoff>(offset));
        const char flipped = static_cast<char>(stream.get() ^ 1);
        stream.seekp(static_cast<std::streamoff>(offset));
        stream.put(flipped);
    }

    damrak::testing::ScratchFolder folder_;
};

}  // namespace

TEST(FeedSessionId, IsTenDigits) {
    EXPECT_EQ(k_id.text(), "2026112301");
    EXPECT_EQ(FeedSessionId::parse("2026112301"), k_id);
    EXPECT_EQ(FeedSessionId::parse("202611230"), std::nullopt);
    EXPECT_EQ(FeedSessionId::parse("20261123x1"), std::nullopt);
}

TEST_F(FeedSessionFile, GivesEachMessageByItsNumber) {
    const auto session = open();
    write(*session, 1, 5'000);
    for (const std::uint64_t from : {1U, 2U, 1'024U, 1'025U, 2'048U, 4'999U, 5'000U}) {
        const auto texts = read(session, from);
        ASSERT_EQ(texts.size(), 5'001 - from);
        EXPECT_EQ(texts.front(), std::to_string(from));
        EXPECT_EQ(texts.back(), "5000");
    }
}

TEST_F(FeedSessionFile, ReaderAtTheEndGetsWhatFollows) {
    const auto session = open();
    std::vector<std::byte> memory(FeedSession::k_longest_frame);
    for (const std::uint64_t count : {1U, 1'023U, 1'024U, 1'025U, 2'048U}) {
        write(*session, session->messages() + 1, count);
        FeedReader reader{session, count + 1};
        EXPECT_THAT(reader.read(memory), ::testing::IsEmpty());
        write(*session, count + 1, count + 1);
        EXPECT_EQ(texts_of(reader.read(memory)), std::vector{std::to_string(count + 1)});
        EXPECT_EQ(reader.next(), count + 2);
    }
}

TEST_F(FeedSessionFile, SmallMemoryGetsWholeMessages) {
    const auto session = open();
    write(*session, 1, 100);
    EXPECT_EQ(read(session, 1, 7).size(), 100U);
}

TEST_F(FeedSessionFile, GoesOnWhereItWasSynced) {
    {
        const auto session = open(17);
        EXPECT_EQ(session->kept(), 17U);
        write(*session, 1, 3'000);
        ASSERT_TRUE(session->sync());
        write(*session, 3'001, 3'010);  // in the file, but not in its position
        EXPECT_EQ(session->kept(), 4'000U);
    }
    const auto session = open(17);
    EXPECT_EQ(session->kept(), 4'000U);
    EXPECT_EQ(session->messages(), 3'000U);
    write(*session, 3'001, 3'002);
    ASSERT_TRUE(session->truncate());
    EXPECT_EQ(read(session, 2'999), (std::vector<std::string>{"2999", "3000", "3001", "3002"}));
}

TEST_F(FeedSessionFile, KnowsItsEnd) {
    {
        const auto session = open();
        write(*session, 1, 1);
        FeedReader reader{session, 1};
        session->end();
        EXPECT_FALSE(reader.at_end());
        std::vector<std::byte> memory(FeedSession::k_longest_frame);
        EXPECT_EQ(reader.read(memory).size(), 3U);
        EXPECT_TRUE(reader.at_end());
        ASSERT_TRUE(session->sync());
    }
    EXPECT_TRUE(open()->ended());
}

TEST_F(FeedSessionFile, FindsTheLastSessionOfAFolder) {
    EXPECT_EQ(FeedSession::last_in(folder_.path()), std::nullopt);
    ASSERT_TRUE(FeedSession::open(folder_.path(), k_id, 0));
    ASSERT_TRUE(FeedSession::open(folder_.path(), {.date = 20261122, .number = 7}, 0));
    EXPECT_EQ(FeedSession::last_in(folder_.path()), k_id);
}

TEST_F(FeedSessionFile, RefusesADamagedFileAndSaysWhatToDo) {
    {
        const auto session = open();
        write(*session, 1, 100);
        ASSERT_TRUE(session->sync());
    }
    damage("2026112301.itch", 0);
    const auto refused = FeedSession::open(folder_.path(), k_id, 0);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("2026112301.itch"));
    EXPECT_THAT(refused.error(), HasSubstr("damaged at offset 0"));
    EXPECT_THAT(refused.error(), HasSubstr("--new-feed-session"));
    EXPECT_FALSE(FeedSession::open_earlier(folder_.path(), k_id));
    damage("2026112301.position", 3);
    EXPECT_THAT(FeedSession::open(folder_.path(), k_id, 0).error(),
                HasSubstr("2026112301.position"));
}

TEST_F(FeedSessionFile, RefusesAnyByteThatIsNotWhatWasWritten) {
    {
        const auto session = open();
        write(*session, 1, 20);
        ASSERT_TRUE(session->sync());
    }
    const auto bytes = std::filesystem::file_size(folder_.path() / "2026112301.itch");
    for (std::size_t at = 0; at < bytes; ++at) {
        flip_a_bit(at);
        for (const std::string& error : {FeedSession::open(folder_.path(), k_id, 0).error(),
                                         FeedSession::open_earlier(folder_.path(), k_id).error()})
            EXPECT_THAT(error, AllOf(HasSubstr("2026112301.itch"), HasSubstr("damaged"))) << at;
        flip_a_bit(at);
    }
    EXPECT_TRUE(FeedSession::open_earlier(folder_.path(), k_id));
    EXPECT_TRUE(FeedSession::open(folder_.path(), k_id, 0));
}

TEST_F(FeedSessionFile, IsNotBegunAnewWhereItsMessagesAreMissing) {
    {
        const auto session = open();
        write(*session, 1, 20);
        ASSERT_TRUE(session->sync());
    }
    const auto messages = folder_.path() / "2026112301.itch";
    std::filesystem::remove(messages);
    const auto refused = FeedSession::open(folder_.path(), k_id, 0);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), AllOf(HasSubstr("2026112301.itch: missing"), HasSubstr("a copy")));
    EXPECT_FALSE(std::filesystem::exists(messages));
}

TEST_F(FeedSessionFile, OfEarlierHasWhatWasWrittenAfterItsLastSync) {
    {
        const auto session = open();
        write(*session, 1, 20);
        ASSERT_TRUE(session->sync());
        write(*session, 21, 25);
    }
    const auto earlier = FeedSession::open_earlier(folder_.path(), k_id);
    ASSERT_TRUE(earlier) << earlier.error();
    EXPECT_EQ((*earlier)->messages(), 25U);
}

TEST_F(FeedSessionFile, RefusesAPartOfAMessage) {
    const auto session = open();
    auto frame = framed("whole");
    frame.pop_back();
    EXPECT_FALSE(session->append(frame, 1));
    EXPECT_EQ(session->messages(), 0U);
    EXPECT_EQ(session->written().record, 0U);
}

}  // namespace damrak::feed::feed_session_test
