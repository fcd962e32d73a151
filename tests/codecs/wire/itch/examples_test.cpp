// A message of each type, byte for byte. The bytes were written by hand from the specification's
// tables, not by this codec; a group of digits is a field.
#include <tuple>

#include <gtest/gtest.h>

#include <damrak/wire/itch/decode.hpp>

#include "support/bytes.hpp"

namespace damrak::wire::itch::examples_test {
namespace {

using damrak::testing::from_hex;
using damrak::testing::itch_message;

constexpr std::int64_t k_time_ns = 34'200'004'241'176;  // 09:30:00.004241176
constexpr std::uint64_t k_order = 16'113'575;
const Stock k_stock = Stock::from("AAPL").value();
const Mpid k_mpid = Mpid::from("GSCO").value();

template <class M>
void expect_example(std::string_view hex, const M& message) {
    const auto bytes = from_hex(hex);
    const auto decoded = decode_one(bytes);
    ASSERT_TRUE(decoded.has_value()) << describe(decoded.error());
    ASSERT_TRUE(std::holds_alternative<M>(*decoded));
    EXPECT_EQ(std::get<M>(*decoded), message);
    EXPECT_EQ(itch_message(message), bytes);
}

TEST(ItchExample, system_event) {
    expect_example(
        "53 0000 0002 1f1acf1aa718 51",
        SystemEvent{
            .stock_locate = 0, .tracking_number = 2, .timestamp_ns = k_time_ns, .event_code = 'Q'});
}

TEST(ItchExample, stock_directory) {
    expect_example(
        "52 000d 0002 1f1acf1aa718 4141504c20202020 51 4e 00000064 4e 43 5a20 50 4e 20 31 4e "
        "00000000 4e",
        StockDirectory{.stock_locate = 13,
                       .tracking_number = 2,
                       .timestamp_ns = k_time_ns,
                       .stock = k_stock,
                       .market_category = 'Q',
                       .financial_status = 'N',
                       .round_lot_size = 100,
                       .round_lots_only = 'N',
                       .issue_classification = 'C',
                       .issue_sub_type = Alpha<2>::from("Z").value(),
                       .authenticity = 'P',
                       .short_sale_threshold = 'N',
                       .ipo_flag = ' ',
                       .luld_tier = '1',
                       .etp_flag = 'N',
                       .etp_leverage_factor = 0,
                       .inverse_indicator = 'N'});
}

TEST(ItchExample, stock_trading_action) {
    expect_example("48 000d 0002 1f1acf1aa718 4141504c20202020 54 20 4c554450",
                   StockTradingAction{.stock_locate = 13,
                                      .tracking_number = 2,
                                      .timestamp_ns = k_time_ns,
                                      .stock = k_stock,
                                      .trading_state = 'T',
                                      .reserved = ' ',
                                      .reason = Alpha<4>::from("LUDP").value()});
}

TEST(ItchExample, reg_sho_restriction) {
    expect_example("59 000d 0002 1f1acf1aa718 4141504c20202020 31",
                   RegShoRestriction{.stock_locate = 13,
                                     .tracking_number = 2,
                                     .timestamp_ns = k_time_ns,
                                     .stock = k_stock,
                                     .action = '1'});
}

TEST(ItchExample, market_participant_position) {
    expect_example("4c 000d 0002 1f1acf1aa718 4753434f 4141504c20202020 59 4e 41",
                   MarketParticipantPosition{.stock_locate = 13,
                                             .tracking_number = 2,
                                             .timestamp_ns = k_time_ns,
                                             .mpid = k_mpid,
                                             .stock = k_stock,
                                             .primary_market_maker = 'Y',
                                             .market_maker_mode = 'N',
                                             .participant_state = 'A'});
}

TEST(ItchExample, mwcb_decline_levels) {
    expect_example("56 0000 0002 1f1acf1aa718 0000005a41fa9d80 00000054714b1980 0000004da43ddf00",
                   MwcbDeclineLevels{.stock_locate = 0,
                                     .tracking_number = 2,
                                     .timestamp_ns = k_time_ns,
                                     .level1_e8 = 387'654'000'000,
                                     .level2_e8 = 362'678'000'000,
                                     .level3_e8 = 333'468'000'000});
}

TEST(ItchExample, mwcb_status) {
    expect_example("57 0000 0002 1f1acf1aa718 31", MwcbStatus{.stock_locate = 0,
                                                              .tracking_number = 2,
                                                              .timestamp_ns = k_time_ns,
                                                              .breached_level = '1'});
}

TEST(ItchExample, ipo_quoting_period) {
    expect_example("4b 000d 0002 1f1acf1aa718 4141504c20202020 000093a8 41 00029810",
                   IpoQuotingPeriod{.stock_locate = 13,
                                    .tracking_number = 2,
                                    .timestamp_ns = k_time_ns,
                                    .stock = k_stock,
                                    .release_time_s = 37'800,
                                    .release_qualifier = 'A',
                                    .ipo_price_e4 = 170'000});
}

TEST(ItchExample, luld_auction_collar) {
    expect_example("4a 000d 0002 1f1acf1aa718 4141504c20202020 00595074 005dc76c 0054d918 00000002",
                   LuldAuctionCollar{.stock_locate = 13,
                                     .tracking_number = 2,
                                     .timestamp_ns = k_time_ns,
                                     .stock = k_stock,
                                     .reference_price_e4 = 5'853'300,
                                     .upper_price_e4 = 6'145'900,
                                     .lower_price_e4 = 5'560'600,
                                     .extensions = 2});
}

TEST(ItchExample, operational_halt) {
    expect_example("68 000d 0002 1f1acf1aa718 4141504c20202020 51 48",
                   OperationalHalt{.stock_locate = 13,
                                   .tracking_number = 2,
                                   .timestamp_ns = k_time_ns,
                                   .stock = k_stock,
                                   .market_code = 'Q',
                                   .action = 'H'});
}

TEST(ItchExample, add_order) {
    expect_example(
        "41 000d 0002 1f1acf1aa718 0000000000f5dfa7 42 00000012 4141504c20202020 00595074",
        AddOrder{.stock_locate = 13,
                 .tracking_number = 2,
                 .timestamp_ns = k_time_ns,
                 .order_ref = k_order,
                 .side = Side::buy,
                 .shares = 18,
                 .stock = k_stock,
                 .price_e4 = 5'853'300});
}

TEST(ItchExample, add_order_attributed) {
    expect_example(
        "46 000d 0002 1f1acf1aa718 0000000000f5dfa8 53 000000c8 4141504c20202020 00596848 "
        "4753434f",
        AddOrderAttributed{.stock_locate = 13,
                           .tracking_number = 2,
                           .timestamp_ns = k_time_ns,
                           .order_ref = k_order + 1,
                           .side = Side::sell,
                           .shares = 200,
                           .stock = k_stock,
                           .price_e4 = 5'859'400,
                           .attribution = k_mpid});
}

TEST(ItchExample, order_executed) {
    expect_example("45 000d 0002 1f1acf1aa718 0000000000f5dfa7 00000007 0000000000015f91",
                   OrderExecuted{.stock_locate = 13,
                                 .tracking_number = 2,
                                 .timestamp_ns = k_time_ns,
                                 .order_ref = k_order,
                                 .executed_shares = 7,
                                 .match_number = 90'001});
}

TEST(ItchExample, order_executed_with_price) {
    expect_example(
        "43 000d 0002 1f1acf1aa718 0000000000f5dfa7 00000007 0000000000015f92 59 005950d8",
        OrderExecutedWithPrice{.stock_locate = 13,
                               .tracking_number = 2,
                               .timestamp_ns = k_time_ns,
                               .order_ref = k_order,
                               .executed_shares = 7,
                               .match_number = 90'002,
                               .printable = true,
                               .execution_price_e4 = 5'853'400});
}

TEST(ItchExample, order_cancel) {
    expect_example("58 000d 0002 1f1acf1aa718 0000000000f5dfa7 00000005",
                   OrderCancel{.stock_locate = 13,
                               .tracking_number = 2,
                               .timestamp_ns = k_time_ns,
                               .order_ref = k_order,
                               .cancelled_shares = 5});
}

TEST(ItchExample, order_delete) {
    expect_example("44 000d 0002 1f1acf1aa718 0000000000f5dfa7",
                   OrderDelete{.stock_locate = 13,
                               .tracking_number = 2,
                               .timestamp_ns = k_time_ns,
                               .order_ref = k_order});
}

TEST(ItchExample, order_replace) {
    expect_example("55 000d 0002 1f1acf1aa718 0000000000f5dfa7 0000000000f5dfc0 0000001e 00595010",
                   OrderReplace{.stock_locate = 13,
                                .tracking_number = 2,
                                .timestamp_ns = k_time_ns,
                                .order_ref = k_order,
                                .new_order_ref = 16'113'600,
                                .shares = 30,
                                .price_e4 = 5'853'200});
}

TEST(ItchExample, trade) {
    expect_example(
        "50 000d 0002 1f1acf1aa718 0000000000000000 42 00000028 4141504c20202020 00595718 "
        "0000000000015f93",
        Trade{.stock_locate = 13,
              .tracking_number = 2,
              .timestamp_ns = k_time_ns,
              .order_ref = 0,
              .side = Side::buy,
              .shares = 40,
              .stock = k_stock,
              .price_e4 = 5'855'000,
              .match_number = 90'003});
}

TEST(ItchExample, cross_trade) {
    expect_example(
        "51 000d 0002 1f1acf1aa718 000000000012d687 4141504c20202020 00594f48 0000000000015f94 4f",
        CrossTrade{.stock_locate = 13,
                   .tracking_number = 2,
                   .timestamp_ns = k_time_ns,
                   .shares = 1'234'567,
                   .stock = k_stock,
                   .cross_price_e4 = 5'853'000,
                   .match_number = 90'004,
                   .cross_type = 'O'});
}

TEST(ItchExample, broken_trade) {
    expect_example("42 000d 0002 1f1acf1aa718 0000000000015f91",
                   BrokenTrade{.stock_locate = 13,
                               .tracking_number = 2,
                               .timestamp_ns = k_time_ns,
                               .match_number = 90'001});
}

TEST(ItchExample, net_order_imbalance) {
    expect_example(
        "49 000d 0002 1f1acf1aa718 000000000007a120 0000000000002ee0 42 4141504c20202020 00594b60 "
        "00594f48 00594d54 4f 4c",
        NetOrderImbalance{.stock_locate = 13,
                          .tracking_number = 2,
                          .timestamp_ns = k_time_ns,
                          .paired_shares = 500'000,
                          .imbalance_shares = 12'000,
                          .imbalance_direction = 'B',
                          .stock = k_stock,
                          .far_price_e4 = 5'852'000,
                          .near_price_e4 = 5'853'000,
                          .reference_price_e4 = 5'852'500,
                          .cross_type = 'O',
                          .price_variation = 'L'});
}

TEST(ItchExample, retail_price_improvement) {
    expect_example("4e 000d 0002 1f1acf1aa718 4141504c20202020 41",
                   RetailPriceImprovement{.stock_locate = 13,
                                          .tracking_number = 2,
                                          .timestamp_ns = k_time_ns,
                                          .stock = k_stock,
                                          .interest_flag = 'A'});
}

TEST(ItchExample, direct_listing) {
    expect_example(
        "4f 000d 0002 1f1acf1aa718 4141504c20202020 59 00027100 00057e40 00030d40 "
        "00001f1aced9f000 0002bf20 00035b60",
        DirectListing{.stock_locate = 13,
                      .tracking_number = 2,
                      .timestamp_ns = k_time_ns,
                      .stock = k_stock,
                      .open_eligibility = 'Y',
                      .min_price_e4 = 160'000,
                      .max_price_e4 = 360'000,
                      .near_execution_price_e4 = 200'000,
                      .near_execution_time_ns = 34'200'000'000'000,
                      .lower_collar_e4 = 180'000,
                      .upper_collar_e4 = 220'000});
}

// The lengths in the specification's table, typed in independently.
TEST(ItchDescriptor, has_the_length_of_every_type_and_no_other) {
    constexpr std::array<std::pair<char, std::size_t>, 23> k_lengths{
        {{'S', 12}, {'R', 39}, {'H', 25}, {'Y', 20}, {'L', 26}, {'V', 35}, {'W', 12}, {'K', 28},
         {'J', 35}, {'h', 21}, {'A', 36}, {'F', 40}, {'E', 31}, {'C', 36}, {'X', 23}, {'D', 19},
         {'U', 35}, {'P', 44}, {'Q', 40}, {'B', 19}, {'I', 50}, {'N', 20}, {'O', 48}}};
    std::size_t types = 0;
    for (int byte = 0; byte < 256; ++byte) {
        types += message_length(static_cast<char>(byte)) != k_no_message;
    }
    EXPECT_EQ(types, k_lengths.size());
    for (const auto& [type, length] : k_lengths) EXPECT_EQ(message_length(type), length) << type;
}

TEST(ItchAlpha, pads_on_the_right_and_returns_unpadded_text) {
    EXPECT_EQ(Stock::from("BRK.A").value().text(), "BRK.A");
    EXPECT_EQ(Stock::from("").value().text(), "");
    EXPECT_EQ(Stock::from("TOOLONGNM"), std::nullopt);
    EXPECT_EQ(Stock::from("A\tB"), std::nullopt);
}

}  // namespace
}  // namespace damrak::wire::itch::examples_test
