// The tables that an archived day gives, and their columns: the one definition for CSV files, for
// other languages and for docs/reference/tables.md. Names are those of Databento where it has the
// column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <damrak/tables/column.hpp>

namespace damrak::tables {

enum class Table : std::uint8_t {
    trades,    ///< a row for each trade
    bbo,       ///< best bid and offer: a row for each change
    depth,     ///< the best levels: a row for each change
    messages,  ///< a row for each message
    candles,   ///< a row for each interval with trades
    auctions,  ///< a row for each indicative price and for each cross
    halts,     ///< a row for each change of whether an instrument, or the market, trades
};
inline constexpr std::size_t k_tables = 7;

inline constexpr std::size_t k_most_levels = 100;

[[nodiscard]] std::string_view name_of(Table table);
/// In order. `levels` of a depth table: 1 to k_most_levels; the names of their columns end in _00
/// and so on, best level first.
[[nodiscard]] std::vector<ColumnInfo> columns_of(Table table, std::size_t levels = 1);

}  // namespace damrak::tables
