// Imports recorded days of other formats: ITCH 5.0 files, LOBSTER pairs and DBN files, raw or
// compressed, told by their content (files/day_kind.hpp). One thread; an existing file stays until
// the new one is complete.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/day_writer.hpp>
#include <damrak/base/time_zone.hpp>
#include <damrak/convert/lobster_day.hpp>

namespace damrak::archive {

struct Import {
    std::filesystem::path from;
    std::filesystem::path to;
    std::int32_t date = 0;  ///< yyyymmdd; zero: that of the records or of the name, if they tell
    // For LOBSTER files, whose names end in .csv. What is empty is taken from the name: the ticker,
    // the date, and the order book file beside it.
    std::string symbol{};
    std::optional<std::filesystem::path> book{};
    bool trust_messages = false;  ///< without an order book file: of the messages alone
    bool only_one = false;        ///< a second day in the file is an error
    /// Of journals (journal_import.hpp): from whose midnight times count; null: UTC.
    TimeZone::Shared zone{};
};
/// Called with the bytes of the file and the messages done.
using OnImported = std::function<void(std::uint64_t, std::uint64_t)>;

/// A day that an import wrote.
struct ImportedDay {
    std::filesystem::path file;
    std::int32_t date = 0;  ///< yyyymmdd; zero: not known
    DayTotals totals{};
    DayDepth depth{};
};

/// What an import read and wrote.
struct Imported {
    /// At least one. A single one is at Import::to; several have their dates in their names.
    std::vector<ImportedDay> days;
    std::vector<std::string> notes;   ///< what was normalised or missing
    std::string cut{};                ///< why the last day is not whole; empty: it is
    std::vector<std::string> faults;  ///< what makes books or trades wrong; empty: nothing
};

/// What a LOBSTER day can show of the book, after it was read.
[[nodiscard]] DayDepth depth_of(const convert::LobsterDay& day);
/// The error is one sentence with the file and the place.
[[nodiscard]] std::expected<Imported, std::string> import_day(const Import& from,
                                                              const OnImported& on_imported);

}  // namespace damrak::archive
