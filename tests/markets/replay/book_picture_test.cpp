// Pictures of an archived day: what they show is what its books and trades are.
#include <damrak/replay/book_picture.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_search.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::replay::book_picture_test {
namespace {

using ::testing::HasSubstr;
constexpr std::int64_t k_hour = 3'600'000'000'000;

class BookPicture : public ::testing::Test {
  protected:
    void open(const std::filesystem::path& file) {
        archive::Import wanted;
        wanted.from = file;
        wanted.to = folder_ / "day.dar";
        wanted.symbol = "AAPL";
        wanted.date = 20'120'621;
        wanted.trust_messages = true;
        ASSERT_TRUE(archive::import_day(wanted, [](std::uint64_t, std::uint64_t) {}));
        auto opened = archive::Day::open(wanted.to);
        ASSERT_TRUE(opened) << opened.error();
        day_.emplace(*std::move(opened));
    }
    damrak::testing::ScratchFolder folder_;
    std::optional<archive::Day> day_;
};

TEST_F(BookPicture, OfAWindowHasTheBooksOfItsColumns) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    open(file);
    const BookWindow window{.locate = 1,
                            .symbol = "AAPL",
                            .from_ns = 10 * k_hour,
                            .until_ns = 10 * k_hour + k_hour / 4};
    const auto drawn = depth_map_of(*day_, window);
    ASSERT_TRUE(drawn) << drawn.error();
    const plot::DepthMap* const map = &drawn->value;
    const double row_height = map->price.width() / static_cast<double>(map->rows);
    const double column_ns = map->time_ns.width() / static_cast<double>(map->columns);
    for (std::size_t column = 0; column < map->columns; column += 16) {
        const auto time_ns = static_cast<std::int64_t>(
            map->time_ns.low + (static_cast<double>(column) + 0.5) * column_ns);
        const auto book = day_->book_at(1, time_ns);
        ASSERT_TRUE(book);
        std::vector<double> expected(map->rows);
        for (const archive::BookOrder& order : book->bids) {
            const double row = (order.price_e4 / 1e4 - map->price.low) / row_height + 1e-6;
            if (row >= 0 && row < static_cast<double>(map->rows))
                expected[static_cast<std::size_t>(row)] += order.shares;
        }
        for (std::size_t row = 0; row < map->rows; ++row)
            ASSERT_EQ(map->bids[column * map->rows + row], expected[row]) << column << " " << row;
    }
    const auto trades =
        archive::trades(*day_, 1, {.from_ns = window.from_ns, .to_ns = window.until_ns});
    ASSERT_TRUE(trades.completeness.is_complete());
    EXPECT_EQ(map->trades.size(), trades.value.size());
    ASSERT_GT(map->best_bid.size(), 100U);
    for (std::size_t i = 1; i + 1 < map->best_bid.size(); i += 20) {
        const plot::Point& change = map->best_bid[i];
        if (change.time_ns == map->best_bid[i + 1].time_ns) continue;
        const auto then = day_->book_at(1, change.time_ns);
        ASSERT_TRUE(then);
        EXPECT_EQ(std::lround(change.value * 1e4), then->bids.front().price_e4) << i;
    }
    const std::string svg = plot::render_depth_map(*map);
    EXPECT_THAT(svg, HasSubstr("AAPL, 2012-06-21"));
    EXPECT_LT(svg.size(), 1'500'000U);
}

/// A minute in which one order of 30,000 trades a share at a time, but a few trades are larger.
TEST_F(BookPicture, OfManyTradesOfOneSizeShowsThoseOfTheWholeWindow) {
    constexpr std::int64_t k_trades = 10'000;
    constexpr std::int64_t k_step_ns = 6'000'000;
    auto writer =
        archive::DayWriter::create(folder_ / "equal.dar", {.date = 20'250'102, .source = "a test"});
    ASSERT_TRUE(writer) << writer.error();
    wire::itch::AddOrder add{};
    add.stock_locate = 1;
    add.stock = *wire::itch::Stock::from("A");
    for (const Side side : {Side::buy, Side::sell}) {
        add.order_ref = side == Side::buy ? 1 : 2;
        add.side = side;
        add.shares = 30'000;
        add.price_e4 = side == Side::buy ? 1'000'000 : 1'000'100;
        writer->add(add);
    }
    for (std::int64_t i = 1; i <= k_trades; ++i) {
        wire::itch::OrderExecuted trade{};
        trade.stock_locate = 1;
        trade.timestamp_ns = i * k_step_ns;
        trade.order_ref = 2;
        trade.executed_shares = i % 5'000 == 0 ? 50 : 1;
        writer->add(trade);
    }
    ASSERT_TRUE(writer->close());
    const auto day = archive::Day::open(folder_ / "equal.dar");
    ASSERT_TRUE(day) << day.error();
    const auto drawn = depth_map_of(
        *day, {.locate = 1, .symbol = "A", .from_ns = 0, .until_ns = k_trades * k_step_ns});
    ASSERT_TRUE(drawn) << drawn.error();
    const plot::DepthMap* const map = &drawn->value;
    EXPECT_EQ(map->trades.size(), 3'000U);
    EXPECT_EQ(std::ranges::count(map->trades, 50.0, &plot::TradeDot::quantity), 2);
    EXPECT_TRUE(std::ranges::is_sorted(map->trades, {}, &plot::TradeDot::time_ns));
    for (std::int64_t tenth = 0; tenth < 10; ++tenth) {
        const auto within = std::ranges::count_if(map->trades, [&](const plot::TradeDot& dot) {
            return (dot.time_ns / k_step_ns - 1) / (k_trades / 10) == tenth;
        });
        EXPECT_NEAR(static_cast<double>(within), 300, 2) << tenth;
    }
}

TEST_F(BookPicture, OfAMomentIsTheBookThen) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    open(file);
    const auto ladder =
        ladder_of(*day_, {.locate = 1, .symbol = "AAPL", .from_ns = 10 * k_hour, .until_ns = 0}, 5);
    ASSERT_TRUE(ladder.has_value()) << ladder.error();
    ASSERT_TRUE(ladder->completeness.is_complete());
    const auto book = day_->book_at(1, 10 * k_hour);
    const auto levels = archive::Book::levels(book->asks);
    ASSERT_EQ(ladder->value.asks.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(std::lround(ladder->value.asks[i].price * 1e4), levels[i].price_e4);
        EXPECT_EQ(ladder->value.asks[i].quantity, static_cast<double>(levels[i].shares));
        EXPECT_EQ(ladder->value.asks[i].orders, levels[i].orders);
    }
    EXPECT_THAT(plot::render_ladder(ladder->value), HasSubstr("AAPL at 10:00:00.000000000"));
}

TEST_F(BookPicture, OfAWindowWithoutQuotesSaysSo) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    open(file);
    const auto map = depth_map_of(
        *day_, {.locate = 1, .symbol = "AAPL", .from_ns = k_hour, .until_ns = 2 * k_hour});
    ASSERT_FALSE(map);
    EXPECT_THAT(map.error(), HasSubstr("no quotes in this window"));
}

}  // namespace
}  // namespace damrak::replay::book_picture_test
