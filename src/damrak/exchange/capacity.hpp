// How much of what is finite is in use: told before it is full, and to whoever
// asks over HTTP. Watched by the thread of the telemetry, from figures that others publish.
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
    std::string_view name;  ///< as in [capacity], or of the setting that bounds it
    std::uint64_t used = 0;
    std::uint64_t capacity = 0;
    /// From here on those without a name are refused.
    std::uint64_t anonymous = 0;
};

inline constexpr std::size_t k_finite_things = 9;
using Usages = std::array<Usage, k_finite_things>;

[[nodiscard]] Usages usages_of(Exchange& exchange, const Settings& settings);

/// For /metrics.
[[nodiscard]] std::string capacity_metrics(const Usages& usages);
/// What is worth a warning, in a few words; empty: there is room in everything.
[[nodiscard]] std::string filling(const Usages& usages);

/// Says once of each that it fills up, and again when it is worse.
class CapacityWatch {
  public:
    explicit CapacityWatch(OnNotice on_notice) : notices_(std::move(on_notice)) {}

    void look(const Usages& usages);

  private:
    Notices notices_;
    std::array<std::uint8_t, k_finite_things> reported_{};  ///< stages, by place in Usages
};

}  // namespace damrak::exchange
