// Usage of the finite resources of an exchange: warnings before one is full, and figures over HTTP.
// Watched by the telemetry thread, from published figures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/settings.hpp>
#include <damrak/gateway/health.hpp>

namespace damrak::exchange {

using gateway::Usages;

/// Those of the exchange, then those of its gateways: always the same ones.
[[nodiscard]] Usages usages_of(Exchange& exchange, const Settings& settings);

/// How full it is, without a figure: `ok`, `warning` or `full`. Anybody may know it.
[[nodiscard]] std::string_view level_of(const gateway::Usage& usage);

/// For /metrics of the operator, and of anybody: 0 ok, 1 warning, 2 full.
[[nodiscard]] std::string level_metrics(const Usages& usages);
/// For /metrics of the operator.
[[nodiscard]] std::string capacity_metrics(const Usages& usages);
/// A warning in a few words; empty if there is room everywhere.
[[nodiscard]] std::string filling(const Usages& usages);

/// Warns once when a resource fills up, and again when it gets worse.
class CapacityWatch {
  public:
    explicit CapacityWatch(OnNotice on_notice) : notices_(std::move(on_notice)) {}

    void look(const Usages& usages);

  private:
    Notices notices_;
    std::vector<std::uint8_t> reported_;  ///< stages, by index in Usages
};

}  // namespace damrak::exchange
