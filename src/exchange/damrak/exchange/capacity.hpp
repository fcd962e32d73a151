// Usage of the finite resources of an exchange: warnings before one is full, and figures over HTTP.
// Watched by the telemetry thread, from published figures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

struct Usage {
    std::string_view name;  ///< as in [capacity], or the setting that limits it
    std::uint64_t used = 0;
    std::uint64_t capacity = 0;
    /// Above this, anonymous participants are refused.
    std::uint64_t anonymous = 0;
};

inline constexpr std::size_t k_finite_things = 9;
using Usages = std::array<Usage, k_finite_things>;

[[nodiscard]] Usages usages_of(Exchange& exchange, const Settings& settings);

/// For /metrics.
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
    std::array<std::uint8_t, k_finite_things> reported_{};  ///< stages, by index in Usages
};

}  // namespace damrak::exchange
