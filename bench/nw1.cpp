// nw1 STREAM.bin [--json] [--runs N] [--only ROW]: CPU time a message of our book and engine on a
// neutral order-flow stream, beside the in-repository control and the empty harness.
//
// Every row is first run once with a checking sink: unless all give the control's trades, nothing
// is timed. Then the rows are timed in turns (null, control, ..., null, control, ...), each on
// fresh structures, and medians are reported. Exit 0 when done, 1 with one line on a failure, 2 on
// usage.

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/cpu_clock.hpp"
#include "support/nw1_stream.hpp"
#include "support/rows.hpp"

namespace damrak::bench {
namespace {

constexpr int k_runs_min = 5;

struct Options {
    std::string stream_path;
    std::string only;
    int runs = k_runs_min;
    bool json = false;
};

struct Published {
    std::string_view name;
    std::uint64_t trades;
    std::uint64_t fingerprint;
};

// The three streams whose fingerprints are published with the generator (seed 42).
constexpr std::array k_published{
    Published{"8x1500", 233'994, 0x3c6974e905a05327},
    Published{"1x20000", 237'828, 0xfdb447f0daefe4b6},
    Published{"8x1500, random ids", 233'994, 0xe70590d1929e8ab1},
};

struct Timing {
    std::string_view row;
    std::vector<double> runs_ns;  // sorted

    [[nodiscard]] double median_ns() const {
        const std::size_t middle = runs_ns.size() / 2;
        return runs_ns.size() % 2 == 1 ? runs_ns[middle]
                                       : (runs_ns[middle - 1] + runs_ns[middle]) / 2;
    }
};

// Empty when every row trades exactly as the control does.
std::string find_disagreement(const Nw1Stream& stream, const Outcome& expected) {
    for (const Row& row : all_rows()) {
        if (row.check == nullptr) continue;
        const Outcome outcome = row.check(stream);
        if (outcome != expected) {
            return fmt::format(
                "row '{}' disagrees with the control: {} trades, fingerprint {:016x}, {} refused; "
                "control: {} trades, fingerprint {:016x}, {} refused",
                row.name, outcome.trades, outcome.fingerprint, outcome.refused, expected.trades,
                expected.fingerprint, expected.refused);
        }
    }
    return {};
}

std::vector<Timing> time_rows(const Nw1Stream& stream, const Options& options) {
    std::vector<Timing> timings;
    for (const Row& row : all_rows()) timings.push_back({row.name, {}});
    for (int run = 0; run < options.runs; ++run) {
        for (std::size_t i = 0; i < timings.size(); ++i) {
            if (!options.only.empty() && timings[i].row != options.only) continue;
            timings[i].runs_ns.push_back(all_rows()[i].time_ns(stream));
        }
    }
    std::erase_if(timings, [](const Timing& timing) { return timing.runs_ns.empty(); });
    for (Timing& timing : timings) std::ranges::sort(timing.runs_ns);
    return timings;
}

const Timing* find_timing(const std::vector<Timing>& timings, std::string_view row) {
    const auto found = std::ranges::find(timings, row, &Timing::row);
    return found == timings.end() ? nullptr : &*found;
}

void print_json(const Nw1Stream& stream, const Options& options, const Outcome& outcome,
                const std::vector<Timing>& timings) {
    nlohmann::ordered_json out;
    out["stream"] = options.stream_path;
    out["messages"] = stream.timed().size();
    out["prefill"] = stream.prefill().size();
    out["symbols"] = stream.info.symbols;
    out["live_orders_max"] = stream.info.live_orders_max;
    out["trades"] = outcome.trades;
    out["fingerprint"] = fmt::format("{:016x}", outcome.fingerprint);
    out["refused"] = outcome.refused;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    out["runs"] = options.runs;
    const Timing* control = find_timing(timings, "control");
    for (const Timing& timing : timings) {
        out[fmt::format("{}_ns", timing.row)] = timing.median_ns();
        out[fmt::format("{}_ns_min", timing.row)] = timing.runs_ns.front();
        out[fmt::format("{}_ns_max", timing.row)] = timing.runs_ns.back();
        if (control != nullptr && timing.row != "control" && timing.row != "null") {
            out[fmt::format("{}_ratio", timing.row)] = timing.median_ns() / control->median_ns();
        }
    }
    fmt::print("{}\n", out.dump(2));
}

void print_table(const Nw1Stream& stream, const Options& options, const Outcome& outcome,
                 const std::vector<Timing>& timings) {
    fmt::print("{}: {} messages after {} of prefill, {} symbols, at most {} live orders\n",
               options.stream_path, stream.timed().size(), stream.prefill().size(),
               stream.info.symbols, stream.info.live_orders_max);
    fmt::print("{} trades, fingerprint {:016x}, {} refused{}\n", outcome.trades,
               outcome.fingerprint, outcome.refused,
               options.only.empty() ? "; all rows agree" : "; control only");
    for (const Published& published : k_published) {
        if (published.fingerprint == outcome.fingerprint && published.trades == outcome.trades) {
            fmt::print("this is the published stream {}\n", published.name);
        }
    }
    fmt::print("{}, {}; CPU ns a message, {} interleaved runs\n\n", machine_name(), compiler_name(),
               options.runs);
    fmt::print("{:<10}{:>9}{:>9}{:>9}{:>12}\n", "row", "median", "min", "max", "of control");
    const Timing* control = find_timing(timings, "control");
    for (const Timing& timing : timings) {
        fmt::print("{:<10}{:>9.2f}{:>9.2f}{:>9.2f}", timing.row, timing.median_ns(),
                   timing.runs_ns.front(), timing.runs_ns.back());
        if (control != nullptr) {
            fmt::print("{:>12.3f}", timing.median_ns() / control->median_ns());
        }
        fmt::print("\n");
    }
}

int run(const Options& options) {
    auto stream = load_nw1_stream(options.stream_path);
    if (!stream) {
        fmt::print(stderr, "nw1: {}\n", stream.error());
        return 1;
    }
    const Outcome outcome = measure_capacity(*stream);
    if (options.only.empty()) {
        if (const std::string fault = find_disagreement(*stream, outcome); !fault.empty()) {
            fmt::print(stderr, "nw1: {}: {}\n", options.stream_path, fault);
            return 1;
        }
    }
    const std::vector<Timing> timings = time_rows(*stream, options);
    (options.json ? print_json : print_table)(*stream, options, outcome, timings);
    return 0;
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    std::vector<std::string> names;
    for (const Row& row : all_rows()) names.emplace_back(row.name);

    CLI::App app{"CPU time a message on an NW-1 order-flow stream"};
    app.add_option("STREAM", options.stream_path, "file of 32-byte NW-1 records")->required();
    app.add_flag("--json", options.json, "print one JSON object");
    auto* runs = app.add_option("--runs", options.runs, "interleaved runs, at least 5");
    app.add_option("--only", options.only, "time this row alone, without checking it (profiling)")
        ->check(CLI::IsMember(names));
    try {
        app.parse(argc, argv);
        if (options.runs < (options.only.empty() ? k_runs_min : 1)) {
            throw CLI::ValidationError(runs->get_name(), "expected at least 5 (1 with --only)");
        }
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return damrak::bench::run(options);
}
