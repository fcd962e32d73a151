// A LOBSTER pair as a day of ITCH messages: after each message the best levels are those of its row,
// what comes into view and leaves it is marked, and a row that does not follow is counted.
#include <damrak/convert/lobster_day.hpp>

#include <array>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/convert/itch_to_lobster.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/wire/itch/file_writer.hpp>
#include <damrak/wire/itch/view_mark.hpp>

#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::convert::lobster_day_test {
namespace {

using damrak::testing::ScratchFolder;
using lobster::BookLevel;
using lobster::BookRow;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace itch = wire::itch;

/// Orders by reference and nothing else: the slowest book that can be right.
class SlowBook {
  public:
    void on(const itch::AddOrder& m) {
        ASSERT_FALSE(orders_.contains(m.order_ref));
        orders_[m.order_ref] = {m.side, m.price_e4, m.shares};
    }
    void on(const itch::OrderExecuted& m) { take(m.order_ref, m.executed_shares); }
    void on(const itch::OrderExecutedWithPrice& m) { take(m.order_ref, m.executed_shares); }
    void on(const itch::OrderCancel& m) { take(m.order_ref, m.cancelled_shares); }
    void on(const itch::OrderDelete& m) { ASSERT_EQ(orders_.erase(m.order_ref), 1U); }
    void on(const auto& /*other*/) {}

    [[nodiscard]] std::vector<BookLevel> best(std::size_t levels) const {
        std::array<std::map<std::int64_t, std::int64_t>, 2> sides;
        for (const auto& [reference, order] : orders_)
            sides[order.side == Side::sell ? 0 : 1]
                 [order.side == Side::sell ? order.price : -order.price] += order.shares;
        std::vector<BookLevel> row(levels, {lobster::k_no_ask_e4, 0, lobster::k_no_bid_e4, 0});
        for (std::size_t i = 0; const auto& [key, size] : sides[0]) {
            if (i == levels) break;
            row[i].ask_price_e4 = key;
            row[i++].ask_size = size;
        }
        for (std::size_t i = 0; const auto& [key, size] : sides[1]) {
            if (i == levels) break;
            row[i].bid_price_e4 = -key;
            row[i++].bid_size = size;
        }
        return row;
    }

  private:
    struct Resting {
        Side side{};
        std::int64_t price = 0;
        std::int64_t shares = 0;
    };
    void take(std::uint64_t reference, std::int64_t shares) {
        ASSERT_TRUE(orders_.contains(reference));
        ASSERT_LE(shares, orders_[reference].shares);
        if ((orders_[reference].shares -= shares) == 0) orders_.erase(reference);
    }
    std::map<std::uint64_t, Resting> orders_;
};

struct Checked {
    RowsReport report;
    std::uint64_t rows = 0;
    std::uint64_t trades = 0;
    std::string error;
};

/// Reads the pair; after each participant's message and after each step the best levels are those
/// of the row, which is read again from the file here.
Checked check(const lobster::Pair& pair) {
    Checked checked;
    auto day = LobsterDay::open(pair, "X");
    if (!day) return {.report = {}, .rows = 0, .trades = 0, .error = day.error()};
    auto rows = lobster::BookReader::open(*pair.book);
    SlowBook book;
    std::vector<BookLevel> at_message;
    const auto take = [&](const itch::Message& message) {
        std::visit(
            [&](const auto& m) {
                book.on(m);
                if (!itch::is_made_by_view(m)) at_message = book.best(day->depth());
                if constexpr (std::is_same_v<std::decay_t<decltype(m)>, itch::OrderExecuted>)
                    ++checked.trades;
            },
            message);
    };
    for (;;) {
        const std::uint64_t equal = day->report().equal;
        const auto more = day->next(take);
        if (!more) checked.error = more.error();
        if (!more || !*more) break;
        const auto row = rows->next();
        if (!row || !*row) break;
        const std::vector<BookLevel> wanted{(*row)->begin(), (*row)->end()};
        ++checked.rows;
        EXPECT_EQ(book.best(day->depth()), wanted) << "row " << checked.rows;
        const bool follows = day->report().equal > equal;
        if (follows) {
            EXPECT_EQ(at_message, wanted) << "row " << checked.rows;
        }
        if (::testing::Test::HasFailure()) break;
    }
    checked.report = day->report();
    return checked;
}

// Bids only, prices in units of 1/10,000; the sellers stand still at 200.
class Written {
  public:
    explicit Written(std::size_t levels) : levels_{levels} {}

