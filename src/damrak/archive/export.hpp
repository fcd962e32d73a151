// Archived days in the forms that others read: ITCH files, LOBSTER pairs, CSV, DBN, and captures of
// the feed. docs/how-to/archive.md says what each cannot carry. One thread, one pass; an existing
// file stays until the new one is whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/wire/dbn/records.hpp>

namespace damrak::archive {

enum class ExportForm : std::uint8_t { itch, lobster, csv, dbn, pcap };

struct Export {
    ExportForm form{};
    /// The file; of a LOBSTER pair the message file, beside which the order book file comes.
    std::filesystem::path to;
    std::string symbol;  ///< empty: all instruments, of a LOBSTER pair the only one
    // CSV, DBN and LOBSTER; earlier messages only build the book.
    std::int64_t from_ns = 0;
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    wire::dbn::Schema schema = wire::dbn::Schema::mbo;
    std::size_t depth = 10;  ///< levels of the order book file
};

struct Exported {
    std::uint64_t messages = 0;  ///< of the day that were read
    std::uint64_t rows = 0;      ///< messages, rows, records or packets that were written
    std::vector<std::filesystem::path> files;
};

/// So many messages of the day are done.
using OnExported = std::function<void(std::uint64_t)>;

/// The error is one sentence with the file and, where it is known, the place.
[[nodiscard]] Result<Exported> export_day(const Day& day, const Export& wanted,
                                          const OnExported& on_exported);

}  // namespace damrak::archive
