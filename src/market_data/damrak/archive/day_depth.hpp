// How much of the book an archived day can show: a recording may have only the best levels, end
// its books early, or have trades alone. It is kept in the day's file; code that shows a book asks
// it first, so that levels beyond it do not look empty.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace damrak::archive {

struct DayDepth;
/// What is not known of the books, one sentence each; empty: all is known.
[[nodiscard]] std::vector<std::string> sentences(const DayDepth& depth);

/// Why nothing that needs a book is known of such a day, or nothing that needs orders; empty: it
/// can.
[[nodiscard]] std::string why_no_book(const DayDepth& depth);
[[nodiscard]] std::string why_no_orders(const DayDepth& depth);

/// By default everything is known: all levels, at every moment of the day.
struct DayDepth {
    /// The day has no book, only trades.
    static constexpr std::uint32_t k_no_book = 1U << 0U;
    /// The book is what the messages alone say: orders from before the first one are missing.
    static constexpr std::uint32_t k_messages_alone = 1U << 1U;
    /// The book is known only at instants, such as those of snapshots, and not between them.
    static constexpr std::uint32_t k_instants_only = 1U << 2U;
    /// Only the quantities of levels are known, not the orders in them.
    static constexpr std::uint32_t k_levels_alone = 1U << 3U;
    /// The messages carry the marks of wire/itch/view_mark.hpp. It limits nothing.
    static constexpr std::uint32_t k_marked = 1U << 4U;
    static constexpr std::uint32_t k_all_flags =
        k_no_book | k_messages_alone | k_instants_only | k_levels_alone | k_marked;
    static constexpr std::uint16_t k_most_misfits = std::numeric_limits<std::uint16_t>::max();
    static constexpr std::int64_t k_to_the_end = std::numeric_limits<std::int64_t>::max();

    /// Only this many of the best price levels of each side are known; zero: all.
    std::uint16_t depth = 0;
    /// Nanoseconds since midnight: before this time the book is not known. Zero: it is, from the
    /// first message on.
    std::int64_t book_from_ns = 0;
    /// After this time the book is not known.
    std::int64_t book_until_ns = k_to_the_end;
    std::uint32_t book_flags = 0;  ///< of the bits above
    /// Rows of an order book file that do not follow from the messages, as many as 65,535.
    std::uint16_t misfits = 0;

    [[nodiscard]] bool has(std::uint32_t flag) const { return (book_flags & flag) != 0; }
    /// Something of the books is not known.
    [[nodiscard]] bool is_limited() const {
        return depth > 0 || misfits > 0 || book_from_ns > 0 || book_until_ns != k_to_the_end ||
               has(k_all_flags & ~k_marked);
    }
    friend bool operator==(const DayDepth&, const DayDepth&) = default;
};

/// With this many known levels of each side, as marked in a day of ITCH (wire/itch/view_mark.hpp);
/// zero: none for certain.
[[nodiscard]] DayDepth depth_of(std::uint16_t marked_levels);

/// Why the book at this time, nanoseconds since midnight, is not known; empty: it is, as far as the
/// depth goes.
[[nodiscard]] std::string why_not_known(const DayDepth& depth, std::int64_t time_ns);

/// The same before the first message about the orders of an instrument. Empty: it has none then.
[[nodiscard]] std::string why_no_book_yet(const DayDepth& depth);

}  // namespace damrak::archive
