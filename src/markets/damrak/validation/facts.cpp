#include <damrak/validation/facts.hpp>

#include <cmath>

namespace damrak::validation {
namespace {

using measures::Results;
using Value = std::optional<double>;

Value value_of(const Results& results, std::string_view name) {
    const measures::Value* const found = results.find(name);
    return found == nullptr ? std::nullopt : Value{found->value};
}

Value difference(const Results& results, std::string_view a, std::string_view b) {
    const Value first = value_of(results, a);
    const Value second = value_of(results, b);
    return first && second ? Value{*first - *second} : std::nullopt;
}

/// Of a power law through lags 1 and 10; absent where a correlation is not positive.
Value sign_decay(const Results& results) {
    const Value one = value_of(results, "merged_sign_autocorrelation_1");
    const Value ten = value_of(results, "merged_sign_autocorrelation_10");
    if (!one || !ten || *one <= 0 || *ten <= 0) return std::nullopt;
    return -std::log(*ten / *one) / std::log(10.);
}

}  // namespace

std::vector<Fact> stylised_facts(const Results& market, const Results* day) {
    std::vector<Fact> facts;
    const auto add = [&](Fact fact, const auto& measure) {
        fact.market = measure(market);
        if (day != nullptr) fact.day = measure(*day);
        facts.push_back(fact);
    };
    const auto add_value = [&](const Fact& fact) {
        add(fact, [&](const Results& results) { return value_of(results, fact.name); });
    };
    add_value({.name = "excess_kurtosis_1s", .what = "returns have fat tails", .low = 0});
    add({.name = "kurtosis_1s_less_10s",
         .what = "tails are thinner over longer horizons",
         .low = 0},
        [](const Results& r) {
            return difference(r, "excess_kurtosis_1s", "excess_kurtosis_10s");
        });
    add({.name = "kurtosis_10s_less_60s",
         .what = "tails are thinner over longer horizons",
         .low = 0},
        [](const Results& r) {
            return difference(r, "excess_kurtosis_10s", "excess_kurtosis_60s");
        });
    add_value({.name = "return_autocorrelation_1s",
               .what = "returns are hardly correlated",
               .low = -.1,
               .high = .1});
    add_value({.name = "return_size_autocorrelation_1s",
               .what = "volatility comes in clusters",
               .low = .1,
               .high = .3});
    add_value({.name = "variance_ratio_60s",
               .what = "prices are close to random walks",
               .low = .8,
               .high = 1.1});
    add({.name = "sign_decay",
         .what = "signs of trades have a long memory: exponent from lags 1 and 10",
         .low = .3,
         .high = .7},
        sign_decay);
    add_value({.name = "interarrival_cv", .what = "messages come in clusters", .low = 1.5});
    add_value(
        {.name = "cancels_to_adds", .what = "most orders are cancelled", .low = .9, .high = 1});
    return facts;
}

}  // namespace damrak::validation
