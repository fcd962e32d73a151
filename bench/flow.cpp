// flow [--messages N] [--runs N] [--case NAME] [--json] [--save FILE]: the rows of nw1 on generated
// flows that stress what NW-1 does not exercise: prices that swing, a crash, thousands of symbols,
// a million live orders.
//
// Each case is checked and timed as nw1 does it, and its book and engine are also given relative to
// the neutral flow of the same run.

#include <damrak/generator/flow.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/cpu_clock.hpp"
#include "support/driver.hpp"
#include "support/measure.hpp"
#include "support/rows.hpp"
#include "support/streams.hpp"

namespace damrak::bench {
namespace {

struct Case {
    std::string_view name;
    std::string_view what;
    std::uint32_t symbols;
    std::uint64_t live_orders;
    generator::FlowShape shape;
};

constexpr std::array k_cases{
    Case{"neutral", "NW-1, what the others are compared with", 8, 12'000,
         generator::FlowShape::neutral},
    Case{"volatile", "prices swing 25 % up and down", 8, 12'000, generator::FlowShape::swinging},
    Case{"crash", "prices fall 24 % within 3 % of the messages", 8, 12'000,
         generator::FlowShape::crash},
    Case{"symbols_8000", "the same live orders over 8,000 symbols", 8'000, 12'000,
         generator::FlowShape::neutral},
    Case{"live_1000000", "a million live orders", 8, 1'000'000, generator::FlowShape::neutral},
};

struct Options {
    std::string only_case;
    std::uint64_t messages = 2'000'000;
    int runs = k_runs_min;
    Output output;
};

struct Result {
    Case flow;
    std::size_t messages = 0;
    StreamInfo info;
    Outcome outcome;
    std::vector<Timing> timings;
};

std::expected<Result, std::string> measure(const Case& flow_case, const Options& options) {
    auto stream = flow_stream({.messages = options.messages,
                               .symbols = flow_case.symbols,
                               .live_orders = flow_case.live_orders,
                               .shape = flow_case.shape});
    if (!stream) return std::unexpected(stream.error());
    const Outcome outcome = prepare(*stream);
    if (const std::string fault = find_disagreement(*stream, outcome); !fault.empty()) {
        return std::unexpected(fmt::format("{}: {}", flow_case.name, fault));
    }
    return Result{flow_case, stream->timed().size(), stream->info, outcome,
                  time_rows(*stream, options.runs)};
}

// How much slower than the neutral flow a row is; 0 where either was not run.
double relative_to_neutral(const std::vector<Result>& results, const Timing& timing) {
    if (results.front().flow.name != k_cases.front().name) return 0.0;
    const Timing* neutral = find_timing(results.front().timings, timing.row);
    return neutral == nullptr ? 0.0 : timing.median_ns() / neutral->median_ns();
}

nlohmann::ordered_json to_json(const std::vector<Result>& results, const Options& options) {
    nlohmann::ordered_json out;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    out["runs"] = options.runs;
    for (const Result& result : results) {
        nlohmann::ordered_json& entry = out["cases"][std::string(result.flow.name)];
        entry["messages"] = result.messages;
        entry["symbols"] = result.info.symbols;
        entry["live_orders_max"] = result.info.live_orders_max;
        entry["trades"] = result.outcome.trades;
        entry["fingerprint"] = fmt::format("{:016x}", result.outcome.fingerprint);
        write_timings(entry, result.timings);
        for (const Timing& timing : result.timings) {
            const double relative = relative_to_neutral(results, timing);
            if (relative > 0.0) entry[fmt::format("{}_to_neutral", timing.row)] = relative;
        }
    }
    return out;
}

void print_table(const std::vector<Result>& results, const Options& options) {
    fmt::print("{}, {}; CPU ns a message, median of {} interleaved runs\n", machine_name(),
               compiler_name(), options.runs);
    for (const Result& result : results) {
        fmt::print("\n{}: {}; {} messages, {} symbols, at most {} live orders, {} trades\n",
                   result.flow.name, result.flow.what, result.messages, result.info.symbols,
                   result.info.live_orders_max, result.outcome.trades);
        print_timings(result.timings);
        if (&result == &results.front()) continue;
        for (const Timing& timing : result.timings) {
            const double relative = relative_to_neutral(results, timing);
            if (relative > 0.0) fmt::print("{} {:.2f} of neutral  ", timing.row, relative);
        }
        fmt::print("\n");
    }
}

int run(const Options& options) {
    std::vector<Result> results;
    for (const Case& flow_case : k_cases) {
        if (!options.only_case.empty() && options.only_case != flow_case.name) continue;
        auto result = measure(flow_case, options);
        if (!result) {
            fmt::print(stderr, "flow: {}\n", result.error());
            return 1;
        }
        results.push_back(std::move(*result));
    }
    if (!options.output.json) print_table(results, options);
    return options.output.deliver(to_json(results, options));
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    std::vector<std::string> names;
    names.reserve(k_cases.size());
    for (const Case& flow_case : k_cases) names.emplace_back(flow_case.name);

    CLI::App app{"CPU time a message on generated order flows"};
    app.add_option("--messages", options.messages, "timed messages a case")
        ->check(CLI::Range(1, 1'000'000'000));
    app.add_option("--runs", options.runs, "interleaved runs")->check(CLI::Range(k_runs_min, 1000));
    app.add_option("--case", options.only_case, "this case alone")->check(CLI::IsMember(names));
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
