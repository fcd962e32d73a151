// Factor: selection of the code for an entering order's kind and side.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

template <class Baseline, class Policy>
struct With : Baseline {
    using Dispatch = Policy;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {{"branches", "one function with branches", replay_on<With<Baseline, Branches>>},
            {"table", "one function per pair, found in a table",
             replay_on<With<Baseline, Instantiations>>}};
}

}  // namespace

BookFactor dispatch_factor() {
    return {.name = "dispatch",
            .title = "Dispatch of orders",
            .question = "Do template instantiations per kind and side beat branches?",
            .trials = {{"rung2", "from rung 2", variants<RungTwo>()},
                       {"rung9", "from rung 9", variants<RungNine>()}}};
}

}  // namespace damrak::lab
