// Factor: the queue of the orders of one price.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

template <class Baseline, class Policy>
struct With : Baseline {
    using Queue = Policy;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {
        {"list", "std::list, its iterator kept in the order", replay_on<With<Baseline, ListQueue>>},
        {"deque", "std::deque, searched by a cancel", replay_on<With<Baseline, DequeQueue>>},
        {"intrusive", "orders linked through themselves",
         replay_on<With<Baseline, IntrusiveQueue>>}};
}

}  // namespace

BookFactor queue_factor() {
    return {.name = "queue",
            .title = "Queues of a level",
            .question = "Which container should hold the orders of one price?",
            .trials = {{"rung2", "from rung 2", variants<RungTwo>()},
                       {"rung9", "from rung 9", variants<RungNine>()},
                       {"rung9_deep", "from rung 9", variants<RungNine>(), 120'000}}};
}

}  // namespace damrak::lab
