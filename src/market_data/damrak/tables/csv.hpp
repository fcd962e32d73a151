// Tables of archived days as CSV files: a line of names, then a line for each row. Numbers are
// plain decimals, prices have four places, booleans are true and false, null is empty. One thread,
// one pass; an existing file stays until the new one is complete.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/tables/table_reader.hpp>

namespace damrak::tables {

void append_names(std::string& csv, std::span<const ColumnInfo> columns);
void append_rows(std::string& csv, const Chunk& chunk, const std::vector<std::string>& symbols);

/// What was written to a CSV file.
struct CsvFile {
    std::uint64_t messages = 0;  ///< read
    std::uint64_t rows = 0;
    archive::Completeness completeness{};
};

/// `.gz` and `.zst` compress, `-` is the standard output. If messages are missing, writes what is
/// before them if that is wanted, otherwise nothing. `on_messages` is called with the messages
/// read so far. The error is one sentence.
[[nodiscard]] archive::Result<CsvFile> write_csv(
    const archive::Day& day, const TableQuery& query, const DayWindow& window,
    const std::filesystem::path& path, bool takes_a_part,
    const std::function<void(std::uint64_t)>& on_messages);

}  // namespace damrak::tables
