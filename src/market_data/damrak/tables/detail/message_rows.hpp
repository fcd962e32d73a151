// Rows of the table of messages.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <damrak/tables/detail/books.hpp>
#include <damrak/wire/itch/descriptor.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::tables {

class MessageRows {
  public:
    MessageRows(const Context& context, const Books& books) : context_(&context), books_(&books) {}

    void on(std::uint64_t sequence, const auto& message, Chunk& chunk) {
        if (context_->is_in_window(message.timestamp_ns)) push(sequence, message, chunk);
    }

    /// Until then the columns of k_sparse may be shorter than the others.
    static void flush(Chunk& chunk) {
        for (const std::size_t column : k_sparse) chunk[column].pad(chunk[0].rows());
    }

  private:
    /// Columns that most rows have nothing for: a run of nulls is written at once.
    static constexpr std::array<std::size_t, 4> k_sparse{10, 11, 12, 13};
    static void push_after_nulls(Column& column, std::size_t rows_before, auto value) {
        column.pad(rows_before);
        column.push(value);
    }
    /// What the columns have; nothing: null.
    struct Row {
        char action = 'N';
        char side = 'N';
        std::optional<std::uint32_t> price_e4{};
        std::optional<std::uint64_t> size{};
        std::optional<std::uint64_t> remaining{};
        std::optional<std::uint64_t> order_id{};
        std::optional<std::uint64_t> old_order_id{};
    };

    template <class M>
    [[nodiscard]] Row row_of(const M& message) const {
        namespace itch = wire::itch;
        Row row;
        if constexpr (requires { message.attribution; } || std::is_same_v<M, itch::AddOrder>) {
            row = {.action = 'A',
                   .side = letter(message.side),
                   .price_e4 = message.price_e4,
                   .size = message.shares,
                   .order_id = message.order_ref};
            if (!books_->parts.comes_in_part(message)) row.remaining = message.shares;
        } else if constexpr (std::is_same_v<M, itch::Trade>) {
            row = {.action = 'T', .price_e4 = message.price_e4, .size = message.shares};
            if (context_->marks.is_side_known(message)) row.side = letter(message.side);
        } else if constexpr (std::is_same_v<M, itch::CrossTrade>) {
            row = {.action = 'T', .price_e4 = message.cross_price_e4, .size = message.shares};
        } else if constexpr (requires { message.order_ref; }) {
            about_order(message, row);
        }
        return row;
    }
    /// Executions, cancels and replaces: the order says what they do not.
    void about_order(const auto& message, Row& row) const {
        const Order* const order = books_->find(message.stock_locate, message.order_ref);
        row.order_id = message.order_ref;
        std::uint64_t open = 0;
        if (order != nullptr) {
            open = static_cast<std::uint64_t>(order->quantity.value);
            row.side = letter(order->terms().side());
            row.price_e4 = books_->price_e4(*order);
        }
        const auto take = [&](std::uint64_t shares) {
            row.size = shares;
            if (order != nullptr && !books_->parts.has(message.order_ref))
                row.remaining = open - std::min(open, shares);
        };
        if constexpr (requires { message.executed_shares; }) {
            row.action = 'F';
            take(message.executed_shares);
            if constexpr (requires { message.execution_price_e4; })
                row.price_e4 = message.execution_price_e4;
        } else if constexpr (requires { message.cancelled_shares; }) {
            row.action = 'C';
            take(message.cancelled_shares);
        } else if constexpr (requires { message.new_order_ref; }) {
            row.action = 'M';
            row.old_order_id = message.order_ref;
            row.order_id = message.new_order_ref;
            row.price_e4 = message.price_e4;
            row.size = row.remaining = message.shares;
        } else {
            row.action = 'C';
            // Concealed by the view it may be there still; what a participant deletes is known.
            const bool is_by_view = context_->marks.is_by_view(message);
            if (!is_by_view) row.remaining = 0;
            if (order != nullptr && !(is_by_view && books_->parts.has(message.order_ref)))
                row.size = open;
        }
    }

    template <class M>
    void push(std::uint64_t sequence, const M& message, Chunk& chunk) const {
        const Row row = row_of(message);
        const std::size_t before = chunk[0].rows();
        context_->push_head(chunk, message.timestamp_ns, sequence, message.stock_locate);
        chunk[3].push(wire::itch::Layout<M>::k_type);
        chunk[4].push(row.action);
        chunk[5].push(row.side);
        push_price(chunk[6], row.price_e4);
        push_number(chunk[7], row.size);
        push_number(chunk[8], row.remaining);
        push_number(chunk[9], row.order_id);
        if (row.old_order_id) push_after_nulls(chunk[10], before, *row.old_order_id);
        if constexpr (requires { message.match_number; })
            push_after_nulls(chunk[11], before, message.match_number);
        if constexpr (requires { message.match_number; } &&
                      !std::is_same_v<M, wire::itch::BrokenTrade>) {
            std::uint8_t printable = 1;
            if constexpr (requires { message.printable; })
                printable = static_cast<std::uint8_t>(message.printable);
            push_after_nulls(chunk[12], before, printable);
            chunk[13].pad(before);
            context_->push_broken(chunk[13], message.match_number);
        }
        chunk[14].push(static_cast<std::uint8_t>(context_->marks.is_by_view(message)));
    }

    const Context* context_;
    const Books* books_;
};

}  // namespace damrak::tables
