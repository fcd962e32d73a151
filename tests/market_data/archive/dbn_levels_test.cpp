// Levels and trades of DBN files: what each schema gives, and that the archived book has the levels
// of every record.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/dbn/reader.hpp>

#include "market_data/archive/dbn_day.hpp"
#include "support/dbn_file.hpp"
#include "support/real_data.hpp"

namespace damrak::archive::dbn_levels_test {
namespace {

namespace dbn = wire::dbn;
using damrak::testing::DbnFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Side = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  ///< price, quantity
using Levels = std::pair<Side, Side>;

constexpr std::int64_t k_price = 3'722'750'000'000;
constexpr std::uint32_t k_price_e4 = 37'227'500;
constexpr std::int64_t k_tick = 250'000'000;

/// Decoded here, from what the format says.
template <std::size_t depth>
Levels levels_of(const std::array<dbn::LevelPair, depth>& pairs) {
    Levels levels;
    for (const dbn::LevelPair& one : pairs) {
        if (one.bid_size > 0) levels.first.emplace_back(one.bid_e9 / 100'000, one.bid_size);
        if (one.ask_size > 0) levels.second.emplace_back(one.ask_e9 / 100'000, one.ask_size);
    }
    return levels;
}

Levels levels_of(const Book& book) {
    Levels levels;
    for (const auto& [from, to] :
         {std::pair{&book.bids, &levels.first}, std::pair{&book.asks, &levels.second}})
        for (const BookLevel& level : Book::levels(*from))
            to->emplace_back(level.price_e4, level.shares);
    return levels;
}

/// A market of levels that move at random, often by several at once.
class RandomLevels {
  public:
    explicit RandomLevels(std::uint32_t seed) : random_{seed} {}

    template <std::size_t depth>
    dbn::MbpRecord<depth> next() {
        centre_ += below(5) - 2;
        for (int i = 0; i < 3; ++i) {
            const int tick = below(24) - 12;
            sizes_[centre_ + tick] = below(3) == 0 ? 0 : static_cast<std::uint32_t>(1 + below(9));
        }
        dbn::MbpRecord<depth> record;
        std::size_t bids = 0;
        std::size_t asks = 0;
        for (int away = 1; away < 40; ++away) {
            const auto price = [&](int tick) { return k_price + tick * k_tick; };
            if (const auto size = sizes_[centre_ - away]; size > 0 && bids < depth) {
                record.levels[bids].bid_e9 = price(centre_ - away);
                record.levels[bids++].bid_size = size;
            }
            if (const auto size = sizes_[centre_ + away]; size > 0 && asks < depth) {
                record.levels[asks].ask_e9 = price(centre_ + away);
                record.levels[asks++].ask_size = size;
            }
        }
        return record;
    }

  private:
    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

    std::minstd_rand random_;
    int centre_ = 0;
    std::map<int, std::uint32_t> sizes_;
};

/// Every record of the file has the levels of the archived book of its instrument, or is followed
/// by another one of the same time.
template <std::size_t depth>
void expect_levels(const std::vector<ImportedDay>& days,
                   const std::vector<dbn::MbpRecord<depth>>& records) {
    std::size_t compared = 0;
    std::map<std::int32_t, Day> open;
    for (const ImportedDay& one : days) open.emplace(one.date, *Day::open(one.file));
    for (std::size_t i = 0; i < records.size(); ++i) {
        const std::uint64_t time_ns = records[i].change.header.event_ns;
        if (i + 1 < records.size() && records[i + 1].change.header.event_ns <= time_ns) continue;
        const std::uint64_t since = time_ns - DbnFile::k_midnight;
        const auto& day = open.size() == 1 || since < DbnFile::k_day_ns ? open.begin()->second
                                                                        : open.rbegin()->second;
        const auto book = day.book_at(1, static_cast<std::int64_t>(time_ns % DbnFile::k_day_ns));
        ASSERT_TRUE(book) << book.error();
        ASSERT_EQ(levels_of(*book), levels_of(records[i].levels)) << i;
        ++compared;
    }
    EXPECT_GT(compared, 0U);
}

class DbnLevelDay : public DbnDay {};

template <std::size_t depth>
std::vector<dbn::MbpRecord<depth>> made(std::uint32_t seed) {
    RandomLevels market{seed};
    std::vector<dbn::MbpRecord<depth>> records;
    for (std::uint64_t i = 0; i < 400; ++i) {
        records.push_back(market.next<depth>());
        // The last of them lie on the next day.
        records.back().change.header.event_ns =
            DbnFile::k_midnight + DbnFile::k_day_ns - (350 - i) * 1'000;
        records.back().change.action = i % 7 == 0 ? 'T' : 'A';
        records.back().change.side = i % 2 == 0 ? 'A' : 'B';
        records.back().change.price_e9 = k_price;
        records.back().change.size = 2;
    }
    return records;
}

template <class Record>
std::vector<Record> records_of(const std::filesystem::path& file) {
    auto reader = dbn::Reader::open(file);
    EXPECT_TRUE(reader) << reader.error();
    std::vector<Record> records;
    for (;;) {
        const auto record = reader->next();
        EXPECT_TRUE(record);
        if (!record || !*record) return records;
        records.push_back(*(*record)->template as<Record>());
    }
}

template <std::size_t depth>
DbnFile file_of(const std::vector<dbn::MbpRecord<depth>>& records) {
    DbnFile file{depth == 1 ? dbn::Schema::mbp_1 : dbn::Schema::mbp_10};
    for (const auto& record : records) file.add(record);
    return file;
}

dbn::LevelRecord trade_at(std::uint64_t time_ns, char side) {
    dbn::LevelRecord trade;
    trade.header.event_ns = time_ns;
    trade.price_e9 = k_price;
    trade.size = 3;
    trade.action = 'T';
    trade.side = side;
    return trade;
}

}  // namespace

TEST_F(DbnLevelDay, EveryRecordHasTheLevelsOfTheArchivedBook) {
    const auto one = made<1>(1);
    const auto of_one = import(file_of(one).content());
    ASSERT_TRUE(of_one) << of_one.error();
    ASSERT_EQ(of_one->days.size(), 2U);
    expect_levels(of_one->days, one);
    const auto ten = made<10>(2);
    const auto of_ten = import(file_of(ten).content());
    ASSERT_TRUE(of_ten) << of_ten.error();
    expect_levels(of_ten->days, ten);
    std::size_t trades = 0;
    for (const ImportedDay& day : of_ten->days) {
        EXPECT_EQ(day.totals.anomalies, 0U);
        EXPECT_EQ(day.depth.depth, 10);
        for (const DayTrade& trade : trades_of(day.file)) {
            ++trades;
            EXPECT_EQ(trade.price_e4, k_price_e4);
            EXPECT_EQ(trade.shares, 2U);
            EXPECT_TRUE(trade.resting.has_value());
        }
    }
    EXPECT_EQ(trades, 58U) << "every seventh record of 400";
}

// No consumer of the messages sees a book that is crossed, unless a record is.
TEST_F(DbnLevelDay, TheBookIsNeverCrossedBetweenRecords) {
    const auto imported = import(file_of(made<10>(3)).content());
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_THAT(imported->notes, IsEmpty());
    const auto day = Day::open(imported->days.front().file);
    for (std::uint64_t message = 1; message < day->messages(); message += 7) {
        const auto book = day->book_after(1, message);
        ASSERT_TRUE(book) << book.error();
        if (book->bids.empty() || book->asks.empty()) continue;
        // What a trade takes is revealed at its price, in this market of the test anywhere.
        if (book->bids.front().price_e4 == k_price_e4 || book->asks.front().price_e4 == k_price_e4)
            continue;
        EXPECT_LT(book->bids.front().price_e4, book->asks.front().price_e4) << message;
    }
}

TEST_F(DbnLevelDay, BestPricesOfSecondsAreKnownAtInstants) {
    DbnFile file{dbn::Schema::bbo_1s};
    for (std::uint64_t second = 0; second < 3; ++second) {
        dbn::BboRecord record;
        record.change.header.event_ns = k_noon - 5;  // of the last trade
        record.change.received_ns = k_noon + second * 1'000'000'000;
        record.levels[0] = {.bid_e9 = k_price + static_cast<std::int64_t>(second) * k_tick,
                            .ask_e9 = k_price + 5 * k_tick,
                            .bid_size = 7,
                            .ask_size = static_cast<std::uint32_t>(second)};
        file.add(record);
    }
    const auto imported = import(file.content());
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_THAT(levels_of(book_at(k_noon)), Levels({{k_price_e4, 7}}, {}));
    EXPECT_THAT(levels_of(book_at(k_noon + 1'999'999'999)),
                Levels({{k_price_e4 + 2'500, 7}}, {{k_price_e4 + 12'500, 1}}));
    const DayDepth depth = Day::open(archive_)->depth();
    EXPECT_EQ(depth.depth, 1);
    EXPECT_THAT(sentences(depth),
                ElementsAre("the book is not known below level 1",
                            "no orders are known: the day has the quantities of levels alone",
                            "the book is known only at instants, and not between them"));
}

TEST_F(DbnLevelDay, TradesAloneAreADayWithoutABook) {
    DbnFile file{dbn::Schema::trades};
    for (const char side : {'A', 'B', 'N'}) file.add(trade_at(k_noon, side));
    auto best = made<1>(1).front();
    best.change = trade_at(k_noon, 'A');
    for (const std::string& content :
         {file.content(), DbnFile{dbn::Schema::tbbo}.add(best).add(best).add(best).content()}) {
        const auto imported = import(content);
        ASSERT_TRUE(imported) << imported.error();
        EXPECT_TRUE(Day::open(archive_)->depth().has(DayDepth::k_no_book));
        const auto trades = trades_of(archive_);
        ASSERT_EQ(trades.size(), 3U);
        EXPECT_EQ(trades.front().price_e4, k_price_e4);
        EXPECT_THAT(book_at(k_noon).bids, IsEmpty());
    }
}

TEST_F(DbnLevelDay, OtherSchemasAreRefusedByName) {
    constexpr std::array k_taken{0, 1, 2, 3, 4, 18, 19};
    for (int number = 0; number < 21; ++number) {
        if (std::ranges::find(k_taken, number) != k_taken.end()) continue;
        const auto schema = dbn::Schema{static_cast<std::uint16_t>(number)};
        EXPECT_THAT(import(DbnFile{schema}.content()).error(),
                    HasSubstr("records of the schema " + dbn::name_of(schema) + " give neither"))
            << number;
    }
    EXPECT_EQ(dbn::name_of(dbn::Schema{6}), "ohlcv-1m");
    EXPECT_EQ(dbn::name_of(dbn::Schema{0xFFFF}), "mixed");
    EXPECT_THAT(import(DbnFile{dbn::Schema::trades}.content()).error(), HasSubstr("no messages"));
}

TEST_F(DbnLevelDay, RecordsOfOtherTypesAndWrongPricesAreCounted) {
    auto records = made<1>(1);
    records.resize(3);
    records[1].levels[0] = {.bid_e9 = k_price + 1, .bid_size = 1};
    DbnFile file = file_of(records);
    file.add(trade_at(k_noon, 'A'));
    const auto imported = import(file.content());
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_THAT(imported->notes, ElementsAre("left out: 1 records of type trade"));
    EXPECT_THAT(imported->faults, ElementsAre(HasSubstr("1 records with prices finer")));
}

// Counts from the file's own description: one instrument, over midnight UTC.
TEST_F(DbnLevelDay, OfAFutureHasTheLevelsOfEveryRecord) {
    DAMRAK_REAL_DATA_OR_SKIP(file,
                             "foreign/futures_mbp-1_2024-07-01T23-58_2024-07-02T00-02.dbn.zst");
    const auto records = records_of<dbn::MbpRecord<1>>(file);
    ASSERT_EQ(records.size(), 2'288U);
    const auto imported = import_file(file);
    ASSERT_TRUE(imported) << imported.error();
    ASSERT_EQ(imported->days.size(), 2U);
    EXPECT_EQ(imported->days[0].date, 20'240'701);
    EXPECT_EQ(imported->days[1].date, 20'240'702);
    std::vector<dbn::MbpRecord<1>> of_day[2];
    constexpr std::uint64_t k_second_day = 1'719'878'400'000'000'000;
    for (const auto& record : records)
        of_day[record.change.header.event_ns >= k_second_day].push_back(record);
    std::size_t trades = 0;
    for (const std::size_t day : {0U, 1U}) {
        expect_levels({imported->days[day]}, of_day[day]);
        trades += trades_of(imported->days[day].file).size();
    }
    EXPECT_EQ(trades, static_cast<std::size_t>(std::ranges::count(
                          records, 'T', [](const auto& one) { return one.change.action; })));
}

TEST_F(DbnLevelDay, OfAFutureHasEveryTrade) {
    DAMRAK_REAL_DATA_OR_SKIP(file,
                             "foreign/futures_trades_2024-07-01T23-58_2024-07-02T00-02.dbn.zst");
    const auto records = records_of<dbn::LevelRecord>(file);
    const auto imported = import_file(file);
    ASSERT_TRUE(imported) << imported.error();
    std::vector<std::pair<std::uint32_t, std::uint64_t>> told;
    for (const ImportedDay& day : imported->days)
        for (const DayTrade& trade : trades_of(day.file))
            told.emplace_back(trade.price_e4, trade.shares);
    ASSERT_EQ(told.size(), 120U);
    for (std::size_t i = 0; i < told.size(); ++i) {
        EXPECT_EQ(told[i].first, static_cast<std::uint32_t>(records[i].price_e9 / 100'000));
        EXPECT_EQ(told[i].second, records[i].size);
    }
}

TEST_F(DbnLevelDay, OfEachSchemaIsTakenOrRefused) {
    struct Case {
        const char* schema;
        std::uint16_t depth;
        std::uint32_t flags;
    };
    for (const Case& one :
         {Case{"mbp-1", 1, DayDepth::k_levels_alone}, Case{"mbp-10", 10, DayDepth::k_levels_alone},
          Case{"bbo-1s", 1, DayDepth::k_levels_alone | DayDepth::k_instants_only},
          Case{"tbbo", 0, DayDepth::k_no_book}, Case{"trades", 0, DayDepth::k_no_book}}) {
        DAMRAK_REAL_DATA_OR_SKIP(file,
                                 std::string{"foreign/test_data."} + one.schema + ".v3.dbn.zst");
        const auto imported = import_file(file);
        ASSERT_TRUE(imported) << imported.error();
        EXPECT_EQ(imported->days.back().depth.depth, one.depth) << one.schema;
        EXPECT_EQ(imported->days.back().depth.book_flags, one.flags | DayDepth::k_marked)
            << one.schema;
    }
    DAMRAK_REAL_DATA_OR_SKIP(bars, "foreign/test_data.ohlcv-1m.v3.dbn.zst");
    EXPECT_THAT(import_file(bars).error(), HasSubstr("ohlcv-1m"));
}

}  // namespace damrak::archive::dbn_levels_test
