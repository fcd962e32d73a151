// Factor: the table from id to order.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

template <class Baseline, class Policy>
struct With : Baseline {
    using Ids = Policy;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {{"unordered_map", "std::unordered_map with room reserved",
             replay_on<With<Baseline, StandardIds>>},
            {"robin_map", "tsl::robin_map, open addressing", replay_on<With<Baseline, RobinIds>>},
            {"array", "a vector indexed by every possible id", replay_on<With<Baseline, ArrayIds>>},
            {"ours", "the product's table of live ids", replay_on<With<Baseline, OurIds>>}};
}

}  // namespace

BookFactor ids_factor() {
    return {.name = "ids",
            .title = "Order ids",
            .question = "Which table should find an order by its id?",
            .trials = {{"rung2", "from rung 2", variants<RungTwo>()},
                       {"rung9", "from rung 9", variants<RungNine>()},
                       {"rung9_many", "from rung 9", variants<RungNine>(), 1'000'000}}};
}

}  // namespace damrak::lab
