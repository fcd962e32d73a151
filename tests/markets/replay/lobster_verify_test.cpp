// Checking LOBSTER message files against order book files: what passes, and above all what must
// not.
#include <damrak/replay/lobster_verify.hpp>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/real_data.hpp"

namespace damrak::replay::lobster_verify_test {
namespace {

using lobster::BookLevel;
using lobster::EventType;
using lobster::k_no_ask_e4;
using lobster::k_no_bid_e4;
using lobster::MessageRow;
using ::testing::HasSubstr;

constexpr BookLevel k_nothing{k_no_ask_e4, 0, k_no_bid_e4, 0};

// Messages of bids only, prices in units; the sellers stand still at 200.
class Pair {
  public:
    explicit Pair(std::size_t levels) : rows_{levels} {}

    Pair& message(EventType type, std::uint64_t id, std::int64_t size, std::int64_t price) {
        const auto time_ns = static_cast<std::int64_t>(messages_.size());
        messages_.push_back({time_ns, type, id, size, price, Side::buy});
        return *this;
    }
    Pair& row(const std::vector<std::pair<std::int64_t, std::int64_t>>& bids) {
        std::vector<BookLevel> levels(rows_.levels(), k_nothing);
        levels[0].ask_price_e4 = 200;
        levels[0].ask_size = 1;
        for (std::size_t i = 0; i < bids.size(); ++i) {
            levels[i].bid_price_e4 = bids[i].first;
            levels[i].bid_size = bids[i].second;
        }
        rows_.add(levels);
        return *this;
    }

    [[nodiscard]] LobsterVerification transitions() const {
        return verify_transitions(messages_, rows_);
    }
    [[nodiscard]] std::expected<LobsterVerification, std::string> full() const {
        return verify_full_replay(messages_, rows_);
    }

