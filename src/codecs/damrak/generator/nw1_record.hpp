// The record of a neutral order-flow stream (NW-1): 32 bytes, host byte order, one order message.
//
// Written by the flow generator, read by the benchmark drivers. A record addresses an order by
// (symbol, id). A replace keeps the id and the side of the live order and always loses priority.
// The fields `phase` and `target_age` inform the harness only: 0 fills the books before the clock
// starts, 1 is timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace damrak::generator {

enum class Nw1Op : std::uint8_t { add = 0, cancel = 1, replace = 2 };

struct Nw1Record {
    Nw1Op op;
    std::uint8_t side;  // 0 buys, 1 sells
    std::uint8_t ioc;   // 1: what is not executed at once is cancelled; read for adds only
    std::uint8_t symbol;
    std::uint32_t quantity;
    std::uint64_t order_id;
    std::int32_t price_ticks;
    std::uint32_t phase;
    std::uint64_t target_age;  // messages on this symbol since the addressed order came to rest
};

static_assert(sizeof(Nw1Record) == 32 && std::is_trivially_copyable_v<Nw1Record>);
static_assert(offsetof(Nw1Record, quantity) == 4 && offsetof(Nw1Record, order_id) == 8);
static_assert(offsetof(Nw1Record, price_ticks) == 16 && offsetof(Nw1Record, phase) == 20);
static_assert(offsetof(Nw1Record, target_age) == 24);

}  // namespace damrak::generator
