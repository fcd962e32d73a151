// The gateways and everything behind them, in either wiring. Virtual calls happen at most once a
// turn, never per message. Owned by the exchange, used by its thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <damrak/base/waiting.hpp>
#include <damrak/exchange/changes.hpp>
#include <damrak/exchange/detail/trading_side.hpp>
#include <damrak/exchange/settings.hpp>
#include <damrak/exchange/udp_report.hpp>
#include <damrak/feed/market_snapshots.hpp>
#include <damrak/fix_gateway/admin.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::exchange {

using Ports = std::map<std::string, std::uint16_t>;  ///< by gateway

class Trading : public TradingSide {
  public:
    /// Number of FIX reports that the start created because clients lacked them.
    [[nodiscard]] virtual std::uint64_t missing_reported() const = 0;
    /// Gives FIX clients their market data; false: there are none.
    [[nodiscard]] virtual bool show(feed::MarketSnapshots& snapshots) = 0;
    /// Submits a command of the exchange itself and waits for its end. False: the journal accepts
    /// no more. `tag` is that of its origin.
    [[nodiscard]] virtual bool submit(const Command& command, const Tag& tag) = 0;
    [[nodiscard]] bool submit(const Command& command) { return submit(command, {}); }
    /// Waits for the end of all commands under way.
    virtual void settle() = 0;
    [[nodiscard]] virtual journal::Result<void> listen() = 0;
    /// Reloads the certificates of the FIX gateway, for new connections.
    [[nodiscard]] virtual journal::Result<void> use_certificates(const net::TlsFiles& files) = 0;
    /// One turn. Returns the number of messages.
    virtual std::size_t do_work(int wait_ms) = 0;
    /// When the last turn received its input.
    [[nodiscard]] virtual Timestamp time() = 0;

    [[nodiscard]] virtual bool stopped() const = 0;
    /// Ports of the open gateways.
    [[nodiscard]] virtual Ports ports() const = 0;
    /// The datagram path in use and the reason; empty while the UDP gateway is closed.
    [[nodiscard]] virtual std::string udp_path() const = 0;
    [[nodiscard]] virtual std::string udp_warning() const = 0;
    /// Any thread; nothing while the gateway is closed.
    [[nodiscard]] virtual std::optional<UdpStatus> udp_status() const = 0;
    virtual void set_identities(const Settings& settings) = 0;
    /// What reports tell of executions from now on.
    virtual void set_fees(const Fees& fees) = 0;
    /// For requests of clients that come from now on.
    virtual void set_delay(const venue::Delay& delay, std::uint64_t seed) = 0;
    /// For requests of another thread; null while the FIX gateway is closed.
    [[nodiscard]] virtual gateway::FixAdmin* fix_admin() = 0;
    [[nodiscard]] virtual telemetry::Probe& probe() = 0;
    // For any thread:
    [[nodiscard]] virtual telemetry::Counters published_counters() const = 0;
    /// Anonymous participants in use.
    [[nodiscard]] virtual std::uint32_t anonymous_participants() const = 0;
    /// Memory of the messages of OUCH users; any thread.
    [[nodiscard]] virtual std::uint64_t ouch_message_bytes() = 0;
    /// Call it while no client trades, or between two commands of the exchange itself.
    [[nodiscard]] virtual MarketView market() const = 0;
    /// Call it before start() or after close().
    [[nodiscard]] virtual std::uint64_t state_hash() const = 0;
    [[nodiscard]] virtual std::uint64_t commands() const = 0;
};

/// Makes the Trading of an exchange; trade_with.hpp makes one for any list of gateways.
using MakeTrading = std::function<std::unique_ptr<Trading>(const Settings& settings)>;

/// With the gateways of `damrak serve`, see gateway_list.hpp.
[[nodiscard]] std::unique_ptr<Trading> trade_at_standard_gateways(const Settings& settings);

}  // namespace damrak::exchange
