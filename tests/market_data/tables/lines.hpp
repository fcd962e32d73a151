// Tables of a day as the lines of their CSV files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/tables/csv.hpp>
#include <damrak/tables/table_reader.hpp>

namespace damrak::testing {

using Lines = std::vector<std::string>;

/// Of each table, the rows as lines.
inline std::vector<Lines> lines_of(const tables::DaySource& day,
                                   const std::vector<tables::TableQuery>& wanted,
                                   const tables::DayWindow& window) {
    auto reader = tables::TableReader::open(day, wanted, window);
    EXPECT_TRUE(reader) << reader.error();
    std::vector<std::string> csv(wanted.size());
    auto chunks = reader->new_chunks();
    while (reader->next(chunks))
        for (std::size_t i = 0; i < wanted.size(); ++i)
            tables::append_rows(csv[i], chunks[i], reader->symbols());
    EXPECT_TRUE(reader->completeness().is_complete());
    std::vector<Lines> lines(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        std::istringstream stream{csv[i]};
        for (std::string line; std::getline(stream, line);) lines[i].push_back(line);
    }
    return lines;
}

/// Each table, some with rows at fixed times.
inline std::vector<tables::TableQuery> all_tables() {
    using tables::Table;
    constexpr std::int64_t k_second_ns = 1'000'000'000;
    return {{.table = Table::trades},
            {.table = Table::bbo},
            {.table = Table::depth, .levels = 3, .every_ns = k_second_ns / 50},
            {.table = Table::messages},
            {.table = Table::candles, .every_ns = k_second_ns},
            {.table = Table::auctions},
            {.table = Table::halts}};
}

}  // namespace damrak::testing
