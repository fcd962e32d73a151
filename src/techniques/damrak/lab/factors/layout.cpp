// Factor: memory layout of an order's fields.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

template <class Baseline, class Policy>
struct With : Baseline {
    using Layout = Policy;
};

struct PointedTwo : RungTwo {
    using Ownership = RawOwnership;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {{"natural", "as the compiler lays them out", replay_on<With<Baseline, NaturalLayout>>},
            {"packed", "without gaps, across cache lines", replay_on<With<Baseline, PackedLayout>>},
            {"aligned", "each order begins a cache line", replay_on<With<Baseline, AlignedLayout>>},
            {"hot_cold", "the fields that matching reads, separate from the rest",
             replay_on<With<Baseline, SplitLayout>>}};
}

}  // namespace

BookFactor layout_factor() {
    return {.name = "layout",
            .title = "Layout of orders",
            .question =
                "Is it worth to pack, align or split orders? At rung 2 orders are plain pointers "
                "here, as counted ones cannot be packed.",
            .trials = {{"rung2", "from rung 2 with plain pointers", variants<PointedTwo>()},
                       {"rung9", "from rung 9", variants<RungNine>()},
                       {"rung9_many", "from rung 9", variants<RungNine>(), 1'000'000}}};
}

}  // namespace damrak::lab
