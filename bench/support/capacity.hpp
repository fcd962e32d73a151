// How many nodes the price ladders of a venue can need for a stream: a written-out bound, since a
// stream may spread its prices over all 32 bits.
#pragma once

#include <algorithm>
#include <cstdint>

#include <damrak/book/price_ladder.hpp>

#include "support/message.hpp"

namespace damrak::bench {

[[nodiscard]] constexpr std::uint32_t ladder_nodes_of(const StreamInfo& info) {
    // Either every level has a whole path of its own, ...
    const std::uint64_t by_levels = info.live_orders_max * LadderNodes::k_path;
    // ... or every node that the prices of each side span is there.
    std::uint64_t by_prices = 0;
    std::uint64_t span = static_cast<std::uint64_t>(std::int64_t{info.price_max_ticks} -
                                                    std::int64_t{info.price_min_ticks}) +
                         1;
    for (unsigned height = 0; height < LadderNodes::k_path; ++height) {
        span /= LadderNodes::k_slots;
        by_prices += span + 2;
    }
    by_prices *= std::uint64_t{2} * info.symbols;
    // The engine wants room for one more price wherever it lies.
    return static_cast<std::uint32_t>(std::min(by_levels, by_prices) +
                                      std::uint64_t{2} * LadderNodes::k_path);
}

}  // namespace damrak::bench
