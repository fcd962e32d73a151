#include <damrak/lab/factors/factors.hpp>

#include <array>

namespace damrak::lab {

namespace {

constexpr std::array k_book_factors{
    ownership_factor, allocation_factor, levels_factor,   queue_factor,    ids_factor,
    layout_factor,    output_factor,     dispatch_factor, prefetch_factor, huge_pages_factor};

}  // namespace

std::vector<BookFactor> book_factors() {
    std::vector<BookFactor> all;
    all.reserve(k_book_factors.size());
    for (const auto make : k_book_factors) all.push_back(make());
    return all;
}

std::vector<Experiment> factor_experiments() {
    std::vector<Experiment> all;
    all.reserve(k_book_factors.size() + 2);
    for (const auto make : k_book_factors) all.push_back(experiment_of(make));
    all.push_back(waiting_experiment());
    all.push_back(pinning_experiment());
    return all;
}

}  // namespace damrak::lab
