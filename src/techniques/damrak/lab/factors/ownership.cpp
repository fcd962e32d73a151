// Factor: ownership of orders, by pointers of different size or by indices.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

template <class Baseline, class Policy>
struct With : Baseline {
    using Ownership = Policy;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {{"shared_ptr", "shared by the id map and the queue",
             replay_on<With<Baseline, SharedOwnership>>},
            {"unique_ptr", "owned by the id map, plain pointers in the queue",
             replay_on<With<Baseline, UniqueOwnership>>},
            {"raw", "plain pointers everywhere", replay_on<With<Baseline, RawOwnership>>},
            {"index", "32-bit numbers of slots in one array",
             replay_on<With<Baseline, IndexOwnership>>}};
}

}  // namespace

BookFactor ownership_factor() {
    return {.name = "ownership",
            .title = "Ownership of orders",
            .question =
                "What do owning pointers cost compared with plain ones, and pointers compared with "
                "32-bit indices?",
            .trials = {{"rung2", "from rung 2, orders from new and delete", variants<RungTwo>()},
                       {"rung9", "from rung 9, orders from a slab", variants<RungNine>()}}};
}

}  // namespace damrak::lab
