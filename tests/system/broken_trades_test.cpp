// One definition of traded: what every command counts of a day with a trade that was broken, a
// hidden one that was broken, an execution that is not printable, and one that counts.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/bytes.hpp"
#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::broken_trades_test {
namespace {

namespace itch = wire::itch;
using Json = nlohmann::json;
using ::testing::HasSubstr;
using testing::run_program;

constexpr std::uint64_t k_traded = 50;

/// Trades of 50, 70 (broken), 30 (hidden, broken) and 40 shares (not printable).
std::string day_bytes() {
    std::int64_t time_ns = 34'200'000'000'000;
    std::string bytes;
    const auto put = [&](auto message, std::uint16_t locate = 1) {
        message.stock_locate = locate;
        message.timestamp_ns = time_ns += 1'000'000'000;
        if constexpr (requires { message.stock; }) message.stock = *itch::Stock::from("AAPL");
        for (const std::byte byte : testing::itch_frame(message)) bytes += static_cast<char>(byte);
    };
    put(itch::SystemEvent{.event_code = 'O'}, 0);
    put(itch::StockDirectory{});
    put(itch::AddOrder{.order_ref = 1, .side = Side::buy, .shares = 500, .price_e4 = 1'000'000});
    put(itch::AddOrder{.order_ref = 2, .side = Side::sell, .shares = 500, .price_e4 = 1'000'200});
    put(itch::OrderExecuted{.order_ref = 1, .executed_shares = 50, .match_number = 11});
    put(itch::OrderExecuted{.order_ref = 2, .executed_shares = 70, .match_number = 12});
    put(itch::Trade{.shares = 30, .price_e4 = 1'000'100, .match_number = 13});
    put(itch::OrderExecutedWithPrice{.order_ref = 1,
                                     .executed_shares = 40,
                                     .match_number = 14,
                                     .printable = false,
                                     .execution_price_e4 = 1'000'000});
    put(itch::BrokenTrade{.match_number = 12});
    put(itch::BrokenTrade{.match_number = 13});
    put(itch::SystemEvent{.event_code = 'C'}, 0);
    return bytes;
}

class BrokenTrades : public ::testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(
            run_program({"archive", "import", itch_, "--out", folder_.path().string()}).exit_code,
            0);
    }
    static Json json_of(std::vector<std::string> words, const std::string& input = {}) {
        words.emplace_back("--json");
        const auto ran = run_program(words, input);
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        return Json::parse(ran.out);
    }

    testing::ScratchFolder folder_;
    std::string bytes_ = day_bytes();
    std::string itch_ = folder_.write("day.itch", bytes_);
    std::string day_ = folder_ / "day.dar";
};

}  // namespace

TEST_F(BrokenTrades, CountAsTradedNowhere) {
    for (const std::string mode : {"build", "rematch"}) {
        const Json replayed = json_of({"replay", itch_, "--mode", mode})["instruments"][0];
        EXPECT_EQ(replayed["volume"], k_traded) << mode;
        EXPECT_EQ(replayed["trades"], 1) << mode;
        EXPECT_EQ(replayed["prices"]["high"], 100.0) << mode;
    }
    const Json measured = json_of({"sim", "measure", day_, "--symbol", "AAPL"})["measures"];
    EXPECT_EQ(measured["volume"], k_traded);
    EXPECT_EQ(measured["trades"], 1);
    const Json exported = json_of({"archive", "export", day_, "--to", "dbn", "--schema", "trades",
                                   "--out", folder_ / "day.dbn"});
    EXPECT_EQ(exported["rows"], 1);
}

TEST_F(BrokenTrades, AreCountedAndToldWhereTheInputIsReadOnce) {
    const Json replayed = json_of({"replay", "-"}, bytes_);
    EXPECT_EQ(replayed["instruments"][0]["volume"], 150);
    EXPECT_THAT(replayed["notes"][0].get<std::string>(), HasSubstr("2 trades broken later: count"));
}

TEST_F(BrokenTrades, AreMarkedInTheTables) {
    const std::string trades =
        run_program({"archive", "export", day_, "--to", "csv", "--table", "trades", "--out", "-"})
            .out;
    EXPECT_THAT(trades, HasSubstr(",11,,true,false\n"));
    EXPECT_THAT(trades, HasSubstr(",12,,true,true\n"));
    EXPECT_THAT(trades, HasSubstr(",13,,true,true\n"));
    EXPECT_THAT(trades, HasSubstr(",14,,false,false\n"));
    const std::string messages =
        run_program({"archive", "export", day_, "--to", "csv", "--out", "-"}).out;
    EXPECT_THAT(messages, HasSubstr(",E,F,A,100.0200,70,430,2,,12,true,true,false\n"));
}

TEST_F(BrokenTrades, StayInTheListWithAMark) {
    const Json trades = json_of({"book", day_, "--trades"})["trades"];
    ASSERT_EQ(trades.size(), 4U);
    EXPECT_EQ(trades[0].count("broken") + trades[0].count("printable"), 0U);
    EXPECT_EQ(trades[1]["broken"], true);
    EXPECT_EQ(trades[2]["broken"], true);
    EXPECT_EQ(trades[3]["printable"], false);
    const std::string text = run_program({"book", day_, "--trades"}).out;
    EXPECT_THAT(text, HasSubstr("12  broken\n"));
    EXPECT_THAT(text, HasSubstr("14  not printable\n"));
}

}  // namespace damrak::broken_trades_test
