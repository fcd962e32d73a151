// `damrak lab ingest`: the steps from a plain socket and a book of maps to AF_XDP and the product's
// engine, in turns, and what each gains.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/lab/ingest/study.hpp>
#include <damrak/lab/statistics.hpp>

#include "cli.hpp"
#include "lab.hpp"

namespace damrak::app {

namespace {

namespace ingest = lab::ingest;
using Json = nlohmann::ordered_json;

struct IngestOptions {
    ingest::Options study{};
    std::uint32_t rounds = 7;
    bool json = false;
};

/// Of a step, over all rounds.
struct Rounds {
    std::vector<double> mean_orders_per_s;  ///< a value a round, of its slices
    std::vector<double> median_orders_per_s;
    std::vector<double> slices;  ///< of all rounds, orders a second
    std::vector<double> trade_slices;
    Histogram trade_latency_ns{};
    Histogram round_trip_ns{};
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t fill_empty = 0;
    std::string path{};
};

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void add(Rounds& rounds, ingest::Run&& run) {
    rounds.mean_orders_per_s.push_back(mean(run.orders_per_s));
    rounds.median_orders_per_s.push_back(lab::median(run.orders_per_s));
    rounds.slices.insert(rounds.slices.end(), run.orders_per_s.begin(), run.orders_per_s.end());
    rounds.trade_slices.insert(rounds.trade_slices.end(), run.trades_per_s.begin(),
                               run.trades_per_s.end());
    rounds.trade_latency_ns.merge(run.trade_latency_ns);
    rounds.round_trip_ns.merge(run.round_trip_ns);
    rounds.sent += run.sent;
    rounds.received += run.received;
    rounds.fill_empty += run.fill_empty;
    rounds.path = std::move(run.path);
}

/// How many times as many orders, with the interval of 95 %; null where most slices of a round had
/// none at all.
Json speed_up(const std::vector<double>& from, const std::vector<double>& to, std::uint64_t seed) {
    if (std::ranges::min(from) <= 0 || std::ranges::min(to) <= 0) return nullptr;
    const lab::Comparison found = lab::compare(from, to, seed);
    return {{"times", found.ratio}, {"interval_95", {found.interval.low, found.interval.high}}};
}

Json speed_ups(const Rounds& from, const Rounds& to, std::uint64_t seed) {
    return {{"mean", speed_up(from.mean_orders_per_s, to.mean_orders_per_s, seed)},
            {"median", speed_up(from.median_orders_per_s, to.median_orders_per_s, seed)}};
}

Json latency_json(const Histogram& ns) {
    return {{"count", ns.count()},      {"mean", ns.mean()},        {"p50", ns.percentile(50)},
            {"p90", ns.percentile(90)}, {"p99", ns.percentile(99)}, {"p99_9", ns.percentile(99.9)},
            {"max", ns.max()}};
}

/// Slices by their rate, in classes of 25,000 orders a second.
Json histogram_of(std::span<const double> slices) {
    constexpr double k_class = 25'000;
    std::vector<std::uint32_t> counts;
    for (const double rate : slices) {
        const auto index = static_cast<std::size_t>(rate / k_class);
        if (index >= counts.size()) counts.resize(index + 1);
        ++counts[index];
    }
    return {{"class_orders_per_s", k_class}, {"slices", counts}};
}

Json step_json(const ingest::Step& step, const Rounds& rounds) {
    return {
        {"name", step.name},
        {"what", step.what},
        {"path", rounds.path},
        {"orders_per_s", {{"mean", mean(rounds.slices)}, {"median", lab::median(rounds.slices)}}},
        {"trades_per_s",
         {{"mean", mean(rounds.trade_slices)}, {"median", lab::median(rounds.trade_slices)}}},
        {"trade_latency_ns", latency_json(rounds.trade_latency_ns)},
        {"round_trip_ns", latency_json(rounds.round_trip_ns)},
        {"orders_per_s_histogram", histogram_of(rounds.slices)},
        {"sent", rounds.sent},
        {"received", rounds.received},
        {"fill_empty", rounds.fill_empty}};
}

std::string times_text(const Json& one) {
    if (one.is_null()) return "too busy to tell";
    return fmt::format("{:.2f} ({:.2f} to {:.2f})", one["times"].get<double>(),
                       one["interval_95"][0].get<double>(), one["interval_95"][1].get<double>());
}

void print_steps(const Json& report) {
    fmt::print("{:<20}{:>11}{:>11}{:>11}{:>11}{:>10}{:>10}  {:<21}{}\n", "", "orders/s", "median",
               "trades/s", "trade p50", "trip p50", "p99", "times basic (median)",
               "times the step before");
    for (const Json& step : report["steps"]) {
        const auto us = [&](const char* what, const char* which) {
            return step[what][which].get<double>() / 1e3;
        };
        fmt::print(
            "{:<20}{:>11}{:>11}{:>11}{:>11.1f}{:>10.2f}{:>10.2f}  {:<21}{}\n",
            step["name"].get<std::string>(),
            grouped(std::llround(step["orders_per_s"]["mean"].get<double>())),
            grouped(std::llround(step["orders_per_s"]["median"].get<double>())),
            grouped(std::llround(step["trades_per_s"]["median"].get<double>())),
            us("trade_latency_ns", "p50"), us("round_trip_ns", "p50"), us("round_trip_ns", "p99"),
            step.contains("times_basic") ? times_text(step["times_basic"]["median"]) : "",
            step.contains("times_step_before") ? times_text(step["times_step_before"]["median"])
                                               : "");
    }
    const Json& all = report["first_to_last"];
    fmt::print(
        "\nfrom first to last: {} times in the mean, {} in the median; published: 3.56 and "
        "4.22\n",
        times_text(all["mean"]), times_text(all["median"]));
    fmt::print("latencies in microseconds; the trade's under load, the trip's without\n");
}

int run(const IngestOptions& options) {
    const auto steps = ingest::steps();
    std::vector<Rounds> all(steps.size());
    // In turns, so that what burdens the machine burdens all of them.
    for (std::uint32_t round = 0; round < options.rounds; ++round) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            auto done = ingest::run_step(steps[i], options.study);
            if (!done) return fail(done.error());
            add(all[i], std::move(*done));
        }
    }
    const std::uint64_t seed = options.study.seed;
    Json report{{"slice_ms", 2.5},
                {"rounds", options.rounds},
                {"seconds", options.study.seconds},
                {"seed", seed},
                {"steps", Json::array()}};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        Json step = step_json(steps[i], all[i]);
        if (i > 0) {
            step["times_basic"] = speed_ups(all.front(), all[i], seed);
            step["times_step_before"] = speed_ups(all[i - 1], all[i], seed);
        }
        report["steps"].push_back(std::move(step));
    }
    // The last step but one is the product's engine; behind it is the same in generic mode.
    report["first_to_last"] = speed_ups(all.front(), all[steps.size() - 2], seed);
    report["published_first_to_last"] = {{"mean", 3.56}, {"median", 4.22}};
    if (options.json)
        print_json(report);
    else
        print_steps(report);
    return k_exit_success;
}

}  // namespace

void add_lab_ingest(CLI::App& lab, Job& job) {
    auto* const command = lab.add_subcommand(
        "ingest",
        "Orders in datagrams: from a socket and maps to AF_XDP and the product's engine; needs "
        "root");
    auto options = std::make_shared<IngestOptions>();
    command->add_option("--seconds", options->study.seconds, "Under load, of each step and round")
        ->check(CLI::Range(0.05, 60.0))
        ->capture_default_str();
    command->add_option("--rounds", options->rounds, "All steps in turn, so many times")
        ->check(CLI::Range(2, 1'000))
        ->capture_default_str();
    command->add_option("--seed", options->study.seed, "Another seed is other orders")
        ->capture_default_str();
    command->add_flag("--json", options->json, "One JSON object instead of a table");
    command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
