// OUCH messages byte by byte: captured ones of 5.0, one of each kind of 4.2 written by hand, and
// the faults of invalid bytes.
#include <string>

#include <gtest/gtest.h>

#include <damrak/wire/ouch/decode.hpp>
#include <damrak/wire/ouch/encode.hpp>

#include "support/bytes.hpp"

namespace damrak::wire::ouch::examples_test {
namespace {

using damrak::testing::from_hex;

template <std::size_t n>
Alpha<n> ouch_text(std::string_view text) {
    return *Alpha<n>::from(text);
}

template <class Messages, class M>
void expect_same(std::string_view hex, const M& message) {
    const auto bytes = from_hex(hex);
    const auto decoded = decode<Messages>(bytes);
    ASSERT_TRUE(decoded.has_value()) << describe(decoded.error());
    ASSERT_TRUE(std::holds_alternative<M>(*decoded));
    EXPECT_EQ(std::get<M>(*decoded), message);
    std::array<std::byte, k_longest_message> memory{};
    const std::size_t length = encode(message, memory);
    EXPECT_TRUE(std::ranges::equal(std::span{memory}.first(length), bytes));
}

TEST(Ouch50, captured_enter_order_with_a_firm) {
    v50::EnterOrder order{.user_ref = 113,
                          .side = 'T',
                          .quantity = 225,
                          .symbol = ouch_text<8>("CVLT"),
                          .price_e4 = 630'200,
                          .time_in_force = '0',
                          .display = 'Y',
                          .capacity = 'A',
                          .iso = 'N',
                          .cross_type = 'N',
                          .cl_ord_id = ouch_text<14>("H8FUB8IV")};
    order.appendage.add(Option::firm, ouch_text<4>("LIME"));
    expect_same<v50::Inbound>(
        "4F 00000071 54 000000E1 43564C5420202020 0000000000099DB8 30 59 41 4E 4E "
        "4838465542384956 20202020 2020 0006 05 02 4C494D45",
        order);
    EXPECT_EQ(order.appendage.get<Firm>(Option::firm), ouch_text<4>("LIME"));
    EXPECT_FALSE(order.appendage.has(Option::minimum_quantity));
}

TEST(Ouch50, captured_accepted_with_firm_and_weight) {
    v50::Accepted accepted{.timestamp_ns = 0x0000289B4D681317,
                           .user_ref = 0x00753A8D,
                           .side = 'B',
                           .quantity = 40,
                           .symbol = ouch_text<8>("ADBE"),
                           .price_e4 = 4'777'800,
                           .time_in_force = '5',
                           .display = 'Y',
                           .order_reference = 257'340'661,
                           .capacity = 'A',
                           .iso = 'N',
                           .cross_type = 'N',
                           .order_state = 'L',
                           .cl_ord_id = ouch_text<14>("7682701")};
    accepted.appendage.add(Option::firm, ouch_text<4>("MLRO"));
    accepted.appendage.add(Option::bbo_weight, '0');
    expect_same<v50::Outbound>(
        "41 0000289B4D681317 00753A8D 42 00000028 4144424520202020 000000000048E748 35 59 "
        "000000000F56B4F5 41 4E 4E 4C 3736383237303120202020202020 0009 05 02 4D4C524F 02 12 30",
        accepted);
}

TEST(Ouch50, captured_cancel_and_canceled) {
    expect_same<v50::Inbound>("58 00752E71 00000000", v50::CancelOrder{.user_ref = 0x00752E71});
    expect_same<v50::Outbound>("43 0000289B4D681317 00753A8D 00000028 55",
                               v50::Canceled{.timestamp_ns = 0x0000289B4D681317,
                                             .user_ref = 0x00753A8D,
                                             .quantity = 40,
                                             .reason = 'U'});
}

TEST(Ouch50, an_optional_appendage_may_be_missing_empty_or_present) {
    v50::CancelOrder cancel{.user_ref = 1, .quantity = 2};
    expect_same<v50::Inbound>("58 00000001 00000002", cancel);
    cancel.appendage.stated = true;
    expect_same<v50::Inbound>("58 00000001 00000002 0000", cancel);
    cancel.appendage.stated = false;
    cancel.appendage.add(Option::user_ref_index, std::uint8_t{3});
    expect_same<v50::Inbound>("58 00000001 00000002 0003 02 1C 03", cancel);
}

TEST(Ouch42, enter_replace_and_cancel) {
    expect_same<v42::Inbound>(
        "4F 3132333435363738393041424344 42 00000064 4141504C20202020 0001A004 0001869F 44414D52 "
        "59 50 4E 0000000A 4E 52",
        v42::EnterOrder{.order_token = ouch_text<14>("1234567890ABCD"),
                        .side = 'B',
                        .shares = 100,
                        .symbol = ouch_text<8>("AAPL"),
                        .price_e4 = 106'500,
                        .time_in_force = 99'999,
                        .firm = ouch_text<4>("DAMR"),
                        .display = 'Y',
                        .capacity = 'P',
                        .iso = 'N',
                        .minimum_quantity = 10,
                        .cross_type = 'N',
                        .customer_type = 'R'});
    expect_same<v42::Inbound>(
        "55 4120202020202020202020202020 4220202020202020202020202020 00000007 00000009 00000000 "
        "4E 59 00000003",
        v42::ReplaceOrder{.existing_token = ouch_text<14>("A"),
                          .replacement_token = ouch_text<14>("B"),
                          .shares = 7,
                          .price_e4 = 9,
                          .time_in_force = 0,
                          .display = 'N',
                          .iso = 'Y',
                          .minimum_quantity = 3});
    expect_same<v42::Inbound>("58 4120202020202020202020202020 00000005",
                              v42::CancelOrder{.order_token = ouch_text<14>("A"), .shares = 5});
}

TEST(Ouch42, executed_and_rejected) {
    expect_same<v42::Outbound>(
        "45 00001F1ACED9F000 4120202020202020202020202020 00000064 0001A004 52 "
        "0000010000000001",
        v42::Executed{.timestamp_ns = 34'200'000'000'000,
                      .order_token = ouch_text<14>("A"),
                      .executed_shares = 100,
                      .execution_price_e4 = 106'500,
                      .liquidity_flag = 'R',
                      .match_number = (std::uint64_t{1} << 40) | 1});
    expect_same<v42::Outbound>(
        "4A 0000000000000001 4120202020202020202020202020 53",
        v42::Rejected{.timestamp_ns = 1, .order_token = ouch_text<14>("A"), .reason = 'S'});
}

TEST(Ouch, messages_have_the_lengths_of_the_specification) {
    EXPECT_EQ(Layout<v42::EnterOrder>::k_shortest, 49);
    EXPECT_EQ(Layout<v42::ReplaceOrder>::k_shortest, 47);
    EXPECT_EQ(Layout<v42::Accepted>::k_shortest, 66);
    EXPECT_EQ(Layout<v42::Replaced>::k_shortest, 80);
    EXPECT_EQ(Layout<v50::EnterOrder>::k_shortest, 47);
    EXPECT_EQ(Layout<v50::ReplaceOrder>::k_shortest, 40);
    EXPECT_EQ(Layout<v50::Accepted>::k_shortest, 64);
    EXPECT_EQ(Layout<v50::Replaced>::k_shortest, 68);
    EXPECT_EQ(Layout<v50::Executed>::k_shortest, 36);
    EXPECT_EQ(Layout<v50::MassCancelDone>::k_shortest, 27);
}

template <class Messages>
void expect_fault(std::string_view hex, const DecodeError& error) {
    const auto decoded = decode<Messages>(from_hex(hex));
    ASSERT_FALSE(decoded.has_value());
    EXPECT_EQ(decoded.error(), error) << describe(decoded.error());
    EXPECT_TRUE(describe(error).starts_with("offset " + std::to_string(error.offset) + ": "));
    EXPECT_NE(name(error.fault), "unknown");
}

TEST(OuchFaults, no_message_at_all) {
    expect_fault<v42::Inbound>("", {.fault = Fault::empty, .expected = 1});
    expect_fault<v42::Inbound>("41",
                               {.fault = Fault::unknown_type, .type = 'A', .found = unsigned{'A'}});
    expect_fault<v50::Outbound>(
        "4F", {.fault = Fault::unknown_type, .type = 'O', .found = unsigned{'O'}});
}

TEST(OuchFaults, too_short_and_too_long) {
    expect_fault<v42::Inbound>(
        "58 41202020",
        {.fault = Fault::truncated, .type = 'X', .offset = 5, .found = 5, .expected = 19});
    expect_fault<v42::Inbound>(
        "4E 4120202020202020202020202020 00",
        {.fault = Fault::trailing_bytes, .type = 'N', .offset = 15, .found = 16, .expected = 15});
    expect_fault<v50::Inbound>(
        "45 00000001 20202020",
        {.fault = Fault::truncated, .type = 'E', .offset = 9, .found = 9, .expected = 11});
    expect_fault<v50::Inbound>(
        "51 00", {.fault = Fault::truncated, .type = 'Q', .offset = 2, .found = 2, .expected = 3});
}

TEST(OuchFaults, appendages) {
    expect_fault<v50::Inbound>("51 0002 02", {.fault = Fault::wrong_appendage_length,
                                              .type = 'Q',
                                              .offset = 1,
                                              .found = 2,
                                              .expected = 1});
    expect_fault<v50::Inbound>(
        "51 0002 00 1C",
        {.fault = Fault::option_overrun, .type = 'Q', .offset = 3, .found = 0, .expected = 1});
    expect_fault<v50::Inbound>(
        "51 0002 02 1C",
        {.fault = Fault::option_overrun, .type = 'Q', .offset = 3, .found = 2, .expected = 1});
    expect_fault<v50::Inbound>(
        "51 0003 02 08 00", {.fault = Fault::unknown_option, .type = 'Q', .offset = 4, .found = 8});
    expect_fault<v50::Inbound>(
        "51 0003 02 FF 00",
        {.fault = Fault::unknown_option, .type = 'Q', .offset = 4, .found = 255});
    expect_fault<v50::Inbound>(
        "51 0003 02 02 00",
        {.fault = Fault::wrong_option_size, .type = 'Q', .offset = 3, .found = 2, .expected = 5});
    expect_fault<v50::Inbound>(
        "51 0006 02 1C 01 02 1C 01",
        {.fault = Fault::repeated_option, .type = 'Q', .offset = 7, .found = 28});
}

}  // namespace
}  // namespace damrak::wire::ouch::examples_test
