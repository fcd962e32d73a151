// Exports archived days to other formats: ITCH files, LOBSTER pairs, DBN, and captures of the feed;
// tables/csv.hpp makes CSV files. docs/how-to/archive.md lists what each cannot carry. One thread,
// one pass; an existing file stays until the new one is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/wire/dbn/records.hpp>

namespace damrak::archive {

enum class ExportForm : std::uint8_t { itch, lobster, dbn, pcap };

struct Export {
    ExportForm form{};
    /// The output file. For LOBSTER, the message file; the order book file is put beside it.
    std::filesystem::path to;
    std::string symbol{};  ///< empty: all instruments; for LOBSTER the only one
    // For DBN and LOBSTER. Earlier messages only build the book.
    std::int64_t from_ns = 0;
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    wire::dbn::Schema schema = wire::dbn::Schema::mbo;
    std::size_t depth = 10;  ///< levels of the order book file
    /// Where messages are missing, what is before them is exported; otherwise nothing.
    bool takes_a_part = false;
};

/// What an export read and wrote.
struct Exported {
    std::uint64_t messages = 0;  ///< messages of the day that were read
    std::uint64_t rows = 0;      ///< messages, rows, records or packets written
    std::vector<std::filesystem::path> files;
    Completeness completeness;
};

/// Called with the number of messages done.
using OnExported = std::function<void(std::uint64_t)>;

/// The instrument of this name. The error is one sentence.
[[nodiscard]] Result<Instrument> find_instrument(const Day& day, std::string_view symbol);

/// The error is one sentence with the file and, if known, the place.
[[nodiscard]] Result<Exported> export_day(const Day& day, const Export& wanted,
                                          const OnExported& on_exported);

}  // namespace damrak::archive
