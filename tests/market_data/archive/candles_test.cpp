// Candles of an archived day: which trades they count, and where they begin and end.
#include <damrak/archive/candles.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::archive::candles_test {
namespace {

namespace itch = wire::itch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint16_t k_locate = 1;
constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr std::int64_t k_noon_ns = 43'200 * k_second_ns;

class Candles : public ::testing::Test {
  protected:
    // Hidden trades have price and quantity of their own, without an order.
    void trade(std::int64_t time_ns, std::uint32_t price_e4, std::uint32_t shares,
               std::uint16_t locate = k_locate) {
        writer_->add(itch::Trade{.stock_locate = locate,
                                 .tracking_number = 0,
                                 .timestamp_ns = time_ns,
                                 .order_ref = 0,
                                 .side = Side::buy,
                                 .shares = shares,
                                 .stock = *itch::Stock::from("ONE"),
                                 .price_e4 = price_e4,
                                 .match_number = ++match_});
    }
    void add(std::int64_t time_ns, std::uint64_t reference, std::uint32_t price_e4,
             std::uint32_t shares) {
        writer_->add(itch::AddOrder{.stock_locate = k_locate,
                                    .tracking_number = 0,
                                    .timestamp_ns = time_ns,
                                    .order_ref = reference,
                                    .side = Side::buy,
                                    .shares = shares,
                                    .stock = *itch::Stock::from("ONE"),
                                    .price_e4 = price_e4});
    }
    void execute_at(std::int64_t time_ns, std::uint64_t reference, std::uint32_t shares,
                    std::uint32_t price_e4, bool printable) {
        writer_->add(itch::OrderExecutedWithPrice{.stock_locate = k_locate,
                                                  .tracking_number = 0,
                                                  .timestamp_ns = time_ns,
                                                  .order_ref = reference,
                                                  .executed_shares = shares,
                                                  .match_number = ++match_,
                                                  .printable = printable,
                                                  .execution_price_e4 = price_e4});
    }
    void cross(std::int64_t time_ns, std::uint64_t shares, std::uint32_t price_e4) {
        writer_->add(itch::CrossTrade{.stock_locate = k_locate,
                                      .tracking_number = 0,
                                      .timestamp_ns = time_ns,
                                      .shares = shares,
                                      .stock = *itch::Stock::from("ONE"),
                                      .cross_price_e4 = price_e4,
                                      .match_number = ++match_,
                                      .cross_type = 'O'});
    }
    [[nodiscard]] Day close() {
        EXPECT_TRUE(writer_->close());
        auto day = Day::open(path_);
        EXPECT_TRUE(day);
        return *std::move(day);
    }
    [[nodiscard]] std::vector<Candle> candles_of(const CandleWindow& window) {
        const Day day = close();
        auto found = candles(day, k_locate, window);
        EXPECT_TRUE(found.completeness.is_complete());
        return std::move(found.value);
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path path_ = folder_ / "day.dar";
    std::optional<DayWriter> writer_{*DayWriter::create(path_, {.source = "test"})};
    std::uint64_t match_ = 0;
};

}  // namespace

TEST_F(Candles, HaveFirstHighestLowestAndLastPriceOfTheirTrades) {
    trade(k_noon_ns, 500, 1);
    trade(k_noon_ns + 1, 900, 2);
    trade(k_noon_ns + 2, 100, 3);
    trade(k_noon_ns + 60 * k_second_ns - 1, 600, 4);
    trade(k_noon_ns + 60 * k_second_ns, 700, 5);
    trade(k_noon_ns + 60 * k_second_ns, 1, 6, 2);
    trade(k_noon_ns + 240 * k_second_ns, 800, 7);
    EXPECT_THAT(
        candles_of({}),
        ElementsAre(Candle{k_noon_ns, 500, 900, 100, 600, 10, 4, 5'000},
                    Candle{k_noon_ns + 60 * k_second_ns, 700, 700, 700, 700, 5, 1, 3'500},
                    Candle{k_noon_ns + 240 * k_second_ns, 800, 800, 800, 800, 7, 1, 5'600}));
}

TEST_F(Candles, AnAuctionOfNothingIsNoTrade) {
    cross(k_noon_ns, 0, 0);
    cross(k_noon_ns + 1, 9, 500);
    const auto found = trades(close(), k_locate, {});
    ASSERT_EQ(found.value.size(), 1U);
    EXPECT_EQ(found.value.front().shares, 9U);
}

TEST_F(Candles, LeaveOutWhatIsNotPrinted) {
    add(k_noon_ns, 1, 400, 100);
    execute_at(k_noon_ns + 1, 1, 10, 300, true);
    execute_at(k_noon_ns + 2, 1, 20, 200, false);
    cross(k_noon_ns + 3, 1'000, 350);
    cross(k_noon_ns + 4, 0, 5'000);
    EXPECT_THAT(candles_of({.interval_ns = k_second_ns}),
                ElementsAre(Candle{k_noon_ns, 300, 350, 300, 350, 1'010, 2, 353'000}));
}

TEST_F(Candles, CountTheTradesOfTheWindowAlone) {
    for (const std::int64_t second : {0, 1, 2, 3, 4, 5})
        trade(k_noon_ns + second * k_second_ns, 100, 1);
    EXPECT_THAT(candles_of({.interval_ns = 2 * k_second_ns,
                            .from_ns = k_noon_ns + k_second_ns,
                            .to_ns = k_noon_ns + 4 * k_second_ns,
                            .limit = 2}),
                ElementsAre(Candle{k_noon_ns, 100, 100, 100, 100, 1, 1, 100},
                            Candle{k_noon_ns + 2 * k_second_ns, 100, 100, 100, 100, 2, 2, 200}));
}

TEST_F(Candles, AreExactBeyondAPageOfTrades) {
    constexpr std::uint32_t k_trades = 150'000;
    std::uint64_t quantity = 0;
    std::uint64_t turnover_e4 = 0;
    for (std::uint32_t i = 0; i < k_trades; ++i) {
        trade(k_noon_ns + i, 1'000 + i, i % 7 + 1);
        quantity += i % 7 + 1;
        turnover_e4 += std::uint64_t{1'000 + i} * (i % 7 + 1);
    }
    EXPECT_THAT(candles_of({.interval_ns = 86'400 * k_second_ns}),
                ElementsAre(Candle{0, 1'000, 1'000 + k_trades - 1, 1'000, 1'000 + k_trades - 1,
                                   quantity, k_trades, turnover_e4}));
}

TEST_F(Candles, AreNoneWithoutTrades) {
    add(k_noon_ns, 1, 400, 100);
    EXPECT_THAT(candles_of({}), IsEmpty());
}

}  // namespace damrak::archive::candles_test
