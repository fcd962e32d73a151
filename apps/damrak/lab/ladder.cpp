// `damrak lab ladder`: every rung under every measure of the ladder, in one table.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <damrak/lab/experiment.hpp>
#include <damrak/lab/ladder/experiment.hpp>

#include "cli.hpp"
#include "lab/lab.hpp"
#include "say.hpp"

namespace damrak::app {

namespace {

using lab::Measure;
using lab::Published;
using lab::Sample;
using lab::Trial;

struct LadderOptions {
    std::size_t runs = 5;
    std::uint64_t seed = 42;
    bool quick = false;
    bool json = false;
};

/// The typical run of a rung under one measure.
struct Cell {
    double time_ns = 0;
    std::optional<Histogram> latency_ns{};
};

/// A measure, its cells by rung.
struct Column {
    std::string name;
    std::string title;
    std::vector<std::string> rungs;
    std::vector<Cell> cells;
    std::vector<Published> published;
};

double time_ns(const Sample& sample) {
    return static_cast<double>(sample.elapsed_ns) / static_cast<double>(sample.operations);
}

Cell typical(std::vector<Sample>& samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle, {}, time_ns);
    return {time_ns(*middle), middle->latency_ns};
}

// The rungs take turns, so that a slow minute of the machine is everybody's.
Column measure(const Trial& trial, std::size_t runs) {
    std::vector<std::vector<Sample>> samples(trial.variants.size());
    for (std::size_t run = 0; run < runs; ++run)
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i].push_back(trial.variants[i].run());
    Column column{.name = trial.name,
                  .title = trial.title,
                  .rungs = {},
                  .cells = {},
                  .published = trial.published};
    for (const lab::Variant& variant : trial.variants) column.rungs.push_back(variant.name);
    for (auto& of_rung : samples) column.cells.push_back(typical(of_rung));
    return column;
}

std::optional<double> published_for(const Column& column, std::string_view rung) {
    const auto found = std::ranges::find_if(column.published, [&](const Published& figure) {
        return figure.variant == rung && figure.measure == Measure::time_ns;
    });
    return found == column.published.end() ? std::nullopt : std::optional{found->figure};
}

nlohmann::ordered_json to_json(const std::vector<Column>& columns, const LadderOptions& options) {
    nlohmann::ordered_json out;
    out["seed"] = options.seed;
    out["runs"] = options.runs;
    out["quick"] = options.quick;
    const std::vector<std::string>& rungs = columns.front().rungs;
    for (std::size_t i = 0; i < rungs.size(); ++i) {
        nlohmann::ordered_json row{{"rung", i}, {"name", rungs[i]}};
        for (const Column& column : columns) {
            nlohmann::ordered_json cell{{"ns", column.cells[i].time_ns}};
            if (const auto figure = published_for(column, rungs[i])) cell["published_ns"] = *figure;
            if (const auto& latency_ns = column.cells[i].latency_ns)
                cell["latency_ns"] = {{"mean", latency_ns->mean()},
                                      {"p50", latency_ns->percentile(50)},
                                      {"p99", latency_ns->percentile(99)},
                                      {"p99_9", latency_ns->percentile(99.9)}};
            row[column.name] = std::move(cell);
        }
        out["rungs"].push_back(std::move(row));
    }
    return out;
}

/// Column heads, in the order of the experiment's measures.
constexpr const char* k_heads[] = {"insert",  "random", "single", "100/1", "100/10", "100/100",
                                   "cancel1", "cncl1k", "cncl1M", "NW-1",  "order"};

void print_table(const std::vector<Column>& columns) {
    fmt::print("ns, median of the runs; see the legend below\n{:16}", "");
    for (const char* const head : k_heads) fmt::print(" {:>8}", head);
    fmt::print("   p50   p99 M orders/s\n");
    const Column& end_to_end = columns.back();
    const std::vector<std::string>& rungs = end_to_end.rungs;
    for (std::size_t i = 0; i < rungs.size(); ++i) {
        fmt::print("{:16}", rungs[i]);
        for (const Column& column : columns) fmt::print(" {:8.1f}", column.cells[i].time_ns);
        const Cell& order = end_to_end.cells[i];
        fmt::print(" {:5} {:5} {:10.2f}\n", order.latency_ns->percentile(50),
                   order.latency_ns->percentile(99), 1e3 / order.time_ns);
        if (!published_for(end_to_end, rungs[i])) continue;
        fmt::print("{:16}", "  published");
        for (const Column& column : columns) {
            const auto figure = published_for(column, rungs[i]);
            fmt::print(" {:>8}", figure ? fmt::format("{:.1f}", *figure) : "");
        }
        fmt::print("\n");
    }
    for (std::size_t i = 0; i < columns.size(); ++i)
        fmt::print("{}{:8} {}", i == 0 ? "\n" : "", k_heads[i], columns[i].title + "\n");
    fmt::print(
        "Published: the public ladder's figures from its author's machine; "
        "the order column is the mean latency.\n");
}

int run(const LadderOptions& options) {
    const auto size = options.quick ? lab::Effort::Size::quick : lab::Effort::Size::full;
    const std::vector<Trial> trials =
        lab::ladder_experiment().trials({.size = size, .seed = options.seed});
    std::vector<Column> columns;
    const bool shows_progress = ::isatty(STDERR_FILENO) == 1;
    for (const Trial& trial : trials) {
        if (shows_progress) say("\r\033[K{}", trial.title);
        columns.push_back(measure(trial, options.runs));
    }
    if (shows_progress) say("\r\033[K");
    if (options.json)
        print_json(to_json(columns, options));
    else
        print_table(columns);
    return k_exit_success;
}

}  // namespace

void add_lab_ladder(CLI::App& lab, Job& job) {
    const auto options = std::make_shared<LadderOptions>();
    CLI::App* const command = lab.add_subcommand(
        "ladder", "Measures each step from the naive book to the product's engine");
    command->add_option("--runs", options->runs, "runs of each rung for each measure")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "seed of the workloads")->capture_default_str();
    command->add_flag("--quick", options->quick, "one sixteenth of the work");
    command->add_flag("--json", options->json, "one JSON object on stdout");
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
