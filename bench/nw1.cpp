// nw1 STREAM.bin [--json] [--save FILE] [--runs N] [--only ROW]: CPU time a message of our book and
// engine on a neutral order-flow stream, beside the in-repository control and the empty harness.
//
// Every row is first run once with a checking sink: unless all give the control's trades, nothing
// is timed. Then the rows are timed in turns (null, control, ..., null, control, ...), each on
// fresh structures, and medians are reported. Exit 0 when done, 1 with one line on a failure, 2 on
// wrong usage.

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/cpu_clock.hpp"
#include "support/driver.hpp"
#include "support/measure.hpp"
#include "support/nw1_file.hpp"
#include "support/rows.hpp"

namespace damrak::bench {
namespace {

struct Options {
    std::string stream_path;
    std::string only;
    int runs = k_runs_min;
    Output output;
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

nlohmann::ordered_json to_json(const MessageStream& stream, const Options& options,
                               const Outcome& outcome, const std::vector<Timing>& timings) {
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
    write_timings(out, timings);
    return out;
}

void print_table(const MessageStream& stream, const Options& options, const Outcome& outcome,
                 const std::vector<Timing>& timings) {
    fmt::print("{}: {} messages after {} of prefill, {} symbols, at most {} live orders\n",
               options.stream_path, stream.timed().size(), stream.prefill().size(),
               stream.info.symbols, stream.info.live_orders_max);
    fmt::print("{} trades, fingerprint {:016x}, {} refused; {}\n", outcome.trades,
               outcome.fingerprint, outcome.refused,
               options.only.empty() ? "all rows agree" : "of the control, nothing else checked");
    for (const Published& published : k_published) {
        if (published.fingerprint == outcome.fingerprint && published.trades == outcome.trades) {
            fmt::print("this is the published stream {}\n", published.name);
        }
    }
    fmt::print("{}, {}; CPU ns a message, {} interleaved runs\n\n", machine_name(), compiler_name(),
               options.runs);
    print_timings(timings);
}

int run(const Options& options) {
    auto stream = load_nw1_file(options.stream_path);
    if (!stream) {
        fmt::print(stderr, "nw1: {}\n", stream.error());
        return 1;
    }
    const Outcome outcome = prepare(*stream);
    if (options.only.empty()) {
        if (const std::string fault = find_disagreement(*stream, outcome); !fault.empty()) {
            fmt::print(stderr, "nw1: {}: {}\n", options.stream_path, fault);
            return 1;
        }
    }
    const std::vector<Timing> timings = time_rows(*stream, options.runs, options.only);
    if (!options.output.json) print_table(*stream, options, outcome, timings);
    const auto out = to_json(*stream, options, outcome, timings);
    return options.output.deliver(out);
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
    auto* runs = app.add_option("--runs", options.runs, "interleaved runs, at least 5");
    app.final_callback([&] {
        if (options.runs < (options.only.empty() ? k_runs_min : 1)) {
            throw CLI::ValidationError(runs->get_name(), "expected at least 5 (1 with --only)");
        }
    });
    app.add_option("--only", options.only, "time this row alone, without checking it (profiling)")
        ->check(CLI::IsMember(names));
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
