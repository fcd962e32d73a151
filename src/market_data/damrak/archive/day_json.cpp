#include <damrak/archive/day_json.hpp>

#include <algorithm>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

template <class... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
    text += fmt::format(format, std::forward<Values>(values)...);
}

std::string number_or_null(const auto& known) {
    return known ? fmt::to_string(*known) : std::string{"null"};
}

void append_rows(std::string& json, std::span<const BookOrder> orders, std::size_t depth,
                 bool each) {
    const auto row = [&](std::uint32_t price_e4, std::optional<std::uint64_t> quantity,
                         std::string_view name, std::optional<std::uint64_t> value) {
        append(json, R"({}{{"price": {}, "quantity": {}, "{}": {}}})",
               json.back() == '[' ? "" : ", ", price_text(price_e4), number_or_null(quantity), name,
               number_or_null(value));
    };
    const auto best = best_levels(orders, depth);
    json += '[';
    if (each) {
        for (const BookOrder& order : best)
            row(order.price_e4, known_shares(order), "reference", known_reference(order));
    } else {
        for (const BookLevel& level : Book::levels(best))
            row(level.price_e4, level.shares, "orders", level.orders);
    }
    json += ']';
}

std::string_view side_text(Side side) { return side == Side::buy ? "buy" : "sell"; }

}  // namespace

std::string time_text(std::int64_t since_midnight_ns) {
    constexpr std::int64_t k_second = 1'000'000'000;
    const std::int64_t seconds = since_midnight_ns / k_second;
    return fmt::format("{:02}:{:02}:{:02}.{:09}", seconds / 3'600, seconds / 60 % 60, seconds % 60,
                       since_midnight_ns % k_second);
}

std::string price_text(std::uint64_t price_e4) {
    constexpr std::uint64_t k_scale = 10'000;
    return fmt::format("{}.{:04}", price_e4 / k_scale, price_e4 % k_scale);
}

void append_string(std::string& json, std::string_view text) {
    json += '"';
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (json += '\\') += c;
        else if (code < ' ' || code >= 0x7F)
            append(json, "\\u{:04x}", code);
        else
            json += c;
    }
    json += '"';
}

void append_not_known(std::string& json, const DayDepth& depth) {
    json += R"("not_known": [)";
    for (const std::string& sentence : sentences(depth)) {
        if (!json.ends_with('[')) json += ", ";
        append_string(json, sentence);
    }
    json += ']';
}

void append_book(std::string& json, const Book& book, std::size_t depth, bool orders) {
    append(json, R"("time": "{}", "time_ns": {}, "sequence": {}, "bids": )",
           time_text(book.time_ns), book.time_ns, book.sequence);
    append_rows(json, book.bids, depth, orders);
    json += R"(, "asks": )";
    append_rows(json, book.asks, depth, orders);
}

void append_trade(std::string& json, const DayTrade& trade) {
    append(json,
           R"({{"sequence": {}, "time": "{}", "time_ns": {}, "type": "{}", "price": {}, )"
           R"("quantity": {}, "match": {})",
           trade.sequence, time_text(trade.time_ns), trade.time_ns, trade.type,
           trade.has_price() ? price_text(trade.price_e4) : "null", trade.shares,
           trade.match_number);
    if (trade.reference != 0) append(json, R"(, "reference": {})", trade.reference);
    if (trade.resting) append(json, R"(, "aggressor": "{}")", side_text(opposite(*trade.resting)));
    if (!trade.is_printable) json += R"(, "printable": false)";
    if (trade.is_broken) json += R"(, "broken": true)";
    json += '}';
}

void append_message(std::string& json, std::uint64_t sequence, const itch::Message& message) {
    std::visit(
        [&](const auto& m) {
            append(json,
                   R"({{"sequence": {}, "time": "{}", "time_ns": {}, "type": "{}", "locate": {})",
                   sequence, time_text(m.timestamp_ns), m.timestamp_ns,
                   itch::Layout<std::remove_cvref_t<decltype(m)>>::k_type, m.stock_locate);
            const auto number = [&](std::string_view name, std::uint64_t value) {
                append(json, R"(, "{}": {})", name, value);
            };
            const auto price = [&](std::uint32_t price_e4) {
                append(json, R"(, "price": {})", price_text(price_e4));
            };
            if constexpr (requires { m.stock; })
                append_string(json += R"(, "symbol": )", m.stock.text());
            if constexpr (requires { m.order_ref; }) number("reference", m.order_ref);
            if constexpr (requires { m.new_order_ref; }) number("new_reference", m.new_order_ref);
            if constexpr (requires { m.side; })
                append(json, R"(, "side": "{}")", side_text(m.side));
            if constexpr (requires { m.price_e4; }) price(m.price_e4);
            if constexpr (requires { m.execution_price_e4; }) price(m.execution_price_e4);
            if constexpr (requires { m.cross_price_e4; }) price(m.cross_price_e4);
            if constexpr (requires { m.reference_price_e4; }) price(m.reference_price_e4);
            if constexpr (requires { m.paired_shares; }) {
                number("quantity", m.paired_shares);
                number("imbalance", m.imbalance_shares);
                append_string(json += R"(, "direction": )", {&m.imbalance_direction, 1});
            }
            if constexpr (requires { m.cross_type; })
                append_string(json += R"(, "cross": )", {&m.cross_type, 1});
            if constexpr (requires { m.shares; }) number("quantity", m.shares);
            if constexpr (requires { m.executed_shares; }) number("quantity", m.executed_shares);
            if constexpr (requires { m.cancelled_shares; }) number("quantity", m.cancelled_shares);
            if constexpr (requires { m.match_number; }) number("match", m.match_number);
            if constexpr (requires { m.event_code; })
                append_string(json += R"(, "event": )", {&m.event_code, 1});
            if constexpr (requires { m.trading_state; })
                append_string(json += R"(, "state": )", {&m.trading_state, 1});
            json += '}';
        },
        message);
}

void append_step(std::string& json, const OrderStep& step) {
    append(json,
           R"({{"sequence": {}, "time": "{}", "time_ns": {}, "type": "{}", "reference": {}, )"
           R"("price": {}, "quantity": {}, "orders_ahead": {}, "quantity_ahead": {})",
           step.sequence, time_text(step.time_ns), step.time_ns, step.type, step.reference,
           price_text(step.price_e4), number_or_null(step.shares),
           number_or_null(step.orders_ahead), number_or_null(step.shares_ahead));
    json += step.made_by_view ? R"(, "made_by_view": true})" : "}";
}

}  // namespace damrak::archive
