// An experiment on one policy of the laboratory's book: the books to compare, and the experiment
// made from them. The tests check each of the same books for correctness.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <damrak/lab/books/action.hpp>
#include <damrak/lab/books/book.hpp>
#include <damrak/lab/experiment.hpp>
#include <damrak/lab/measured.hpp>

namespace damrak::lab {

/// A design of a book, and how it is measured.
struct BookVariant {
    std::string name;
    std::string what;
    /// Applies the opening of the flow to a book, then measures the rest.
    Sample (*replay)(const Flow& flow, Tape& tape);
};

/// Books under one flow of NW-1.
struct BookTrial {
    std::string name;
    std::string title;
    std::vector<BookVariant> variants;
    std::int64_t live_orders = 12'000;
    std::int64_t messages = 200'000;
};

struct BookFactor {
    std::string name;
    std::string title;
    std::string question;
    std::vector<BookTrial> trials;
};

/// An assertion fails if a variant's trades differ from the baseline's.
[[nodiscard]] Experiment experiment_of(BookFactor (*make)());

template <class Policies>
[[nodiscard]] Sample replay_on(const Flow& flow, Tape& tape) {
    Book<Policies> book(flow, tape);
    for (const Action& action : flow.opening) book.apply(action);
    return measured(static_cast<std::int64_t>(flow.actions.size()), Clock::cpu, [&] {
        for (const Action& action : flow.actions) book.apply(action);
    });
}

/// The same with a look-ahead over the next actions, like a server that has read several at once.
template <class Policies>
[[nodiscard]] Sample replay_ahead_on(const Flow& flow, Tape& tape) {
    static constexpr std::size_t k_far = 12;
    static constexpr std::size_t k_near = 6;
    Book<Policies> book(flow, tape);
    for (const Action& action : flow.opening) book.apply(action);
    return measured(static_cast<std::int64_t>(flow.actions.size()), Clock::cpu, [&] {
        const std::vector<Action>& actions = flow.actions;
        for (std::size_t i = 0; i < actions.size(); ++i) {
            if (i + k_far < actions.size()) book.look_far(actions[i + k_far]);
            if (i + k_near < actions.size()) book.look_near(actions[i + k_near]);
            book.apply(actions[i]);
        }
    });
}

}  // namespace damrak::lab
