// itch FILE… [--pass NAME] [--runs N] [--cold] [--json] [--save FILE]: messages a second from an
// ITCH file on disk: decoded, built into books, reported on, matched again by the engine.
//
// Each run is a process of its own, so that its peak memory can be measured; medians are reported.
// Rates are by the wall clock, reading included. --cold drops the file from the page cache before
// each run, so that it comes from the disk itself.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "support/child_process.hpp"
#include "support/cpu_clock.hpp"
#include "support/driver.hpp"
#include "support/itch_passes.hpp"

namespace damrak::bench {
namespace {

struct Options {
    std::vector<std::string> paths;
    std::string only_pass;
    int runs = 3;
    bool cold = false;
    Output output;
};

struct Measurement {
    std::string file;
    std::string_view pass;
    PassResult median;  // by the wall clock
    std::uint64_t peak_memory_bytes = 0;

    [[nodiscard]] double per_message(std::uint64_t ns) const {
        return static_cast<double>(ns) / static_cast<double>(median.messages);
    }
    [[nodiscard]] double messages_per_second() const { return 1e9 / per_message(median.wall_ns); }
};

void drop_from_page_cache(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;  // reading it will tell
    (void)fdatasync(file);
    (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
}

std::expected<Measurement, std::string> measure(const std::string& path, const ItchPass& pass,
                                                const Options& options) {
    Measurement measurement{std::filesystem::path(path).filename(), pass.name, {}, 0};
    std::vector<PassResult> results;
    for (int run = 0; run < options.runs; ++run) {
        if (options.cold) drop_from_page_cache(path);
        const auto child = run_in_child([&] { return pass.run(path); });
        if (!child) return std::unexpected(fmt::format("{} of {}: the run died", pass.name, path));
        if (child->result.error[0] != '\0') return std::unexpected(child->result.error.data());
        if (child->result.messages == 0) return std::unexpected(path + ": no messages");
        results.push_back(child->result);
        measurement.peak_memory_bytes =
            std::max(measurement.peak_memory_bytes, child->peak_memory_bytes);
    }
    std::ranges::sort(results, {}, &PassResult::wall_ns);
    measurement.median = results[results.size() / 2];
    return measurement;
}

void print_header(const Options& options) {
    fmt::print("{}, {}; median of {} runs, file {}\n\n", machine_name(), compiler_name(),
               options.runs, options.cold ? "from the disk" : "from the page cache if it fits");
    fmt::print("{:<16}{:<10}{:>12}{:>12}{:>10}{:>10}{:>12}{:>10}{:>10}\n", "file", "pass",
               "messages", "million/s", "wall ns", "cpu ns", "live orders", "anomalies",
               "peak MiB");
}

void print(const Measurement& m) {
    fmt::print("{:<16}{:<10}{:>12}{:>12.1f}{:>10.1f}{:>10.1f}{:>12}{:>10}{:>10.1f}\n", m.file,
               m.pass, m.median.messages, m.messages_per_second() / 1e6,
               m.per_message(m.median.wall_ns), m.per_message(m.median.cpu_ns),
               m.median.live_orders, m.median.anomalies,
               static_cast<double>(m.peak_memory_bytes) / (1024.0 * 1024.0));
}

nlohmann::ordered_json to_json(const Measurement& m) {
    return {{"file", m.file},
            {"pass", m.pass},
            {"messages", m.median.messages},
            {"messages_per_second", m.messages_per_second()},
            {"wall_ns", m.per_message(m.median.wall_ns)},
            {"cpu_ns", m.per_message(m.median.cpu_ns)},
            {"live_orders", m.median.live_orders},
            {"anomalies", m.median.anomalies},
            {"executions_compared", m.median.compared},
            {"executions_equal", m.median.equal},
            {"peak_memory_bytes", m.peak_memory_bytes}};
}

int run(const Options& options) {
    nlohmann::ordered_json out;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    out["runs"] = options.runs;
    out["cold"] = options.cold;
    if (!options.output.json) print_header(options);
    for (const std::string& path : options.paths) {
        for (const ItchPass& pass : itch_passes()) {
            if (!options.only_pass.empty() && options.only_pass != pass.name) continue;
            const auto measurement = measure(path, pass, options);
            if (!measurement) {
                fmt::print(stderr, "itch: {}\n", measurement.error());
                return 1;
            }
            if (!options.output.json) print(*measurement);
            out["passes"].push_back(to_json(*measurement));
        }
    }
    return options.output.deliver(out);
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    std::vector<std::string> names;
    for (const ItchPass& pass : itch_passes()) names.emplace_back(pass.name);

    CLI::App app{"messages a second from ITCH files on disk"};
    app.add_option("FILE", options.paths, "ITCH 5.0 files: raw, gzip or zstd")->required();
    app.add_option("--pass", options.only_pass, "this pass alone")->check(CLI::IsMember(names));
    app.add_option("--runs", options.runs, "runs of each pass")->check(CLI::Range(1, 1000));
    app.add_flag("--cold", options.cold, "read from the disk, not from the page cache");
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
