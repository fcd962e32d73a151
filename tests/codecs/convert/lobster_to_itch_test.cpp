// Converts each row of a LOBSTER file to the equivalent ITCH message; small letters stand for
// messages that the view made.

#include <damrak/convert/lobster_to_itch.hpp>

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/itch/file_reader.hpp>
#include <damrak/wire/itch/view_mark.hpp>

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
        const char shown = static_cast<char>(itch::is_made_by_view(m) ? *letter + 32 : *letter);
        return shown + numbers({static_cast<std::uint64_t>(m.timestamp_ns - k_open_ns)});
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

TEST(LobsterToItch, AddsAnUnknownOrderWhenItIsNamed) {
    EXPECT_THAT(story_of("34200,1,7,100,5853300,1\n"
                         "34201,4,3,30,5854000,-1\n"
                         "34202,2,3,20,5854000,-1\n"),
                ::testing::ElementsAre("A 0 7 B 100 5853300",                                 //
                                       "a 1000000000 3 S 30 5854000", "E 1000000000 3 30 1",  //
                                       "a 2000000000 3 S 20 5854000", "X 2000000000 3 20"));
}

TEST(LobsterToItch, TakesTheBookOfEachRow) {
    const Outcome outcome = converted("34200.5,1,7,18,5853300,1\n34201,4,3,150,5854000,-1\n",
                                      "5854000,200,5853300,118\n5854000,50,5853300,118\n");
    EXPECT_THAT(outcome.story.said,
                ::testing::ElementsAre("H 0 T",                                          //
                                       "a 500000000 9223372036854775809 B 100 5853300",  //
                                       "a 500000000 9223372036854775810 S 200 5854000",  //
                                       "A 500000000 7 B 18 5853300",                     //
                                       "a 1000000000 3 S 150 5854000",                   //
                                       "x 1000000000 9223372036854775810 150",           //
                                       "E 1000000000 3 150 1"));
    EXPECT_EQ(outcome.summary.depth, 1U);
    EXPECT_EQ(outcome.summary.report.equal, 1U);
}

TEST(LobsterToItch, CountsRemovalsWithADifferentSize) {
    const Outcome outcome = converted("34200,1,7,100,5853300,1\n34201,3,7,90,5853300,1\n");
    EXPECT_EQ(outcome.summary.report.inexact_removals, 1U);
}

TEST(LobsterToItch, RejectsValuesThatItchCannotHold) {
    EXPECT_THAT(converted("34200,1,7,5,5853300,1\n34200,1,8,5,2000000001,1\n").error,
                HasSubstr("message.csv: row 2: price 2000000001; ITCH carries 0 to 2000000000"));
    EXPECT_THAT(converted("34200,1,7,4294967296,5853300,1\n").error,
                HasSubstr("row 1: size 4294967296"));
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
