// What a benchmark row is fed: order messages in memory, and what is known of them beforehand.
//
// A message is an NW-1 record with room for more symbols: 32 bytes as well, so that reading the
// stream costs what reading the file's records would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <damrak/generator/nw1_record.hpp>

namespace damrak::bench {

using generator::Nw1Op;

struct Message {
    Nw1Op op;
    std::uint8_t side;  // 0 buys, 1 sells
    std::uint8_t ioc;
    std::uint8_t padding;
    std::uint32_t quantity;
    std::uint64_t order_id;  // never 0 once the stream is prepared
    std::int32_t price_ticks;
    std::uint16_t symbol;
    std::uint16_t more_padding;
    std::uint64_t target_age;
};
static_assert(sizeof(Message) == sizeof(generator::Nw1Record));

// Configuration of a venue before its day starts. Order capacities and the mask are known once the
// stream is prepared (`prepare` in rows.hpp).
struct StreamInfo {
    std::uint32_t symbols = 0;
    std::int32_t price_min_ticks = 0;
    std::int32_t price_max_ticks = 0;
    std::uint64_t live_orders_max = 0;             // over all symbols at once
    std::uint64_t live_orders_per_symbol_max = 0;  // of the fullest symbol
    std::uint64_t order_id_mask = 0;               // ids were combined with it by exclusive or
};

struct MessageStream {
    std::vector<Message> messages;
    std::size_t prefill_count = 0;  // leading messages that fill the books and are not timed
    StreamInfo info;

    void append(const Message& message);

    [[nodiscard]] std::span<const Message> prefill() const {
        return std::span{messages}.first(prefill_count);
    }
    [[nodiscard]] std::span<const Message> timed() const {
        return std::span{messages}.subspan(prefill_count);
    }
};

}  // namespace damrak::bench
