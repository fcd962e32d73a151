// For a BookBuilder: where a message changes a book.
#pragma once

#include <algorithm>

#include <damrak/book/price_ladder.hpp>

namespace damrak::order_flow {

/// Observes nothing but the prices at which messages change a book. A message changes one side, and
/// at most two prices.
struct TouchedPrices {
    static constexpr bool k_observes = false;

    Side side{};
    PriceKey best = k_no_price;  ///< nothing was touched if it is deeper than `deepest`
    PriceKey deepest = 0;

    void touched(Side of, Price price) {
        const PriceKey key = price_key(of, price.value);
        side = of;
        best = std::min(best, key);
        deepest = std::max(deepest, key);
    }
};

}  // namespace damrak::order_flow
