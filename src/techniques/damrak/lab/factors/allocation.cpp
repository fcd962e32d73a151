// Factor: allocation of orders.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

template <class Baseline, class Policy>
struct With : Baseline {
    using Allocation = Policy;
};

struct PointedNine : RungNine {
    using Ownership = RawOwnership;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {
        {"new_delete", "the standard allocator, order by order",
         replay_on<With<Baseline, NewDelete>>},
        {"pmr_pool", "std::pmr::unsynchronized_pool_resource", replay_on<With<Baseline, PmrPool>>},
        {"pmr_monotonic", "std::pmr::monotonic_buffer_resource, no deallocation",
         replay_on<With<Baseline, PmrMonotonic>>},
        {"slab", "fixed-size blocks from one arena", replay_on<With<Baseline, Slab>>}};
}

}  // namespace

BookFactor allocation_factor() {
    return {.name = "allocation",
            .title = "Allocation of orders",
            .question =
                "Does a pool pay, and which? At rung 9 orders are named by plain pointers here, as "
                "an index means an array.",
            .trials = {{"rung2", "from rung 2, under std::allocate_shared", variants<RungTwo>()},
                       {"rung9", "from rung 9 with plain pointers", variants<PointedNine>()}}};
}

}  // namespace damrak::lab
