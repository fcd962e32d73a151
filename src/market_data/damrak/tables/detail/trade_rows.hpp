// Rows of the table of trades.
#pragma once

#include <cstdint>
#include <type_traits>

#include <damrak/archive/day_trade.hpp>
#include <damrak/tables/detail/books.hpp>

namespace damrak::tables {

class TradeRows {
  public:
    TradeRows(const Context& context, const Books& books) : context_(&context), books_(&books) {}

    void on(std::uint64_t sequence, const auto& message, Chunk& chunk) {
        using M = std::remove_cvref_t<decltype(message)>;
        if constexpr (requires { message.match_number; } &&
                      !std::is_same_v<M, wire::itch::BrokenTrade>) {
            if (context_->is_in_window(message.timestamp_ns)) {
                push(archive::trade_of(sequence, message, books_->flow, books_->builder),
                     message.stock_locate, chunk);
                if constexpr (requires { message.cross_type; })
                    chunk[k_cross_type].push(message.cross_type);
                else
                    chunk[k_cross_type].push_null();
            }
        }
    }

  private:
    static constexpr std::size_t k_cross_type = 9;

    void push(const archive::DayTrade& trade, std::uint16_t locate, Chunk& chunk) const {
        context_->push_head(chunk, trade.time_ns, trade.sequence, locate);
        chunk[3].push(trade.type);
        chunk[4].push(trade.resting ? letter(opposite(*trade.resting)) : 'N');
        push_price(chunk[5], trade.has_price() ? std::optional{trade.price_e4} : std::nullopt);
        chunk[6].push(trade.shares);
        push_number(chunk[7], trade.reference != 0 ? std::optional{trade.reference} : std::nullopt);
        chunk[8].push(trade.match_number);
        chunk[10].push(static_cast<std::uint8_t>(trade.is_printable));
        context_->push_broken(chunk[11], trade.match_number);
    }

    const Context* context_;
    const Books* books_;
};

}  // namespace damrak::tables
