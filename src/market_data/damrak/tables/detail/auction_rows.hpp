// Rows of the table of auctions: what an auction would be, and what it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <damrak/tables/detail/books.hpp>

namespace damrak::tables {

class AuctionRows {
  public:
    explicit AuctionRows(const Context& context) : context_(&context) {}

    void on(std::uint64_t sequence, const auto& message, Chunk& chunk) {
        using M = std::remove_cvref_t<decltype(message)>;
        if (!context_->is_in_window(message.timestamp_ns)) return;
        if constexpr (std::is_same_v<M, wire::itch::NetOrderImbalance>)
            push_indicative(sequence, message, chunk);
        else if constexpr (std::is_same_v<M, wire::itch::CrossTrade>)
            push_cross(sequence, message, chunk);
    }

  private:
    void push_indicative(std::uint64_t sequence, const wire::itch::NetOrderImbalance& message,
                         Chunk& chunk) const {
        // ITCH has zero where there is no price.
        const auto price = [](std::uint32_t price_e4) {
            return price_e4 == 0 ? std::nullopt : std::optional{price_e4};
        };
        push_head(sequence, message, 'I', chunk);
        push_price(chunk[5], price(message.reference_price_e4));
        chunk[6].push(message.paired_shares);
        chunk[7].push(message.imbalance_shares);
        chunk[8].push(message.imbalance_direction);
        push_price(chunk[9], price(message.far_price_e4));
        push_price(chunk[10], price(message.near_price_e4));
        chunk[11].push_null();
        chunk[12].push_null();
    }
    void push_cross(std::uint64_t sequence, const wire::itch::CrossTrade& message,
                    Chunk& chunk) const {
        push_head(sequence, message, 'Q', chunk);
        push_price(chunk[5],
                   message.shares == 0 ? std::nullopt : std::optional{message.cross_price_e4});
        chunk[6].push(message.shares);
        for (const std::size_t none : {7U, 8U, 9U, 10U}) chunk[none].push_null();
        chunk[11].push(message.match_number);
        context_->push_broken(chunk[12], message.match_number);
    }
    void push_head(std::uint64_t sequence, const auto& message, char type, Chunk& chunk) const {
        context_->push_head(chunk, message.timestamp_ns, sequence, message.stock_locate);
        chunk[3].push(type);
        chunk[4].push(message.cross_type);
    }

    const Context* context_;
};

}  // namespace damrak::tables
