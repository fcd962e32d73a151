// The differential test for as long as one likes: random command streams of every profile through
// the engine and the reference model, with all checks of tests/differential.
//
//   differential_long --commands 100000000 --seed 1      exit 0: nothing differs; 1: something does
//
// A failure is shrunk and printed. Each run of the stream has a seed of its own, which is in the
// message.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/differential/shrink.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    std::uint64_t commands = 1'000'000;
    std::uint64_t seed = 1;
    std::uint64_t run_length = 20'000;
    std::string profile;
    bool json = false;
};

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<const damrak::StreamProfile*> choose_profiles(const std::string& name) {
    std::vector<const damrak::StreamProfile*> chosen;
    for (const damrak::StreamProfile& profile : damrak::stream_profiles())
        if (name.empty() || name == profile.name) chosen.push_back(&profile);
    return chosen;
}

void print_summary(const Options& options, std::uint64_t runs, std::uint64_t commands,
                   std::size_t profiles, double elapsed_s) {
    const auto rate = static_cast<std::uint64_t>(static_cast<double>(commands) / elapsed_s);
    if (options.json)
        fmt::print("{}\n", nlohmann::json{{"commands", commands},
                                          {"runs", runs},
                                          {"profiles", profiles},
                                          {"seed", options.seed},
                                          {"differences", 0},
                                          {"seconds", elapsed_s},
                                          {"commands_per_s", rate}}
                               .dump());
    else
        fmt::print(
            "{} commands in {} runs of {} profiles, seed {}: no difference; {:.0f} s, "
            "{} commands/s\n",
            commands, runs, profiles, options.seed, elapsed_s, rate);
}

int run(const Options& options) {
    const auto profiles = choose_profiles(options.profile);
    if (profiles.empty()) {
        fmt::print(stderr, "no profile is called {}\n", options.profile);
        return 2;
    }
    const Clock::time_point start = Clock::now();
    std::uint64_t runs = 0;
    std::uint64_t commands = 0;
    while (commands < options.commands) {
        const damrak::StreamProfile& profile = *profiles[runs % profiles.size()];
        const std::uint64_t seed = options.seed * 1'000'000'007U + runs;
        const std::uint64_t count = std::min(options.run_length, options.commands - commands);
        const auto failure = damrak::differential::run_stream(
            profile, seed, count, damrak::differential::engine_factory());
        if (failure) {
            fmt::print("{}\n", describe(*failure));
            return 1;
        }
        runs += 1;
        commands += count;
        if (runs % 50 == 0)
            fmt::print(stderr, "{} of {} commands, {:.0f} s\n", commands, options.commands,
                       seconds_since(start));
    }
    print_summary(options, runs, commands, profiles.size(), seconds_since(start));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Compares the engine with the reference model on random command streams."};
    app.add_option("--commands", options.commands, "how many in all")->capture_default_str();
    app.add_option("--seed", options.seed, "of the first run")->capture_default_str();
    app.add_option("--run-length", options.run_length, "commands before a fresh start")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--profile", options.profile, "only this one; default all in turn");
    app.add_flag("--json", options.json, "print the summary as JSON");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return run(options);
}
