// The format of LOBSTER files: rows as values, the columns, and numbers with a special meaning. The
// only header of this codec with column positions. Row k of an order book file is the book directly
// after row k of its message file.
//
// Source: LOBSTER sample file readme of 2013-09-01 and lobsterdata.com, "data structure".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <damrak/domain/order_terms.hpp>

namespace damrak::lobster {

enum class EventType : std::uint8_t {
    add = 1,             // a new limit order
    cancel = 2,          // a part of an order is cancelled
    remove = 3,          // the whole order is cancelled
    execute = 4,         // of a visible order
    execute_hidden = 5,  // of a hidden order; order id 0
    cross = 6,           // an auction trade
    halt = 7,            // trading halts or resumes, see k_halted
};

/// A row of a message file.
struct MessageRow {
    std::int64_t time_ns{};  // since midnight
    EventType type{};
    std::uint64_t order_id{};  // in a cross its kind, see cross_type()
    std::int64_t size{};       // shares
    std::int64_t price_e4{};   // dollars x 10,000
    Side side{Side::buy};      // of the resting order, also in an execution

    friend bool operator==(const MessageRow&, const MessageRow&) = default;
};

/// One level of both sides in a row of an order book file.
struct BookLevel {
    std::int64_t ask_price_e4{};
    std::int64_t ask_size{};
    std::int64_t bid_price_e4{};
    std::int64_t bid_size{};

    friend bool operator==(const BookLevel&, const BookLevel&) = default;
};

// The price of a missing level; its size is 0.
inline constexpr std::int64_t k_no_ask_e4 = 9'999'999'999;
inline constexpr std::int64_t k_no_bid_e4 = -9'999'999'999;

// In a halt row the price says what happens.
inline constexpr std::int64_t k_halted = -1;
inline constexpr std::int64_t k_quoting_resumes = 0;
inline constexpr std::int64_t k_trading_resumes = 1;

inline constexpr std::int64_t k_ns_per_s = 1'000'000'000;

// In a cross the order id says which: -1 opening, -2 closing, -3 and -4 after a halt, of an IPO,
// and others. Older files have 0 there, so that the time must tell.
[[nodiscard]] constexpr std::uint64_t cross_id(char cross_type) {
    const std::int64_t id = cross_type == 'O' ? -1 : cross_type == 'C' ? -2 : -3;
    return static_cast<std::uint64_t>(id);
}
// As in ITCH: O opening, C closing, H after a halt or of an IPO.
[[nodiscard]] constexpr char cross_type(const MessageRow& row) {
    constexpr std::int64_t k_noon_ns = std::int64_t{12} * 3600 * k_ns_per_s;
    const auto id = static_cast<std::int64_t>(row.order_id);
    if (id < 0) return id == -1 ? 'O' : id == -2 ? 'C' : 'H';
    return row.time_ns < k_noon_ns ? 'O' : 'C';
}
inline constexpr std::size_t k_time_decimals = 9;
inline constexpr std::int64_t k_max_time_s = 86'400;

/// A column of a message file: its name, and what it must contain.
struct Column {
    std::string_view name;
    std::string_view expected;
};

enum MessageColumn : std::uint8_t { k_time, k_type, k_order_id, k_size, k_price, k_direction };

inline constexpr std::array<Column, 6> k_message_columns{{
    {"time", "seconds after midnight (0 to 86400), in nanoseconds at the finest"},
    {"type", "an integer from 1 to 7"},
    {"order id", "an integer, 0 or more"},
    {"size", "an integer, 0 or more; at least 1 in types 1 to 5"},
    {"price", "an integer, dollars x 10,000; at least 1 in types 1 to 5"},
    {"direction", "1 (buy) or -1 (sell)"},
}};

// A level of the order book file; level n begins at column 4 (n - 1).
inline constexpr std::array<Column, 4> k_level_columns{{
    {"ask price", "an integer, dollars x 10,000"},
    {"ask size", "an integer, 0 or more"},
    {"bid price", "an integer, dollars x 10,000"},
    {"bid size", "an integer, 0 or more"},
}};

// More levels than in any file; bounds the length of a row.
inline constexpr std::size_t k_max_levels = 1'000;
inline constexpr std::size_t k_max_row_bytes = 64UL * 1024;

}  // namespace damrak::lobster
