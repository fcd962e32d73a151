// Tables of archived days: every cell against a slow reader of the messages, on random days and on
// pairs of limited depth; times, windows, and what is not known.
#include <damrak/tables/table_reader.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/convert/itch_to_lobster.hpp>
#include <damrak/tables/csv.hpp>
#include <damrak/wire/itch/file_writer.hpp>

#include "market_data/tables/lines.hpp"
#include "market_data/tables/random_day.hpp"
#include "market_data/tables/slow_tables.hpp"
#include "support/day_blocks.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::tables::table_reader_test {
namespace {

namespace itch = wire::itch;
using archive::DayDepth;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Messages = std::vector<itch::Message>;
using testing::Lines;

constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr std::int64_t k_midnight_ns = 20'780 * 86'400 * k_second_ns;  // of 2026-11-23
constexpr std::int32_t k_date = 20'261'123;

Messages random_day(std::uint64_t seed, std::size_t count, bool is_lobster = false) {
    return testing::RandomDay{seed, is_lobster}.make(count);
}

Lines lines_of(const archive::Day& day, const TableQuery& query, const DayWindow& window = {}) {
    return testing::lines_of(ArchivedDay{day}, {query}, window).front();
}

class DayTables : public ::testing::Test {
  protected:
    archive::Day write(const Messages& messages, std::int32_t date = k_date,
                       bool has_marks = true) {
        const std::uint32_t flags = has_marks ? DayDepth::k_marked : 0;
        auto writer = *archive::DayWriter::create(
            path_, {.date = date, .source = "test", .depth = {.book_flags = flags}});
        for (const itch::Message& message : messages)
            std::visit([&](const auto& m) { writer.add(m); }, message);
        EXPECT_TRUE(writer.close());
        return *archive::Day::open(path_);
    }

    testing::ScratchFolder folder_;
    std::filesystem::path path_ = folder_ / "day.dar";
};

}  // namespace

