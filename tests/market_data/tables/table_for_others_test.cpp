// What other languages ask of tables beyond CSV: books at given times, exact prices, times of a
// zone, all rows in one chunk, and an end to a long reading.
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>

#include <damrak/archive/candles.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/tables/csv.hpp>
#include <damrak/tables/table_reader.hpp>

#include "market_data/tables/random_day.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::tables::table_for_others_test {
namespace {

namespace itch = wire::itch;
using ::testing::HasSubstr;

constexpr std::int64_t k_second_ns = 1'000'000'000;

class TablesForOthers : public ::testing::Test {
  protected:
    [[nodiscard]] static archive::Day written(const std::filesystem::path& path) {
        auto writer = *archive::DayWriter::create(path, {.source = "test"});
        for (const itch::Message& message : testing::RandomDay{5, false}.make(20'000))
            std::visit([&](const auto& m) { writer.add(m); }, message);
        EXPECT_TRUE(writer.close());
        return *archive::Day::open(path);
    }
    [[nodiscard]] static Chunk all_of(const archive::Day& day, const TableQuery& query,
                                      const DayWindow& window = {}) {
        auto table = TableReader::open(day, {query}, window);
        EXPECT_TRUE(table) << table.error();
        auto chunks = table->new_chunks();
        while (table->append(chunks)) {
        }
        return std::move(chunks.front());
    }
    [[nodiscard]] std::string text_of(const Chunk& chunk) const {
        std::string csv;
        std::vector<std::string> symbols;
        for (const archive::Instrument& one : day_.instruments()) symbols.push_back(one.symbol);
        append_rows(csv, chunk, symbols);
        return csv;
    }

    testing::ScratchFolder folder_;
    archive::Day day_ = written(folder_ / "day.dar");
};

TEST_F(TablesForOthers, HaveTheBookAtEachGivenTime) {
    const std::uint16_t locate = day_.instruments().back().locate;
    const std::int64_t span = day_.last_time_ns() - day_.first_time_ns();
    std::vector<std::int64_t> times{0};
    for (int i = 0; i <= 40; ++i) times.push_back(day_.first_time_ns() + span * i / 40);
    times.push_back(day_.last_time_ns() + k_second_ns);  // nothing happens later
    times.push_back(times.back());
    for (const std::size_t chunk : {1UL, 50'000UL}) {
        const Chunk rows = all_of(day_, {.table = Table::depth, .levels = 2, .at_ns = times},
                                  {.locate = locate, .chunk_rows = chunk});
        ASSERT_EQ(rows[0].rows(), times.size());
        for (std::size_t row = 0; row < times.size(); ++row) {
            EXPECT_EQ(rows[0].values<std::int64_t>()[row], times[row]);
            const archive::Book book = *day_.book_at(locate, times[row]);
            const auto levels = archive::Book::levels(book.bids);
            for (std::size_t level = 0; level < 2; ++level) {
                const std::size_t column = 3 + 6 * level;
                const bool is_there = level < levels.size();
                EXPECT_EQ(rows[column].is_null(row), !is_there);
                EXPECT_EQ(rows[column + 2].values<std::uint64_t>()[row],
                          is_there ? levels[level].shares : 0);
            }
        }
    }
}

TEST_F(TablesForOthers, RefuseTimesThatDoNotAscendOrAreOfNoInstrument) {
    const auto refusal = [&](const TableQuery& query, const DayWindow& window) {
        return TableReader::open(day_, {query}, window).error();
    };
    EXPECT_THAT(refusal({.table = Table::bbo, .at_ns = {1}}, {}), HasSubstr("one instrument"));
    EXPECT_THAT(refusal({.table = Table::bbo, .at_ns = {2, 1}}, {.locate = 1}),
                HasSubstr("ascend"));
    EXPECT_THAT(refusal({.table = Table::trades, .at_ns = {1}}, {.locate = 1}),
                HasSubstr("of bbo and depth"));
}

TEST_F(TablesForOthers, HaveExactPricesThatAreTheSame) {
    for (const Table table : {Table::trades, Table::bbo, Table::depth, Table::messages}) {
        const Chunk exact = all_of(day_, {.table = table}, {.has_exact_prices = true});
        EXPECT_EQ(text_of(exact), text_of(all_of(day_, {.table = table}))) << name_of(table);
        for (const Column& column : exact) {
            EXPECT_NE(column.type(), Type::price);
            if (column.type() != Type::exact_price) continue;
            for (std::size_t row = 0; row < column.rows(); ++row)
                EXPECT_EQ(column.is_null(row),
                          column.values<std::int64_t>()[row] == k_no_exact_price);
        }
    }
}

// In one pass the same as the archive counts for each instrument.
TEST_F(TablesForOthers, HaveTheCandlesOfAllInstruments) {
    for (const std::int64_t every_ns : {k_second_ns / 100, k_second_ns, 60 * k_second_ns}) {
        const Chunk rows = all_of(day_, {.table = Table::candles, .every_ns = every_ns});
        std::size_t seen = 0;
        const auto instruments = day_.instruments();
        for (std::size_t symbol = 0; symbol < instruments.size(); ++symbol) {
            auto expected =
                archive::candles(day_, instruments[symbol].locate, {.interval_ns = every_ns}).value;
            auto next = expected.begin();
            for (std::size_t row = 0; row < rows[0].rows(); ++row) {
                if (rows[1].values<std::uint32_t>()[row] != symbol) continue;
                ASSERT_NE(next, expected.end());
                const auto price = [](std::uint32_t price_e4) { return price_e4 / 10'000.0; };
                EXPECT_EQ(rows[0].values<std::int64_t>()[row], next->begin_ns);
                EXPECT_EQ(rows[2].values<double>()[row], price(next->open_e4));
                EXPECT_EQ(rows[3].values<double>()[row], price(next->high_e4));
                EXPECT_EQ(rows[4].values<double>()[row], price(next->low_e4));
                EXPECT_EQ(rows[5].values<double>()[row], price(next->close_e4));
                EXPECT_EQ(rows[6].values<std::uint64_t>()[row], next->quantity);
                EXPECT_EQ(rows[7].values<std::uint64_t>()[row], next->trades);
                ++next;
                ++seen;
            }
            EXPECT_EQ(next, expected.end());
        }
        EXPECT_EQ(seen, rows[0].rows());
        EXPECT_GT(seen, every_ns < k_second_ns ? 100U : 0U);
    }
    EXPECT_THAT(TableReader::open(day_, {{.table = Table::candles}}, {}).error(),
                HasSubstr("intervals"));
}

TEST_F(TablesForOthers, HaveTimesOfTheZoneThatIsGiven) {
    const Chunk plain = all_of(day_, {.table = Table::trades});
    const Chunk moved =
        all_of(day_, {.table = Table::trades}, {.midnight_ns = k_second_ns * 3'600});
    for (std::size_t row = 0; row < plain[0].rows(); ++row)
        EXPECT_EQ(moved[0].values<std::int64_t>()[row],
                  plain[0].values<std::int64_t>()[row] + k_second_ns * 3'600);
}

TEST_F(TablesForOthers, EndWhereWhoWatchesThrows) {
    int looks = 0;
    auto table = *TableReader::open(day_, {{.table = Table::messages}}, {.on_block = [&] {
                                        if (++looks == 2) throw std::runtime_error{"enough"};
                                    }});
    auto chunks = table.new_chunks();
    EXPECT_THROW(
        {
            while (table.append(chunks)) {
            }
        },
        std::runtime_error);
    EXPECT_EQ(looks, 2);
    EXPECT_GT(chunks[0][0].rows(), 0U);
    EXPECT_LT(chunks[0][0].rows(), day_.messages());
}

}  // namespace
}  // namespace damrak::tables::table_for_others_test
