// Trades that a later message of the day breaks: lists mark them, sums leave them out. The messages
// that break them may be far behind, or damaged.
#include <damrak/archive/broken_trades.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/candles.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/heatmap.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/day_blocks.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive::broken_trades_test {
namespace {

namespace itch = wire::itch;
using ::testing::ElementsAre;

constexpr std::uint16_t k_locate = 1;

/// Trades of 1, 10, 100 and 1,000 shares; the second and the third, of a hidden order, are broken.
/// The messages that break them have a block of their own.
class BrokenTradesOfADay : public ::testing::Test {
  protected:
    void SetUp() override {
        DayWriter writer = *DayWriter::create(path_, {.source = "test"});
        const auto at = [this](auto message) {
            message.stock_locate = k_locate;
            message.timestamp_ns = ++time_ns_;
            if constexpr (requires { message.stock; }) message.stock = *itch::Stock::from("ONE");
            return message;
        };
        writer.add(at(itch::AddOrder{
            .order_ref = 7, .side = Side::sell, .shares = 5'000, .price_e4 = 10'000}));
        for (const auto& [match, shares] : {std::pair{1U, 1U}, std::pair{2U, 10U}})
            writer.add(at(itch::OrderExecuted{
                .order_ref = 7, .executed_shares = shares, .match_number = match}));
        writer.add(at(itch::Trade{.shares = 100, .price_e4 = 20'000, .match_number = 3}));
        writer.add(
            at(itch::OrderExecuted{.order_ref = 7, .executed_shares = 1'000, .match_number = 4}));
        writer.flush();
        for (const std::uint64_t match : {2U, 3U})
            writer.add(at(itch::BrokenTrade{.match_number = match}));
        ASSERT_TRUE(writer.close());
    }
    [[nodiscard]] Day day() const { return *Day::open(path_); }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path path_ = folder_ / "day.dar";
    std::int64_t time_ns_ = 0;
};

}  // namespace

TEST_F(BrokenTradesOfADay, AreMarkedInAList) {
    std::vector<bool> broken;
    for (const DayTrade& trade : trades(day(), k_locate, {.to_ns = 5}).value)
        broken.push_back(trade.is_broken);
    EXPECT_THAT(broken, ElementsAre(false, true, true, false));
}

TEST_F(BrokenTradesOfADay, AreInNoCandle) {
    EXPECT_THAT(candles(day(), k_locate, {}).value,
                ElementsAre(Candle{0, 10'000, 10'000, 10'000, 10'000, 1'001, 2, 10'010'000}));
}

TEST_F(BrokenTradesOfADay, AreInNoHeatmap) {
    const Heatmap map = heatmap(day(), k_locate, {.columns = 1});
    ASSERT_EQ(map.columns.size(), 1U);
    EXPECT_EQ(map.columns[0].bought, 1'001U);
    EXPECT_EQ(map.columns[0].other, 0U);
}

TEST_F(BrokenTradesOfADay, LeaveTheBookAsTheTradesMadeIt) {
    const auto book = day().book_at(k_locate, time_ns_);
    ASSERT_TRUE(book);
    EXPECT_EQ(book->asks[0].shares, 5'000U - 1'011U);
}

TEST_F(BrokenTradesOfADay, AreNotKnownIfTheBlockThatBreaksThemIsDamaged) {
    const auto block = damrak::testing::blocks_of(path_)[1];
    ASSERT_EQ(block.header.marks, k_breaks_trades);
    std::fstream{path_, std::ios::in | std::ios::out | std::ios::binary}
        .seekp(static_cast<std::streamoff>(block.payload()))
        .put('?');
    const auto found = trades(day(), k_locate, {.to_ns = 1});
    EXPECT_FALSE(found.completeness.is_complete())
        << "whatever the window: any trade may be one of them";
    EXPECT_EQ(found.completeness.known_until_ns, 0);
}

}  // namespace damrak::archive::broken_trades_test
