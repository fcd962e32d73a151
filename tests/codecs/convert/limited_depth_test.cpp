// Days of any depth, generated and recorded: each row of the order book file is the book.
#include <cstdint>
#include <random>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/convert/itch_to_lobster.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/wire/itch/file_writer.hpp>

#include "codecs/convert/checked_pair.hpp"
#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::convert::limited_depth_test {
namespace {

using damrak::testing::ScratchFolder;

// A generated day, cut to the best levels as LOBSTER cuts: each row is the book, and every trade of
// the day is there whatever the depth.
class GeneratedDay : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GeneratedDay, OfAnyDepthHasTheBestLevelsAndTheTrades) {
    const ScratchFolder folder;
    auto day = generator::ItchDay::create(
        {.messages = 4'000, .symbols = 1, .live_orders = 400, .seed = 7});
    ASSERT_TRUE(day) << day.error();
    std::uint64_t trades = 0;
    {
        auto file = itch::FileWriter::create(folder / "day.itch");
        ASSERT_TRUE(file);
        for (auto messages = day->next(); !messages.empty(); messages = day->next())
            for (const itch::Message& message : messages) {
                file->write(message);
                trades += std::holds_alternative<itch::OrderExecuted>(message) ? 1U : 0U;
            }
        ASSERT_TRUE(file->close());
    }
    const std::size_t levels = GetParam();
    const lobster::Pair pair{
        folder / fmt::format("SIM1_2026-01-02_34200000_57600000_message_{}.csv", levels),
        folder / fmt::format("SIM1_2026-01-02_34200000_57600000_orderbook_{}.csv", levels)};
    const auto cut = convert(ItchToLobster{.itch = folder / "day.itch",
                                           .symbol = "SIM1",
                                           .begin_ns = 0,
                                           .end_ns = std::int64_t{86'400} * lobster::k_ns_per_s,
                                           .levels = levels,
                                           .messages = pair.messages,
                                           .book = pair.book},
                             [](auto, auto) {});
    ASSERT_TRUE(cut) << cut.error();
    const Checked checked = check(pair);
    EXPECT_EQ(checked.error, "");
    EXPECT_EQ(checked.rows, cut->rows);
    EXPECT_EQ(checked.report.equal, checked.report.checked);
    EXPECT_EQ(checked.trades, trades);
}
INSTANTIATE_TEST_SUITE_P(Levels, GeneratedDay, ::testing::Values(1, 2, 5, 10, 20));

// Messages and rows drawn at random contradict each other in every way there is. The row wins: it
// is the book after each of them, and no message of the day is about an order that is not there.
TEST(ContradictoryPairs, HaveTheBookOfEachRow) {
    std::mt19937_64 random{20'261'129};
    const auto draw = [&](std::int64_t most) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
    };
    for (int pair = 0; pair < 300; ++pair) {
        const auto levels = static_cast<std::size_t>(1 + draw(3));
        std::string messages;
        std::string rows;
        for (int k = 0; k < 60; ++k) {
            messages += fmt::format("{},{},{},{},{},{}\n", 34'200 + k, 1 + draw(5), 1 + draw(6),
                                    1 + draw(9), 100 + draw(6), draw(2) == 0 ? 1 : -1);
            std::int64_t ask = 103 + draw(2);
            std::int64_t bid = 102 - draw(2);
            const std::int64_t shown = draw(static_cast<std::int64_t>(levels) + 1);
            for (std::size_t i = 0; i < levels; ++i) {
                const bool is_shown = static_cast<std::int64_t>(i) < shown;
                rows += fmt::format("{},{},{},{}{}", is_shown ? ask++ : lobster::k_no_ask_e4,
                                    is_shown ? 1 + draw(20) : 0,
                                    is_shown ? bid-- : lobster::k_no_bid_e4,
                                    is_shown ? 1 + draw(20) : 0, i + 1 == levels ? "\n" : ",");
            }
        }
        const ScratchFolder folder;
        const Checked checked =
            check({folder.write("messages.csv", messages), folder.write("book.csv", rows)});
        ASSERT_FALSE(HasFailure()) << "pair " << pair << "\n" << messages << rows;
        EXPECT_GE(checked.rows, 59U);
    }
}

struct RealPair {
    const char* messages;
    const char* book;
    std::uint64_t checked;
    std::uint64_t revealed;
};

TEST(LobsterRealData, EveryRowOfEachPairFollows) {
    DAMRAK_REAL_DATA_OR_SKIP(narrow, "lobster/AAPL_2012-06-21_34200000_57600000_message_10.csv");
    const auto folder = narrow.parent_path();
    for (const RealPair& pair :
         {RealPair{"AAPL_2012-06-21_34200000_57600000_message_10.csv",
                   "AAPL_2012-06-21_34200000_57600000_orderbook_10.csv", 998, 318},
          RealPair{"cut/AAPL_2012-06-21_34200000_57600000_message_5.csv",
                   "cut/AAPL_2012-06-21_34200000_57600000_orderbook_5.csv", 923, 299},
          RealPair{"GOOG_2012-06-21_34200000_57600000_message_1.csv",
                   "GOOG_2012-06-21_34200000_57600000_orderbook_1.csv", 49'481, 11'207},
          RealPair{"AAPL_2012-06-21_34200000_37800000_message_50.csv",
                   "AAPL_2012-06-21_34200000_57600000_orderbook_10.csv", 998, 0}}) {
        auto day = LobsterDay::open({folder / pair.messages, folder / pair.book}, "X");
        ASSERT_TRUE(day) << day.error();
        const auto read = day->read([](const itch::Message&) {});
        ASSERT_TRUE(read) << read.error();
        EXPECT_EQ(day->report().checked, pair.checked) << pair.messages;
        EXPECT_EQ(day->report().equal, pair.checked) << pair.messages;
        EXPECT_EQ(day->report().revealed, pair.revealed) << pair.messages;
    }
}

}  // namespace
}  // namespace damrak::convert::limited_depth_test
