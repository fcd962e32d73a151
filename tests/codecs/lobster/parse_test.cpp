// Rows of text to values: exact times, every column's bounds, and arbitrary text.
#include <damrak/lobster/detail/parse.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <damrak/lobster/writer.hpp>

namespace damrak::lobster::parse_test {
namespace {

MessageRow row_of(std::string_view text) {
    const auto parsed = parse_message_row(text);
    EXPECT_TRUE(parsed.has_value()) << text;
    return parsed ? parsed->row : MessageRow{};
}

std::int64_t time_of(const std::string& time) { return row_of(time + ",1,1,1,1,1").time_ns; }

// The column (from 0) and the text of the expected fault.
void expect_refused(std::string_view text, std::size_t column, std::string_view found) {
    const auto parsed = parse_message_row(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error().column, column) << text;
    EXPECT_EQ(parsed.error().found, found) << text;
}

TEST(LobsterMessageRow, has_six_columns) {
    EXPECT_EQ(row_of("34200.004241176,1,16113575,18,5853300,1"),
              (MessageRow{.time_ns = 34'200'004'241'176,
                          .type = EventType::add,
                          .order_id = 16'113'575,
                          .size = 18,
                          .price_e4 = 5'853'300,
                          .side = Side::buy}));
    EXPECT_EQ(row_of("57599.5,7,0,0,-1,-1"), (MessageRow{.time_ns = 57'599'500'000'000,
                                                         .type = EventType::halt,
                                                         .order_id = 0,
                                                         .size = 0,
                                                         .price_e4 = k_halted,
                                                         .side = Side::sell}));
}

TEST(LobsterMessageRow, reads_times_exactly_with_up_to_nine_decimals) {
    EXPECT_EQ(time_of("34200"), 34'200'000'000'000);
    EXPECT_EQ(time_of("34200.1"), 34'200'100'000'000);
    EXPECT_EQ(time_of("34200.00426064"), 34'200'004'260'640);
    EXPECT_EQ(time_of("34200.004241176"), 34'200'004'241'176);
    EXPECT_EQ(time_of("0.000000001"), 1);
    EXPECT_EQ(time_of("86400"), 86'400'000'000'000);
}

TEST(LobsterMessageRow, drops_the_noise_of_a_printed_double_but_no_real_digit) {
    EXPECT_EQ(time_of("35821.088778456004"), 35'821'088'778'456);
    EXPECT_EQ(time_of("34200.004241175999"), 34'200'004'241'176);
    EXPECT_EQ(time_of("34200.9999999999999"), 34'201'000'000'000);
    EXPECT_EQ(time_of("34200.0042411760"), 34'200'004'241'176);
    for (const std::string time : {"34200.0042411765", "34200.00424117602", "34200.00424117598"}) {
        expect_refused(time + ",1,1,1,1,1", k_time, time);
    }
}

TEST(LobsterMessageRow, refuses_times_that_are_not_of_a_day) {
    for (const std::string time : {"", "-1", "+1", "86400.5e3", "86401", "1340285400.5", "34200.",
                                   ".5", "34200,5", "1e4", " 34200", "09:30:00", "nan"}) {
        const auto parsed = parse_message_row(time + ",1,1,1,1,1");
        EXPECT_FALSE(parsed.has_value()) << time;
    }
}

TEST(LobsterMessageRow, rejects_values_out_of_the_range_of_a_column) {
    expect_refused("1,0,1,1,1,1", k_type, "0");
    expect_refused("1,8,1,1,1,1", k_type, "8");
    expect_refused("1,-1,1,1,1,1", k_type, "-1");
    expect_refused("1,1,-5,1,1,1", k_order_id, "-5");
    expect_refused("1,1,1.0,1,1,1", k_order_id, "1.0");
    expect_refused("1,1,1,-1,1,1", k_size, "-1");
    expect_refused("1,1,1,0,1,1", k_size, "0");
    expect_refused("1,1,1,1,0,1", k_price, "0");
    expect_refused("1,4,1,1,-1,1", k_price, "-1");
    expect_refused("1,1,1,1,5.8533E+06,1", k_price, "5.8533E+06");
    expect_refused("1,1,1,1,9999999999999999999,1", k_price, "9999999999999999999");
    expect_refused("1,1,1,1,1,0", k_direction, "0");
    expect_refused("1,1,1,1,1,-", k_direction, "-");
    expect_refused("1,1,1,1,1,2", k_direction, "2");
}

TEST(LobsterMessageRow, accepts_crosses_and_halts_without_size_and_price) {
    EXPECT_EQ(row_of("1,6,0,0,0,1").size, 0);
    EXPECT_EQ(row_of("1,7,0,0,0,-1").price_e4, k_quoting_resumes);
}

TEST(LobsterMessageRow, refuses_missing_and_extra_columns) {
    const auto short_row = parse_message_row("1,1,1,1,1");
    ASSERT_FALSE(short_row.has_value());
    EXPECT_TRUE(short_row.error().missing);
    EXPECT_EQ(short_row.error().column, std::size_t{k_direction});
    const auto long_row = parse_message_row("1,1,1,1,1,1,77");
    ASSERT_FALSE(long_row.has_value());
    EXPECT_TRUE(long_row.error().extra);
    EXPECT_EQ(long_row.error().found, "77");
}

TEST(LobsterMessageRow, ignores_a_seventh_column_with_a_participant) {
    for (const std::string_view text : {"1,1,1,1,1,1,null", "1,1,1,1,1,1,GSCO"}) {
        const auto parsed = parse_message_row(text);
        ASSERT_TRUE(parsed.has_value()) << text;
        EXPECT_TRUE(parsed->has_seventh_column);
    }
}

TEST(LobsterBookRow, has_four_columns_a_level_and_marks_missing_levels) {
    std::array<BookLevel, 2> levels;
    ASSERT_TRUE(
        parse_book_row("5859400,200,5853300,18,9999999999,0,-9999999999,0", levels).has_value());
    EXPECT_EQ(levels[0], (BookLevel{5'859'400, 200, 5'853'300, 18}));
    EXPECT_EQ(levels[1], (BookLevel{k_no_ask_e4, 0, k_no_bid_e4, 0}));
    EXPECT_TRUE(parse_book_row("1,1,1,1,1,1,1", levels).error().missing);
    EXPECT_TRUE(parse_book_row("1,1,1,1,1,1,1,1,1", levels).error().extra);
    EXPECT_EQ(parse_book_row("1,1,1,-1,1,1,1,1", levels).error().column, 3U);
}

MessageRow arbitrary_row() {
    const auto type = static_cast<EventType>(*rc::gen::inRange(1, 8));
    const std::int64_t least = type <= EventType::execute_hidden ? 1 : 0;
    return {.time_ns = *rc::gen::inRange<std::int64_t>(0, k_max_time_s * k_ns_per_s),
            .type = type,
            .order_id = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000'000'000'000),
            .size = *rc::gen::inRange<std::int64_t>(least, 1'000'000'000'000'000'000),
            .price_e4 = *rc::gen::inRange<std::int64_t>(least, 1'000'000'000'000'000'000),
            .side = *rc::gen::element(Side::buy, Side::sell)};
}

RC_GTEST_PROP(LobsterMessageRow, reading_inverts_writing, ()) {
    const auto row = arbitrary_row();
    std::string text;
    append_row(text, row);
    RC_ASSERT(text.back() == '\n');
    const auto parsed = parse_message_row(std::string_view{text}.substr(0, text.size() - 1));
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(parsed->row == row);
}

RC_GTEST_PROP(LobsterBookRow, reading_inverts_writing, ()) {
    std::vector<BookLevel> levels(*rc::gen::inRange<std::size_t>(1, 60));
    for (auto& level : levels) {
        level = {.ask_price_e4 = *rc::gen::inRange<std::int64_t>(1, k_no_ask_e4),
                 .ask_size = *rc::gen::inRange<std::int64_t>(0, 1'000'000),
                 .bid_price_e4 = *rc::gen::inRange<std::int64_t>(k_no_bid_e4, k_no_ask_e4),
                 .bid_size = *rc::gen::inRange<std::int64_t>(0, 1'000'000)};
    }
    std::string text;
    append_row(text, levels);
    std::vector<BookLevel> read(levels.size());
    RC_ASSERT(parse_book_row(std::string_view{text}.substr(0, text.size() - 1), read).has_value());
    RC_ASSERT(read == levels);
}

RC_GTEST_PROP(LobsterMessageRow, parses_any_text_as_a_row_or_a_fault_inside_it, ()) {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::element('0', '1', '7', '9', '.', ',', '-', 'e', ';', '"', '\0', '\xff'));
    const auto parsed = parse_message_row(text);
    if (!parsed && !parsed.error().missing) {
        const auto found = parsed.error().found;
        RC_ASSERT(found.data() >= text.data());
        RC_ASSERT(found.data() + found.size() <= text.data() + text.size());
    }
}

}  // namespace
}  // namespace damrak::lobster::parse_test
