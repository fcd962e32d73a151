// Factor: prefetching for queued messages.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

// With an id table that can prefetch; the standard one cannot.
struct ArrayTwo : RungTwo {
    using Ownership = RawOwnership;
    using Ids = ArrayIds;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {{"none", "each message separately", replay_on<Baseline>},
            {"ahead", "ids twelve messages ahead, orders six", replay_ahead_on<Baseline>}};
}

}  // namespace

BookFactor prefetch_factor() {
    return {.name = "prefetch",
            .title = "Prefetching",
            .question =
                "Does it pay to look ahead over queued messages? At rung 2 ids are an "
                "array of plain pointers here.",
            .trials = {{"rung2", "from rung 2", variants<ArrayTwo>()},
                       {"rung2_many", "from rung 2", variants<ArrayTwo>(), 1'000'000},
                       {"rung9", "from rung 9", variants<RungNine>()},
                       {"rung9_many", "from rung 9", variants<RungNine>(), 1'000'000}}};
}

}  // namespace damrak::lab