  private:
    std::vector<MessageRow> messages_;
    BookRows rows_;
};

TEST(LobsterTransitions, EachKindOfMessageLeadsFromRowToRow) {
    const auto result = Pair{3}
                            .message(EventType::add, 1, 10, 100)
                            .row({{100, 10}})
                            .message(EventType::add, 2, 5, 100)
                            .row({{100, 15}})
                            .message(EventType::cancel, 1, 3, 100)
                            .row({{100, 12}})
                            .message(EventType::execute, 1, 7, 100)
                            .row({{100, 5}})
                            .message(EventType::execute_hidden, 0, 7, 101)
                            .row({{100, 5}})
                            .message(EventType::halt, 0, 0, lobster::k_halted)
                            .row({{100, 5}})
                            .message(EventType::remove, 2, 5, 100)
                            .row({})
                            .transitions();
    EXPECT_EQ(result.check, LobsterCheck::transition);
    EXPECT_EQ(result.rows_checked, 6U);
    EXPECT_EQ(result.rows_equal, 6U);
    EXPECT_EQ(result.levels_revealed, 0U);
}

TEST(LobsterTransitions, ALevelFromOutsideMayAppearAtTheDeepEndOfAFullSide) {
    const auto result = Pair{2}
                            .message(EventType::add, 1, 10, 100)
                            .row({{100, 10}, {99, 5}})
                            .message(EventType::remove, 1, 10, 100)
                            .row({{99, 5}, {97, 4}})
                            .transitions();
    EXPECT_EQ(result.rows_equal, 1U);
    EXPECT_EQ(result.levels_revealed, 1U);
}

TEST(LobsterTransitions, NothingCanAppearWhereTheSideWasShownWhole) {
    const auto result = Pair{3}
                            .message(EventType::add, 1, 10, 100)
                            .row({{100, 10}, {99, 5}})
                            .message(EventType::remove, 1, 10, 100)
                            .row({{99, 5}, {97, 4}})
                            .transitions();
    EXPECT_EQ(result.rows_equal, 0U);
    ASSERT_EQ(result.failures.size(), 1U);
    EXPECT_EQ(result.failures[0].book_row, 2U);
    EXPECT_EQ(result.failures[0].text, "bid level 2: expected none, found 4 at 97");
}

TEST(LobsterTransitions, ALevelThatIsPushedOutIsForgotten) {
    const auto result = Pair{2}
                            .message(EventType::add, 1, 10, 100)
                            .row({{100, 10}, {99, 5}})
                            .message(EventType::add, 2, 1, 101)
                            .row({{101, 1}, {100, 10}})
                            .message(EventType::remove, 2, 1, 101)
                            .row({{100, 10}, {99, 7}})
                            .transitions();
    EXPECT_EQ(result.rows_equal, 2U);
}

TEST(LobsterTransitions, EveryDifferenceFailsItsRowAndNoOther) {
    // A wrong size, a level too few, a level in the midst, a price; right rows in between.
    const auto result = Pair{3}
                            .message(EventType::add, 1, 10, 100)
                            .row({{100, 10}, {99, 5}, {98, 1}})
                            .message(EventType::add, 2, 2, 100)
                            .row({{100, 13}, {99, 5}, {98, 1}})
                            .message(EventType::cancel, 2, 1, 100)
                            .row({{100, 12}, {99, 5}, {98, 1}})
                            .message(EventType::cancel, 2, 1, 100)
                            .row({{100, 11}, {99, 5}})
                            .message(EventType::execute_hidden, 0, 1, 100)
                            .row({{100, 11}, {99, 5}})
                            .transitions();
    EXPECT_EQ(result.rows_checked, 4U);
    EXPECT_EQ(result.rows_equal, 2U);
    ASSERT_EQ(result.failures.size(), 2U);
    EXPECT_EQ(result.failures[0].text, "bid level 1: expected 12 at 100, found 13 at 100");
    EXPECT_EQ(result.failures[1].text, "bid level 3: expected 1 at 98, found none");
}

TEST(LobsterTransitions, TakingWhatIsNotThereFailsEvenIfTheRowStaysTheSame) {
    const auto result = Pair{1}
                            .message(EventType::add, 1, 10, 100)
                            .row({{100, 10}})
                            .message(EventType::remove, 2, 5, 101)
                            .row({{100, 10}})
                            .message(EventType::execute, 1, 11, 100)
                            .row({})
                            .transitions();
    EXPECT_EQ(result.rows_equal, 0U);
    EXPECT_THAT(result.failures[0].text, HasSubstr("takes 5 from the bid at 101"));
}

TEST(LobsterTransitions, OutOfSightOfAFullRowNothingShows) {
    const auto result = Pair{1}
                            .message(EventType::add, 1, 10, 100)
                            .row({{100, 10}})
                            .message(EventType::add, 2, 5, 99)
                            .row({{100, 10}})
                            .message(EventType::remove, 2, 5, 99)
                            .row({{100, 10}})
                            .transitions();
    EXPECT_EQ(result.rows_equal, 2U);
}

// A wide message file against two levels. Orders 8 and 9 are from before the file.
Pair wide_pair() {
    Pair pair{2};
    pair.message(EventType::add, 1, 10, 100)
        .row({{100, 10}, {99, 5}})
        .message(EventType::add, 2, 4, 97)  // out of sight: no row
        .message(EventType::add, 3, 3, 99)
        .row({{100, 10}, {99, 8}})
        .message(EventType::execute, 1, 10, 100)
        .row({{99, 8}, {97, 4}})
        .message(EventType::remove, 8, 5, 99)
        .row({{99, 3}, {97, 4}})
        .message(EventType::execute_hidden, 0, 1, 99)
        .row({{99, 3}, {97, 4}});
    return pair;
}

TEST(LobsterFullReplay, AMessageHasARowWhenItChangesWhatRowsShow) {
    const auto result = wide_pair().full();
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->check, LobsterCheck::full_replay);
    EXPECT_EQ(result->rows_checked, 4U);
    EXPECT_EQ(result->rows_equal, 4U);
    EXPECT_EQ(result->levels_revealed, 0U);
    EXPECT_EQ(result->seed_message_row, 1U);
    EXPECT_EQ(result->messages_applied, 6U);
}

TEST(LobsterFullReplay, WhatIsDeeperThanWasEverKnownIsTakenFromTheRow) {
    Pair pair{1};
    pair.message(EventType::add, 1, 10, 100)
        .row({{100, 10}})
        .message(EventType::add, 2, 4, 98)
        .message(EventType::remove, 1, 10, 100)
        .row({{98, 9}})  // 5 of them from before the file
        .message(EventType::cancel, 7, 2, 98)
        .row({{98, 7}});
    const auto result = pair.full();
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->rows_equal, 2U);
    EXPECT_EQ(result->levels_revealed, 1U);
}

TEST(LobsterFullReplay, ButNeverLessThanTheMessagesSay) {
    Pair pair{1};
    pair.message(EventType::add, 1, 10, 100)
        .row({{100, 10}})
        .message(EventType::add, 2, 4, 98)
        .message(EventType::remove, 1, 10, 100)
        .row({{98, 3}});
    EXPECT_EQ(pair.full()->rows_equal, 0U);
    Pair passed_over{1};
    passed_over.message(EventType::add, 1, 10, 100)
        .row({{100, 10}})
        .message(EventType::add, 2, 4, 98)
        .message(EventType::remove, 1, 10, 100)
        .row({{97, 3}});
    EXPECT_EQ(passed_over.full()->rows_equal, 0U);
}

