// Simulated worlds for as long as one likes, see docs/how-to/simulate.md.
//
//   simulate --seeds 10000              worlds 1 to 10000; exit 0: all kept their promises
//   simulate --seed 4711 --print        one world, with every line of what happens in it
//   simulate --clients ouch --seeds 500 worlds with other clients: fix, ouch, udp
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/simulation/fix_exchange_world.hpp"
#include "support/simulation/ouch_exchange_world.hpp"
#include "support/simulation/udp_exchange_world.hpp"
#include "support/simulation/world.hpp"

namespace {

using damrak::simulation::Tally;
using damrak::simulation::World;

struct Options {
    std::uint64_t seed = 1;
    std::uint64_t seeds = 1;
    std::uint32_t steps = 1'500;
    std::string clients = "binary";
    bool print = false;
    bool json = false;
};

void tell(const Options& options, const Tally& tally, double elapsed_s) {
    if (options.json) {
        fmt::print("{}\n", nlohmann::json{{"first_seed", options.seed},
                                          {"worlds", tally.worlds},
                                          {"records", tally.records},
                                          {"trades", tally.trades},
                                          {"answers", tally.answers},
                                          {"kills", tally.kills},
                                          {"power_losses", tally.power_losses},
                                          {"closes", tally.closes},
                                          {"disk_faults", tally.disk_faults},
                                          {"lost_records", tally.lost_records},
                                          {"bits_flipped", tally.bits_flipped},
                                          {"pipelined_worlds", tally.pipelined_worlds},
                                          {"snapshots", tally.snapshots},
                                          {"snapshot_starts", tally.snapshot_starts},
                                          {"shortened_starts", tally.shortened_starts},
                                          {"seconds", elapsed_s}}
                               .dump());
        return;
    }
    fmt::print(
        "{} worlds from seed {}: all promises kept; {:.0f} s\n"
        "{} records, {} trades, {} answers checked; {} kills, {} power losses ({} records lost "
        "that might be), {} closes, {} disk faults, {} flipped bits refused; {} worlds pipelined, "
        "{} snapshots, {} starts from one, {} of them behind removed segments\n",
        tally.worlds, options.seed, elapsed_s, tally.records, tally.trades, tally.answers,
        tally.kills, tally.power_losses, tally.lost_records, tally.closes, tally.disk_faults,
        tally.bits_flipped, tally.pipelined_worlds, tally.snapshots, tally.snapshot_starts,
        tally.shortened_starts);
}

/// Of one kind of clients alone, whose worlds have a length of their own.
template <class OtherWorld>
int run_others(const Options& options) {
    const auto start = std::chrono::steady_clock::now();
    std::remove_cvref_t<decltype(std::declval<OtherWorld>().tally())> tally;
    for (std::uint64_t seed = options.seed; seed < options.seed + options.seeds; ++seed) {
        OtherWorld world{seed};
        if (const auto failure = world.run()) {
            fmt::print(stderr, "{}\nrepeat it with: simulate --clients {} --seed {}\n", *failure,
                       options.clients, seed);
            return 1;
        }
        tally.add(world.tally());
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    fmt::print(
        "{} worlds of {} clients from seed {}: all promises kept; {:.0f} s\n"
        "{} orders; {} kills, {} power losses, {} closes; {} worlds pipelined, {} snapshots, {} "
        "starts from one\n",
        options.seeds, options.clients, options.seed, elapsed.count(), tally.orders, tally.kills,
        tally.power_losses, tally.closes, tally.pipelined_worlds, tally.snapshots,
        tally.snapshot_starts);
    return 0;
}

int run(const Options& options) {
    if (options.clients == "fix") return run_others<damrak::simulation::FixExchangeWorld>(options);
    if (options.clients == "ouch")
        return run_others<damrak::simulation::OuchExchangeWorld>(options);
    if (options.clients == "udp") return run_others<damrak::simulation::UdpExchangeWorld>(options);
    const auto start = std::chrono::steady_clock::now();
    Tally tally;
    for (std::uint64_t seed = options.seed; seed < options.seed + options.seeds; ++seed) {
        World world{seed, {.steps = options.steps, .print = options.print}};
        if (const auto failure = world.run()) {
            fmt::print(stderr, "{}\nrepeat it with: simulate --seed {} --steps {} --print\n",
                       failure->text, seed, options.steps);
            return 1;
        }
        tally.add(world.tally());
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    tell(options, tally, elapsed.count());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App program{"Runs simulated worlds: exchange, clients, network, disk and clock"};
    Options options;
    program.add_option("--seed", options.seed, "The first seed")->capture_default_str();
    program.add_option("--seeds", options.seeds, "How many, one after the other")
        ->capture_default_str();
    program.add_option("--steps", options.steps, "The length of a world")->capture_default_str();
    program
        .add_option("--clients", options.clients, "Who trades; --steps and --print: binary only")
        ->check(CLI::IsMember({"binary", "fix", "ouch", "udp"}))
        ->capture_default_str();
    program.add_flag("--print", options.print, "Tell everything that happens");
    program.add_flag("--json", options.json, "Machine-readable result");
    CLI11_PARSE(program, argc, argv);
    return run(options);
}
