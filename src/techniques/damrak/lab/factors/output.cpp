// Factor: how trades leave the book.
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

template <class Baseline, class Policy>
struct With : Baseline {
    using Output = Policy;
};

template <class Baseline>
std::vector<BookVariant> variants() {
    return {{"returned_vector", "each action returns a vector",
             replay_on<With<Baseline, ReturnedVector>>},
            {"virtual", "a listener with a virtual function",
             replay_on<With<Baseline, VirtualListener>>},
            {"callback", "a std::function", replay_on<With<Baseline, Callback>>},
            {"template", "the receiver is a template parameter",
             replay_on<With<Baseline, DirectOutput>>}};
}

}  // namespace

BookFactor output_factor() {
    return {.name = "output",
            .title = "Output of trades",
            .question =
                "What does it cost to report trades through a returned vector, a virtual call or a "
                "std::function?",
            .trials = {{"rung2", "from rung 2", variants<RungTwo>()},
                       {"rung9", "from rung 9", variants<RungNine>()}}};
}

}  // namespace damrak::lab
