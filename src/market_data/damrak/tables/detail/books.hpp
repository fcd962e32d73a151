// What the rows of all tables need: the query, the books of the day, and the first columns.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/archive/known_parts.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/broken_trades.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/order_flow/touched_prices.hpp>
#include <damrak/tables/column.hpp>
#include <damrak/tables/day_source.hpp>
#include <damrak/tables/table_reader.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::tables {

inline constexpr std::uint32_t k_no_symbol = UINT32_MAX;

struct Context {
    Context(const DaySource& day, const DayWindow& window, bool needs_broken);

    DayWindow window;
    archive::DayDepth depth;
    wire::itch::ViewMarks marks;
    std::vector<std::string> symbols;
    std::vector<std::uint32_t> symbol_of;  ///< by locate; k_no_symbol: none
    std::int64_t epoch_ns = 0;
    archive::Answer<order_flow::BrokenTrades> broken;

    [[nodiscard]] bool is_in_window(std::int64_t time_ns) const {
        return time_ns >= window.from_ns;
    }
    /// ts_event, sequence, symbol.
    void push_head(Chunk& chunk, std::int64_t time_ns, std::uint64_t sequence,
                   std::uint16_t locate) const {
        chunk[0].push(epoch_ns + time_ns);
        chunk[1].push(sequence);
        push_symbol(chunk[2], locate);
    }
    void push_symbol(Column& column, std::uint16_t locate) const {
        if (symbol_of[locate] == k_no_symbol)
            column.push_null();
        else
            column.push(symbol_of[locate]);
    }
    void push_broken(Column& column, std::uint64_t match_number) const {
        if (broken.value.has(match_number))
            column.push(std::uint8_t{1});
        else if (broken.completeness.is_complete())
            column.push(std::uint8_t{0});
        else
            column.push_null();
    }
};

/// The books of the day as they go by.
struct Books {
    Books(const archive::DayDepth& depth, const wire::itch::ViewMarks& marks)
        : flow{builder, {.marks = marks}}, parts{depth, marks} {}

    using Builder = order_flow::BookBuilder<order_flow::TouchedPrices>;
    Builder builder;
    order_flow::ItchFlow<Builder> flow;
    archive::KnownParts parts;
    std::bitset<1U << 16U> has_orders{};  ///< by locate: there was a message about one

    void apply(const auto& message) {
        builder.observer() = {};
        if constexpr (requires { message.order_ref; }) has_orders[message.stock_locate] = true;
        parts.note(message);
        if constexpr (requires { flow.on(message); }) static_cast<void>(flow.on(message));
    }
    /// Of a checkpoint.
    void begin_with(const auto& message) {
        if constexpr (requires { flow.on(message); }) static_cast<void>(flow.on(message));
        parts.doubt(message);
    }
    /// Where the last message changed the book of its instrument.
    [[nodiscard]] const order_flow::TouchedPrices& touched() const { return builder.observer(); }
    [[nodiscard]] const Order* find(std::uint16_t locate, std::uint64_t reference) const {
        const InstrumentId id = flow.instrument(locate);
        return id ? builder.find(id, OrderId{reference}) : nullptr;
    }
    [[nodiscard]] std::uint32_t price_e4(const Order& order) const {
        return static_cast<std::uint32_t>(builder.price_of(order).value);
    }
};

[[nodiscard]] inline double price_of(std::uint32_t price_e4) {
    constexpr double k_scale = 10'000;
    return price_e4 / k_scale;
}
inline void push_price(Column& column, std::optional<std::uint32_t> price_e4) {
    if (!price_e4) return column.push_null();
    constexpr std::int64_t k_billionths_of_e4 = 100'000;
    if (column.type() == Type::exact_price)
        column.push(*price_e4 * k_billionths_of_e4);
    else
        column.push(price_of(*price_e4));
}
inline void push_number(Column& column, std::optional<std::uint64_t> number) {
    if (number)
        column.push(*number);
    else
        column.push_null();
}
[[nodiscard]] inline char letter(Side side) { return side == Side::buy ? 'B' : 'A'; }

}  // namespace damrak::tables
