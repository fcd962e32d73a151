// Days of any depth, generated and recorded: each row of the order book file is the book.
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <variant>
#include <vector>

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

// A generated day, cut to the best levels as LOBSTER cuts, with messages of as many levels or more:
// each row is the book, every trade of the day is there, and an order in view is one of the day's,
// with the quantity it has there if all of it is known.
struct Cut {
    std::size_t message_levels;
    std::size_t book_levels;
};
class GeneratedDay : public ::testing::TestWithParam<Cut> {
  protected:
    static constexpr std::int64_t k_day_ns = std::int64_t{86'400} * lobster::k_ns_per_s;

    void SetUp() override {
        auto day = generator::ItchDay::create(
            {.messages = 4'000, .symbols = 1, .live_orders = 400, .seed = 7});
        ASSERT_TRUE(day) << day.error();
        auto file = itch::FileWriter::create(folder_ / "day.itch");
        ASSERT_TRUE(file);
        for (auto messages = day->next(); !messages.empty(); messages = day->next())
            for (const itch::Message& message : messages) {
                file->write(message);
                day_.push_back(message);
                trades_ += std::holds_alternative<itch::OrderExecuted>(message) ? 1U : 0U;
            }
        ASSERT_TRUE(file->close());
        pair_ = {cut("message", GetParam().message_levels),
                 cut("orderbook", GetParam().book_levels)};
    }

    std::filesystem::path cut(const char* kind, std::size_t levels) {
        const auto name = [&](const char* of) {
            return folder_ / fmt::format("SIM1_2026-01-02_34200000_57600000_{}_{}.csv", of, levels);
        };
        const auto summary = convert(ItchToLobster{.itch = folder_ / "day.itch",
                                                   .symbol = "SIM1",
                                                   .begin_ns = 0,
                                                   .end_ns = k_day_ns,
                                                   .levels = levels,
                                                   .messages = name("message"),
                                                   .book = name("orderbook")},
                                     [](auto, auto) {});
        EXPECT_TRUE(summary) << summary.error();
        rows_ = summary->rows;
        return name(kind);
    }
    /// The day's own book after all messages up to this time.
    const SlowBook& truth_at(std::int64_t time_ns) {
        const auto is_due = [&](const auto& message) { return message.timestamp_ns <= time_ns; };
        while (next_ < day_.size() && std::visit(is_due, day_[next_]))
            std::visit([&](const auto& message) { truth_.on(message); }, day_[next_++]);
        return truth_;
    }

    ScratchFolder folder_;
    std::vector<itch::Message> day_;
    std::size_t next_ = 0;
    SlowBook truth_;
    lobster::Pair pair_;
    std::uint64_t trades_ = 0;
    std::uint64_t rows_ = 0;  ///< of the order book file
};

class RowsForAllMessages : public GeneratedDay {};
TEST_P(RowsForAllMessages, HaveTheBestLevelsAndTheTrades) {
    const Checked checked = check(pair_);
    EXPECT_EQ(checked.error, "");
    EXPECT_EQ(checked.rows, rows_);
    EXPECT_EQ(checked.report.equal, checked.report.checked);
    EXPECT_EQ(checked.trades, trades_);
}

TEST_P(GeneratedDay, HasNoOrderInViewThatTheDayHasNot) {
    auto day = LobsterDay::open(pair_, "SIM1");
    ASSERT_TRUE(day) << day.error();
    SlowBook view;
    std::int64_t last_ns = 0;
    std::uint64_t times = 0;
    std::uint64_t compared = 0;
    const auto compare = [&] {
        const SlowBook& truth = truth_at(last_ns);
        if (++times % 16 == 0) {
            EXPECT_EQ(view.best(GetParam().book_levels), truth.best(GetParam().book_levels));
        }
        for (const auto& [reference, order] : view.orders()) {
            if (itch::is_anonymous(reference)) continue;
            ASSERT_TRUE(truth.orders().contains(reference)) << reference << " at " << last_ns;
            const auto& real = truth.orders().at(reference);
            ASSERT_EQ(order.price, real.price);
            if (order.is_by_view) {
                ASSERT_LE(order.shares, real.shares);
            } else {
                ASSERT_EQ(order.shares, real.shares) << reference << " at " << last_ns;
            }
            ++compared;
        }
    };
    bool is_known = false;
    ASSERT_TRUE(day->read([&](const itch::Message& message) {
        std::visit(
            [&](const auto& m) {
                if (m.timestamp_ns != last_ns && is_known && !HasFatalFailure()) compare();
                last_ns = m.timestamp_ns;
                is_known = day->book_from_ns() <= last_ns;
                view.on(m);
            },
            message);
    }));
    EXPECT_EQ(day->report().equal, day->report().checked);
    EXPECT_GT(compared, 10'000U);
}
std::string name_of(const ::testing::TestParamInfo<Cut>& of) {
    return fmt::format("Messages{}Book{}", of.param.message_levels, of.param.book_levels);
}
INSTANTIATE_TEST_SUITE_P(Levels, RowsForAllMessages,
                         ::testing::Values(Cut{1, 1}, Cut{2, 2}, Cut{5, 5}, Cut{10, 10},
                                           Cut{20, 20}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Levels, GeneratedDay,
                         ::testing::Values(Cut{1, 1}, Cut{5, 5}, Cut{20, 20}, Cut{2, 1}, Cut{5, 1},
                                           Cut{5, 2}, Cut{10, 2}, Cut{20, 10}, Cut{50, 1}),
                         name_of);

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
