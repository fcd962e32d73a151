// A LOBSTER day as ITCH messages, row by row: the one reader of such days, whatever they are for.
// One thread; bounded memory; some hundred nanoseconds a row.
//
// With its order book file the book after each message is that of the row, and what lies deeper is
// not known (wire/itch/view_mark.hpp). Of a message file alone the book is what the messages say:
// orders that rested before, and levels that come into view, are missing.
#pragma once

#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/convert/visible_book.hpp>
#include <damrak/lobster/pair.hpp>

namespace damrak::convert {

/// A row of the order book file that does not follow from the row before and the message.
struct RowFailure {
    std::uint64_t book_row = 0;     ///< counted from 1
    std::uint64_t message_row = 0;  ///< zero: after the last message
    std::string text;
};

/// How the rows of the order book file agree with the messages.
struct RowsReport {
    static constexpr std::size_t k_most_failures_reported = 5;

    std::uint64_t checked = 0;  ///< all rows but the first, which has none before it
    std::uint64_t equal = 0;
    std::uint64_t revealed = 0;          ///< levels, or parts of them, that came into view
    std::uint64_t concealed = 0;         ///< orders that left the view
    std::uint64_t seed_message = 0;      ///< after which the first row stands; counted from 1
    std::uint64_t inexact_removals = 0;  ///< messages of type 3 of another size than the order's
    std::vector<RowFailure> failures;    ///< the first few
};

/// What did not agree, one sentence each; empty: all did.
[[nodiscard]] std::vector<std::string> sentences(const RowsReport& rows);

class LobsterDay {
  public:
    /// The error is one sentence: a bad symbol (one to eight printable characters), or files that
    /// cannot be read or are not of one day.
    [[nodiscard]] static std::expected<LobsterDay, std::string> open(const lobster::Pair& pair,
                                                                     std::string_view symbol);
    /// The same with an open source of messages.
    [[nodiscard]] static std::expected<LobsterDay, std::string> open(const lobster::Pair& pair,
                                                                     std::string_view symbol,
                                                                     files::ByteSource messages);

    /// Passes the ITCH messages of the next row; false at the end, after those that end the day. An
    /// error ends the day: a damaged row, a value that ITCH does not carry, files of different
    /// length, or an order book file most of whose rows do not follow from the messages.
    [[nodiscard]] std::expected<bool, std::string> next(const TakeMessage& take);
    /// The same until the end of the day.
    [[nodiscard]] std::expected<void, std::string> read(const TakeMessage& take);
    /// Ends a day of which no more is wanted.
    void end(const TakeMessage& take) const;

    /// Levels of each side that are known; zero: none for certain (no order book file).
    [[nodiscard]] std::size_t depth() const { return pair_.levels(); }
    /// The time before which the book is not known: a wider message file begins before the first
    /// row. Zero: it does not. The last time there is: that row was not reached yet.
    [[nodiscard]] std::int64_t book_from_ns() const { return book_from_ns_; }
    /// The time after which it is not known: a wider message file continues after the last row.
    [[nodiscard]] std::int64_t book_until_ns() const { return book_until_ns_; }
    [[nodiscard]] const RowsReport& report() const { return report_; }
    [[nodiscard]] const lobster::PairReader& files() const { return pair_; }

  private:
    static constexpr std::int64_t k_always = std::numeric_limits<std::int64_t>::max();

    LobsterDay(lobster::PairReader pair, const wire::itch::Stock& stock);
    void begin(std::int64_t time_ns, const TakeMessage& take);
    [[nodiscard]] std::expected<void, std::string> step(const lobster::MessageRow& message,
                                                        const TakeMessage& take);
    /// The row after the message, if it has one.
    [[nodiscard]] std::expected<std::optional<lobster::BookRow>, std::string> row_after(
        const lobster::MessageRow& message);
    void tell(VisibleBook::Step step);
    [[nodiscard]] std::expected<void, std::string> check_end();
    [[nodiscard]] std::string at_message(std::string_view what) const;

    lobster::PairReader pair_;
    wire::itch::Stock stock_;
    VisibleBook book_;
    RowsReport report_;
    std::uint64_t rows_taken_ = 0;
    std::int64_t last_ns_ = 0;
    std::int64_t before_ns_ = 0;  ///< the message before that one
    std::int64_t book_from_ns_ = 0;
    std::int64_t book_until_ns_ = k_always;
    bool has_begun_ = false;
    bool has_told_end_ = false;  ///< of the book
};

}  // namespace damrak::convert
