#include "load/latency.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "cli.hpp"

namespace damrak::app {

namespace {

double microseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e3; }

double over_echo_us(const Histogram& ns, const Histogram& echo_ns, double percent) {
    return microseconds(ns.percentile(percent)) - microseconds(echo_ns.percentile(percent));
}

}  // namespace

nlohmann::ordered_json latency_json(const Histogram& ns) {
    return {{"count", ns.count()},
            {"mean", ns.mean() / 1e3},
            {"p50", microseconds(ns.percentile(50))},
            {"p90", microseconds(ns.percentile(90))},
            {"p99", microseconds(ns.percentile(99))},
            {"p99_9", microseconds(ns.percentile(99.9))},
            {"max", microseconds(ns.max())}};
}

nlohmann::ordered_json over_echo_json(const Histogram& ns, const Histogram& echo_ns) {
    return {{"p50", over_echo_us(ns, echo_ns, 50)}, {"p99", over_echo_us(ns, echo_ns, 99)}};
}

void print_latency_head() {
    fmt::print("\n{:8} {:>13} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "us", "answers", "p50", "p90",
               "p99", "p99.9", "max");
}

void print_latency(const char* name, const Histogram& ns) {
    fmt::print("{:8} {:>13} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f}\n", name,
               grouped(static_cast<std::int64_t>(ns.count())), microseconds(ns.percentile(50)),
               microseconds(ns.percentile(90)), microseconds(ns.percentile(99)),
               microseconds(ns.percentile(99.9)), microseconds(ns.max()));
}

void print_over_echo(const Histogram& ns, const Histogram& echo_ns) {
    fmt::print("{:8} {:>13} {:>10.2f} {:>10} {:>10.2f}\n", "over", "",
               over_echo_us(ns, echo_ns, 50), "", over_echo_us(ns, echo_ns, 99));
}

}  // namespace damrak::app