TEST(LobsterFullReplay, AMessageThatIsMissingFailsTheRowsBehindIt) {
    Pair pair{2};
    pair.message(EventType::add, 1, 10, 100)
        .row({{100, 10}, {99, 5}})
        .row({{100, 12}, {99, 5}})  // its message is not there
        .message(EventType::add, 3, 3, 99)
        .row({{100, 12}, {99, 8}})
        .message(EventType::add, 4, 3, 99)
        .row({{100, 12}, {99, 11}});
    const auto result = pair.full();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rows_checked, 3U);
    EXPECT_EQ(result->rows_equal, 0U);
    EXPECT_THAT(result->failures.back().text, HasSubstr("messages end"));
}

TEST(LobsterFullReplay, OneWrongRowFailsAlone) {
    Pair pair{2};
    pair.message(EventType::add, 1, 10, 100).row({{100, 10}, {99, 5}});
    for (std::int64_t i = 1; i <= 20; ++i)
        pair.message(EventType::add, 100 + static_cast<std::uint64_t>(i), 1, 100)
            .row({{100, 10 + i + (i == 7 ? 1 : 0)}, {99, 5}});
    const auto result = pair.full();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rows_checked, 20U);
    EXPECT_EQ(result->rows_equal, 19U);
    ASSERT_EQ(result->failures.size(), 1U);
    EXPECT_EQ(result->failures[0].book_row, 8U);
    EXPECT_EQ(result->failures[0].message_row, 8U);
}

TEST(LobsterFullReplay, FindsTheMessageThatMadeTheFirstRow) {
    Pair pair{2};
    pair.message(EventType::add, 50, 1, 90)      // deep, before
        .message(EventType::add, 51, 9, 101)     // seen, but gone when the rows begin
        .message(EventType::remove, 51, 9, 101)  //
        .message(EventType::execute, 8, 2, 100)  // the one
        .row({{100, 10}, {99, 5}})
        .message(EventType::add, 52, 2, 100)
        .row({{100, 12}, {99, 5}})
        .message(EventType::add, 53, 1, 99)
        .row({{100, 12}, {99, 6}});
    const auto result = pair.full();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rows_equal, 2U);
    EXPECT_EQ(result->seed_message_row, 4U);
}

TEST(LobsterFullReplay, SaysWhenNoMessageLeadsToTheFirstRow) {
    Pair pair{1};
    pair.message(EventType::add, 1, 10, 105)
        .row({{100, 10}})
        .message(EventType::add, 2, 1, 105)
        .row({{100, 11}});
    const auto result = pair.full();
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error(), HasSubstr("row 1"));
}

TEST(LobsterShape, TheCheckFollowsFromWidthsAndLengths) {
    const auto check = [](std::optional<std::size_t> message_levels, std::size_t message_rows,
                          std::size_t book_levels, std::size_t book_rows) -> std::string {
        const auto chosen = choose_check({message_levels, message_rows, book_levels, book_rows});
        return chosen ? std::string{name(*chosen)} : chosen.error();
    };
    EXPECT_EQ(check(10, 999, 10, 999), "transition");
    EXPECT_EQ(check(50, 91'997, 10, 999), "full_replay");
    EXPECT_EQ(check(50, 999, 10, 999), "full_replay");
    EXPECT_EQ(check(std::nullopt, 999, 10, 999), "transition");
    EXPECT_EQ(check(std::nullopt, 1'000, 10, 999), "full_replay");
    EXPECT_THAT(check(1, 999, 10, 999), HasSubstr("1 levels does not cover"));
    EXPECT_THAT(check(10, 998, 10, 999), HasSubstr("998 rows, but the order book file has 999"));
    EXPECT_THAT(check(std::nullopt, 998, 10, 999), HasSubstr("998 rows"));
    EXPECT_THAT(check(std::nullopt, 0, 0, 0), HasSubstr("nothing to check"));
}

TEST(LobsterRealData, AAPLByBothChecks) {
    DAMRAK_REAL_DATA_OR_SKIP(narrow, "lobster/AAPL_2012-06-21_34200000_57600000_message_10.csv");
    const auto folder = narrow.parent_path();
    const auto rows = load_book_rows(folder / "AAPL_2012-06-21_34200000_57600000_orderbook_10.csv");
    const auto messages = load_messages(narrow);
    ASSERT_EQ(messages.error + rows.error, "");
    const auto transitions = verify_transitions(messages.content, rows.content);
    EXPECT_EQ(transitions.rows_checked, 998U);
    EXPECT_EQ(transitions.rows_equal, 998U);
    EXPECT_EQ(transitions.levels_revealed, 318U);

    const auto wide = load_messages(folder / "AAPL_2012-06-21_34200000_37800000_message_50.csv");
    const auto full = verify_full_replay(wide.content, rows.content);
    ASSERT_TRUE(full) << full.error();
    EXPECT_EQ(full->rows_checked, 998U);
    EXPECT_EQ(full->rows_equal, 998U);
    EXPECT_EQ(full->levels_revealed, 0U);
    EXPECT_EQ(full->messages_applied, 1'267U);
}

}  // namespace
}  // namespace damrak::replay::lobster_verify_test
