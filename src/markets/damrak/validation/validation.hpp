// The laboratory against theory: a table of checks, each a result of a paper or of arithmetic that
// models, participants, the market and the measures must reproduce. Called by `damrak sim validate`
// and by tests. The default checks take a minute or so of one core together.
//
//   const auto results = validation::run_checks(validation::checks(), {}, 2);
//
// Seeds are fixed, so results are the same on every machine.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include <damrak/validation/detail/finding.hpp>
#include <damrak/validation/detail/subjects.hpp>

namespace damrak::validation {

/// A check with its source and its findings.
struct Check {
    std::string_view name;
    std::string_view source;
    Tested tested;  ///< of the findings that do not say it themselves
    std::function<std::vector<Finding>(const Subjects&)> run;
};

/// All of them, in the order of the report.
[[nodiscard]] std::vector<Check> checks();

[[nodiscard]] CheckResult run_check(const Check& check, const Subjects& subjects);

/// `jobs` at a time; results in the order of the checks. `done` is called with the number of
/// finished checks, one thread at a time. Once `stop` returns true no check is begun; those that
/// were not are left out. The subjects are shared by the threads.
[[nodiscard]] std::vector<CheckResult> run_checks(const std::vector<Check>& checks,
                                                  const Subjects& subjects, std::size_t jobs,
                                                  const std::function<void(std::size_t)>& done = {},
                                                  const std::function<bool()>& stop = {});

}  // namespace damrak::validation