TEST_F(DayTables, HaveTheCellsOfASlowReader) {
    const Messages messages = random_day(1, 5'000);
    const archive::Day day = write(messages);
    testing::SlowTables slow{messages, k_midnight_ns};
    for (const Table table : {Table::trades, Table::bbo, Table::messages, Table::depth,
                              Table::auctions, Table::halts}) {
        const std::size_t levels = table == Table::depth ? 4 : 1;
        const Lines expected = slow.rows(table, levels);
        const Lines found = lines_of(day, {.table = table, .levels = levels}, {.chunk_rows = 300});
        ASSERT_GT(found.size(), 60U) << name_of(table);
        ASSERT_EQ(found.size(), expected.size()) << name_of(table);
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_EQ(found[i], expected[i]) << name_of(table) << " row " << i;
    }
}

TEST_F(DayTables, HaveAtEachMultipleOfTheIntervalTheBookAfterAllMessagesUpToThen) {
    const Messages messages = random_day(2, 2'000);
    const archive::Day day = write(messages);
    testing::SlowTables slow{messages, k_midnight_ns};
    for (const std::int64_t every_ns : {k_second_ns, k_second_ns / 100})
        for (const std::size_t rows : {1UL, 50'000UL})
            EXPECT_EQ(lines_of(day, {.table = Table::depth, .levels = 2, .every_ns = every_ns},
                               {.chunk_rows = rows}),
                      slow.sampled(2, every_ns));
}

// A message at the very time of a row is in it; the last row is at or before the last message.
TEST_F(DayTables, CountTheMessageAtTheTimeOfARow) {
    const auto add = [](std::int64_t time_ns, std::uint64_t reference, std::uint32_t shares) {
        return itch::AddOrder{.stock_locate = 1,
                              .timestamp_ns = time_ns,
                              .order_ref = reference,
                              .side = Side::buy,
                              .shares = shares,
                              .stock = *itch::Stock::from("ONE"),
                              .price_e4 = 10'000};
    };
    const archive::Day day =
        write({add(k_second_ns + 1, 1, 5), add(3 * k_second_ns, 2, 6), add(3 * k_second_ns, 3, 7),
               add(3 * k_second_ns + 1, 4, 8), add(5 * k_second_ns, 5, 9)},
              0);
    const TableQuery query{.table = Table::bbo, .every_ns = k_second_ns};
    const Lines all{"2000000000,1,ONE,1.0000,,5,0,1,0", "3000000000,3,ONE,1.0000,,18,0,3,0",
                    "4000000000,4,ONE,1.0000,,26,0,4,0", "5000000000,5,ONE,1.0000,,35,0,5,0"};
    EXPECT_EQ(lines_of(day, query), all);
    EXPECT_EQ(lines_of(day, query, {.from_ns = 3 * k_second_ns, .until_ns = 4 * k_second_ns}),
              (Lines{all[1], all[2]}));
}

TEST_F(DayTables, OfAWindowAndAnInstrumentHaveTheseRowsOfTheWhole) {
    const Messages messages = random_day(3, 60'000);
    const archive::Day day = write(messages);
    ASSERT_GT(day.checkpoints(), 0U);
    const std::int64_t length = day.last_time_ns() - day.first_time_ns();
    const DayWindow window{.locate = 2,
                           .from_ns = day.first_time_ns() + length * 6 / 10,
                           .until_ns = day.first_time_ns() + length * 7 / 10};
    const auto time_of = [](const std::string& line) { return std::stoll(line) - k_midnight_ns; };
    for (const Table table : {Table::trades, Table::bbo, Table::messages}) {
        Lines part = lines_of(day, {.table = table}, window);
        Lines expected;
        for (const std::string& line : lines_of(day, {.table = table}))
            if (time_of(line) >= window.from_ns && time_of(line) <= window.until_ns &&
                line.find(",TWO,") != std::string::npos)
                expected.push_back(line);
        // The first row of a window shows the book although it did not change.
        if (part.size() == expected.size() + 1) part.erase(part.begin());
        ASSERT_GT(expected.size(), 100U);
        EXPECT_EQ(part, expected) << name_of(table);
    }
}

TEST_F(DayTables, HaveColumnsOfTheirTypesAndNullsWhereTheCsvIsEmpty) {
    const archive::Day day = write(random_day(4, 3'000));
    for (const Table table : {Table::trades, Table::depth, Table::messages}) {
        auto read = TableReader::open(day, {{.table = table, .levels = 3}}, {});
        ASSERT_TRUE(read);
        auto chunks = read->new_chunks();
        ASSERT_TRUE(read->next(chunks));
        const Chunk& chunk = chunks.front();
        ASSERT_EQ(chunk.size(), read->columns().size());
        std::string csv;
        append_rows(csv, chunk, read->symbols());
        std::istringstream lines{csv};
        std::string line;
        for (std::size_t row = 0; std::getline(lines, line); ++row) {
            std::istringstream cells{line + ","};
            std::string cell;
            for (std::size_t i = 0; std::getline(cells, cell, ','); ++i) {
                const Column& column = chunk[i];
                ASSERT_EQ(column.rows(), chunk[0].rows());
                ASSERT_EQ(column.type(), read->columns()[i].type);
                ASSERT_EQ(column.is_null(row), cell.empty()) << read->columns()[i].name;
                ASSERT_TRUE(!cell.empty() || read->columns()[i].can_be_null);
                if (cell.empty()) continue;
                if (column.type() == Type::price) {
                    ASSERT_EQ(column.values<double>()[row], std::stod(cell));
                } else if (column.type() == Type::uint64) {
                    ASSERT_EQ(column.values<std::uint64_t>()[row], std::stoull(cell));
                }
            }
        }
    }
}

// The order book file says the levels after each message, the day all of its orders.
class TablesOfCutPairs : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TablesOfCutPairs, ShowTheLevelsOfTheRowsAndNoOthers) {
    const testing::ScratchFolder folder;
    const std::size_t levels = GetParam();
    const Messages messages = random_day(5, 2'000, true);
    {
        auto file = itch::FileWriter::create(folder / "day.itch");
        for (const itch::Message& message : messages) file->write(message);
        ASSERT_TRUE(file->close());
    }
    const auto rows_file = folder / fmt::format("A_2026-11-23_0_86400000_orderbook_{}.csv", levels);
    const auto message_file =
        folder / fmt::format("A_2026-11-23_0_86400000_message_{}.csv", levels);
    ASSERT_TRUE(convert::convert(convert::ItchToLobster{.itch = folder / "day.itch",
                                                        .symbol = "ONE",
                                                        .begin_ns = 0,
                                                        .end_ns = 86'400 * k_second_ns,
                                                        .levels = levels,
                                                        .messages = message_file,
                                                        .book = rows_file},
                                 [](auto, auto) {}));
    ASSERT_TRUE(
        archive::import_day({.from = message_file, .to = folder / "day.dar"}, [](auto, auto) {}));
    const auto day = archive::Day::open(folder / "day.dar");
    ASSERT_TRUE(day) << day.error();

    Lines expected;  // prices and sizes, without repetitions
    std::ifstream rows{rows_file};
    for (std::string row; std::getline(rows, row);) {
        std::string line;
        std::istringstream cells{row};
        std::string ask, ask_size, bid, bid_size;
        const auto price = [](const std::string& e4) {
            const auto value = std::stoll(e4);
            return value <= 0 || value >= 9'999'999'999
                       ? std::string{}
                       : fmt::format("{}.{:04}", value / 10'000, value % 10'000);
        };
        while (std::getline(cells, ask, ',') && std::getline(cells, ask_size, ',') &&
               std::getline(cells, bid, ',') && std::getline(cells, bid_size, ','))
            line += fmt::format(",{},{},{},{}", price(bid), price(ask), bid_size, ask_size);
        if (expected.empty() || expected.back() != line) expected.push_back(line);
    }
    Lines found;
    std::size_t counts = 0;
    for (const std::string& line : lines_of(*day, {.table = Table::depth, .levels = levels + 2})) {
        std::istringstream stream{line + ","};
        Lines cells;
        for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
        ASSERT_EQ(cells.size(), 3 + 6 * (levels + 2));
        std::string shown;
        for (std::size_t i = 0; i < levels; ++i) {
            for (std::size_t k = 0; k < 4; ++k) shown += "," + cells[3 + 6 * i + k];
            for (std::size_t k = 4; k < 6; ++k) counts += cells[3 + 6 * i + k].empty() ? 0U : 1U;
        }
        if (found.empty() || found.back() != shown) found.push_back(shown);
        EXPECT_THAT(Lines(cells.begin() + static_cast<std::ptrdiff_t>(3 + 6 * levels), cells.end()),
                    Each(std::string{}))
            << "what is below the view";
    }
    EXPECT_EQ(found, expected);
    EXPECT_GT(counts, 0U);
}
INSTANTIATE_TEST_SUITE_P(Levels, TablesOfCutPairs, ::testing::Values(1, 2, 10));

// Anonymous quantity is of an unknown number of orders; after some time nothing is known.
TEST_F(DayTables, HaveNullsForWhatTheDayDoesNotKnow) {
    const auto add = [](std::int64_t time_ns, std::uint64_t reference, Side side) {
        return itch::AddOrder{.stock_locate = 1,
                              .tracking_number = itch::is_anonymous(reference)
                                                     ? itch::k_made_by_view
                                                     : std::uint16_t{},
                              .timestamp_ns = time_ns,
                              .order_ref = reference,
                              .side = side,
                              .shares = 5,
                              .stock = *itch::Stock::from("ONE"),
                              .price_e4 = side == Side::buy ? 10'000U : 20'000U};
    };
    {
        auto writer = *archive::DayWriter::create(
            path_, {.source = "test",
                    .depth = {.depth = 1, .book_until_ns = 20, .book_flags = DayDepth::k_marked}});
        writer.add(add(10, itch::k_anonymous | 1U, Side::buy));
        writer.add(add(10, 2, Side::sell));
        writer.add(add(15, itch::k_anonymous | 3U, Side::sell));
        writer.add(add(20, 4, Side::buy));
        writer.add(add(21, 5, Side::buy));
        writer.add(add(22, 6, Side::buy));
        ASSERT_TRUE(writer.close());
    }
    const auto day = archive::Day::open(path_);
    ASSERT_TRUE(day);
    EXPECT_EQ(lines_of(*day, {.table = Table::bbo}),
              (Lines{"10,2,ONE,1.0000,2.0000,5,5,,1", "15,3,ONE,1.0000,2.0000,5,10,,",
                     "20,4,ONE,1.0000,2.0000,10,10,,", "21,5,ONE,,,,,,"}));
    EXPECT_EQ(lines_of(*day, {.table = Table::bbo, .every_ns = 10}),
              (Lines{"10,2,ONE,1.0000,2.0000,5,5,,1", "20,4,ONE,1.0000,2.0000,10,10,,"}));
}

TEST_F(DayTables, EndWhereTheDayIsDamaged) {
    static_cast<void>(write(random_day(6, 40'000)));
    auto blocks = testing::blocks_of(path_);
    std::erase_if(blocks, [](const testing::DayBlock& one) {
        return one.header.kind != archive::BlockKind::messages;
    });
    const testing::DayBlock block = blocks[1];
    std::fstream{path_, std::ios::in | std::ios::out | std::ios::binary}
        .seekp(static_cast<std::streamoff>(block.payload()))
        .put('?');
    const auto day = archive::Day::open(path_);
    ASSERT_TRUE(day);
    for (const std::int64_t every_ns : {std::int64_t{0}, k_second_ns}) {
        auto table = TableReader::open(*day, {{.table = Table::bbo, .every_ns = every_ns}}, {});
        ASSERT_TRUE(table);
        auto chunks = table->new_chunks();
        std::int64_t last_ns = 0;
        while (table->next(chunks)) last_ns = chunks[0][0].values<std::int64_t>().back();
        EXPECT_FALSE(table->completeness().is_complete());
        EXPECT_LE(last_ns - k_midnight_ns, table->completeness().known_until_ns);
        EXPECT_GT(last_ns - k_midnight_ns, table->completeness().known_until_ns - 2 * k_second_ns);
    }
    // What comes behind the damage may have broken any trade.
    auto trades = TableReader::open(*day, {{.table = Table::trades}}, {});
    ASSERT_TRUE(trades);
    auto chunks = trades->new_chunks();
    ASSERT_TRUE(trades->next(chunks));
    const Column& is_broken = chunks[0][11];
    for (std::size_t row = 0; row < is_broken.rows(); ++row)
        ASSERT_TRUE(is_broken.is_null(row) || is_broken.values<std::uint8_t>()[row] == 1) << row;
}

// In a recording of Nasdaq tracking numbers are no marks, whatever they are.
TEST_F(DayTables, TakeNumbersForMarksOnlyInADayThatHasThem) {
    const auto stock = *itch::Stock::from("ONE");
    for (const bool has_marks : {false, true}) {
        const archive::Day day = write({itch::SystemEvent{.timestamp_ns = 1, .event_code = 'O'},
                                        itch::AddOrder{.stock_locate = 1,
                                                       .tracking_number = itch::k_made_by_view,
                                                       .timestamp_ns = 2,
                                                       .order_ref = 1,
                                                       .side = Side::buy,
                                                       .shares = 5,
                                                       .stock = stock,
                                                       .price_e4 = 10'000},
                                        itch::Trade{.stock_locate = 1,
                                                    .tracking_number = itch::k_side_is_known,
                                                    .timestamp_ns = 2,
                                                    .side = Side::buy,
                                                    .shares = 3,
                                                    .stock = stock,
                                                    .price_e4 = 10'000,
                                                    .match_number = 7}},
                                       0, has_marks);
        const auto side = [has_marks](char known) { return has_marks ? known : 'N'; };
        EXPECT_THAT(lines_of(day, {.table = Table::trades}),
                    ElementsAre(StartsWith(fmt::format("2,3,ONE,P,{},", side('A')))));
        const Lines rows = lines_of(day, {.table = Table::messages});
        EXPECT_THAT(rows[1], EndsWith(has_marks ? ",true" : ",false"));
        EXPECT_THAT(rows[2], StartsWith(fmt::format("2,3,ONE,P,T,{},", side('B'))));
        // The view's change is shown once time advances, a participant's at once.
        EXPECT_THAT(lines_of(day, {.table = Table::bbo}),
                    ElementsAre(StartsWith(has_marks ? "2,3,ONE," : "2,2,ONE,")));
    }
}

TEST_F(DayTables, OfOnePassHaveTheRowsOfEachAlone) {
    const archive::Day day = write(random_day(8, 3'000));
    const std::vector<TableQuery> all = testing::all_tables();
    for (const DayWindow& window :
         {DayWindow{.chunk_rows = 1}, DayWindow{.chunk_rows = 100}, DayWindow{},
          DayWindow{.locate = 2, .from_ns = day.first_time_ns() + k_second_ns}}) {
        const auto together = testing::lines_of(ArchivedDay{day}, all, window);
        for (std::size_t i = 0; i < all.size(); ++i)
            EXPECT_EQ(together[i], lines_of(day, all[i], window)) << name_of(all[i].table);
    }
}

TEST_F(DayTables, RefuseWhatTheyCannotGive) {
    const archive::Day day = write(random_day(7, 100));
    const auto refusal = [&](const std::vector<TableQuery>& tables) {
        return TableReader::open(day, tables, {}).error();
    };
    EXPECT_THAT(refusal({{.table = Table::depth, .levels = 0}}), HasSubstr("1 to 100"));
    EXPECT_THAT(refusal({{.table = Table::trades, .every_ns = 1}}), HasSubstr("fixed times"));
    EXPECT_THAT(refusal({{.table = Table::bbo}, {.table = Table::bbo}}), HasSubstr("twice"));
    EXPECT_THAT(refusal({}), HasSubstr("no table"));
}

}  // namespace damrak::tables::table_reader_test
