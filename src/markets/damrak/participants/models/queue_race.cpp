#include <damrak/participants/models/queue_race.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace damrak::participants::models {

double probability_of_up(const QueueRace& race, int bid_orders, int ask_orders) {
    const int most = std::max({40, bid_orders, ask_orders});  // queues stay far below this
    const auto at = [most](int b, int a) {
        return static_cast<std::size_t>(b) * static_cast<std::size_t>(most + 1) +
               static_cast<std::size_t>(a);
    };
    std::vector<double> up(at(most, most) + 1, 0.5);
    for (int i = 1; i <= most; ++i) {
        up[at(0, i)] = 0;
        up[at(i, 0)] = 1;
    }
    for (double change = 1; change > 1e-13;) {
        change = 0;
        for (int b = 1; b <= most; ++b)
            for (int a = 1; a <= most; ++a) {
                const double bid_birth = b < most ? race.limit_per_s : 0;
                const double ask_birth = a < most ? race.limit_per_s : 0;
                double sum =
                    race.death_per_s(b) * up[at(b - 1, a)] + race.death_per_s(a) * up[at(b, a - 1)];
                if (b < most) sum += bid_birth * up[at(b + 1, a)];
                if (a < most) sum += ask_birth * up[at(b, a + 1)];
                const double value =
                    sum / (bid_birth + ask_birth + race.death_per_s(b) + race.death_per_s(a));
                change = std::max(change, std::abs(value - up[at(b, a)]));
                up[at(b, a)] = value;
            }
    }
    return up[at(bid_orders, ask_orders)];
}

bool draw_up(const QueueRace& race, int bid_orders, int ask_orders, market_kernel::Draws& draws) {
    while (bid_orders > 0 && ask_orders > 0) {
        const double bid_death = race.death_per_s(bid_orders);
        const double ask_death = race.death_per_s(ask_orders);
        const double u = draws.uniform() * (2 * race.limit_per_s + bid_death + ask_death);
        if (u < bid_death)
            --bid_orders;
        else if (u < bid_death + ask_death)
            --ask_orders;
        else if (u < bid_death + ask_death + race.limit_per_s)
            ++bid_orders;
        else
            ++ask_orders;
    }
    return ask_orders == 0;
}

}  // namespace damrak::participants::models
