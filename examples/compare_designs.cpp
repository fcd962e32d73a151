// Asks the laboratory a question of your own: is a sorted vector or a std::map the better table of
// a few hundred prices? A variant sets up, hands what is to be measured to measured(), and returns
// its sample; the laboratory runs both in turns and says which difference is real.
//
//     build/release/examples/compare_designs
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <damrak/base/random.hpp>
#include <damrak/lab/findings.hpp>
#include <damrak/lab/measured.hpp>
#include <damrak/lab/runner.hpp>

namespace {

using namespace damrak;

constexpr std::uint32_t k_prices = 400;
constexpr std::int64_t k_look_ups = 20'000;

lab::Sample in_a_map() {
    std::map<std::uint32_t, std::uint32_t> levels;
    for (std::uint32_t price = 0; price < k_prices; ++price) levels[price] = price;
    RandomStream random{1};
    return lab::measured(k_look_ups, lab::Clock::cpu, [&] {
        for (std::int64_t i = 0; i < k_look_ups; ++i)
            lab::keep(levels.find(random.below(k_prices))->second);
    });
}

lab::Sample in_a_vector() {
    std::vector<std::uint32_t> levels(k_prices);
    for (std::uint32_t price = 0; price < k_prices; ++price) levels[price] = price;
    RandomStream random{1};
    return lab::measured(k_look_ups, lab::Clock::cpu, [&] {
        for (std::int64_t i = 0; i < k_look_ups; ++i)
            lab::keep(*std::ranges::lower_bound(levels, random.below(k_prices)));
    });
}

}  // namespace

int main() {
    const lab::RunSettings settings = lab::settings_for({.size = lab::Effort::Size::quick});
    const lab::TrialResult result = lab::run_trial(
        {.name = "levels",
         .title = "finding one of some hundred prices",
         .operation = "look-up",
         .variants = {{"map", "a std::map", in_a_map}, {"vector", "a sorted vector", in_a_vector}}},
        settings, [](double) {});
    for (const lab::VariantResult& variant : result.variants)
        fmt::print("{:<8}{:>8.1f} ns a look-up\n", variant.name,
                   lab::median(variant.of(lab::Measure::time_ns)));
    for (const std::string& finding : lab::findings_of(result)) fmt::print("{}\n", finding);
}
