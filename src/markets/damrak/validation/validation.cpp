#include <damrak/validation/validation.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <damrak/validation/detail/checks.hpp>

namespace damrak::validation {

Subjects real_subjects() {
    return {.uniform = [](market_kernel::Draws& draws) { return draws.uniform(); },
            .participant =
                [](std::string_view kind, const participants::ParameterValues& values) {
                    return participants::find_kind(kind)->make(values, {{InstrumentId{1}}});
                },
            .connection = [](const market_kernel::Connection& wanted) { return wanted; },
            .measure =
                [](std::span<const views::PublicChange> day, const measures::Settings& settings) {
                    measures::Measures measures{settings};
                    for (const views::PublicChange& change : day)
                        static_cast<void>(measures.on_change(change));
                    return measures.finish(day.empty() ? Timestamp{} : day.back().time);
                }};
}

std::vector<Check> checks() {
    std::vector<Check> all;
    for (auto part : {detail::random_checks(), detail::flow_checks(), detail::hawkes_checks(),
                      detail::information_checks(), detail::making_checks(),
                      detail::measure_checks(), detail::mechanics_checks()})
        std::ranges::move(part, std::back_inserter(all));
    return all;
}

CheckResult run_check(const Check& check, const Subjects& subjects) {
    CheckResult result{.name = std::string{check.name},
                       .source = std::string{check.source},
                       .findings = {},
                       .error = {}};
    try {
        result.findings = check.run(subjects);
        for (Finding& finding : result.findings)
            if (!finding.tested) finding.tested = check.tested;
    } catch (const std::exception& error) {
        result.error = error.what();
    }
    return result;
}

std::vector<CheckResult> run_checks(const std::vector<Check>& checks, const Subjects& subjects,
                                    std::size_t jobs, const std::function<void(std::size_t)>& done,
                                    const std::function<bool()>& stop) {
    std::vector<CheckResult> results(checks.size());
    std::atomic<std::size_t> next{0};
    std::mutex telling;
    std::size_t finished = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < checks.size(); i = next++) {
            if (stop && stop()) return;
            results[i] = run_check(checks[i], subjects);
            const std::lock_guard lock{telling};
            ++finished;
            if (done) done(finished);
        }
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < std::min(jobs, checks.size()); ++i) threads.emplace_back(work);
    work();
    threads.clear();
    std::erase_if(results, [](const CheckResult& result) { return result.name.empty(); });
    return results;
}

}  // namespace damrak::validation
