// Factor: pages of 4 KiB or of 2 MiB for the orders.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

template <class Baseline, Pages pages>
struct On : Baseline {
    using Allocation = SlabOf<pages>;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {{"small", "huge pages disabled for orders", replay_on<On<Baseline, Pages::small>>},
            {"huge", "huge pages requested", replay_on<On<Baseline, Pages::huge>>}};
}

}  // namespace

BookFactor huge_pages_factor() {
    return {.name = "huge-pages",
            .title = "Huge pages",
            .question =
                "Do huge pages under the orders pay, with few orders and with many? At "
                "rung 2 orders come from a slab here.",
            .trials = {{"rung2_many", "from rung 2", variants<RungTwo>(), 1'000'000},
                       {"rung9", "from rung 9", variants<RungNine>()},
                       {"rung9_many", "from rung 9", variants<RungNine>(), 1'000'000}}};
}

}  // namespace damrak::lab
