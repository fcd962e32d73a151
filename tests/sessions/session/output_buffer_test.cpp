#include <damrak/session/output_buffer.hpp>

#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace damrak::session::output_buffer_test {
namespace {

struct OutputBufferTest : ::testing::Test {
    std::array<std::byte, 8> memory{};
    OutputBuffer buffer{memory};

    bool write(std::string_view text) {
        const auto room = buffer.extend(text.size());
        if (room.empty()) return false;
        std::memcpy(room.data(), text.data(), text.size());
        return true;
    }
    [[nodiscard]] std::string readable() const {
        const auto bytes = buffer.readable();
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
};

TEST_F(OutputBufferTest, ReturnsWrittenBytesInOrder) {
    EXPECT_TRUE(write("abc"));
    EXPECT_TRUE(write("de"));
    EXPECT_EQ(readable(), "abcde");
    buffer.consume(2);
    EXPECT_EQ(readable(), "cde");
}

TEST_F(OutputBufferTest, HasNoRoomForMoreThanItsMemory) {
    EXPECT_TRUE(write("abcdef"));
    EXPECT_FALSE(write("ghi"));
    EXPECT_EQ(readable(), "abcdef") << "a failed extend changes nothing";
    EXPECT_TRUE(write("gh"));
}

TEST_F(OutputBufferTest, ReusesTheRoomOfSentBytes) {
    write("abcdef");
    buffer.consume(5);
    EXPECT_TRUE(write("ghijk"));
    EXPECT_EQ(readable(), "fghijk");
}

TEST_F(OutputBufferTest, HoldsBackUnsettledBytes) {
    write("ab");
    buffer.hold();
    write("cd");
    EXPECT_EQ(readable(), "ab");
    EXPECT_EQ(buffer.size(), 4U);
    buffer.held()[0] = std::byte{'C'};
    buffer.release();
    EXPECT_EQ(readable(), "abCd");
}

TEST_F(OutputBufferTest, KeepsTrackOfHeldBytesWhenTheyMove) {
    write("abc");
    buffer.hold();
    write("def");
    buffer.consume(3);
    EXPECT_EQ(readable(), "");
    EXPECT_TRUE(write("ghij"));
    EXPECT_EQ(readable(), "");
    buffer.held()[0] = std::byte{'D'};
    buffer.release();
    EXPECT_EQ(readable(), "Defghij");
}

}  // namespace
}  // namespace damrak::session::output_buffer_test
