#include "load/udp.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/affinity.hpp>
#include <damrak/gateway/udp/udp_settings.hpp>
#include <damrak/wire/packet/descriptor.hpp>

#include "cli.hpp"
#include "load/latency.hpp"
#include "load/report.hpp"
#include "load/udp_run.hpp"
#include "word_option.hpp"

namespace damrak::app {

namespace {

double per_second(std::uint64_t count, const UdpResult& result) {
    return static_cast<double>(count) / result.seconds;
}

/// Orders of the run that were never answered. This includes a pair whose sell came first, if
/// nothing followed at the end of a run of the public formats.
std::uint64_t lost(const UdpResult& result) {
    const client::PacketLoadTally& tally = result.tally;
    return tally.asked > tally.answered ? tally.asked - tally.answered : 0;
}

double lost_percent(const UdpResult& result) {
    return result.tally.asked == 0
               ? 0
               : 100 * static_cast<double>(lost(result)) / static_cast<double>(result.tally.asked);
}

nlohmann::ordered_json result_json(const UdpResult& result) {
    const net::PathCounters& counters = result.counters;
    return {{"path", result.path},
            {"seconds", result.seconds},
            {"orders_sent_per_s", per_second(result.asked, result)},
            {"orders_per_s", per_second(result.accepted, result)},
            {"answered_per_s", per_second(result.answered, result)},
            {"trades_per_s", per_second(result.trades, result)},
            {"latency_us", latency_json(result.tally.latency_ns)},
            {"orders", result.tally.asked},
            {"answered", result.tally.answered},
            {"lost", lost(result)},
            {"lost_percent", lost_percent(result)},
            {"accepted", result.tally.accepted},
            {"refused", result.tally.refused},
            {"busy", result.tally.busy},
            {"strange_datagrams", result.tally.strange},
            {"requests_given_up", result.given_up},
            {"counters",
             {{"received", counters.received},
              {"sent", counters.sent},
              {"no_room", counters.no_room},
              {"unusable", counters.unusable},
              {"send_failed", counters.send_failed},
              {"kernel_drops", counters.kernel_drops},
              {"fill_empty", counters.fill_empty},
              {"wakeups", counters.wakeups},
              {"passed", counters.passed}}}};
}

void print_udp_json(const LoadOptions& options, const UdpResult& result,
                    const std::optional<UdpResult>& echo) {
    nlohmann::ordered_json object{{"gateway", options.echo_only ? "echo" : "udp"},
                                  {"protocol", options.protocol},
                                  {"window", options.settings.window},
                                  {"one_way", options.one_way},
                                  {"open_loop", options.timetable.has_value()},
                                  {"orders_a_datagram", options.orders_a_datagram}};
    object.update(result_json(result));
    if (echo) {
        object["echo"] = result_json(*echo);
        object["echo"]["far_path"] = echo->far_path;
        object["over_echo_us"] = over_echo_json(result.tally.latency_ns, echo->tally.latency_ns);
    }
    print_json(object);
}

std::string count_text(std::uint64_t count) { return grouped(static_cast<std::int64_t>(count)); }

void print_loss(const UdpResult& result) {
    fmt::print("{} orders sent, {} answered, {} lost ({:.4f}%)", count_text(result.tally.asked),
               count_text(result.tally.answered), count_text(lost(result)), lost_percent(result));
    if (result.tally.busy > 0)
        fmt::print("; {} deferred because the exchange was busy", count_text(result.tally.busy));
    if (result.tally.refused > 0) fmt::print("; {} rejected", count_text(result.tally.refused));
    if (result.tally.strange > 0)
        fmt::print("; {} datagrams that are not answers", count_text(result.tally.strange));
    const net::PathCounters& counters = result.counters;
    fmt::print(
        "\nthe sender's own path: send ring full {} times, {} answers lost, fill ring "
        "empty {}; the exchange's metrics count its own losses\n",
        count_text(counters.no_room), count_text(counters.kernel_drops),
        count_text(counters.fill_empty));
}

void print_udp_text(const LoadOptions& options, const UdpResult& result,
                    const std::optional<UdpResult>& echo) {
    const std::string pace =
        options.one_way ? "one way" : fmt::format("window {}", options.settings.window);
    fmt::print("{}{}, {}, {:.1f} s, over {}\n", options.echo_only ? "bare echo, " : "",
               options.protocol, pace, result.seconds, result.path);
    fmt::print("{} orders/s sent, {} accepted, {} trades/s\n",
               rate_text(per_second(result.asked, result)),
               rate_text(per_second(result.accepted, result)),
               rate_text(per_second(result.trades, result)));
    if (echo)
        fmt::print("bare echo: {} answered, over {}\n",
                   rate_text(per_second(echo->accepted, *echo)), echo->far_path);
    print_loss(result);
    print_latency_head();
    if (echo) print_latency("echo", echo->tally.latency_ns);
    print_latency(options.echo_only ? "echo" : "exchange", result.tally.latency_ns);
    if (echo) print_over_echo(result.tally.latency_ns, echo->tally.latency_ns);
}

void print_udp(const LoadOptions& options, const UdpResult& result,
               const std::optional<UdpResult>& echo) {
    if (options.json)
        print_udp_json(options, result, echo);
    else
        print_udp_text(options, result, echo);
}

}  // namespace

void add_udp_options(CLI::App& command, LoadOptions& options) {
    add_word_option(
        command, "--udp-path", options.udp_path, gateway::udp::k_udp_paths,
        [&options](auto path) { options.udp_path = path; },
        "For udp: sockets, AF_XDP, or automatic");
    command.add_option("--udp-interface", options.udp_interface,
                       "For udp: network interface, required by AF_XDP");
    add_word_option(
        command, "--xdp-mode", options.xdp_mode, gateway::udp::k_xdp_modes,
        [&options](auto mode) { options.xdp_mode = mode; },
        "AF_XDP: in the driver (native), for any card (generic)");
    command.add_flag("--busy-poll", options.busy_poll,
                     "AF_XDP: poll the card from the program's own calls (prefer-busy-poll)");
    command.add_flag("--one-way", options.one_way,
                     "For udp: as fast as possible, without waiting for answers");
    command
        .add_option("--orders-a-datagram", options.orders_a_datagram,
                    "For udp, extended format: orders per datagram")
        ->check(CLI::Range(1U, static_cast<unsigned>(wire::packet::k_maximum_orders)))
        ->capture_default_str();
    command
        .add_option("--answer-timeout", options.answer_timeout_s,
                    "For udp: seconds without an answer after which requests count as lost")
        ->check(CLI::Range(0.001, 3'600.0))
        ->capture_default_str();
    command.add_option_function<std::string>(
        "--cores",
        [&options](const std::string& text) {
            const auto cores = parse_cores(text);
            if (!cores) throw CLI::ValidationError("--cores", cores.error());
            options.cores = *cores;
        },
        "For udp: cores of the sender and the bare echo, such as 0,1");
}

int run_udp_load(const LoadOptions& options) {
    if (const auto settings = packet_settings(options); !settings)
        return fail_usage(settings.error(), k_load_command);
    std::optional<UdpResult> echo;
    if (options.echo || options.echo_only) {
        auto floor = run_udp_echo(options);
        if (!floor) return fail(floor.error());
        echo = std::move(*floor);
    }
    if (options.echo_only) {
        print_udp(options, *echo, {});
        return k_exit_success;
    }
    const auto result = run_udp(options);
    if (!result) return fail(result.error());
    print_udp(options, *result, echo);
    return k_exit_success;
}

}  // namespace damrak::app
