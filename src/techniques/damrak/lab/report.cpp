#include <damrak/lab/report.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/base/number_text.hpp>
#include <damrak/lab/findings.hpp>
#include <damrak/lab/report_plots.hpp>

namespace damrak::lab {

namespace {

std::string number(double value) {
    if (value >= 10'000) return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}f}", value, value >= 100 ? 1 : 2);
}

// Operations a second, from the time of one.
std::string a_second(double time_ns) {
    const double rate = 1e9 / time_ns;
    return rate >= 1e6 ? fmt::format("{:.2f} million", rate / 1e6) : fmt::format("{:.0f}", rate);
}

std::string clock_name(Clock clock) {
    return clock == Clock::cpu ? "processor time of its thread" : "wall clock";
}

bool has_latencies(const TrialResult& result) {
    return std::ranges::any_of(result.variants,
                               [](const auto& one) { return one.latency_ns.count() > 0; });
}

bool has_instructions(const TrialResult& result) {
    return std::ranges::any_of(result.variants,
                               [](const auto& one) { return one.instructions.has_value(); });
}

std::vector<std::string> row_of(const TrialResult& result, const VariantResult& variant) {
    const auto& rounds = variant.of(Measure::time_ns);
    const Interval interval = median_interval(rounds, 1);
    std::vector<std::string> cells{
        variant.slowed_percent > 0
            ? fmt::format("{} (slowed by {:g}% on purpose)", variant.name, variant.slowed_percent)
            : variant.name,
        number(median(rounds)),
        fmt::format("{} to {}", number(interval.low), number(interval.high)),
        number(variant.warm_up.front())};
    if (result.trial.clock == Clock::wall) cells.push_back(a_second(median(rounds)));
    if (has_instructions(result))
        cells.push_back(variant.instructions ? number(*variant.instructions) : "");
    if (has_latencies(result))
        for (const double percent : {50.0, 99.0, 99.9})
            cells.push_back(variant.latency_ns.count() == 0
                                ? ""
                                : fmt::format("{}", variant.latency_ns.percentile(percent)));
    const auto& comparison = variant.comparison(Measure::time_ns);
    cells.push_back(comparison ? statement(*comparison) : "the baseline");
    return cells;
}

Table table_of(const TrialResult& result) {
    Table table{{"variant", "ns " + with_article(result.trial.operation), "95% interval",
                 "first repetition"},
                {}};
    if (result.trial.clock == Clock::wall)
        table.head.push_back(fmt::format("{}s a second", result.trial.operation));
    if (has_instructions(result)) table.head.emplace_back("instructions");
    if (has_latencies(result))
        for (const char* const name : {"p50 ns", "p99 ns", "p99.9 ns"})
            table.head.emplace_back(name);
    table.head.emplace_back("against the baseline");
    for (const VariantResult& variant : result.variants)
        table.rows.push_back(row_of(result, variant));
    table.rows.push_back(row_of(result, result.control));
    return table;
}

void add_trial(const TrialResult& result, Document& document) {
    const Trial& trial = result.trial;
    document.emplace_back(Heading{3, fmt::format("{}: {}", trial.name, trial.title)});
    std::vector<std::string> what;
    what.reserve(result.variants.size());
    for (const VariantResult& variant : result.variants)
        what.push_back(fmt::format("{}: {}", variant.name, variant.what));
    document.emplace_back(Bullets{std::move(what)});
    document.emplace_back(table_of(result));
    document.emplace_back(Paragraph{
        fmt::format("{} after the first, {} a repetition, {}.", counted(result.rounds, "round"),
                    counted(result.operations, trial.operation), clock_name(trial.clock))});
    document.emplace_back(Picture{interval_plot(result)});
    if (std::string plot = latency_plot(result); !plot.empty())
        document.emplace_back(Picture{std::move(plot)});
    document.emplace_back(Bullets{findings_of(result)});
    if (auto claims = claims_of(result); !claims.empty()) {
        document.emplace_back(Paragraph{"Published:"});
        document.emplace_back(Bullets{std::move(claims)});
    }
}

Bullets method_of(const RunResult& run) {
    Bullets method;
    const auto say = [&method](std::string line) { method.lines.push_back(std::move(line)); };
    say(fmt::format("Effort: {}; seed {}; the whole run took {:.0f} s.",
                    run.settings.effort.size == Effort::Size::full ? "full" : "quick",
                    run.settings.effort.seed, run.elapsed_s));
    say("The variants of a trial run in turns, in an order that is drawn again for each round; "
        "set-up is outside of what is timed.");
    say("The first round is the warm-up. It has its own column and enters no median.");
    say("An interval is that of the median, or of the ratio of two medians, by the bootstrap: "
        "rounds are drawn again 4,000 times, as a whole, since both sides of a comparison share "
        "the same machine load in a round.");
    say("A difference is reported if that interval and the sign test at 99.9% agree and it is one "
        "per cent or more: at 95%, one of twenty equal pairs would be called different. Where none "
        "is reported, the interval is the intersection of both.");
    say("\"Faster by 31%\" is of the baseline's time: 31% less of it. \"Slower by 100%\" is twice "
        "the time.");
    say("Each trial has a control, the baseline under another name.");
    say(fmt::format("Instructions an operation: {}", run.counted_by));
    return method;
}

}  // namespace

void add_experiment(const ExperimentResult& result, Document& document) {
    document.emplace_back(Heading{2, result.experiment.title});
    document.emplace_back(Paragraph{result.experiment.question});
    for (const TrialResult& trial : result.trials) add_trial(trial, document);
    add_size_plots(result, document);
    if (!result.why_no_counts.empty())
        document.emplace_back(Paragraph{"Instructions were not counted: " + result.why_no_counts});
}

Document report_of(const RunResult& run) {
    Document document{Heading{1, "The laboratory"}, Paragraph{summary_of(run)},
                      Heading{2, "Machine"}};
    Table machine{{"what", "here"}, {}};
    for (const auto& [name, value] : run.machine) machine.rows.push_back({name, value});
    document.emplace_back(std::move(machine));
    document.emplace_back(Heading{2, "Method"});
    document.emplace_back(method_of(run));
    for (const ExperimentResult& experiment : run.experiments) add_experiment(experiment, document);
    return document;
}

}  // namespace damrak::lab
