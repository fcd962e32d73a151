// The walk over framed bytes: the messages that the visitor gets, where the walk stops, and each
// named fault with its offset.
#include <damrak/wire/itch/walk.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.hpp"
#include "support/itch_collector.hpp"

namespace damrak::wire::itch::walk_test {
namespace {

using damrak::testing::append;
using damrak::testing::Bytes;
using damrak::testing::bytes_of;
using damrak::testing::from_hex;
using damrak::testing::itch_frame;
using damrak::testing::itch_frames;
using damrak::testing::ItchCollector;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

AddOrder add(std::uint64_t order_ref) {
    return {.stock_locate = 1,
            .timestamp_ns = 1'000,
            .order_ref = order_ref,
            .side = Side::buy,
            .shares = 100,
            .stock = Stock::from("TEST").value(),
            .price_e4 = 10'000};
}

OrderDelete remove(std::uint64_t order_ref) {
    return {.stock_locate = 1, .timestamp_ns = 2'000, .order_ref = order_ref};
}

const std::vector<Message> k_three{add(1), remove(1), add(2)};

// Walks over two valid frames, then `frame`.
WalkResult walk_behind_two(const Bytes& frame, ItchCollector& collector) {
    auto bytes = itch_frames(std::span{k_three}.first(2));
    append(bytes, frame);
    return walk(bytes, collector);
}

constexpr std::size_t k_two_frames = k_frame_length<AddOrder> + k_frame_length<OrderDelete>;

TEST(ItchWalk, passes_every_message_in_order) {
    ItchCollector collector;
    const auto bytes = itch_frames(k_three);
    const auto result = walk(bytes, collector);
    EXPECT_EQ(result.end, WalkEnd::need_more);
    EXPECT_EQ(result.consumed_bytes, bytes.size());
    EXPECT_EQ(result.messages, 3U);
    EXPECT_EQ(collector.messages, k_three);
}

TEST(ItchWalk, of_no_bytes_asks_for_more) {
    ItchCollector collector;
    const auto result = walk({}, collector);
    EXPECT_EQ(result.end, WalkEnd::need_more);
    EXPECT_EQ(result.consumed_bytes, 0U);
}

TEST(ItchWalk, counts_but_skips_types_that_the_visitor_does_not_take) {
    struct OnlyDeletes {
        std::vector<std::uint64_t> refs;
        void on(const OrderDelete& message) { refs.push_back(message.order_ref); }
    } visitor;
    const auto result = walk(itch_frames(k_three), visitor);
    EXPECT_EQ(result.messages, 3U);
    EXPECT_THAT(visitor.refs, ElementsAre(1U));
}

TEST(ItchWalk, stops_after_the_message_for_which_the_visitor_returns_false) {
    struct StopAtDelete {
        bool on(const OrderDelete&) { return false; }
    } visitor;
    const auto result = walk(itch_frames(k_three), visitor);
    EXPECT_EQ(result.end, WalkEnd::stopped);
    EXPECT_EQ(result.messages, 2U);
    EXPECT_EQ(result.consumed_bytes, k_two_frames);
}

struct Ahead {
    static constexpr std::size_t k_ahead = 2;
    std::vector<std::string> seen;
    void ahead(char type, std::uint16_t locate, std::uint64_t order_ref) {
        seen.push_back(std::string{"ahead "} + type + std::to_string(locate) + ":" +
                       std::to_string(order_ref));
    }
    void on(const AddOrder& message) { seen.push_back(std::to_string(message.order_ref)); }
};

TEST(ItchWalk, announces_orders_ahead_of_passing_them) {
    Ahead visitor;
    const std::vector<Message> messages{add(1), SystemEvent{.event_code = 'Q'}, add(2), remove(2)};
    (void)walk(itch_frames(messages), visitor);
    EXPECT_THAT(visitor.seen, ElementsAre("ahead A1:1", "ahead A1:2", "1", "ahead D1:2", "2"));
}

TEST(ItchWalk, waits_for_the_rest_of_a_frame_cut_anywhere) {
    const auto bytes = itch_frames(k_three);
    for (std::size_t cut = k_two_frames; cut < bytes.size(); ++cut) {
        ItchCollector collector;
        const auto result = walk(std::span{bytes}.first(cut), collector);
        EXPECT_EQ(result.end, WalkEnd::need_more) << cut;
        EXPECT_EQ(result.consumed_bytes, k_two_frames) << cut;
        EXPECT_EQ(collector.messages.size(), 2U) << cut;
    }
}

TEST(ItchWalk, ends_at_a_frame_of_length_zero) {
    for (const auto* tail : {"0000", "0000 00", "0000 4100", "0000 0000 0000"}) {
        ItchCollector collector;
        const auto result = walk_behind_two(from_hex(tail), collector);
        EXPECT_EQ(result.end, WalkEnd::end_mark) << tail;
        EXPECT_EQ(result.consumed_bytes, k_two_frames) << tail;
        EXPECT_EQ(collector.messages.size(), 2U) << tail;
    }
}

TEST(ItchWalk, refuses_an_unknown_type_even_with_most_of_the_frame_missing) {
    for (const auto* frame : {"0013 7a", "0013 7a 0001 0000 000000000000 0000000000000001"}) {
        ItchCollector collector;
        const auto result = walk_behind_two(from_hex(frame), collector);
        ASSERT_EQ(result.end, WalkEnd::fault);
        EXPECT_EQ(result.error, (DecodeError{.fault = Fault::unknown_type,
                                             .offset = k_two_frames + 2,
                                             .type = 'z',
                                             .found = 'z'}));
        EXPECT_EQ(collector.messages.size(), 2U);
        EXPECT_EQ(describe(result.error),
                  "offset 61: message type 'z' (0x7a) is unknown; expected one of the 23 types of "
                  "ITCH 5.0");
    }
}

TEST(ItchWalk, rejects_a_length_that_does_not_match_the_type) {
    for (const std::uint32_t length : {1U, 35U, 37U, 255U, 65'535U}) {
        auto frame = itch_frame(add(3));
        store_be(frame.data(), static_cast<std::uint16_t>(length));
        ItchCollector collector;
        const auto result = walk_behind_two(frame, collector);
        ASSERT_EQ(result.end, WalkEnd::fault);
        EXPECT_EQ(result.error, (DecodeError{.fault = Fault::wrong_length,
                                             .offset = k_two_frames,
                                             .type = 'A',
                                             .found = length,
                                             .expected = 36}));
        EXPECT_THAT(describe(result.error), HasSubstr("expected 36"));
    }
}

TEST(ItchWalk, rejects_a_side_other_than_buy_or_sell) {
    for (int byte = 0; byte < 256; ++byte) {
        auto frame = itch_frame(add(3));
        frame[2 + 19] = static_cast<std::byte>(byte);
        ItchCollector collector;
        const auto result = walk_behind_two(frame, collector);
        if (byte == 'B' || byte == 'S') {
            EXPECT_EQ(result.end, WalkEnd::need_more);
            EXPECT_EQ(collector.messages.size(), 3U);
        } else {
            ASSERT_EQ(result.end, WalkEnd::fault) << byte;
            EXPECT_EQ(result.error, (DecodeError{.fault = Fault::bad_side,
                                                 .offset = k_two_frames + 2 + 19,
                                                 .type = 'A',
                                                 .found = static_cast<std::uint32_t>(byte)}));
            EXPECT_EQ(collector.messages.size(), 2U);
        }
    }
}

TEST(ItchWalk, rejects_a_printable_flag_other_than_yes_or_no) {
    for (int byte = 0; byte < 256; ++byte) {
        auto frame = itch_frame(OrderExecutedWithPrice{.order_ref = 3, .printable = true});
        frame[2 + 31] = static_cast<std::byte>(byte);
        ItchCollector collector;
        const auto result = walk_behind_two(frame, collector);
        if (byte == 'Y' || byte == 'N') {
            EXPECT_EQ(collector.messages.size(), 3U);
        } else {
            ASSERT_EQ(result.end, WalkEnd::fault) << byte;
            EXPECT_EQ(result.error.fault, Fault::bad_flag);
            EXPECT_EQ(result.error.offset, k_two_frames + 2 + 31);
        }
    }
}

TEST(ItchWalk, refuses_any_unprintable_byte_in_a_stock_symbol) {
    for (std::size_t at = 0; at < sizeof(Stock); ++at) {
        for (int byte = 0; byte < 256; ++byte) {
            auto frame = itch_frame(add(3));
            frame[2 + 24 + at] = static_cast<std::byte>(byte);
            ItchCollector collector;
            const auto result = walk_behind_two(frame, collector);
            if (byte >= 0x20 && byte <= 0x7e) {
                EXPECT_EQ(collector.messages.size(), 3U) << byte;
            } else {
                ASSERT_EQ(result.end, WalkEnd::fault) << byte;
                EXPECT_EQ(result.error, (DecodeError{.fault = Fault::bad_stock,
                                                     .offset = k_two_frames + 2 + 24 + at,
                                                     .type = 'A',
                                                     .found = static_cast<std::uint32_t>(byte)}));
            }
        }
    }
}

TEST(ItchWalk, delivers_unknown_letters) {
    const std::vector<Message> messages{
        SystemEvent{.event_code = '?'},
        CrossTrade{.stock = Stock::from("X").value(), .cross_type = 'I'}};
    ItchCollector collector;
    (void)walk(itch_frames(messages), collector);
    EXPECT_EQ(collector.messages, messages);
}

TEST(ItchDecodeOne, names_what_is_wrong_with_a_message_without_a_frame) {
    EXPECT_EQ(decode_one({}).error().fault, Fault::wrong_length);
    EXPECT_EQ(decode_one(bytes_of("!")).error().fault, Fault::unknown_type);
    auto message = damrak::testing::itch_message(remove(1));
    message.push_back(std::byte{0});
    const auto too_long = decode_one(message, 1'000);
    EXPECT_EQ(too_long.error(), (DecodeError{.fault = Fault::wrong_length,
                                             .offset = 1'000,
                                             .type = 'D',
                                             .found = 20,
                                             .expected = 19}));
}

}  // namespace
}  // namespace damrak::wire::itch::walk_test
