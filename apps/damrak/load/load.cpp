// `damrak load`: thousands of clients that trade with a running exchange, and what they see of its
// speed. Options, and what is wrong with them; the work is in load_run, load_hostile and client/.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <damrak/wire/binary/api_key.hpp>

#include "cli.hpp"
#include "load/attack.hpp"
#include "load/connections.hpp"
#include "load/hostile.hpp"
#include "load/options.hpp"
#include "load/report.hpp"
#include "load/run.hpp"
#include "load/udp.hpp"

namespace damrak::app {
namespace {

constexpr std::uint16_t k_fix_port = 9'878;
constexpr std::uint16_t k_ouch_port = 26'400;
constexpr std::uint16_t k_udp_port = 26'402;
/// So few trade at once that cancels and modifies find their orders.
constexpr std::uint32_t k_usual_aggressive_percent = 20;

using Problem = std::optional<std::string>;

std::optional<std::array<std::uint32_t, client::k_measured_kinds>> parse_mix(
    const std::string& text) {
    std::array<std::uint32_t, client::k_measured_kinds> mix{};
    int end = 0;
    const int found = std::sscanf(text.c_str(), "%7u/%7u/%7u%n", &mix[0], &mix[1], &mix[2], &end);
    if (found != 3 || static_cast<std::size_t>(end) != text.size() || mix[0] == 0)
        return std::nullopt;
    return mix;
}

Problem settle_fix(LoadOptions& options) {
    using fix_codec::BeginString;
    if (options.echo || options.echo_only || !options.hostile.empty())
        return "--echo, --echo-only and --hostile need --gateway binary";
    if (options.protocol == "fix42")
        options.settings.fix_version = BeginString::fix42;
    else if (options.protocol == "fix44")
        options.settings.fix_version = BeginString::fix44;
    else if (options.protocol == "fix50sp2")
        options.settings.fix_version = BeginString::fixt11;
    else
        return fmt::format("{} is a version of the binary protocol: give --gateway binary",
                           options.protocol);
    return {};
}

Problem settle_ouch(const LoadOptions& options) {
    constexpr std::size_t k_longest_symbol = 8;
    constexpr std::uint32_t k_most_clients = 99'999;  // by their names of six characters
    if (options.echo || options.echo_only || !options.hostile.empty())
        return "--echo, --echo-only and --hostile need --gateway binary";
    if (options.protocol != "ouch50")
        return fmt::format("{} is not a version of OUCH: omit --protocol", options.protocol);
    if (options.settings.symbol.empty() || options.settings.symbol.size() > k_longest_symbol)
        return "--symbol: OUCH has symbols of one to eight characters";
    if (options.clients > k_most_clients) return "--clients: at most 99999 by OUCH";
    return {};
}

/// Puts what was said in words into the settings; or says what is wrong with it.
Problem settle_flow(LoadOptions& options) {
    client::LoadSettings& settings = options.settings;
    const auto mix = parse_mix(options.mix);
    if (!mix)
        return fmt::format(
            "--mix is new/cancel/modify such as 60/30/10, with a positive share of new orders, not "
            "'{}'",
            options.mix);
    settings.mix = *mix;
    if (settings.price_range_e2 >= settings.mid_price_e2)
        return "--range must be below --mid: prices are above zero";
    if (options.prices == "walk") settings.prices = client::PriceModel::walk;
    if (options.gateway != "binary" && !options.api_keys.empty())
        return "--api-key needs --gateway binary";
    if (options.gateway != "udp" && !settings.aggressive_percent)
        settings.aggressive_percent = k_usual_aggressive_percent;
    if (options.gateway == "fix") return settle_fix(options);
    if (options.gateway == "ouch" && !options.tls.given()) return settle_ouch(options);
    if (options.tls.given()) return "TLS needs FIX: give --gateway fix";
    if (options.gateway == "udp") {
        if (!options.hostile.empty()) return "--hostile needs --gateway binary";
        return {};
    }
    if (options.protocol == "ouch50") return "ouch50 is a version of OUCH: give --gateway ouch";
    if (options.protocol.starts_with("fix"))
        return fmt::format("{} is a version of FIX: give --gateway fix", options.protocol);
    if (options.protocol == "v2") settings.version = wire::binary::Version::v2;
    settings.capture = options.protocol == "capture";
    if (!options.api_keys.empty() && options.protocol == "v2")
        return "version 2 has no field for an API key; use v1";
    for (const std::string& text : options.api_keys) {
        const auto key = wire::binary::parse_api_key(text);
        if (!key) return fmt::format("--api-key: an API key is {}", wire::binary::k_api_key_form);
        settings.keys.push_back(*key);
    }
    settings.keys_are_shared = !settings.keys.empty() && settings.keys.size() < options.clients;
    return {};
}

/// Makes the timetable of an open loop, if that is what was requested.
Problem settle_timetable(LoadOptions& options) {
    const bool from_file = !options.schedule_file.empty();
    if (from_file && (options.rate > 0 || options.ramp_s > 0))
        return "--schedule sets the rate: omit --rate and --ramp";
    if (!from_file && options.rate <= 0 && (options.ramp_s > 0 || options.jitter_percent > 0))
        return "--ramp and --jitter need --rate";
    if (!from_file && options.rate <= 0 && options.burst == 0) return {};
    client::LoadTimetable table{.jitter = options.jitter_percent / 100,
                                .burst = options.burst,
                                .burst_every_s = options.burst_every_ms / 1e3,
                                .seed = options.settings.seed};
    if (options.ramp_s > 0)
        table.stretches.push_back({.begin_s = 0, .rate = 0, .rate_at_end = options.rate});
    if (options.rate > 0)
        table.stretches.push_back(
            {.begin_s = options.ramp_s, .rate = options.rate, .rate_at_end = options.rate});
    // These begin at the first second: it counts.
    if (from_file || options.ramp_s > 0) options.warm_up_s = 0;
    options.timetable = std::move(table);
    return {};
}

Problem read_schedule(LoadOptions& options) {
    if (options.schedule_file.empty()) return {};
    std::ifstream file{options.schedule_file};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (!file) return fmt::format("cannot read {}", options.schedule_file);
    auto rates = client::parse_rates(text);
    if (!rates) return fmt::format("{}, {}", options.schedule_file, rates.error());
    options.timetable->stretches = std::move(*rates);
    return {};
}

int run(LoadOptions& options) {
    for (const auto settle : {settle_flow, settle_timetable})
        if (const Problem wrong = settle(options)) return fail_usage(*wrong, k_load_command);
    if (const Problem wrong = read_schedule(options)) return fail(*wrong);
    if (options.gateway == "udp") return run_udp_load(options);
    auto tls = options.tls.context(options.host);
    if (!tls) return fail(tls.error());
    options.tls_context = *std::move(tls);
    if (options.settings.verify) {
        const auto where = address_of(options);
        options.settings.same_clock = where && where->is_loopback();
    }
    options.threads = std::min(options.threads, options.clients);
    const std::uint32_t attackers = options.hostile.empty() ? 0 : k_attack_connections;
    if (auto room = reserve_descriptors(options.clients + attackers); !room)
        return fail(room.error());
    if (!options.hostile.empty()) return run_hostile(options);
    std::optional<LoadResult> echo;
    if (options.echo || options.echo_only) {
        auto floor = run_echo(options);
        if (!floor) return fail(floor.error());
        echo = std::move(*floor);
    }
    if (options.echo_only) {
        print_load_report(options, *echo, {});
        return k_exit_success;
    }
    const auto result = run_load(options, "load");
    if (!result) return fail(result.error());
    print_load_report(options, *result, echo);
    if (result->tally.errors() == 0) return k_exit_success;
    return fail(fmt::format("{}; the first: {}",
                            counted(static_cast<std::int64_t>(result->tally.errors()), "error"),
                            result->tally.first_error));
}

void add_run_options(CLI::App& command, LoadOptions& options) {
    command.add_option("--gateway", options.gateway, "Gateway to connect to")
        ->check(CLI::IsMember({"binary", "fix", "ouch", "udp"}))
        ->capture_default_str();
    command
        .add_option("--protocol", options.protocol,
                    "Binary: v1, v2, or capture (v1 with the longer cancels of the capture); FIX: "
                    "its version; OUCH: ouch50; UDP: the format")
        ->check(CLI::IsMember({"v1", "capture", "v2", "fix42", "fix44", "fix50sp2", "ouch50",
                               "packed", "words", "extended"}))
        ->default_str("v1, fix44, ouch50 or extended");
    command.add_option("--address,--host", options.host, "Address of the exchange")
        ->capture_default_str();
    command.add_option("--port", options.port, "Port of the gateway")
        ->default_str("12345, 9878 for FIX, 26400 for OUCH, or 26402 for UDP");
    command.add_option("--clients", options.clients, "Number of connections")
        ->check(CLI::Range(1, 60'000))
        ->capture_default_str();
    command
        .add_option("--window", options.settings.window,
                    "Maximum number of outstanding requests per client")
        ->check(CLI::Range(1, 4'096))
        ->capture_default_str();
    command.add_option("--seconds", options.seconds, "Measured time, after the warm-up")
        ->check(CLI::Range(0.1, 86'400.0))
        ->capture_default_str();
    command
        .add_option("--at-least", options.at_least,
                    "Extend the measured time until this many requests are answered")
        ->check(CLI::PositiveNumber);
    command.add_option("--warm-up", options.warm_up_s, "Unmeasured seconds before it")
        ->check(CLI::Range(0.0, 3'600.0))
        ->capture_default_str();
    command.add_option("--threads", options.threads, "Number of threads that share the clients")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command.add_flag("--spin", options.spin, "Never sleep; use with one client on its own core");
    auto* const echo = command.add_flag(
        "--echo", options.echo,
        "First measure a bare echo with the same clients and window as the lower bound");
    command.add_flag("--echo-only", options.echo_only, "Measure only the bare echo")
        ->excludes(echo);
    command
        .add_option(
            "--server-pid", options.server_process,
            "Process id of the server, for its CPU time and memory; usually found automatically")
        ->check(CLI::PositiveNumber);
    command
        .add_option("--watch-memory", options.watch_memory_s,
                    "Seconds between lines with the server's memory")
        ->check(CLI::Range(0.2, 3'600.0));
    command.add_flag("--json", options.json, "One JSON object instead of a table");
}

void add_hostile_option(CLI::App& command, LoadOptions& options) {
    std::vector<std::string> names{k_attack_names.begin(), k_attack_names.end()};
    names.emplace_back("all");
    command
        .add_option("--hostile", options.hostile,
                    "Run alone, then under each of these attacks; default: 10 clients that send "
                    "2,000 requests a second")
        ->delimiter(',')
        ->check(CLI::IsMember(names));
    command
        .add_option("--rounds", options.hostile_rounds,
                    "Repetitions of the comparison, to show the natural variation")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
}

/// Defaults for well-behaved clients beside hostile ones: few, at a low rate.
void settle_hostile(const CLI::App& command, LoadOptions& options) {
    if (options.hostile.empty()) return;
    if (std::ranges::find(options.hostile, "all") != options.hostile.end())
        options.hostile.assign(k_attack_names.begin(), k_attack_names.end());
    if (command.count("--clients") == 0) options.clients = 10;
    const bool timed = command.count("--rate") + command.count("--burst") +
                           command.count("--schedule") + command.count("--window") >
                       0;
    if (!timed) options.rate = 2'000;
}

void add_timing_options(CLI::App& command, LoadOptions& options) {
    command
        .add_option("--rate", options.rate,
                    "Open loop: requests a second of all clients together; latency counts from the "
                    "due time")
        ->check(CLI::Range(0.001, 1e9));
    command
        .add_option("--ramp", options.ramp_s,
                    "Seconds in which the rate rises from zero to its value")
        ->check(CLI::Range(0.001, 86'400.0));
    command
        .add_option("--jitter", options.jitter_percent,
                    "Delay each request by up to this percentage of the interval")
        ->check(CLI::Range(0.0, 100.0));
    command.add_option("--burst", options.burst, "Open loop: additional requests in each burst")
        ->check(CLI::Range(1, 10'000'000));
    command.add_option("--burst-every", options.burst_every_ms, "Milliseconds between bursts")
        ->check(CLI::Range(0.001, 1e6))
        ->capture_default_str();
    command.add_option("--schedule", options.schedule_file,
                       "Open loop: file of lines second,rate; each rate holds until the next");
}

void add_flow_options(CLI::App& command, LoadOptions& options) {
    command.add_option("--mix", options.mix, "Shares of new orders, cancels and modifies")
        ->capture_default_str();
    command.add_option("--seed", options.settings.seed, "Seed of the order flow")
        ->capture_default_str();
    command.add_option("--instrument", options.settings.instrument.value, "Id of the instrument")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command
        .add_option("--symbol", options.settings.symbol,
                    "Symbol of the instrument, for fix and ouch")
        ->capture_default_str();
    command
        .add_option("--comp-id", options.settings.fix_client,
                    "Comp id of the FIX clients, to which each appends its number")
        ->capture_default_str();
    command
        .add_option("--exchange-comp-id", options.settings.fix_exchange,
                    "Comp id of the exchange, for fix")
        ->capture_default_str();
    add_tls_options(command, options.tls);
    command
        .add_option(
            "--api-key", options.api_keys,
            "API key, if the exchange requires one (v1); of several, each client takes the next")
        ->delimiter(',');
    command.add_option("--prices", options.prices, "Prices around a fixed middle, or a moving one")
        ->check(CLI::IsMember({"uniform", "walk"}))
        ->capture_default_str();
    command.add_option("--mid", options.settings.mid_price_e2, "Middle of the prices, in 0.01")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    command
        .add_option("--range", options.settings.price_range_e2, "Distance from the middle, in 0.01")
        ->capture_default_str();
    command
        .add_option("--aggressive", options.settings.aggressive_percent,
                    "Percentage of orders priced beyond the middle, to trade; the others rest on "
                    "their own side")
        ->default_str(
            fmt::format("{}; for udp any price for either side", k_usual_aggressive_percent))
        ->check(CLI::Range(0, 100));
    command.add_flag("--verify", options.settings.verify,
                     "Check every answer against the rules of the protocol");
    command.add_flag(
        "--auctions", options.settings.auctions,
        "The venue has auctions or batches: resting orders may trade at better prices, "
        "and phases may refuse requests");
}

}  // namespace

void add_load(CLI::App& program, Job& job) {
    auto* command = program.add_subcommand(
        k_load_command, "Loads a running exchange with many clients, and measures it");
    auto options = std::make_shared<LoadOptions>();
    add_run_options(*command, *options);
    add_timing_options(*command, *options);
    add_flow_options(*command, *options);
    add_hostile_option(*command, *options);
    add_udp_options(*command, *options);
    command->callback([command, options, &job] {
        settle_hostile(*command, *options);
        if (options->gateway == "fix") {
            if (command->count("--port") == 0) options->port = k_fix_port;
            if (command->count("--protocol") == 0) options->protocol = "fix44";
        }
        if (options->gateway == "ouch") {
            if (command->count("--port") == 0) options->port = k_ouch_port;
            if (command->count("--protocol") == 0) options->protocol = "ouch50";
        }
        if (options->gateway == "udp") {
            if (command->count("--port") == 0) options->port = k_udp_port;
            if (command->count("--protocol") == 0) options->protocol = "extended";
        }
        job = [options] { return run(*options); };
    });
}

}  // namespace damrak::app
