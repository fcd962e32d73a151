// Reports on the UDP gateway of a running exchange: notices of problems, and metrics. On the
// threads of telemetry, from counters that the gateway publishes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <damrak/exchange/detail/notices.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/net/interface_watch.hpp>
#include <damrak/udp_gateway/settings.hpp>

namespace damrak::exchange {

struct UdpStatus {
    gateway::UdpCounters gateway{};
    net::PathCounters path{};
    const net::InterfaceWatch* interface = nullptr;  ///< network interface of the gateway

    [[nodiscard]] bool cut_off() const { return interface != nullptr && interface->gone(); }
};

/// Warns the operator which places for senders are nearly used up; empty: none.
[[nodiscard]] std::string udp_places_warning(const UdpStatus& status);

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

}  // namespace damrak::exchange
