// Orders of DBN files: metadata of each version, every action, trades with and without fills,
// snapshots, several days, and what cannot be carried.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "market_data/archive/dbn_day.hpp"
#include "support/dbn_file.hpp"
#include "support/real_data.hpp"

namespace damrak::archive::dbn_import_test {
namespace {

using damrak::testing::DbnFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t k_price = 3'722'750'000'000;
constexpr std::uint32_t k_price_e4 = 37'227'500;
constexpr std::int64_t k_tick = 250'000'000;
constexpr std::uint32_t k_tick_e4 = 2'500;

struct Row {
    std::uint64_t time_ns;
    std::uint64_t order;
    std::int64_t price_e9;
    std::uint32_t size;
    char action;
    char side;
    std::uint32_t instrument = 5482;
    std::uint8_t flags = wire::dbn::k_last;
};

class DbnOrderDay : public DbnDay {
  protected:
    [[nodiscard]] static std::string day_of(const std::vector<Row>& rows, int version = 3) {
        DbnFile file{wire::dbn::Schema::mbo, version};
        for (const Row& row : rows) {
            wire::dbn::MboRecord record;
            record.header.instrument = row.instrument;
            record.header.event_ns = row.time_ns;
            record.received_ns = row.time_ns + 1;
            record.order = row.order;
            record.price_e9 = row.price_e9;
            record.size = row.size;
            record.flags = row.flags;
            record.action = row.action;
            record.side = row.side;
            file.add(record);
        }
        return file.content();
    }
    /// "type price quantity" of each step.
    [[nodiscard]] std::vector<std::string> life_of(std::uint64_t order) const {
        std::vector<std::string> steps;
        for (const OrderStep& step : order_life(*Day::open(archive_), order).value.steps)
            steps.push_back(std::string(1, step.type) + " " + std::to_string(step.price_e4) + " " +
                            std::to_string(step.shares.value()));
        return steps;
    }
};

// NOLINTNEXTLINE(readability-identifier-naming): named like those of GoogleMock
MATCHER_P3(IsTrade, price_e4, shares, resting, "") {
    return arg.price_e4 == price_e4 && arg.shares == shares && arg.resting == resting;
}

}  // namespace

TEST_F(DbnOrderDay, OfEachVersionIsRead) {
    for (const int version : {1, 2, 3})
        for (const char* const name : {"day.dbn", "day.dbn.zst", "day"}) {
            const auto imported =
                import(day_of({{k_noon, 7, k_price, 3, 'A', 'B'}}, version), name);
            ASSERT_TRUE(imported) << imported.error();
            EXPECT_THAT(imported->notes, IsEmpty());
            EXPECT_EQ(imported->days.front().date, 20'201'228);
            EXPECT_EQ(Day::open(archive_)->instruments().front().symbol, "ESH1");
            EXPECT_THAT(book_at(k_noon).bids, ElementsAre(BookOrder{7, k_price_e4, 3}));
            EXPECT_THAT(book_at(k_noon - 1).bids, IsEmpty());
        }
}

TEST_F(DbnOrderDay, KeepsAndLosesPlacesAsItsEventsSay) {
    const auto imported = import(day_of({{k_noon + 1, 1, k_price, 5, 'A', 'A'},
                                         {k_noon + 2, 2, k_price, 5, 'A', 'A'},
                                         {k_noon + 3, 3, k_price, 5, 'A', 'A'},
                                         {k_noon + 4, 1, k_price, 4, 'M', 'A'},  // smaller
                                         {k_noon + 5, 2, k_price, 6, 'M', 'A'},  // larger
                                         {k_noon + 6, 3, k_price, 1, 'C', 'A'},
                                         {k_noon + 7, 9, k_price, 8, 'M', 'A'},  // unknown
                                         {k_noon + 8, 3, k_price + k_tick, 4, 'M', 'A'},
                                         {k_noon + 9, 0, 0, 0, 'R', 'N'}}));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_EQ(imported->days.front().totals.anomalies, 0U);
    constexpr std::uint32_t p = k_price_e4;
    EXPECT_THAT(book_at(k_noon + 4).asks,
                ElementsAre(BookOrder{1, p, 4}, BookOrder{2, p, 5}, BookOrder{3, p, 5}));
    EXPECT_THAT(book_at(k_noon + 6).asks,
                ElementsAre(BookOrder{1, p, 4}, BookOrder{3, p, 4}, BookOrder{2, p, 6}));
    EXPECT_THAT(book_at(k_noon + 8).asks,
                ElementsAre(BookOrder{1, p, 4}, BookOrder{2, p, 6}, BookOrder{9, p, 8},
                            BookOrder{3, p + k_tick_e4, 4}));
    EXPECT_THAT(book_at(k_noon + 9).asks, IsEmpty());
}

TEST_F(DbnOrderDay, AnOrderThatWasModifiedLivesOnUnderItsReference) {
    ASSERT_TRUE(import(day_of({{k_noon + 1, 7, k_price, 5, 'A', 'B'},
                               {k_noon + 2, 7, k_price - k_tick, 5, 'M', 'B'},
                               {k_noon + 3, 7, k_price - k_tick, 9, 'M', 'B'},
                               {k_noon + 4, 7, k_price - k_tick, 9, 'C', 'B'}})));
    EXPECT_THAT(life_of(7),
                ElementsAre("A 37227500 5", "U 37225000 5", "U 37225000 9", "D 37225000 0"));
}

// Trade, fill and cancel of one order are one execution, at the price of the trade.
TEST_F(DbnOrderDay, AFillHasThePriceOfTheTrade) {
    const auto imported = import(day_of({{k_noon + 1, 1, k_price, 5, 'A', 'B'},
                                         {k_noon + 2, 0, k_price, 2, 'T', 'A'},
                                         {k_noon + 2, 1, k_price, 2, 'F', 'B'},
                                         {k_noon + 3, 1, k_price, 2, 'C', 'B'},
                                         {k_noon + 4, 0, k_price - k_tick, 3, 'T', 'A'},
                                         {k_noon + 4, 1, k_price - k_tick, 3, 'F', 'B'},
                                         {k_noon + 5, 1, k_price, 3, 'C', 'B'}}));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_EQ(imported->days.front().totals.messages, 4U) << "directory, add and two executions";
    EXPECT_THAT(book_at(k_noon + 2).bids, ElementsAre(BookOrder{1, k_price_e4, 5}));
    EXPECT_THAT(book_at(k_noon + 4).bids, ElementsAre(BookOrder{1, k_price_e4, 3}));
    EXPECT_THAT(book_at(k_noon + 5).bids, IsEmpty());
    EXPECT_THAT(trades_of(archive_), ElementsAre(IsTrade(k_price_e4, 2U, Side::buy),
                                                 IsTrade(k_price_e4 - k_tick_e4, 3U, Side::buy)));
}

TEST_F(DbnOrderDay, EachTradeIsOneWhateverFillsItHas) {
    const auto imported = import(day_of({
        {k_noon + 1, 1, k_price, 5, 'A', 'B'},
        {k_noon + 1, 2, k_price, 5, 'A', 'B'},
        {k_noon + 1, 3, k_price + 8 * k_tick, 4, 'A', 'A'},
        {k_noon + 2, 0, k_price, 8, 'T', 'A'},  // two orders fill it
        {k_noon + 2, 1, k_price, 5, 'F', 'B'},
        {k_noon + 2, 2, k_price, 3, 'F', 'B'},
        {k_noon + 2, 1, k_price, 5, 'C', 'B'},
        {k_noon + 2, 2, k_price, 2, 'M', 'B'},
        {k_noon + 3, 0, k_price + k_tick, 6, 'T',
         'B'},  // nobody saw with whom, but that a buyer came
        {k_noon + 4, 0, k_price + k_tick, 2, 'T', 'N'},  // an auction: both sides have fills
        {k_noon + 4, 2, k_price, 2, 'F', 'B'},
        {k_noon + 4, 3, k_price, 2, 'F', 'A'},
        {k_noon + 4, 2, k_price, 2, 'C', 'B'},
        {k_noon + 4, 3, k_price, 2, 'C', 'A'},
        {k_noon + 5, 3, k_price + 8 * k_tick, 1, 'F', 'A'},  // without a trade
        {k_noon + 5, 3, k_price + 8 * k_tick, 1, 'C', 'A'},
    }));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_EQ(imported->days.front().totals.anomalies, 0U);
    constexpr std::uint32_t p = k_price_e4;
    EXPECT_THAT(trades_of(archive_),
                ElementsAre(IsTrade(p, 8U, Side::buy), IsTrade(p + k_tick_e4, 6U, Side::sell),
                            IsTrade(p + k_tick_e4, 2U, std::nullopt),
                            IsTrade(p + 8 * k_tick_e4, 1U, Side::sell)));
    EXPECT_THAT(life_of(2),
                ElementsAre("A 37227500 5", "C 37227500 5", "C 37227500 2", "C 37227500 0"))
        << "its place, what was filled, and the rest";
    EXPECT_THAT(book_at(k_noon + 5).asks, ElementsAre(BookOrder{3, p + 8 * k_tick_e4, 1}));
    EXPECT_THAT(book_at(k_noon + 5).bids, IsEmpty());
}

TEST_F(DbnOrderDay, KeepsInstrumentsApartAlsoWithTheSameOrderNumbers) {
    const auto imported = import(day_of({{k_noon + 1, 1, k_price, 5, 'A', 'B'},
                                         {k_noon + 2, 1, k_price, 6, 'A', 'B', 77},
                                         {k_noon + 3, 1, k_price, 4, 'M', 'B', 77},
                                         {k_noon + 4, 1, k_price, 5, 'C', 'B'}}));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_EQ(Day::open(archive_)->instruments()[1].symbol, "77");
    EXPECT_EQ(book_at(k_noon + 3, 1).bids.front().shares, 5U);
    EXPECT_EQ(book_at(k_noon + 3, 2).bids.front().shares, 4U);
    EXPECT_THAT(book_at(k_noon + 4, 1).bids, IsEmpty());
    EXPECT_EQ(book_at(k_noon + 4, 2).bids.front().shares, 4U);
}

TEST_F(DbnOrderDay, CountsWhatItDropsByKind) {
    const auto imported = import(day_of({{k_noon, 1, -k_price, 5, 'A', 'B'},
                                         {k_noon, 2, k_price + 1, 5, 'A', 'B'},
                                         {k_noon, 3, INT64_MAX, 5, 'A', 'B'},
                                         {k_noon, 4, k_price, 5, 'A', 'B'},
                                         {k_noon, 5, k_price, 5, 'A', 'N'},
                                         {k_noon, 6, k_price, 5, 'C', 'A'},
                                         {k_noon, 0, 0, 0, 'N', 'N'},
                                         {k_noon, 7, k_price - k_tick, 5, 'A', 'A'}}));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_THAT(imported->faults, ElementsAre(HasSubstr("1 records with prices finer than 0.0001"),
                                              HasSubstr("1 records with prices of 0 or less")));
    EXPECT_THAT(imported->notes,
                ElementsAre("left out: 1 cancels of orders that were not added",
                            "left out: 1 orders or trades without a price",
                            "left out: 1 orders without a side or a quantity",
                            "left out: 1 records without an action",
                            HasSubstr("1 records left a book whose bid is above its ask, the first "
                                      "at 12:00:00")));
    EXPECT_THAT(book_at(k_noon).bids, ElementsAre(BookOrder{4, k_price_e4, 5}));
    EXPECT_TRUE(Day::open(archive_)->depth().has(DayDepth::k_messages_alone))
        << "an order from before the file was cancelled";
}

TEST_F(DbnOrderDay, ASnapshotBelongsToTheDayOfTheFirstOtherRecord) {
    constexpr std::uint8_t k_snapshot = wire::dbn::k_snapshot;
    const std::vector<Row> snapshot{
        {k_noon - 2 * DbnFile::k_day_ns, 0, 0, 0, 'R', 'N', 5482, k_snapshot},
        {k_noon - 2 * DbnFile::k_day_ns, 1, k_price, 5, 'A', 'B', 5482, k_snapshot},
        {k_noon - DbnFile::k_day_ns, 2, k_price + k_tick, 5, 'A', 'A', 5482, k_snapshot}};
    std::vector<Row> rows = snapshot;
    rows.push_back({k_noon, 3, k_price, 1, 'A', 'B'});
    const auto imported = import(day_of(rows));
    ASSERT_TRUE(imported) << imported.error();
    ASSERT_EQ(imported->days.size(), 1U);
    EXPECT_EQ(imported->days.front().date, 20'201'228);
    EXPECT_THAT(book_at(k_noon).bids,
                ElementsAre(BookOrder{1, k_price_e4, 5}, BookOrder{3, k_price_e4, 1}));
    EXPECT_THAT(book_at(k_noon).asks, ElementsAre(BookOrder{2, k_price_e4 + k_tick_e4, 5}));

    const auto alone = import(day_of(snapshot));
    ASSERT_TRUE(alone) << alone.error();
    EXPECT_EQ(alone->days.front().date, 20'201'227) << "the latest of its times";
}

TEST_F(DbnOrderDay, EachUtcDayIsADayAndBeginsWithTheOrdersThatRest) {
    constexpr std::uint64_t k_next = k_midnight + DbnFile::k_day_ns;
    const auto imported = import(day_of({{k_noon, 5, k_price, 5, 'A', 'B'},
                                         {k_noon, 1, k_price, 5, 'A', 'B'},
                                         {k_noon, 5, k_price, 7, 'M', 'B'},
                                         {k_next + 9, 1, k_price, 2, 'C', 'B'},
                                         {k_noon, 2, k_price, 1, 'A', 'B'}}));
    ASSERT_TRUE(imported) << imported.error();
    ASSERT_EQ(imported->days.size(), 2U);
    EXPECT_EQ(imported->days[0].file.filename(), "day.2020-12-28.dar");
    EXPECT_EQ(imported->days[1].file.filename(), "day.2020-12-29.dar");
    EXPECT_FALSE(std::filesystem::exists(archive_));
    const auto first = Day::open(imported->days[0].file);
    const auto second = Day::open(imported->days[1].file);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(second->date(), 20'201'229);
    constexpr std::uint32_t p = k_price_e4;
    EXPECT_EQ(book_of(*first, INT64_MAX).bids, book_of(*second, 8).bids);
    EXPECT_THAT(book_of(*second, 9).bids,
                ElementsAre(BookOrder{1, p, 3}, BookOrder{5, p, 7}, BookOrder{2, p, 1}))
        << "a time that goes back stays in the day";
}

TEST_F(DbnOrderDay, ThatIsCutAnywhereIsReadUpToThere) {
    const std::string whole =
        day_of({{k_noon, 1, k_price, 5, 'A', 'B'}, {k_noon + 1, 2, k_price, 5, 'A', 'B'}});
    const std::size_t first = whole.size() - std::size_t{2} * 56;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto imported = import(whole.substr(0, length));
        if (length < first + 56) {
            EXPECT_FALSE(imported) << length;
            continue;
        }
        ASSERT_TRUE(imported) << length << imported.error();
        EXPECT_EQ(imported->cut.empty(), length == first + 56) << length;
    }
    EXPECT_THAT(import("DBN\4" + whole.substr(4)).error(), HasSubstr("unknown DBN version 4"));
}

TEST_F(DbnOrderDay, OfAFutureHasTheOrdersOfItsSnapshot) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "foreign/esh4-glbx-mdp3-20231224.mbo.dbn.zst");
    const auto imported = import_file(file);
    ASSERT_TRUE(imported) << imported.error();
    const auto day = Day::open(archive_);
    EXPECT_EQ(day->date(), 20'231'224);
    const Book book = book_of(*day, INT64_MAX);
    EXPECT_EQ(book.bids.size() + book.asks.size(), 8'725U);
    EXPECT_EQ(imported->days.front().totals.anomalies, 0U);
}

}  // namespace damrak::archive::dbn_import_test
