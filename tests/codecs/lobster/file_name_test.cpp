#include <damrak/lobster/file_name.hpp>

#include <gtest/gtest.h>

namespace damrak::lobster::file_name_test {
namespace {

constexpr const char* k_name = "AAPL_2012-06-21_34200000_57600000_message_10.csv";

TEST(LobsterFileName, has_ticker_date_times_kind_and_levels) {
    const FileName expected{.ticker = "AAPL",
                            .date = "2012-06-21",
                            .start_ms = 34'200'000,
                            .end_ms = 57'600'000,
                            .kind = FileKind::message,
                            .levels = 10};
    EXPECT_EQ(parse_file_name(k_name), expected);
    EXPECT_EQ(parse_file_name(std::string{"some/folder/"} + k_name + ".zst"), expected);
    EXPECT_EQ(to_string(expected), k_name);
}

TEST(LobsterFileName, may_contain_a_ticker_with_an_underscore) {
    const auto name = parse_file_name("BRK_A_2020-01-02_34200000_57600000_orderbook_5.csv.gz");
    ASSERT_TRUE(name.has_value());
    EXPECT_EQ(name->ticker, "BRK_A");
    EXPECT_EQ(name->kind, FileKind::orderbook);
}

TEST(LobsterFileName, of_another_form_is_not_parsed) {
    for (const auto* name :
         {"", ".csv", "messages.csv", "AAPL_2012-06-21_1_2_message_10.txt",
          "AAPL_2012-6-21_1_2_message_10.csv", "_2012-06-21_1_2_message_10.csv",
          "AAPL_2012-06-21_1_2_trades_10.csv", "AAPL_2012-06-21_1_2_message_.csv",
          "AAPL_2012-06-21_1_-2_message_10.csv",
          "AAPL_2012-06-21_1_2_message_99999999999999999999999.csv"}) {
        EXPECT_EQ(parse_file_name(name), std::nullopt) << name;
    }
}

}  // namespace
}  // namespace damrak::lobster::file_name_test
