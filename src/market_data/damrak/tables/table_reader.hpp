// Reads tables of a day, any number in one pass: schema.hpp says which there are. Rows come in
// chunks of columns. One thread; memory is that of the day's open orders and of the chunks. What
// the day does not know is null, and never a guess: levels that a day of limited depth does not
// show, the number of orders in anonymous quantity, books after the time until which they are
// known.
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
#include <damrak/tables/day_source.hpp>
#include <damrak/tables/schema.hpp>

namespace damrak::tables {

/// The part of the day, and how its rows are shown: for all tables of a pass.
struct DayWindow {
    std::optional<std::uint16_t> locate{};  ///< only this instrument
    // Nanoseconds since midnight, both inclusive. Earlier messages only build the book.
    std::int64_t from_ns = 0;
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    std::size_t chunk_rows = 65'536;  ///< a chunk may have one more for each instrument
    /// Midnight of the day's date in its zone since 1970-01-01 UTC, in nanoseconds, to which times
    /// are added; none: midnight of the date as if its zone were UTC, zero for a day without one.
    std::optional<std::int64_t> midnight_ns{};
    bool has_exact_prices = false;  ///< columns of type exact_price, not price
    /// Called after each block of messages, if it is there; what it throws ends the reading.
    std::function<void()> on_block{};
};

/// Which table is wanted, and of which part of the day.
struct TableQuery {
    Table table{};
    std::size_t levels = 10;  ///< of the table `depth`
    /// Of `bbo` and `depth`: not a row for each change, but one for each instrument at each
    /// multiple of this time since midnight, with the book after all messages up to then. From the
    /// instrument's first order to the day's last message. Zero: changes. Of `candles`: the length
    /// of their intervals, which must be positive.
    std::int64_t every_ns = 0;
    /// The same, for one instrument at these times, which ascend: a row for each, even where there
    /// is no order yet. Empty: changes.
    std::vector<std::int64_t> at_ns{};

    /// Rows come at fixed times.
    [[nodiscard]] bool is_sampled() const {
        return table != Table::candles && (every_ns > 0 || !at_ns.empty());
    }
};

class TableReader {
  public:
    /// Each table once. The day must outlive the reader. The error says what it cannot give.
    [[nodiscard]] static archive::Result<TableReader> open(const DaySource& day,
                                                           std::vector<TableQuery> tables,
                                                           const DayWindow& window);
    /// The same of an archived day.
    [[nodiscard]] static archive::Result<TableReader> open(const archive::Day& day,
                                                           std::vector<TableQuery> tables,
                                                           const DayWindow& window);
    TableReader(TableReader&&) noexcept;
    TableReader& operator=(TableReader&&) noexcept;
    ~TableReader();

    /// Of the table at this place of those wanted.
    [[nodiscard]] const std::vector<ColumnInfo>& columns(std::size_t table = 0) const;
    /// The values of columns of type symbol.
    [[nodiscard]] const std::vector<std::string>& symbols() const;
    /// What times include; zero: they are since midnight.
    [[nodiscard]] std::int64_t epoch_ns() const;
    /// A chunk without rows for each table, for some rows at a time or for all that there are.
    [[nodiscard]] std::vector<Chunk> new_chunks(bool of_day = false) const;
    /// Fills the chunks with the next rows, until one of them is full; false, and no rows: there
    /// are no more.
    [[nodiscard]] bool next(std::vector<Chunk>& chunks);
    /// The same, but keeps the rows that the chunks have.
    [[nodiscard]] bool append(std::vector<Chunk>& chunks);
    /// Once there are no more rows: whether they are all.
    [[nodiscard]] const archive::Completeness& completeness() const;
    /// Messages read so far.
    [[nodiscard]] std::uint64_t messages() const;

    class Pass;

  private:
    explicit TableReader(std::unique_ptr<Pass> pass);

    std::unique_ptr<Pass> pass_;
};

}  // namespace damrak::tables
