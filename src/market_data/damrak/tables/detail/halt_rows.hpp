// Rows of the table of halts: what stopped trading, and what resumed it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <damrak/tables/detail/books.hpp>

namespace damrak::tables {

class HaltRows {
  public:
    explicit HaltRows(const Context& context) : context_(&context) {}

    void on(std::uint64_t sequence, const auto& message, Chunk& chunk) {
        namespace itch = wire::itch;
        using M = std::remove_cvref_t<decltype(message)>;
        if (!context_->is_in_window(message.timestamp_ns)) return;
        if constexpr (std::is_same_v<M, itch::StockTradingAction>) {
            push(sequence, message, message.trading_state, chunk);
            push_reason(chunk[5], message.reason);
            push_nulls(6, chunk);
        } else if constexpr (std::is_same_v<M, itch::OperationalHalt>) {
            push(sequence, message, message.action, chunk);
            chunk[5].push_null();
            chunk[6].push(message.market_code);
            push_nulls(7, chunk);
        } else if constexpr (std::is_same_v<M, itch::LuldAuctionCollar>) {
            push(sequence, message, 'P', chunk);
            chunk[5].push_null();
            chunk[6].push_null();
            push_price(chunk[7], message.reference_price_e4);
            push_price(chunk[8], message.lower_price_e4);
            push_price(chunk[9], message.upper_price_e4);
            chunk[10].push(message.extensions);
        } else if constexpr (std::is_same_v<M, itch::MwcbStatus>) {
            push(sequence, message, message.breached_level, chunk);
            push_nulls(5, chunk);
        }
    }

  private:
    template <class M>
    void push(std::uint64_t sequence, const M& message, char state, Chunk& chunk) const {
        context_->push_head(chunk, message.timestamp_ns, sequence, message.stock_locate);
        chunk[3].push(wire::itch::Layout<M>::k_type);
        chunk[4].push(state);
    }
    static void push_reason(Column& column, const wire::itch::Alpha<4>& reason) {
        Code code;
        std::ranges::copy(reason.text(), code.letters.begin());
        if (reason.text().empty())
            column.push_null();
        else
            column.push(code);
    }
    static void push_nulls(std::size_t from, Chunk& chunk) {
        for (std::size_t i = from; i < chunk.size(); ++i) chunk[i].push_null();
    }

    const Context* context_;
};

}  // namespace damrak::tables
