// Rows of the table of candles: those of all instruments in one pass. A row is written when its
// interval is over.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <damrak/archive/candles.hpp>
#include <damrak/archive/day_trade.hpp>
#include <damrak/tables/detail/books.hpp>

namespace damrak::tables {

class CandleRows {
  public:
    CandleRows(const Context& context, const Books& books, std::int64_t every_ns)
        : context_(&context), books_(&books), every_ns_(every_ns) {}

    void before(std::int64_t time_ns, Chunk& chunk) {
        if (time_ns >= end_ns_) write(chunk);
    }
    void finish(Chunk& chunk) { write(chunk); }

    void on(std::uint64_t sequence, const auto& message) {
        using M = std::remove_cvref_t<decltype(message)>;
        if constexpr (requires { message.match_number; } &&
                      !std::is_same_v<M, wire::itch::BrokenTrade>) {
            if (context_->is_in_window(message.timestamp_ns)) {
                archive::DayTrade trade =
                    archive::trade_of(sequence, message, books_->flow, books_->builder);
                trade.is_broken = context_->broken.value.has(trade.match_number);
                if (trade.counts()) add(message.stock_locate, trade);
            }
        }
    }

  private:
    struct Open {
        std::uint16_t locate = 0;
        archive::Candle candle{};
    };

    void add(std::uint16_t locate, const archive::DayTrade& trade);
    void write(Chunk& chunk);

    const Context* context_;
    const Books* books_;
    std::int64_t every_ns_;
    std::int64_t end_ns_ = 0;           ///< of the current interval
    std::vector<Open> open_;            ///< of it, in the order of their first trades
    std::vector<std::uint32_t> place_;  ///< by locate: in open_, counted from 1; zero: none
};

}  // namespace damrak::tables
