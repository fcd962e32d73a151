// Latencies as `damrak load` tells them, of every gateway: in microseconds, as JSON and as rows of
// one table.
#pragma once

#include <nlohmann/json.hpp>

#include <damrak/base/histogram.hpp>

namespace damrak::app {

[[nodiscard]] nlohmann::ordered_json latency_json(const Histogram& ns);
/// Latency that the exchange adds to the echo.
[[nodiscard]] nlohmann::ordered_json over_echo_json(const Histogram& ns, const Histogram& echo_ns);

void print_latency_head();
void print_latency(const char* name, const Histogram& ns);
void print_over_echo(const Histogram& ns, const Histogram& echo_ns);

}  // namespace damrak::app
