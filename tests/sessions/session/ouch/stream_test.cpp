// The messages of a user: found by number across pieces, even after they were saved and loaded.
#include <damrak/session/ouch/stream.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/byte_order.hpp>
#include <damrak/base/serialize.hpp>

namespace damrak::session::ouch::stream_test {
namespace {

// The n-th message has its number and a length that depends on it.
void append_some(MessageStream& stream, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        std::array<std::byte, 80> message{};
        const std::uint64_t number = stream.next();
        store_be(message.data(), number);
        stream.append(std::span{message}.first(8 + number % 73));
    }
}

std::uint64_t number_at(const MessageStream& stream, const MessageStream::Place& place) {
    const auto frame = stream.at(place);
    EXPECT_EQ(frame.size(), 2 + 8 + place.number % 73);
    return load_be<std::uint64_t>(frame.data() + 2);
}

TEST(OuchStream, finds_every_message_by_its_number) {
    MessageStream stream;
    EXPECT_TRUE(stream.at(stream.place_of(1)).empty());
    append_some(stream, 5'000);  // some four pieces
    auto place = stream.place_of(1);
    for (std::uint64_t number = 1; number <= 5'000; ++number) {
        ASSERT_EQ(number_at(stream, place), number);
        ASSERT_EQ(number_at(stream, stream.place_of(number)), number);
        stream.skip(place);
    }
    EXPECT_TRUE(stream.at(place).empty());
}

TEST(OuchStream, a_place_at_the_end_continues_with_new_messages) {
    MessageStream stream;
    auto place = stream.place_of(1);
    for (std::uint64_t number = 1; number <= 5'000; ++number) {
        ASSERT_TRUE(stream.at(place).empty());
        append_some(stream, 1);
        ASSERT_EQ(number_at(stream, place), number);
        stream.skip(place);
    }
}

TEST(OuchStream, is_the_same_after_saving_and_loading) {
    MessageStream stream;
    append_some(stream, 3'000);
    const auto bytes = saved_bytes(
        [&](auto& archive) { MessageStream::transfer(std::as_const(stream), archive); });
    MessageStream loaded;
    LoadArchive archive{bytes};
    MessageStream::transfer(loaded, archive);
    ASSERT_TRUE(archive.complete());
    EXPECT_EQ(loaded.next(), stream.next());
    append_some(loaded, 10);
    for (std::uint64_t number = 1; number <= 3'010; ++number)
        ASSERT_EQ(number_at(loaded, loaded.place_of(number)), number);
}

}  // namespace
}  // namespace damrak::session::ouch::stream_test