    Written& message(int type, std::int64_t id, std::int64_t size, std::int64_t price) {
        messages_ += fmt::format("{},{},{},{},{},1\n", 34'200 + count_++, type, id, size, price);
        return *this;
    }
    Written& row(const std::vector<std::pair<std::int64_t, std::int64_t>>& bids) {
        for (std::size_t i = 0; i < levels_; ++i) {
            const auto [price, size] =
                i < bids.size() ? bids[i] : std::pair{lobster::k_no_bid_e4, std::int64_t{0}};
            rows_ += fmt::format("{},{},{},{}{}", i == 0 ? 200 : lobster::k_no_ask_e4, i == 0 ? 1 : 0,
                                 price, size, i + 1 == levels_ ? "\n" : ",");
        }
        return *this;
    }
    /// The messages are said to have so many levels.
    Written& wide(std::size_t levels) {
        message_levels_ = levels;
        return *this;
    }
    [[nodiscard]] lobster::Pair in(const ScratchFolder& folder) const {
        const std::size_t of_messages = message_levels_ == 0 ? levels_ : message_levels_;
        return {folder.write(fmt::format("X_2026-01-02_34200000_57600000_message_{}.csv",
                                         of_messages),
                             messages_),
                folder.write(fmt::format("X_2026-01-02_34200000_57600000_orderbook_{}.csv", levels_),
                             rows_)};
    }
    [[nodiscard]] Checked checked() const {
        const ScratchFolder folder;
        return check(in(folder));
    }
    /// What happens to bids (the seller is the first anonymous order where bids are named), in letters of ITCH; small letters: made by the view.
    [[nodiscard]] std::vector<std::string> story() const {
        const ScratchFolder folder;
        std::vector<std::string> said;
        const auto say = [&](const auto& m, char letter, auto... numbers) {
            const bool by_view = itch::is_made_by_view(m);
            const std::string id = itch::is_anonymous(m.order_ref)
                                       ? fmt::format("?{}", m.order_ref - itch::k_anonymous)
                                       : fmt::format("{}", m.order_ref);
            std::string text = fmt::format("{} {}", by_view ? char(letter + 32) : letter, id);
            ((text += fmt::format(" {}", numbers)), ...);
            said.push_back(text);
        };
        auto day = LobsterDay::open(in(folder), "X");
        EXPECT_TRUE(day) << day.error();
        const auto read = day->read([&](const itch::Message& message) {
            if (const auto* m = std::get_if<itch::AddOrder>(&message); m && m->side == Side::buy)
                say(*m, 'A', m->shares, m->price_e4);
            if (const auto* m = std::get_if<itch::OrderExecuted>(&message))
                say(*m, 'E', m->executed_shares);
            if (const auto* m = std::get_if<itch::OrderCancel>(&message))
                say(*m, 'X', m->cancelled_shares);
            if (const auto* m = std::get_if<itch::OrderDelete>(&message)) say(*m, 'D');
        });
        EXPECT_TRUE(read) << read.error();
        return said;
    }

  private:
    std::size_t levels_;
    std::size_t message_levels_ = 0;
    int count_ = 0;
    std::string messages_;
    std::string rows_;
};

TEST(LobsterDay, FollowsEachKindOfMessageFromRowToRow) {
    const Checked checked = Written{3}
                                .message(1, 1, 10, 100)
                                .row({{100, 10}})
                                .message(1, 2, 5, 100)
                                .row({{100, 15}})
                                .message(2, 1, 3, 100)
                                .row({{100, 12}})
                                .message(4, 1, 7, 100)
                                .row({{100, 5}})
                                .message(5, 0, 7, 101)
                                .row({{100, 5}})
                                .message(7, 0, 0, -1)
                                .row({{100, 5}})
                                .message(3, 2, 5, 100)
                                .row({})
                                .checked();
    EXPECT_EQ(checked.error, "");
    EXPECT_EQ(checked.report.checked, 6U);
    EXPECT_EQ(checked.report.equal, 6U);
    EXPECT_EQ(checked.report.revealed, 0U);
}

TEST(LobsterDay, RevealsALevelBeforeTheMessageThatBringsItIntoView) {
    const Written pair = Written{1}
                             .message(1, 1, 10, 100)
                             .row({{100, 10}})
                             .message(3, 1, 10, 100)
                             .row({{97, 4}});
    EXPECT_THAT(pair.story(), ElementsAre("A 1 10 100", "a ?2 4 97", "D 1"));
    EXPECT_EQ(pair.checked().report.equal, 1U);
    EXPECT_EQ(pair.checked().report.revealed, 1U);
}

TEST(LobsterDay, ConcealsALevelAfterTheMessageThatPushesItOut) {
    const Written pair = Written{1}
                             .message(1, 1, 10, 100)
                             .row({{100, 10}})
                             .message(1, 2, 3, 101)
                             .row({{101, 3}});
    EXPECT_THAT(pair.story(), ElementsAre("A 1 10 100", "A 2 3 101", "d 1"));
    EXPECT_EQ(pair.checked().report.concealed, 1U);
}

TEST(LobsterDay, AnOrderThatIsNamedAgainSurvivesOutOfView) {
    const Written pair = Written{1}
                             .message(1, 1, 10, 100)
                             .row({{100, 10}})
                             .message(1, 2, 3, 101)
                             .row({{101, 3}})
                             .message(4, 2, 3, 101)
                             .row({{100, 17}})
                             .message(4, 1, 4, 100)
                             .row({{100, 13}})
                             .message(3, 1, 6, 100)
                             .row({{100, 7}});
    EXPECT_THAT(pair.story(), ElementsAre("A 1 10 100", "A 2 3 101", "d 1",     //
                                          "a ?2 17 100", "E 2 3",               //
                                          "a 1 10 100", "x ?2 10", "E 1 4",     //
                                          "D 1"));
    EXPECT_EQ(pair.checked().report.equal, 4U);
}

TEST(LobsterDay, AnUnknownOrderComesOutOfTheAnonymousQuantityOfItsLevel) {
    const Written pair = Written{1}
                             .message(1, 1, 10, 100)
                             .row({{100, 25}})
                             .message(4, 7, 15, 100)
                             .row({{100, 10}});
    EXPECT_THAT(pair.story(),
                ElementsAre("a ?1 15 100", "A 1 10 100", "a 7 15 100", "x ?1 15", "E 7 15"));
    EXPECT_EQ(pair.checked().trades, 1U);
}

TEST(LobsterDay, TheRowWinsWhereItDisagreesWithTheMessage) {
    // A size that nothing explains, a level that is gone, one that appears within the view, an add
    // that the row does not have; right rows in between.
    const Checked checked = Written{3}
                                .message(1, 1, 10, 100)
                                .row({{100, 10}, {98, 5}})
                                .message(1, 2, 1, 101)
                                .row({{101, 1}, {100, 12}, {98, 5}})
                                .message(5, 0, 1, 102)
                                .row({{101, 1}, {98, 5}})
                                .message(1, 3, 2, 97)
                                .row({{101, 1}, {98, 5}, {97, 2}})
                                .message(5, 0, 1, 102)
                                .row({{101, 1}, {99, 4}, {98, 5}})
                                .message(1, 4, 9, 101)
                                .row({{101, 1}, {99, 4}, {98, 5}})
                                .message(3, 2, 1, 101)
                                .row({{99, 4}, {98, 5}})
                                .checked();
    EXPECT_EQ(checked.error, "");
    EXPECT_EQ(checked.report.checked, 6U);
    EXPECT_EQ(checked.report.equal, 2U);
    ASSERT_EQ(checked.report.failures.size(), 4U);
    EXPECT_EQ(checked.report.failures[0].book_row, 2U);
    EXPECT_EQ(checked.report.failures[0].text, "bid at 100: expected 10, found 12");
    EXPECT_EQ(checked.report.failures[1].text, "bid at 100: expected 12, found no such level");
    EXPECT_EQ(checked.report.failures[2].text, "bid at 99: expected no level, found 4");
    EXPECT_EQ(checked.report.failures[3].text, "bid at 101: expected 10, found 1");
}

TEST(LobsterDay, NothingComesIntoViewOnASideThatWasShownWhole) {
    const Checked checked = Written{3}
                                .message(1, 1, 10, 100)
                                .row({{100, 10}, {99, 5}})
                                .message(3, 1, 10, 100)
                                .row({{99, 5}, {97, 4}})
                                .checked();
    EXPECT_EQ(checked.report.equal, 0U);
    ASSERT_EQ(checked.report.failures.size(), 1U);
    EXPECT_EQ(checked.report.failures[0].text, "bid at 97: expected no level, found 4");
}

TEST(LobsterDay, RefusesFilesOfDifferentLength) {
    const Written longer = Written{1}
                               .message(1, 1, 10, 100)
                               .row({{100, 10}})
                               .message(1, 2, 10, 100);
    EXPECT_THAT(longer.checked().error, HasSubstr("it ends after 1 rows"));
    const Written shorter = Written{1}.message(1, 1, 10, 100).row({{100, 10}}).row({{100, 20}});
    EXPECT_THAT(shorter.checked().error, HasSubstr("it has more than 1 rows"));
}

TEST(LobsterDay, RefusesRowsThatBelongToOtherMessages) {
    Written pair{1};
    for (int i = 0; i < 40; ++i) pair.message(1, i + 1, 10, 100).row({{90 - i, 7}});
    EXPECT_THAT(pair.checked().error, HasSubstr("39 of 39 rows do not follow"));
}

TEST(LobsterDay, RefusesNamesOfDifferentDaysAndTooNarrowMessages) {
    const ScratchFolder folder;
    const auto messages =
        folder.write("X_2026-01-02_34200000_57600000_message_1.csv", "34200,1,1,10,100,1\n");
    const auto error = [&](const char* book) {
        const auto day = LobsterDay::open({messages, folder / book}, "X");
        return day ? std::string{} : day.error();
    };
    EXPECT_THAT(error("Y_2026-01-02_34200000_57600000_orderbook_1.csv"),
                HasSubstr("is of Y on 2026-01-02, but the messages are of X"));
    EXPECT_THAT(error("X_2026-01-03_34200000_57600000_orderbook_1.csv"), HasSubstr("2026-01-03"));
    EXPECT_THAT(error("X_2026-01-02_34200000_57600000_orderbook_5.csv"),
                HasSubstr("1 levels does not cover an order book file of 5"));
}

TEST(LobsterDay, FindsTheOrderBookFileBesideOrRefusesTheMessagesAlone) {
    const ScratchFolder folder;
    const lobster::Pair pair = Written{1}.message(1, 1, 10, 100).row({{100, 10}}).in(folder);
    EXPECT_EQ(lobster::find_pair(pair.messages, {}, false)->book, pair.book);
    EXPECT_EQ(lobster::find_pair(pair.messages, {}, true)->book, std::nullopt);
    std::filesystem::remove(*pair.book);
    const auto alone = lobster::find_pair(pair.messages, {}, false);
    ASSERT_FALSE(alone);
    EXPECT_THAT(alone.error(), HasSubstr("--trust-messages"));
}

TEST(LobsterDay, AWiderMessageFileKeepsWhatLiesBelowTheRows) {
    // The second message is below the row's level: it has no row. The book is not known after the
    // last row's successor.
    const ScratchFolder folder;
    const lobster::Pair pair = Written{1}
                                   .wide(5)
                                   .message(1, 1, 10, 100)
                                   .row({{100, 10}})
                                   .message(1, 2, 4, 98)
                                   .message(3, 1, 10, 100)
                                   .row({{98, 4}})
                                   .message(1, 3, 1, 97)
                                   .message(1, 4, 1, 99)
                                   .in(folder);
    auto day = LobsterDay::open(pair, "X");
    ASSERT_TRUE(day) << day.error();
    ASSERT_TRUE(day->read([](const itch::Message&) {}));
    EXPECT_EQ(day->report().checked, 1U);
    EXPECT_EQ(day->report().equal, 1U);
    EXPECT_EQ(day->report().revealed, 0U);
    EXPECT_EQ(day->book_until_ns(), 34'204'000'000'000 - 1);
}

TEST(LobsterDay, CrossesSayWhichTheyAre) {
    const ScratchFolder folder;
    std::string crosses;
    auto day = LobsterDay::open({folder.write("m.csv", "34200,6,-1,10,100,-1\n"
                                                       "40000,6,-3,10,100,-1\n"
                                                       "57600,6,-2,10,100,-1\n"),
                                 {}},
                                "X");
    ASSERT_TRUE(day) << day.error();
    const auto read = day->read([&](const itch::Message& message) {
        if (const auto* m = std::get_if<itch::CrossTrade>(&message)) crosses += m->cross_type;
    });
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(crosses, "OHC");
}

// A generated day, cut to the best levels as LOBSTER cuts: each row is the book, and every trade of
// the day is there whatever the depth.
class GeneratedDay : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GeneratedDay, OfAnyDepthHasTheBestLevelsAndTheTrades) {
    const ScratchFolder folder;
    auto day = generator::ItchDay::create({.messages = 4'000, .symbols = 1, .live_orders = 400, .seed = 7});
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
}  // namespace damrak::convert::lobster_day_test
