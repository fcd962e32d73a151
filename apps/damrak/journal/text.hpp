// Journal records as people and other programs read them: one table of columns, from which lines,
// JSON and CSV are made. Used by `damrak journal`; costs an allocation a field.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <damrak/domain/event.hpp>
#include <damrak/journal/record.hpp>

namespace damrak::app {

/// Empty if the record has no such field.
using Cell = std::variant<std::monostate, std::int64_t, std::uint64_t, std::string>;

struct Column {
    std::string_view name;
    Cell (*of)(const journal::Record&);
    /// Value from the trade's incoming event; null: the column is empty for trades.
    Cell (*of_trade)(const Event& incoming, const Event& resting) = nullptr;
};
[[nodiscard]] std::span<const Column> journal_columns();

/// "new_order"; the number for kinds of the sequencer that have no name here.
[[nodiscard]] std::string kind_name(std::uint8_t kind);
/// "2026-11-21T10:31:05.123456789Z"
[[nodiscard]] std::string utc_text(Timestamp time);
/// Sixteen hexadecimal digits.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

/// The fields that say something, in one line.
[[nodiscard]] std::string record_line(const journal::Record& record);
/// The same as one JSON object in one line.
[[nodiscard]] std::string record_json(const journal::Record& record);
/// The header of a CSV file, and a line of it; empty where there is nothing.
[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string csv_line(const journal::Record& record);
/// The line of a trade, behind that of its record.
[[nodiscard]] std::string csv_trade_line(const journal::Record& record, const Event& incoming,
                                         const Event& resting);

}  // namespace damrak::app
