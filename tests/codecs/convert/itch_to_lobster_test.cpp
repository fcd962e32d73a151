// Converts an ITCH day to LOBSTER; a round trip changes nothing.

#include <damrak/convert/itch_to_lobster.hpp>

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/itch/file_writer.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::convert::itch_to_lobster_test {
namespace {

using damrak::testing::content_of;
using damrak::testing::ScratchFolder;
using ::testing::HasSubstr;
namespace itch = wire::itch;

constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr std::int64_t k_open_ns = 34'200 * k_second_ns;
constexpr std::int64_t k_close_ns = 57'600 * k_second_ns;

const OnProgress k_silent = [](auto, auto) {};

// Writes an ITCH file message by message; seconds count from the opening.
class DayFile {
  public:
    explicit DayFile(const std::filesystem::path& path) : file_{*itch::FileWriter::create(path)} {}
    ~DayFile() { EXPECT_TRUE(file_.close().has_value()); }
    DayFile(const DayFile&) = delete;
    DayFile& operator=(const DayFile&) = delete;

    void list(std::uint16_t locate, const char* symbol) {
        itch::StockDirectory m;
        m.stock = *itch::Stock::from(symbol);
        write(m, locate, -3600);
    }
    void add(std::int64_t second, std::uint64_t ref, Side side, std::uint32_t shares,
             std::uint32_t price_e4, std::uint16_t locate = 1, const char* symbol = "AAPL") {
        itch::AddOrder m;
        m.order_ref = ref;
        m.side = side;
        m.shares = shares;
        m.stock = *itch::Stock::from(symbol);
        m.price_e4 = price_e4;
        write(m, locate, second);
    }
    void execute(std::int64_t second, std::uint64_t ref, std::uint32_t shares) {
        itch::OrderExecuted m;
        m.order_ref = ref;
        m.executed_shares = shares;
        write(m, 1, second);
    }
    void execute_at(std::int64_t second, std::uint64_t ref, std::uint32_t shares,
                    std::uint32_t price_e4) {
        itch::OrderExecutedWithPrice m;
        m.order_ref = ref;
        m.executed_shares = shares;
        m.printable = true;
        m.execution_price_e4 = price_e4;
        write(m, 1, second);
    }
    void cancel(std::int64_t second, std::uint64_t ref, std::uint32_t shares) {
        itch::OrderCancel m;
        m.order_ref = ref;
        m.cancelled_shares = shares;
        write(m, 1, second);
    }
    void remove(std::int64_t second, std::uint64_t ref, std::uint16_t locate = 1) {
        itch::OrderDelete m;
        m.order_ref = ref;
        write(m, locate, second);
    }
    void replace(std::int64_t second, std::uint64_t ref, std::uint64_t fresh, std::uint32_t shares,
                 std::uint32_t price_e4) {
        itch::OrderReplace m;
        m.order_ref = ref;
        m.new_order_ref = fresh;
        m.shares = shares;
        m.price_e4 = price_e4;
        write(m, 1, second);
    }
    void trade(std::int64_t second, Side side, std::uint32_t shares, std::uint32_t price_e4) {
        itch::Trade m;
        m.side = side;
        m.shares = shares;
        m.stock = *itch::Stock::from("AAPL");
        m.price_e4 = price_e4;
        write(m, 1, second);
    }
    void cross(std::int64_t second, std::uint64_t shares, std::uint32_t price_e4) {
        itch::CrossTrade m;
        m.shares = shares;
        m.stock = *itch::Stock::from("AAPL");
        m.cross_price_e4 = price_e4;
        m.cross_type = 'O';
        write(m, 1, second);
    }
    void state(std::int64_t second, char state) {
        itch::StockTradingAction m;
        m.stock = *itch::Stock::from("AAPL");
        m.trading_state = state;
        m.reserved = ' ';
        write(m, 1, second);
    }

  private:
    template <class M>
    void write(M& message, std::uint16_t locate, std::int64_t second) {
        message.stock_locate = locate;
        message.timestamp_ns = k_open_ns + second * k_second_ns;
        file_.write(message);
    }

    itch::FileWriter file_;
};

struct Outcome {
    std::optional<ItchToLobsterSummary> summary;
    std::string messages;
    std::string book;
    std::string error;
};

struct Choice {
    std::string symbol = {};
    std::size_t levels = 0;
    std::int64_t begin_ns = k_open_ns;
    std::int64_t end_ns = k_close_ns;
};

Outcome converted(const std::filesystem::path& day, const Choice& choice = {}) {
    const ScratchFolder folder;
    ItchToLobster conversion{
        day, choice.symbol, choice.begin_ns, choice.end_ns, choice.levels, folder / "message.csv",
        {}};
    if (choice.levels > 0) conversion.book = folder / "orderbook.csv";
    const auto summary = convert(conversion, k_silent);
    Outcome outcome{
        {}, content_of(folder / "message.csv"), content_of(folder / "orderbook.csv"), {}};
    if (summary) outcome.summary = *summary;
    if (!summary) outcome.error = summary.error();
    return outcome;
}

TEST(ItchToLobster, WritesARowForEachMessage) {
    const ScratchFolder folder;
    {
        DayFile day{folder / "day.itch"};
        day.list(1, "AAPL");
        day.add(0, 7, Side::buy, 100, 5'853'300);
        day.add(1, 8, Side::sell, 50, 5'854'000);
        day.cancel(2, 7, 10);
        day.execute(3, 8, 20);
        day.trade(4, Side::sell, 5, 5'853'500);
        day.remove(5, 7);
        day.cross(6, 1000, 5'853'000);
    }
    EXPECT_EQ(converted(folder / "day.itch").messages,
              "34200,1,7,100,5853300,1\n"
              "34201,1,8,50,5854000,-1\n"
              "34202,2,7,10,5853300,1\n"
              "34203,4,8,20,5854000,-1\n"
              "34204,5,0,5,5853500,-1\n"
              "34205,3,7,90,5853300,1\n"
              "34206,6,-1,1000,5853000,-1\n");
}

TEST(ItchToLobster, WritesAReplacementAsARemovalAndAnAddition) {
    const ScratchFolder folder;
    {
        DayFile day{folder / "day.itch"};
        day.add(0, 7, Side::sell, 100, 5'853'300);
        day.replace(1, 7, 9, 60, 5'853'400);
    }
    const Outcome outcome = converted(folder / "day.itch", {.levels = 1});
    EXPECT_EQ(outcome.messages,
              "34200,1,7,100,5853300,-1\n"
              "34201,3,7,100,5853300,-1\n"
              "34201,1,9,60,5853400,-1\n");
    EXPECT_EQ(outcome.book,
              "5853300,100,-9999999999,0\n"
              "9999999999,0,-9999999999,0\n"
              "5853400,60,-9999999999,0\n");
}

TEST(ItchToLobster, WritesHaltsWhenTheStateChanges) {
    const ScratchFolder folder;
    {
        DayFile day{folder / "day.itch"};
        day.state(0, 'T');  // the initial state
        day.state(1, 'H');
        day.state(2, 'P');  // still halted
        day.state(3, 'Q');
        day.state(4, 'T');
    }
    EXPECT_EQ(converted(folder / "day.itch").messages,
              "34201,7,0,0,-1,-1\n34203,7,0,0,0,-1\n34204,7,0,0,1,-1\n");
}

TEST(ItchToLobster, WritesOnlyRowsThatChangeTheBestLevels) {
    const ScratchFolder folder;
    {
        DayFile day{folder / "day.itch"};
        day.add(0, 1, Side::buy, 100, 5'853'300);
        day.add(1, 2, Side::buy, 50, 5'853'200);
        day.add(2, 3, Side::buy, 70, 5'853'100);  // third level
        day.remove(3, 3);                         // removed again
        day.remove(4, 1);                         // the second level becomes the first
    }
    const Outcome outcome = converted(folder / "day.itch", {.levels = 2});
    EXPECT_EQ(outcome.messages,
              "34200,1,1,100,5853300,1\n34201,1,2,50,5853200,1\n34204,3,1,100,5853300,1\n");
    EXPECT_EQ(outcome.book,
              "9999999999,0,5853300,100,9999999999,0,-9999999999,0\n"
              "9999999999,0,5853300,100,9999999999,0,5853200,50\n"
              "9999999999,0,5853200,50,9999999999,0,-9999999999,0\n");
}

TEST(ItchToLobster, BuildsTheBookFromMessagesBeforeTheFirstRow) {
    const ScratchFolder folder;
    {
        DayFile day{folder / "day.itch"};
        day.add(-60, 1, Side::buy, 100, 5'853'300);
        day.add(1, 2, Side::sell, 50, 5'854'000);
        day.add(23'401, 3, Side::buy, 10, 5'853'300);  // after the close
    }
    const Outcome outcome = converted(folder / "day.itch", {.levels = 1});
    EXPECT_EQ(outcome.messages, "34201,1,2,50,5854000,-1\n");
    EXPECT_EQ(outcome.book, "5854000,50,5853300,100\n");
}

TEST(ItchToLobster, WritesAnExecutionAtAnotherPriceAtTheOrdersPrice) {
    const ScratchFolder folder;
    {
        DayFile day{folder / "day.itch"};
        day.add(0, 1, Side::buy, 100, 5'853'300);
        day.execute_at(1, 1, 40, 5'853'350);
    }
    const Outcome outcome = converted(folder / "day.itch");
    EXPECT_THAT(outcome.messages, HasSubstr("34201,4,1,40,5853300,1\n"));
    EXPECT_EQ(outcome.summary->other_prices, 1U);
}

TEST(ItchToLobster, PicksOneSymbol) {
    const ScratchFolder folder;
    {
        DayFile day{folder / "day.itch"};
        day.list(1, "AAPL");
        day.list(2, "MSFT");
        day.add(0, 1, Side::buy, 100, 5'853'300);
        day.add(1, 1, Side::buy, 30, 300'000, 2, "MSFT");
        day.remove(2, 1, 2);
    }
    EXPECT_EQ(converted(folder / "day.itch", {.symbol = "MSFT"}).messages,
              "34201,1,1,30,300000,1\n34202,3,1,30,300000,1\n");
    EXPECT_THAT(converted(folder / "day.itch").error,
                HasSubstr("several symbols, such as AAPL and MSFT; choose one with --symbol"));
    EXPECT_THAT(converted(folder / "day.itch", {.symbol = "TSLA"}).error,
                HasSubstr("no message about TSLA"));
}

TEST(ItchToLobster, CountsMessagesThatContradictTheBookAndContinues) {
    const ScratchFolder folder;
    {
        DayFile day{folder / "day.itch"};
        day.list(1, "AAPL");
        day.execute(0, 99, 10);  // never added
        day.add(1, 1, Side::buy, 100, 5'853'300);
        day.add(2, 1, Side::buy, 100, 5'853'300);  // again
        day.execute(3, 1, 500);                    // more than the order has
    }
    const Outcome outcome = converted(folder / "day.itch");
    EXPECT_EQ(outcome.messages, "34201,1,1,100,5853300,1\n34203,4,1,100,5853300,1\n");
    EXPECT_EQ(outcome.summary->anomalies, 3U);
}

TEST(ItchToLobster, WritesNothingForADamagedFile) {
    const ScratchFolder folder;
    {
        DayFile day{folder / "day.itch"};
        day.add(0, 1, Side::buy, 100, 5'853'300);
    }
    folder.write("day.itch", content_of(folder / "day.itch") + std::string("\0\x24"
                                                                           "Z",
                                                                           3));
    const Outcome outcome = converted(folder / "day.itch");
    EXPECT_THAT(outcome.error, HasSubstr("day.itch"));
    EXPECT_EQ(outcome.messages, "") << "no file was created";
}

TEST(ItchToLobster, SaysWhichFileCannotBeWritten) {
    const ScratchFolder folder;
    {
        DayFile{folder / "day.itch"}.list(1, "AAPL");
    }
    const auto summary = convert(
        ItchToLobster{folder / "day.itch", "", k_open_ns, k_close_ns, 0, "/nowhere/m.csv", {}},
        k_silent);
    ASSERT_FALSE(summary.has_value());
    EXPECT_THAT(summary.error(), HasSubstr("/nowhere/m.csv: cannot create"));
}

// A round trip of a recorded hour. One row of the recording has a time with binary noise beyond the
// nanosecond; it comes back rounded to the nanosecond.
class RealHour : public ::testing::Test {
  protected:
    void SetUp() override {
        const char* folder = std::getenv("DAMRAK_REAL_DATA");
        if (folder == nullptr) GTEST_SKIP() << "DAMRAK_REAL_DATA is not set: no recorded data";
        data_ = std::filesystem::path{folder} / "lobster";
        const LobsterToItch there{data_ / "AAPL_2012-06-21_34200000_37800000_message_50.csv",
                                  data_ / "AAPL_2012-06-21_34200000_57600000_orderbook_10.csv",
                                  "AAPL", scratch_ / "aapl.itch"};
        const auto summary = convert(there, k_silent);
        ASSERT_TRUE(summary.has_value()) << summary.error();
    }

    static std::vector<std::string> lines_of(const std::filesystem::path& path) {
        std::istringstream text{content_of(path)};
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);) lines.push_back(line);
        return lines;
    }

    ScratchFolder scratch_;
    std::filesystem::path data_;
};

TEST_F(RealHour, SurvivesARoundTripRowForRow) {
    const auto summary = convert(
        ItchToLobster{
            scratch_ / "aapl.itch", "", k_open_ns, k_close_ns, 0, scratch_ / "message.csv", {}},
        k_silent);
    ASSERT_TRUE(summary.has_value()) << summary.error();
    EXPECT_EQ(summary->anomalies, 0U);
    auto recorded = lines_of(data_ / "AAPL_2012-06-21_34200000_37800000_message_50.csv");
    const auto back = lines_of(scratch_ / "message.csv");
    ASSERT_EQ(recorded.size(), 91'997U);
    ASSERT_EQ(back.size(), recorded.size());
    constexpr std::size_t k_odd_row = 39'482;
    EXPECT_EQ(recorded[k_odd_row], "35821.088778456004,3,44276101,100,5851500,1");
    recorded[k_odd_row] = "35821.088778456,3,44276101,100,5851500,1";
    EXPECT_TRUE(back == recorded);
}

// Converts the messages of fifty levels and the first row of the book, and expects LOBSTER's own
// ten-level pair of that hour.
TEST_F(RealHour, GivesTheTenLevelPairOfTheSameHour) {
    const auto summary =
        convert(ItchToLobster{scratch_ / "aapl.itch", "AAPL", k_open_ns, k_close_ns, 10,
                              scratch_ / "message.csv", scratch_ / "orderbook.csv"},
                k_silent);
    ASSERT_TRUE(summary.has_value()) << summary.error();
    for (const std::string kind : {"message", "orderbook"}) {
        const auto recorded =
            lines_of(data_ / ("AAPL_2012-06-21_34200000_57600000_" + kind + "_10.csv"));
        auto made = lines_of(scratch_ / (kind + ".csv"));
        ASSERT_EQ(recorded.size(), 999U);
        ASSERT_GE(made.size(), recorded.size());
        made.resize(recorded.size());
        EXPECT_EQ(made, recorded);
    }
}

}  // namespace
}  // namespace damrak::convert::itch_to_lobster_test
