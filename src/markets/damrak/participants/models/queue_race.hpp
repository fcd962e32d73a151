// Which of the two best queues of a book is empty first, for birth-death queues with unit orders:
// births at a constant rate, deaths at a rate plus a rate for each order. Cont, Stoikov and Talreja
// (2010), for a spread of one tick. A model alone: no market.
#pragma once

#include <cstdint>

#include <damrak/market_kernel/draws.hpp>

namespace damrak::participants::models {

struct QueueRace {
    double limit_per_s = 1.85;
    double market_per_s = 0.94;
    double cancel_per_s = 0.71;  ///< of each order

    [[nodiscard]] double death_per_s(int orders) const {
        return market_per_s + cancel_per_s * orders;
    }
};

/// Probability that the ask queue is empty first, so that the mid price moves up. Solves the
/// first-passage equations on queues of up to 40 orders; milliseconds.
[[nodiscard]] double probability_of_up(const QueueRace& race, int bid_orders, int ask_orders);

/// One race drawn; true if the mid price moves up.
[[nodiscard]] bool draw_up(const QueueRace& race, int bid_orders, int ask_orders,
                           market_kernel::Draws& draws);

}  // namespace damrak::participants::models
