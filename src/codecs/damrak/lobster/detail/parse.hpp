// Parses one row of LOBSTER text. Total: any text is a row or a named fault; nothing throws or
// allocates. reader.hpp calls it for every row; about 1 ns a character.
#pragma once

#include <expected>
#include <span>
#include <string_view>

#include <damrak/lobster/descriptor.hpp>

namespace damrak::lobster {

struct FieldFault {
    std::size_t column{};    // counted from 0
    std::string_view found;  // the field, a part of the row; empty if the column is missing
    bool missing{};          // the row has fewer columns
    bool extra{};            // the row has more columns
};

struct ParsedMessage {
    MessageRow row;
    std::size_t time_decimals{};  // as written
    bool has_seventh_column{};    // "null" or a participant, as in some vendors' files; ignored
};

// `text` is the row without its line end.
[[nodiscard]] std::expected<ParsedMessage, FieldFault> parse_message_row(std::string_view text);

// Fills `levels`; the row must have 4 columns for each of them.
[[nodiscard]] std::expected<void, FieldFault> parse_book_row(std::string_view text,
                                                             std::span<BookLevel> levels);

[[nodiscard]] std::size_t count_columns(std::string_view text);

}  // namespace damrak::lobster
