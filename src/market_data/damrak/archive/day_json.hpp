// Answers about archived days as JSON and as text, for the program and for HTTP. Times of day look
// like 09:30:00.000000001, prices are decimals in the feed's unit. The functions append to a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::archive {

/// 09:30:00.000000001
[[nodiscard]] std::string time_text(std::int64_t since_midnight_ns);
/// 585.3300
[[nodiscard]] std::string price_text(std::uint64_t price_e4);

/// Appends the text in quotes; bytes that are not ASCII become code points.
void append_string(std::string& json, std::string_view text);
/// `"not_known": […]`: what is not known of the books, one sentence each.
void append_not_known(std::string& json, const DayDepth& depth);
/// `"time": …, "time_ns": …, "sequence": …, "bids": […], "asks": […]`: the best `depth` levels of
/// each side (zero: all), each with price, quantity and order count, or order by order with the
/// reference; null: not known, of anonymous quantity.
void append_book(std::string& json, const Book& book, std::size_t depth, bool orders);
/// Appends an object.
void append_trade(std::string& json, const DayTrade& trade);
/// Appends an object with the fields of the message: reference, new_reference, side, price,
/// quantity, match.
void append_message(std::string& json, std::uint64_t sequence, const wire::itch::Message& message);
/// Appends an object.
void append_step(std::string& json, const OrderStep& step);

}  // namespace damrak::archive
