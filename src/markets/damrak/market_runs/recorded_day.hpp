// A recorded day as the command line names it: an archived day, or a LOBSTER message file with the
// book file beside it. At set-up only.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include <damrak/market_runs/recorded_measures.hpp>

namespace damrak::market_runs {

/// `symbol` and `book` may be empty: the only symbol of the day, or the name in the file's; the
/// book file of the same pair beside the message file, which is needed unless the messages are to
/// be trusted alone. An error is one of usage: that, or the day has several symbols.
[[nodiscard]] std::expected<RecordedDay, std::string> recorded_day(
    const std::filesystem::path& path, const std::string& symbol = {},
    const std::filesystem::path& book = {}, bool trust_messages = false);

}  // namespace damrak::market_runs
