// Reports on the UDP gateway of a running exchange: notices of problems, and metrics. On the
// threads of telemetry, from counters that the gateway publishes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/gateway/health.hpp>
#include <damrak/gateway/notices.hpp>
#include <damrak/gateway/settings.hpp>
#include <damrak/gateway/udp/detail/settings.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/net/interface_watch.hpp>

namespace damrak::gateway::udp {

struct UdpStatus {
    UdpCounters gateway{};
    net::PathCounters path{};
    const net::InterfaceWatch* interface = nullptr;  ///< network interface of the gateway

    [[nodiscard]] bool cut_off() const { return interface != nullptr && interface->gone(); }
};

/// Warns the operator which places for senders are nearly used up. Without its network interface
/// the gateway has failed.
[[nodiscard]] Health udp_health(const UdpStatus& status);

/// Adds lines for the operator at the start: the path in use and the reason, what is wrong with it,
/// and where trades go.
void describe_udp(std::string_view path, std::string_view warning, const Settings& settings,
                  std::vector<std::string>& lines);

/// For Prometheus.
[[nodiscard]] std::string udp_metrics(const UdpStatus& status);

/// Reports new duplicates, gaps and malformed or refused messages once a second, however many there
/// are.
class UdpTroubles {
  public:
    explicit UdpTroubles(OnNotice on_notice) : notices_(std::move(on_notice)) {}

    void look(const UdpStatus& status, std::int64_t now_ns);
    /// Totals, at the end.
    void tell_all(const UdpStatus& status) const;

  private:
    void look_at_interface(const UdpStatus& status, std::int64_t now_ns);
    void look_at_places(const UdpStatus& status);

    Notices notices_;
    UdpStatus reported_;
    std::int64_t reported_at_ns_ = 0;
    std::int64_t interface_seen_at_ns_ = 0;
    bool cut_off_ = false;
    unsigned reported_all_percent_ = 0;  ///< of all places for senders
    unsigned reported_anonymous_percent_ = 0;
};

}  // namespace damrak::gateway::udp
