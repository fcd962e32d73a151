#include "load/report.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "load/latency.hpp"

namespace damrak::app {

namespace {

using client::k_kind_names;
using client::k_measured_kinds;

Histogram all_kinds(const client::LoadTally& tally) {
    Histogram all;
    for (const Histogram& kind : tally.latency_ns) all.merge(kind);
    return all;
}

double per_second(std::uint64_t count, const LoadResult& result) {
    return static_cast<double>(count) / result.seconds;
}

/// Requested mix in percent: "60.0/30.0/10.0".
std::string mix_of(const client::LoadTally& tally) {
    double all = 0;
    for (const std::uint64_t count : tally.asked) all += static_cast<double>(count);
    const auto share = [&](std::size_t kind) {
        return all > 0 ? 100 * static_cast<double>(tally.asked[kind]) / all : 0;
    };
    return fmt::format("{:.2f}/{:.2f}/{:.2f}", share(0), share(1), share(2));
}

nlohmann::ordered_json server_json(const ServerRun& server) {
    return {{"process", server.process},
            {"cpu_user_s", server.user_s},
            {"cpu_system_s", server.system_s},
            {"resident_kib",
             {{"begin", server.resident_kib_begin},
              {"end", server.resident_kib_end},
              {"max", server.resident_kib_max}}}};
}

std::uint64_t messages_of(const LoadResult& result) {
    return result.tally.answers + result.tally.trade_messages;
}

nlohmann::ordered_json to_json(const LoadOptions& options, const LoadResult& result,
                               const std::optional<LoadResult>& echo) {
    const client::LoadTally& tally = result.tally;
    nlohmann::ordered_json by_kind;
    for (std::size_t kind = 0; kind < k_measured_kinds; ++kind)
        by_kind[k_kind_names[kind]] = latency_json(tally.latency_ns[kind]);
    nlohmann::ordered_json object{
        {"gateway", options.echo_only ? "echo" : options.gateway},
        {"protocol", options.protocol},
        {"clients", options.clients},
        {"window", options.settings.window},
        {"threads", options.threads},
        {"mix", options.mix},
        {"mix_reached", mix_of(tally)},
        {"seed", options.settings.seed},
        {"seconds", result.seconds},
        {"interrupted", result.interrupted},
        {"requests", tally.answers},
        {"requests_per_s", per_second(tally.answers, result)},
        {"replies_per_s", per_second(messages_of(result), result)},
        {"trade_messages_per_s", per_second(tally.trade_messages, result)},
        {"latency_us", latency_json(all_kinds(tally))},
        {"latency_us_by_type", by_kind},
        {"errors", tally.errors()},
        {"errors_by_cause",
         {{"refused", tally.refused},
          {"rules_broken", tally.violations},
          {"disconnected", tally.disconnects},
          {"unanswered", tally.unanswered}}},
        {"declined", tally.declined},
        {"found", tally.found},
        {"not_found", tally.not_found},
        {"verified", options.settings.verify},
        {"cpu_user_s", result.cpu_user_s},
        {"cpu_system_s", result.cpu_system_s},
    };
    object["open_loop"] = options.timetable.has_value();
    if (options.rate > 0) object["rate_asked_per_s"] = options.rate;
    if (result.server) object["server"] = server_json(*result.server);
    if (tally.errors() > 0) object["first_error"] = tally.first_error;
    if (echo) {
        const double floor = per_second(echo->tally.answers, *echo);
        object["echo_requests_per_s"] = floor;
        object["echo_latency_us"] = latency_json(all_kinds(echo->tally));
        object["ratio_to_echo"] = per_second(tally.answers, result) / floor;
        object["over_echo_us"] = over_echo_json(all_kinds(tally), all_kinds(echo->tally));
    }
    return object;
}

void print_errors(const LoadOptions& options, const client::LoadTally& tally) {
    const auto count = [](std::uint64_t n) { return grouped(static_cast<std::int64_t>(n)); };
    const std::uint64_t targets = std::max<std::uint64_t>(1, tally.found + tally.not_found);
    fmt::print(
        "\nmix reached {} new/cancel/modify; {:.1f} % of cancels and modifies found their order "
        "({} "
        "came after its fill)\n",
        mix_of(tally), 100 * static_cast<double>(tally.found) / static_cast<double>(targets),
        count(tally.not_found));
    if (tally.declined > 0)
        fmt::print("{} requests refused, as phases may; the first: {}\n", count(tally.declined),
                   tally.first_declined);
    if (tally.errors() == 0) {
        const bool verify = options.settings.verify;
        fmt::print("no errors{}{}\n", verify ? ", every answer checked" : "",
                   verify && !tally.trades.closed()
                       ? "; the two sides of a trade were not compared, as others trade too"
                       : "");
        return;
    }
    fmt::print("{} errors: {} refused, {} rules broken, {} disconnected, {} unanswered\n",
               count(tally.errors()), count(tally.refused), count(tally.violations),
               count(tally.disconnects), count(tally.unanswered));
    fmt::print("the first: {}\n", tally.first_error);
}

void print_processes(const LoadResult& result) {
    fmt::print("load side: {:.2f} s user, {:.2f} s system\n", result.cpu_user_s,
               result.cpu_system_s);
    if (!result.server) return;
    const ServerRun& server = *result.server;
    const auto mib = [](std::uint64_t kib) { return static_cast<double>(kib) / 1'024; };
    fmt::print(
        "server:    {:.2f} s user, {:.2f} s system; {:.1f} MiB at the start, {:.1f} at the "
        "end, {:.1f} peak\n",
        server.user_s, server.system_s, mib(server.resident_kib_begin),
        mib(server.resident_kib_end), mib(server.resident_kib_max));
}

void print_text(const LoadOptions& options, const LoadResult& result,
                const std::optional<LoadResult>& echo) {
    const client::LoadTally& tally = result.tally;
    const double requests = per_second(tally.answers, result);
    fmt::print("{}{}, window {}, {:.1f} s\n", options.echo_only ? "bare echo, " : "",
               counted(options.clients, "client"), options.settings.window, result.seconds);
    if (result.interrupted) fmt::print("stopped early: figures up to that point\n");
    fmt::print("{} requests/s, {} replies/s, {} of them trade messages\n", rate_text(requests),
               rate_text(per_second(messages_of(result), result)),
               rate_text(per_second(tally.trade_messages, result)));
    if (echo) {
        const double floor = per_second(echo->tally.answers, *echo);
        fmt::print("bare echo: {} requests/s; the exchange reaches {:.2f} of it\n",
                   rate_text(floor), requests / floor);
    }
    print_processes(result);
    print_latency_head();
    if (echo) print_latency("echo", all_kinds(echo->tally));
    print_latency("all", all_kinds(tally));
    for (std::size_t kind = 0; kind < k_measured_kinds; ++kind)
        print_latency(k_kind_names[kind], tally.latency_ns[kind]);
    if (echo) print_over_echo(all_kinds(tally), all_kinds(echo->tally));
    print_errors(options, tally);
}

}  // namespace

std::string rate_text(double rate) { return grouped(std::llround(rate)); }

void print_load_report(const LoadOptions& options, const LoadResult& result,
                       const std::optional<LoadResult>& echo) {
    if (options.json)
        print_json(to_json(options, result, echo));
    else
        print_text(options, result, echo);
}

}  // namespace damrak::app
