// Converts each row of a LOBSTER file to the equivalent ITCH message, and infers orders that the
// rows mention without having added them.

#include <damrak/convert/lobster_to_itch.hpp>

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/convert/unseen_orders.hpp>
#include <damrak/wire/itch/file_reader.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::convert::lobster_to_itch_test {
namespace {

using damrak::testing::ScratchFolder;
using ::testing::HasSubstr;
namespace itch = wire::itch;

constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr std::int64_t k_open_ns = 34'200 * k_second_ns;

// Orders, trades and trading states between the opening and the closing of the session, as text.
class Story {
  public:
    void on(const itch::SystemEvent& m) { events += m.event_code; }
    void on(const itch::StockDirectory& m) { symbol = m.stock.text(); }
    void on(const itch::StockTradingAction& m) {
        say(fmt("H", m) + " " + std::string{m.trading_state});
    }
    void on(const itch::AddOrder& m) { say(order("A", m)); }
    void on(const itch::AddOrderAttributed& m) {
        say(order("F", m) + " " + std::string{m.attribution.text()});
    }
    void on(const itch::OrderExecuted& m) {
        say(fmt("E", m) + numbers({m.order_ref, m.executed_shares, m.match_number}));
    }
    void on(const itch::OrderExecutedWithPrice& m) {
        say(fmt("C", m) + numbers({m.order_ref, m.executed_shares, m.execution_price_e4}));
    }
    void on(const itch::OrderCancel& m) {
        say(fmt("X", m) + numbers({m.order_ref, m.cancelled_shares}));
    }
    void on(const itch::OrderDelete& m) { say(fmt("D", m) + numbers({m.order_ref})); }
    void on(const itch::Trade& m) { say(order("P", m)); }
    void on(const itch::CrossTrade& m) {
        say(fmt("Q", m) + numbers({m.shares, m.cross_price_e4}) + " " + m.cross_type);
    }

    std::string events;
    std::string symbol;
    std::vector<std::string> said;

  private:
    template <class M>
    static std::string fmt(const char* letter, const M& m) {
        return letter + numbers({static_cast<std::uint64_t>(m.timestamp_ns - k_open_ns)});
    }
    template <class M>
    static std::string order(const char* letter, const M& m) {
        return fmt(letter, m) + numbers({m.order_ref}) + (m.side == Side::buy ? " B" : " S") +
               numbers({m.shares, m.price_e4});
    }
    static std::string numbers(const std::vector<std::uint64_t>& values) {
        std::string text;
        for (const std::uint64_t value : values) text += " " + std::to_string(value);
        return text;
    }
    void say(std::string text) { said.push_back(std::move(text)); }
};

struct Outcome {
    LobsterToItchSummary summary;
    Story story;
    std::string error;
};

Outcome converted(const std::string& messages, const std::optional<std::string>& book = {},
                  const std::string& symbol = "AAPL") {
    const ScratchFolder folder;
    LobsterToItch conversion{
        folder.write("message.csv", messages), {}, symbol, folder / "day.itch"};
    if (book) conversion.book = folder.write("orderbook.csv", *book);
    const auto summary = convert(conversion, [](auto, auto) {});
    if (!summary) return {{}, {}, summary.error()};
    Outcome outcome{*summary, {}, {}};
    auto reader = itch::FileReader::open(conversion.itch);
    EXPECT_TRUE(reader.has_value()) << reader.error().text;
    const auto read = reader->read_all(outcome.story);
    EXPECT_TRUE(read.has_value()) << read.error().text;
    EXPECT_EQ(reader->messages(), summary->messages);
    return outcome;
}

std::vector<std::string> story_of(const std::string& messages,
                                  const std::optional<std::string>& book = {}) {
    const Outcome outcome = converted(messages, book);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.story.said.at(0), "H 0 T");
    return {outcome.story.said.begin() + 1, outcome.story.said.end()};
}

TEST(LobsterToItch, WritesAMessageForEachTypeOfRow) {
    EXPECT_THAT(story_of("34200.000000001,1,7,100,5853300,1\n"
                         "34200.000000002,1,8,50,5854000,-1\n"
                         "34200.5,2,7,10,5853300,1\n"
                         "34200.5,4,8,20,5854000,-1\n"
                         "34201,3,7,90,5853300,1\n"
                         "34201,5,0,5,5853500,-1\n"),
                ::testing::ElementsAre("A 1 7 B 100 5853300",  //
                                       "A 2 8 S 50 5854000",   //
                                       "X 500000000 7 10",     //
                                       "E 500000000 8 20 1",   //
                                       "D 1000000000 7",       //
                                       "P 1000000000 0 S 5 5853500"));
}

TEST(LobsterToItch, WritesCrossesAndHalts) {
    EXPECT_THAT(
        story_of("34200.1,6,0,1000,5853300,-1\n"
                 "34201,7,0,0,-1,-1\n"
                 "34202,7,0,0,0,-1\n"
                 "34203,7,0,0,1,-1\n"
                 "57600,6,0,2000,5860000,-1\n"),
        ::testing::ElementsAre("Q 100000000 1000 5853300 O", "H 1000000000 H", "H 2000000000 Q",
                               "H 3000000000 T", "Q 23400000000000 2000 5860000 C"));
}

TEST(LobsterToItch, SurroundsTheRowsWithASession) {
    const Outcome outcome = converted("34200.25,1,7,100,5853300,1\n");
    EXPECT_EQ(outcome.story.events, "OSQMEC");
    EXPECT_EQ(outcome.story.symbol, "AAPL");
    EXPECT_EQ(outcome.summary.rows, 1U);
}

