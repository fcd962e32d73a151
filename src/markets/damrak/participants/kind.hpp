// The kinds of participants that a market file can name: what each is, where it comes from, its
// parameters, and how one is made. A class becomes a kind by having
//
//   struct Parameters { … };                            with their defaults
//   static constexpr std::string_view k_name, k_summary, k_source;
//   static std::vector<Parameter<Parameters>> parameters();
//   static std::string check(const Parameters&);        what is impossible together, or nothing
//   static std::string fits(const Parameters&, const Assignment&);   optional, the same
//   static constexpr bool k_above_zero = true;          optional: it needs prices above zero
//   MyTrader(const Parameters&, const Assignment&);
//
// and a line in kinds.cpp. At set-up only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/parameter.hpp>

namespace damrak::participants {

/// What a participant trades, from its group in the market file.
struct Assignment {
    std::vector<InstrumentId> instruments;  ///< not empty
};

/// By the name of the parameter; those that are missing have their defaults.
using ParameterValues = std::map<std::string, ParameterValue, std::less<>>;

struct Kind {
    std::string_view name;
    std::string_view summary;  ///< what it does, in a sentence
    std::string_view source;   ///< paper or practice that it follows
    std::vector<ParameterInfo> parameters;
    bool is_above_zero = false;  ///< trades no instrument whose prices may be at or below zero
    /// What is wrong with these values together; empty if nothing is.
    std::function<std::string(const ParameterValues&)> check;
    /// What is wrong with these values for what is traded; empty if nothing is.
    std::function<std::string(const ParameterValues&, const Assignment&)> fits;
    /// Values have the kinds and ranges of their rows.
    std::function<std::unique_ptr<market_kernel::Participant>(const ParameterValues&,
                                                              const Assignment&)>
        make;
};

/// All kinds, by name.
[[nodiscard]] const std::vector<Kind>& kinds();
/// Null: there is no such kind.
[[nodiscard]] const Kind* find_kind(std::string_view name);

template <class T>
[[nodiscard]] typename T::Parameters parameters_of(const ParameterValues& values) {
    typename T::Parameters parameters{};
    for (const auto& row : T::parameters())
        if (const auto found = values.find(row.name); found != values.end())
            row.set(parameters, found->second);
    return parameters;
}

template <class T>
[[nodiscard]] Kind kind_of() {
    Kind kind{.name = T::k_name,
              .summary = T::k_summary,
              .source = T::k_source,
              .parameters = {},
              .is_above_zero = requires {requires T::k_above_zero;
}
, .check = {}, .fits = {}, .make = {}
};  // namespace damrak::participants
for (const auto& row : T::parameters()) kind.parameters.push_back(row);
kind.check = [](const ParameterValues& values) { return T::check(parameters_of<T>(values)); };
kind.fits = [](const ParameterValues& values, const Assignment& assignment) {
    if constexpr (requires { &T::fits; })
        return T::fits(parameters_of<T>(values), assignment);
    else
        return std::string{};
};
kind.make = [](const ParameterValues& values, const Assignment& assignment) {
    return std::make_unique<T>(parameters_of<T>(values), assignment);
};
return kind;
}

}  // namespace damrak::participants
