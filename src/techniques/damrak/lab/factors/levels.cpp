// Factor: the container of a side's price levels and its search for the next best one.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

template <class Baseline, class Policy>
struct With : Baseline {
    using Levels = Policy;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {{"map", "std::map", replay_on<With<Baseline, TreeLevels>>},
            {"sorted_vector", "a vector in order, searched from the touch",
             replay_on<With<Baseline, SortedLevels>>},
            {"flat_map", "boost::container::flat_map", replay_on<With<Baseline, FlatMapLevels>>},
            {"array", "an array slot per price, scanned for the next level",
             replay_on<With<Baseline, PriceArray>>},
            {"array_bitmap", "the same with a bit a price",
             replay_on<With<Baseline, PriceArrayBitmap>>},
            {"layered_bitmap", "the same with bits over words of bits",
             replay_on<With<Baseline, PriceArrayLayers>>}};
}

}  // namespace

BookFactor levels_factor() {
    return {.name = "levels",
            .title = "Price levels",
            .question = "Which container should hold the levels of a side?",
            .trials = {{"rung2", "from rung 2", variants<RungTwo>()},
                       {"rung9", "from rung 9", variants<RungNine>()}}};
}

}  // namespace damrak::lab
