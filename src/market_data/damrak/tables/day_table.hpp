// A table of an archived day, read in chunks of columns: schema.hpp says which tables there are.
// One thread; memory is that of the day's open orders and of a chunk. What the day does not know is
// null, and never a guess: levels that a day of limited depth does not show, the number of orders
// in anonymous quantity, books after the time until which they are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/tables/column.hpp>
#include <damrak/tables/schema.hpp>

namespace damrak::tables {

struct TableQuery {
    Table table{};
    std::size_t levels = 10;                ///< of the table `depth`
    std::optional<std::uint16_t> locate{};  ///< only this instrument
    // Nanoseconds since midnight, both inclusive. Earlier messages only build the book.
    std::int64_t from_ns = 0;
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    /// Of `bbo` and `depth`: not a row for each change, but one for each instrument at each
    /// multiple of this time since midnight, with the book after all messages up to then. From the
    /// instrument's first order to the day's last message. Zero: changes. Of `candles`: the length
    /// of their intervals, which must be positive.
    std::int64_t every_ns = 0;
    /// The same, for one instrument at these times, which ascend: a row for each, also where there
    /// is no order yet. Empty: changes.
    std::vector<std::int64_t> at_ns{};
    std::size_t chunk_rows = 65'536;  ///< a chunk may have one more for each instrument
    /// Midnight of the day's date in its zone since 1970-01-01 UTC, in nanoseconds, to which times
    /// are added; none: midnight of the date as if its zone were UTC, zero for a day without one.
    std::optional<std::int64_t> midnight_ns{};
    bool has_exact_prices = false;  ///< columns of type exact_price, not price
    /// Called after each block of messages, if it is there; what it throws ends the reading.
    std::function<void()> on_block{};
};

class DayTable {
  public:
    /// The day must outlive the table. The error says what it cannot give.
    [[nodiscard]] static archive::Result<DayTable> open(const archive::Day& day,
                                                        const TableQuery& query);
    DayTable(DayTable&&) noexcept;
    DayTable& operator=(DayTable&&) noexcept;
    ~DayTable();

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const { return columns_; }
    /// The values of columns of type symbol.
    [[nodiscard]] const std::vector<std::string>& symbols() const;
    /// What times include; zero: they are since midnight.
    [[nodiscard]] std::int64_t epoch_ns() const;
    /// A chunk without rows.
    [[nodiscard]] Chunk new_chunk() const;
    /// Fills the chunk with the next rows; false, and no rows: there are no more.
    [[nodiscard]] bool next(Chunk& chunk);
    /// The same, but keeps the rows that the chunk has.
    [[nodiscard]] bool append(Chunk& chunk);
    /// Once there are no more rows: whether they are all.
    [[nodiscard]] const archive::Completeness& completeness() const;
    /// Messages read so far.
    [[nodiscard]] std::uint64_t messages() const;

    class Source;

  private:
    DayTable(std::vector<ColumnInfo> columns, std::unique_ptr<Source> source);

    std::vector<ColumnInfo> columns_;
    std::unique_ptr<Source> source_;
};

}  // namespace damrak::tables