TEST(LobsterToItch, WritesAnExecutionAwayFromTheOrdersPriceAsSuch) {
    EXPECT_THAT(story_of("34200,1,7,100,5853300,1\n34201,4,7,40,5853200,1\n"),
                ::testing::Contains("C 1000000000 7 40 5853200"));
}

TEST(LobsterToItch, AddsAnUnknownOrderWhenNeededWithAllThatIsTakenFromIt) {
    EXPECT_THAT(story_of("34200,1,7,100,5853300,1\n"
                         "34201,4,3,30,5854000,-1\n"
                         "34202,2,3,20,5854000,-1\n"),
                ::testing::ElementsAre("A 0 7 B 100 5853300",               //
                                       "F 1000000000 3 S 50 5854000 SEED",  //
                                       "E 1000000000 3 30 1", "X 2000000000 3 20"));
}

// Level 1: ask 585.40, bid 585.33 with 118 shares, of which 18 came with the first message.
constexpr const char* k_book = "5854000,200,5853300,118\n5854000,200,5853300,118\n";

TEST(LobsterToItch, InfersTheBookBeforeTheFirstMessageFromItsRow) {
    const Outcome outcome =
        converted("34200.5,1,7,18,5853300,1\n34201,4,3,150,5854000,-1\n", k_book);
    EXPECT_THAT(outcome.story.said,
                ::testing::ElementsAre("H 0 T",                                       //
                                       "F 0 9223372036854775809 B 100 5853300 SEED",  //
                                       "F 0 3 S 150 5854000 SEED",                    //
                                       "F 0 9223372036854775810 S 50 5854000 SEED",   //
                                       "A 500000000 7 B 18 5853300", "E 1000000000 3 150 1"));
    EXPECT_EQ(outcome.summary.book_orders, 3U);
    EXPECT_EQ(outcome.summary.late_orders, 0U);
}

TEST(LobsterToItch, InvertsAFirstMessageThatTookFromTheBook) {
    EXPECT_THAT(story_of("34200,3,3,40,5854000,-1\n", "5854100,10,5853300,118\n"),
                ::testing::ElementsAre("F 0 9223372036854775809 B 118 5853300 SEED",
                                       "F 0 3 S 40 5854000 SEED",
                                       "F 0 9223372036854775810 S 10 5854100 SEED", "D 0 3"));
}

TEST(LobsterToItch, SkipsMessagesBelowTheLevelsOfTheBookFile) {
    EXPECT_THAT(story_of("34200,1,6,5,5850000,1\n34200,1,7,18,5853300,1\n", k_book),
                ::testing::ElementsAre("F 0 9223372036854775809 B 100 5853300 SEED",
                                       "F 0 9223372036854775810 S 200 5854000 SEED",
                                       "A 0 6 B 5 5850000", "A 0 7 B 18 5853300"));
}

TEST(LobsterToItch, SkipsSharesThatTheFirstRowsLevelCannotHold) {
    EXPECT_THAT(story_of("34200,1,7,18,5853300,1\n34201,3,3,500,5854000,-1\n", k_book),
                ::testing::IsSupersetOf({"F 0 9223372036854775810 S 200 5854000 SEED",
                                         "F 1000000000 3 S 500 5854000 SEED"}));
}

TEST(LobsterToItch, CountsRemovalsWithADifferentSize) {
    const Outcome outcome = converted("34200,1,7,100,5853300,1\n34201,3,7,90,5853300,1\n");
    EXPECT_EQ(outcome.summary.inexact_removals, 1U);
}

TEST(LobsterToItch, RefusesABookThatDoesNotBelongToTheMessages) {
    EXPECT_THAT(converted("34200,1,7,500,5853300,1\n", k_book).error,
                HasSubstr("orderbook.csv: row 1: 118 shares at price 5853300 after a message that "
                          "adds 500 there; expected the order book file of these messages"));
    EXPECT_THAT(converted("34200,1,7,18,5853300,1\n", "").error, HasSubstr("orderbook.csv"));
}

TEST(LobsterToItch, RejectsValuesThatItchCannotHold) {
    EXPECT_THAT(converted("34200,1,7,5,5853300,1\n34200,1,8,5,2000000001,1\n").error,
                HasSubstr("message.csv: row 2: price 2000000001; ITCH carries 0 to 2000000000"));
    EXPECT_THAT(converted("34200,1,7,4294967296,5853300,1\n").error,
                HasSubstr("row 1: size 4294967296"));
    EXPECT_THAT(converted("34200,2,7,4294967295,5853300,1\n34200,2,7,1,5853300,1\n").error,
                HasSubstr("row 2: order 7 would have had 4294967296 shares"));
    EXPECT_THAT(converted("34200,1,7,5,5853300,1\n", {}, "TOOLONGNAME").error,
                HasSubstr("symbol 'TOOLONGNAME'"));
}

TEST(LobsterToItch, SaysWhereABadRowIsAndLeavesNoFile) {
    const ScratchFolder folder;
    const auto messages = folder.write("message.csv", "34200,1,7,5,5853300,1\nnonsense\n");
    const auto summary = convert({messages, {}, "AAPL", folder / "day.itch"}, [](auto, auto) {});
    ASSERT_FALSE(summary.has_value());
    EXPECT_THAT(summary.error(), HasSubstr("row 2"));
    EXPECT_FALSE(std::filesystem::exists(folder / "day.itch"));
}

TEST(LobsterToItch, AnEmptyFileIsAnError) {
    EXPECT_THAT(converted("").error, HasSubstr("message.csv"));
}

}  // namespace
}  // namespace damrak::convert::lobster_to_itch_test
