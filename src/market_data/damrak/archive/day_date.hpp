// Dates of days: the number yyyymmdd that an archived day keeps, its text, and where the name of an
// input file has one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace damrak::archive {

/// "2012-06-21" of 20120621.
[[nodiscard]] std::string date_text(std::int32_t date);
/// yyyymmdd of "2012-06-21"; zero: it is no date.
[[nodiscard]] std::int32_t date_of_text(std::string_view text);
/// The UTC date of nanoseconds since the epoch.
[[nodiscard]] std::int32_t utc_date_of(std::uint64_t time_ns);
/// The date that the name of a file tells, by the customs of its publishers; zero: none.
///
///   TICKER_2012-06-21_…          LOBSTER
///   12302019.NASDAQ_ITCH50       Nasdaq: month, day, year
///   S112825-v50.txt              Nasdaq's FTP server: month, day, year of the century
///   2026112300.itch              an exchange of this program: date, number of the session
///   …2024-07-01…, …20240701…     others
[[nodiscard]] std::int32_t date_in_name(const std::filesystem::path& path);

}  // namespace damrak::archive
