// `damrak load`: thousands of clients that trade with a running exchange, and what they see of its
// speed. Options and the course of a run; the work is in load_worker and client/load_client.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli.hpp"
#include "load_connections.hpp"
#include "load_echo.hpp"
#include "load_options.hpp"
#include "load_report.hpp"
#include "load_worker.hpp"

namespace damrak::app {
namespace {

constexpr const char* k_command = "load";
constexpr double k_give_up_s = 10;
constexpr auto k_look_interval = std::chrono::milliseconds{200};

using Workers = std::vector<std::unique_ptr<LoadWorker>>;
using Result = std::expected<LoadResult, std::string>;

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void sleep_until(std::int64_t at_ns) {
    std::this_thread::sleep_for(std::chrono::nanoseconds{at_ns - load_clock_ns()});
}

std::int64_t nanoseconds_of(double seconds) { return static_cast<std::int64_t>(seconds * 1e9); }

/// One line on a terminal, while the workers work; returns at the end of the measured part.
void watch(const Workers& workers, const LoadInstants& instants, const char* name) {
    const bool visible = ::isatty(STDERR_FILENO) == 1;
    std::uint64_t before = 0;
    std::int64_t before_ns = load_clock_ns();
    while (visible && load_clock_ns() + nanoseconds_of(0.2) < instants.end_ns) {
        std::this_thread::sleep_for(k_look_interval);
        std::uint64_t answers = 0;
        for (const auto& worker : workers) answers += worker->progress();
        const std::int64_t now_ns = load_clock_ns();
        const double rate =
            static_cast<double>(answers - before) * 1e9 / static_cast<double>(now_ns - before_ns);
        const double left_s = static_cast<double>(instants.end_ns - now_ns) / 1e9;
        fmt::print(stderr, "\r\x1b[K{}: {} requests/s, {:.0f} s left", name,
                   grouped(static_cast<std::int64_t>(rate)), std::max(0.0, left_s));
        std::fflush(stderr);
        before = answers;
        before_ns = now_ns;
    }
    sleep_until(instants.end_ns);
    if (visible) fmt::print(stderr, "\r\x1b[K");
}

LoadInstants instants_of(const LoadOptions& options) {
    const std::int64_t begin_ns = load_clock_ns() + nanoseconds_of(0.05);
    const std::int64_t measure_ns = begin_ns + nanoseconds_of(options.warm_up_s);
    const std::int64_t end_ns = measure_ns + nanoseconds_of(options.seconds);
    return {begin_ns, measure_ns, end_ns, end_ns + nanoseconds_of(k_give_up_s)};
}

Result run_load(const LoadOptions& options, const client::LoadSettings& settings,
                const char* name) {
    auto shares = connect_load(options, settings);
    if (!shares) return std::unexpected{shares.error()};
    Workers workers;
    for (LoadShare& share : *shares) {
        const double part = static_cast<double>(share.connections.size()) / options.clients;
        workers.push_back(std::make_unique<LoadWorker>(
            share, static_cast<double>(options.rate) * part, options.spin));
        if (auto ready = workers.back()->prepare(); !ready) return std::unexpected{ready.error()};
    }
    const LoadInstants instants = instants_of(options);
    std::vector<std::jthread> threads;
    for (const auto& worker : workers)
        threads.emplace_back([&instants, work = worker.get()] {
            sleep_until(instants.begin_ns);
            work->run(instants);
        });
    rusage before{};
    rusage after{};
    sleep_until(instants.measure_ns);
    ::getrusage(RUSAGE_SELF, &before);
    watch(workers, instants, name);
    ::getrusage(RUSAGE_SELF, &after);
    threads.clear();  // joins
    LoadResult result{.seconds = static_cast<double>(instants.end_ns - instants.measure_ns) / 1e9,
                      .cpu_user_s = seconds_of(after.ru_utime) - seconds_of(before.ru_utime),
                      .cpu_system_s = seconds_of(after.ru_stime) - seconds_of(before.ru_stime)};
    for (const LoadShare& share : *shares) result.tally.merge(*share.tally);
    return result;
}

Result run_echo(LoadOptions options) {
    const auto server = EchoServer::start(options.clients, options.spin);
    if (!server) return std::unexpected{server.error()};
    options.host = "127.0.0.1";
    options.port = server->port();
    options.settings.echo = true;
    options.rate = 0;
    auto result = run_load(options, options.settings, "echo");
    if (result && result->tally.errors() > 0)
        return std::unexpected{"the echo failed: " + result->tally.first_error};
    return result;
}

std::optional<std::array<std::uint32_t, client::k_measured_kinds>> parse_mix(
    const std::string& text) {
    std::array<std::uint32_t, client::k_measured_kinds> mix{};
    int end = 0;
    const int found = std::sscanf(text.c_str(), "%9u/%9u/%9u%n", &mix[0], &mix[1], &mix[2], &end);
    if (found != 3 || static_cast<std::size_t>(end) != text.size() || mix[0] == 0)
        return std::nullopt;
    return mix;
}

int run(LoadOptions& options) {
    const auto mix = parse_mix(options.mix);
    if (!mix) {
        return fail_usage(fmt::format("--mix is new/cancel/modify such as 60/30/10, with some new "
                                      "orders, not '{}'",
                                      options.mix),
                          k_command);
    }
    options.settings.mix = *mix;
    if (options.settings.price_range_e2 >= options.settings.mid_price_e2)
        return fail_usage("--range must be below --mid: prices are above zero", k_command);
    options.threads = std::min(options.threads, options.clients);
    if (auto room = reserve_descriptors(options.clients); !room) return fail(room.error());
    std::optional<LoadResult> echo;
    if (options.echo) {
        auto floor = run_echo(options);
        if (!floor) return fail(floor.error());
        echo = std::move(*floor);
    }
    const Result result = run_load(options, options.settings, "load");
    if (!result) return fail(result.error());
    print_load_report(options, *result, echo);
    if (result->tally.errors() == 0) return k_exit_success;
    return fail(fmt::format("{}; the first: {}",
                            counted(static_cast<std::int64_t>(result->tally.errors()), "error"),
                            result->tally.first_error));
}

void add_run_options(CLI::App& command, LoadOptions& options) {
    command.add_option("--door", options.door, "The protocol that is spoken")
        ->check(CLI::IsMember({"binary"}))
        ->capture_default_str();
    command.add_option("--host", options.host, "Where the exchange is")->capture_default_str();
    command.add_option("--port", options.port, "Of the door")->capture_default_str();
    command.add_option("--clients", options.clients, "Connections")
        ->check(CLI::Range(1, 60'000))
        ->capture_default_str();
    command
        .add_option("--window", options.settings.window,
                    "Requests of a client that may wait for their answer")
        ->check(CLI::Range(1, 4'096))
        ->capture_default_str();
    command.add_option("--seconds", options.seconds, "Measured, after one second of warm-up")
        ->check(CLI::Range(0.1, 86'400.0))
        ->capture_default_str();
    command.add_option("--threads", options.threads, "That the clients are dealt out to")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command.add_option(
        "--rate", options.rate,
        "Open loop: requests a second of all clients together, timed from when they were due");
    command.add_flag("--spin", options.spin, "Never sleep: for one client, with a core to itself");
}

void add_flow_options(CLI::App& command, LoadOptions& options) {
    command.add_option("--mix", options.mix, "New orders, cancels and modifies, as parts")
        ->capture_default_str();
    command.add_option("--seed", options.settings.seed, "Another seed is other orders")
        ->capture_default_str();
    command.add_option("--instrument", options.settings.instrument.value, "Its number")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--mid", options.settings.mid_price_e2, "Middle of the prices, in 0.01")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    command.add_option("--range", options.settings.price_range_e2, "Either side of it, in 0.01")
        ->capture_default_str();
    command.add_flag("--verify", options.settings.verify,
                     "Hold every answer against the rules of the protocol");
    command.add_flag("--echo", options.echo,
                     "First measure a bare echo with the same clients and window, as the floor");
    command.add_flag("--json", options.json, "One JSON object instead of a table");
}

}  // namespace

void add_load(CLI::App& program, Job& job) {
    auto* command = program.add_subcommand(
        k_command, "Trade with a running exchange as many clients, and measure it");
    auto options = std::make_shared<LoadOptions>();
    add_run_options(*command, *options);
    add_flow_options(*command, *options);
    command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
