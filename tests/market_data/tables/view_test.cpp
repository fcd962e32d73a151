// Tables of days of levels, all of whose messages the view made: rows that somebody recorded.
#include <cstdint>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/tables/table_reader.hpp>

#include "market_data/archive/dbn_day.hpp"

namespace damrak::tables::view_test {
namespace {

namespace dbn = wire::dbn;
using ::testing::ElementsAre;

class TablesOfViews : public archive::DbnDay {
  protected:
    [[nodiscard]] Chunk table(Table wanted) const {
        const auto day = archive::Day::open(archive_);
        EXPECT_TRUE(day) << day.error();
        auto table = TableReader::open(*day, {{.table = wanted}}, {});
        EXPECT_TRUE(table) << table.error();
        auto chunks = table->new_chunks();
        EXPECT_TRUE(table->next(chunks));
        columns_ = table->columns();
        return std::move(chunks.front());
    }
    template <class T>
    [[nodiscard]] std::vector<T> column(const Chunk& chunk, std::string_view name) const {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (columns_[i].name == name) {
                const auto values = chunk[i].template values<T>();
                return {values.begin(), values.end()};
            }
        ADD_FAILURE() << name;
        return {};
    }
    mutable std::vector<ColumnInfo> columns_;
};

dbn::MbpRecord<1> levels_at(std::uint64_t time_ns, std::int64_t bid, std::uint32_t size) {
    dbn::MbpRecord<1> record;
    record.change.header.event_ns = time_ns;
    record.change.action = 'A';
    record.levels[0] = {
        .bid_e9 = bid * 1'000'000'000, .ask_e9 = 200'000'000'000, .bid_size = size, .ask_size = 9};
    return record;
}

TEST_F(TablesOfViews, OfDaysOfLevelsHaveTheLastRecordOfEachTime) {
    damrak::testing::DbnFile file{dbn::Schema::mbp_1};
    for (const auto& [time_ns, bid, size] :
         {std::tuple{k_noon, 100, 5U}, {k_noon, 101, 2U}, {k_noon + 1, 101, 1U}})
        file.add(levels_at(time_ns, bid, size));
    auto trade = levels_at(k_noon + 2, 101, 1);
    trade.change.action = 'T';
    trade.change.side = 'A';
    trade.change.price_e9 = 101'000'000'000;
    trade.change.size = 1;
    file.add(trade);
    const auto imported = import(file.content());
    ASSERT_TRUE(imported) << imported.error();
    const Chunk rows = table(Table::bbo);
    EXPECT_THAT(column<double>(rows, "bid_px_00"), ElementsAre(101, 101));
    EXPECT_THAT(column<std::uint64_t>(rows, "bid_sz_00"), ElementsAre(2, 1));
    EXPECT_THAT(column<std::uint64_t>(rows, "ask_sz_00"), ElementsAre(9, 9));
}

}  // namespace
}  // namespace damrak::tables::view_test
