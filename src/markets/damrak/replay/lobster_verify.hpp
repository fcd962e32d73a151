// Checks a LOBSTER message file against its order book file on the real book. Called by `damrak
// replay --verify`; one pass over the rows, or two if the start must be found.
//
// There are two checks; the files determine which one applies (docs/reference/replay.md has the
// reasons):
//   transition   both files have a row for the same event. The book is set to row k-1, message k
//                is applied, and every level that results must stand in row k. Row k may have one
//                level more at its deep end, where row k-1 was full: it comes from outside the
//                file.
//   full replay  the message file is wider than the book file (say 50 levels against 10). The book
//                is seeded once with row 1, and from there every message is applied. A message
//                consumes the next row exactly when it is of type 5, 6 or 7 or changes the levels
//                that a row shows; then the row must be what the book shows.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/order_flow/anomalies.hpp>
#include <damrak/replay/lobster_files.hpp>

namespace damrak::replay {

enum class LobsterCheck : std::uint8_t { transition, full_replay };
[[nodiscard]] std::string_view name(LobsterCheck check);

/// A book row that differs from the book that the messages produce. Rows are counted from 1.
struct RowFailure {
    std::size_t book_row{};
    std::size_t message_row{};  ///< zero: after the last message
    std::string text;           ///< expected and found
};

struct LobsterVerification {
    static constexpr std::size_t k_most_failures_reported = 5;

    LobsterCheck check{};
    std::size_t rows_checked{};  ///< all but the first, which has no predecessor
    std::size_t rows_equal{};
    std::size_t levels_revealed{};     ///< levels taken from a row because no message could contain
                                       ///< them
    std::size_t messages_applied{};    ///< from the first message of the file
    std::size_t seed_message_row{};    ///< the message that results in row 1 of the book
    std::vector<RowFailure> failures;  ///< the first few
    order_flow::Anomalies anomalies;   ///< placed by message row
};

/// Which check fits the names and sizes of the files; the error is one sentence.
struct LobsterShape {
    std::optional<std::size_t> message_levels;  ///< from the file's name
    std::size_t message_rows{};
    std::size_t book_levels{};
    std::size_t book_rows{};
};
[[nodiscard]] std::expected<LobsterCheck, std::string> choose_check(const LobsterShape& shape);

using MessageRows = std::span<const lobster::MessageRow>;

[[nodiscard]] LobsterVerification verify_transitions(MessageRows messages, const BookRows& rows);

/// The error: no message of the file leads to row 1 of the book.
[[nodiscard]] std::expected<LobsterVerification, std::string> verify_full_replay(
    MessageRows messages, const BookRows& rows);

}  // namespace damrak::replay
