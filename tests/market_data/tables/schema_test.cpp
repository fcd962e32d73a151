// The page of the tables has the columns that the library has.
#include <damrak/tables/schema.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"

namespace damrak::tables {
TEST(TableColumns, AreOnTheirPage) {
    const std::string page = testing::content_of("docs/reference/tables.md");
    for (const Table table : {Table::trades, Table::depth, Table::messages, Table::candles,
                              Table::auctions, Table::halts}) {
        std::string rows;
        for (const ColumnInfo& column : columns_of(table))
            rows += fmt::format("| `{}` | {} | {} | {} | {} |\n", column.name, name_of(column.type),
                                column.unit, column.can_be_null ? "yes" : "", column.meaning);
        EXPECT_NE(page.find(rows), std::string::npos)
            << "docs/reference/tables.md must have these rows of " << name_of(table) << ":\n"
            << rows;
    }
}

TEST(TableColumns, OfLevelsEndInTheirNumbers) {
    const auto columns = columns_of(Table::depth, 12);
    EXPECT_EQ(columns.size(), 3U + 12 * 6);
    EXPECT_EQ(columns[3].name, "bid_px_00");
    EXPECT_EQ(columns.back().name, "ask_ct_11");
    EXPECT_EQ(columns_of(Table::bbo).size(), 9U);
}

}  // namespace damrak::tables
