// A LOBSTER pair as a day of ITCH messages: after each message the best levels are those of its
// row, what comes into view and leaves it is marked, and a row that does not follow is counted.
#include <damrak/convert/lobster_day.hpp>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/itch/view_mark.hpp>

#include "codecs/convert/checked_pair.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::convert::lobster_day_test {
namespace {

using damrak::testing::ScratchFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace itch = wire::itch;

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
            rows_ += fmt::format("{},{},{},{}{}", i == 0 ? 200 : lobster::k_no_ask_e4,
                                 i == 0 ? 1 : 0, price, size, i + 1 == levels_ ? "\n" : ",");
        }
        return *this;
    }
    /// The messages are said to have this many levels.
    Written& wide(std::size_t levels) {
        message_levels_ = levels;
        return *this;
    }
    [[nodiscard]] lobster::Pair in(const ScratchFolder& folder) const {
        const std::size_t of_messages = message_levels_ == 0 ? levels_ : message_levels_;
        return {
            folder.write(fmt::format("X_2026-01-02_34200000_57600000_message_{}.csv", of_messages),
                         messages_),
            folder.write(fmt::format("X_2026-01-02_34200000_57600000_orderbook_{}.csv", levels_),
                         rows_)};
    }
    [[nodiscard]] Checked checked() const {
        const ScratchFolder folder;
        return check(in(folder));
    }
    /// What happens to bids, in letters of ITCH; small letters: made by the view. Where the first
    /// row names its bids, the first anonymous order is the seller.
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
    const Written pair =
        Written{1}.message(1, 1, 10, 100).row({{100, 10}}).message(3, 1, 10, 100).row({{97, 4}});
    EXPECT_THAT(pair.story(), ElementsAre("A 1 10 100", "a ?2 4 97", "D 1"));
    EXPECT_EQ(pair.checked().report.equal, 1U);
    EXPECT_EQ(pair.checked().report.revealed, 1U);
}

TEST(LobsterDay, ConcealsALevelAfterTheMessageThatPushesItOut) {
    const Written pair =
        Written{1}.message(1, 1, 10, 100).row({{100, 10}}).message(1, 2, 3, 101).row({{101, 3}});
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
    EXPECT_THAT(pair.story(), ElementsAre("A 1 10 100", "A 2 3 101", "d 1",  //
                                          "a ?2 17 100", "E 2 3",            //
                                          "a 1 10 100", "x ?2 10", "E 1 4",  //
                                          "D 1"));
    EXPECT_EQ(pair.checked().report.equal, 4U);
}

TEST(LobsterDay, AnUnknownOrderComesOutOfTheAnonymousQuantityOfItsLevel) {
    const Written pair =
        Written{1}.message(1, 1, 10, 100).row({{100, 25}}).message(4, 7, 15, 100).row({{100, 10}});
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

// Even where the row after it fits.
TEST(LobsterDay, AMessageThatTakesMoreThanWasShownDisagrees) {
    for (const int type : {2, 3, 4}) {
        const Checked checked = Written{2}
                                    .message(1, 1, 10, 100)
                                    .row({{100, 10}})
                                    .message(type, 7, 99, 100)
                                    .row({{100, 10}})
                                    .message(type, 1, 10, 100)
                                    .row({})
                                    .checked();
        EXPECT_EQ(checked.error, "");
        ASSERT_EQ(checked.report.failures.size(), 1U) << type;
        EXPECT_EQ(checked.report.failures[0].text,
                  "bid at 100: order 7 has 99, more than the level had left for it");
    }
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
    const Written longer =
        Written{1}.message(1, 1, 10, 100).row({{100, 10}}).message(1, 2, 10, 100);
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
    EXPECT_EQ(day->book_from_ns(), 0) << "from the first message on";
    EXPECT_EQ(day->report().checked, 1U);
    EXPECT_EQ(day->report().equal, 1U);
    EXPECT_EQ(day->report().revealed, 0U);
    EXPECT_EQ(day->book_until_ns(), 34'204'000'000'000 - 1);
}

TEST(LobsterDay, BeforeTheFirstRowOfAWiderFileTheBookIsNotKnown) {
    const ScratchFolder folder;
    const lobster::Pair pair = Written{1}
                                   .wide(5)
                                   .message(1, 9, 10, 98)  // below the best: no row
                                   .message(1, 1, 10, 100)
                                   .row({{100, 10}})
                                   .in(folder);
    auto day = LobsterDay::open(pair, "X");
    ASSERT_TRUE(day) << day.error();
    SlowBook view;
    ASSERT_TRUE(day->read([&](const itch::Message& message) {
        std::visit([&](const auto& m) { view.on(m); }, message);
    }));
    EXPECT_EQ(day->book_from_ns(), 34'201'000'000'000);
    EXPECT_TRUE(view.orders().contains(1));
    EXPECT_FALSE(view.orders().contains(9)) << "no message would have told that it went";
}

TEST(LobsterDay, CrossesSayWhichTheyAre) {
    const ScratchFolder folder;
    std::string crosses;
    auto day = LobsterDay::open({folder.write("m.csv",
                                              "34200,6,-1,10,100,-1\n"
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

}  // namespace
}  // namespace damrak::convert::lobster_day_test
