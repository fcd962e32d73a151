#include "load/hostile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "load/attack.hpp"
#include "load/connections.hpp"
#include "load/run.hpp"
#include "serve/process.hpp"

namespace damrak::app {

namespace {

constexpr double k_times_quiet = 2;
constexpr double k_allowance_us = 50;
constexpr auto k_before_measuring = std::chrono::milliseconds{300};
constexpr auto k_look_interval = std::chrono::milliseconds{1};
constexpr std::int64_t k_begins_within_ns = 60'000'000'000;  // or the server takes nobody

struct Siege {
    std::string attack;
    LoadResult quiet;
    LoadResult attacked;
    AttackCounts attackers;
};

double percentile_us(const LoadResult& result, double percent) {
    Histogram all;
    for (const Histogram& kind : result.tally.latency_ns) all.merge(kind);
    return static_cast<double>(all.percentile(percent)) / 1e3;
}

double limit_us(const Siege& siege) {
    return k_times_quiet * percentile_us(siege.quiet, 99) + k_allowance_us;
}

bool is_within(const Siege& siege) { return percentile_us(siege.attacked, 99) <= limit_us(siege); }

std::expected<Siege, std::string> besiege(const LoadOptions& options, const std::string& name) {
    const auto server = address_of(options);
    if (!server) return std::unexpected{server.error()};
    const auto attack =
        static_cast<Attack>(std::ranges::find(k_attack_names, name) - k_attack_names.begin());
    AttackThread twin{std::nullopt, *server, options.settings.seed};
    auto quiet = run_load(options, "quiet");
    std::ignore = twin.stop();
    if (!quiet) return std::unexpected{quiet.error()};
    AttackThread attackers{attack, *server, options.settings.seed};
    std::this_thread::sleep_for(k_before_measuring);
    // Theirs is the processor time that nobody else wants, which may be little.
    const std::int64_t latest_ns = load_clock_ns() + k_begins_within_ns;
    while (!attackers.has_begun() && !stop_asked() && load_clock_ns() < latest_ns)
        std::this_thread::sleep_for(k_look_interval);
    auto attacked = run_load(options, name.c_str());
    const AttackCounts counts = attackers.stop();
    if (!attacked) return std::unexpected{fmt::format("beside {}: {}", name, attacked.error())};
    return Siege{name, std::move(*quiet), std::move(*attacked), counts};
}

nlohmann::ordered_json result_latency_json(const LoadResult& result) {
    return {{"p50", percentile_us(result, 50)},
            {"p99", percentile_us(result, 99)},
            {"p99_9", percentile_us(result, 99.9)}};
}

nlohmann::ordered_json to_json(const LoadOptions& options, const std::vector<Siege>& sieges) {
    auto rows = nlohmann::ordered_json::array();
    for (const Siege& siege : sieges) {
        const AttackCounts& attackers = siege.attackers;
        rows.push_back({{"attack", siege.attack},
                        {"quiet_us", result_latency_json(siege.quiet)},
                        {"attacked_us", result_latency_json(siege.attacked)},
                        {"limit_us", limit_us(siege)},
                        {"within", is_within(siege)},
                        {"requests", siege.attacked.tally.answers},
                        {"errors", siege.quiet.tally.errors() + siege.attacked.tally.errors()},
                        {"attackers",
                         {{"connections", attackers.connections},
                          {"ended_by_server", attackers.ended_by_server},
                          {"sent_bytes", attackers.sent_bytes},
                          {"seconds", attackers.seconds}}}});
    }
    return {{"clients", options.clients},
            {"window", options.settings.window},
            {"protocol", options.protocol},
            {"rate_asked_per_s", options.rate},
            {"verified", options.settings.verify},
            {"within", std::ranges::all_of(sieges, is_within)},
            {"attacks", rows}};
}

void print_text(const std::vector<Siege>& sieges) {
    fmt::print("{:15} {:>10} {:>10} {:>10} {:>10} {:>7} {:>14} {:>9} {:>10}\n", "us", "quiet p50",
               "quiet p99", "p99", "limit", "within", "connections/s", "ended", "MiB/s");
    for (const Siege& siege : sieges) {
        const AttackCounts& attackers = siege.attackers;
        const double seconds = std::max(attackers.seconds, 1e-3);
        fmt::print(
            "{:15} {:>10.1f} {:>10.1f} {:>10.1f} {:>10.1f} {:>7} {:>14.0f} {:>9} {:>10.1f}\n",
            siege.attack, percentile_us(siege.quiet, 50), percentile_us(siege.quiet, 99),
            percentile_us(siege.attacked, 99), limit_us(siege), is_within(siege) ? "yes" : "no",
            static_cast<double>(attackers.connections) / seconds,
            grouped(static_cast<std::int64_t>(attackers.ended_by_server)),
            static_cast<double>(attackers.sent_bytes) / seconds / (1'024 * 1'024));
    }
}

}  // namespace

int run_hostile(const LoadOptions& options) {
    std::vector<Siege> sieges;
    for (std::uint32_t round = 0; round < options.hostile_rounds; ++round) {
        for (const std::string& name : options.hostile) {
            auto siege = besiege(options, name);
            if (!siege) return fail(siege.error());
            if (stop_asked()) return fail("stopped before all attacks had run");
            sieges.push_back(std::move(*siege));
        }
    }
    if (options.json)
        print_json(to_json(options, sieges));
    else
        print_text(sieges);
    for (const Siege& siege : sieges)
        for (const LoadResult* result : {&siege.quiet, &siege.attacked})
            if (result->tally.errors() > 0)
                return fail(
                    fmt::format("{}: {}; the first: {}", siege.attack,
                                counted(static_cast<std::int64_t>(result->tally.errors()), "error"),
                                result->tally.first_error));
    return k_exit_success;
}

}  // namespace damrak::app
