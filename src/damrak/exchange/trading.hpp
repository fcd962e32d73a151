// The doors and what is behind them, in whichever wiring was requested. Calls are one a turn or
// rarer, never one a message. Owned by the exchange, used by its thread.
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
#include <damrak/exchange/settings.hpp>
#include <damrak/exchange/trading_side.hpp>
#include <damrak/exchange/udp_report.hpp>
#include <damrak/feed/market_snapshots.hpp>
#include <damrak/fix_gateway/admin.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::exchange {

using Ports = std::map<std::string, std::uint16_t>;  ///< by door

class Trading : public TradingSide {
  public:
    /// Messages that were made up.
    [[nodiscard]] virtual std::uint64_t missing_reported() const = 0;
    /// Where FIX clients see the market; false: there are none.
    [[nodiscard]] virtual bool show(feed::MarketSnapshots& snapshots) = 0;
    /// Of the exchange itself; done on return. False: the journal takes nothing any more.
    [[nodiscard]] virtual bool submit(const Command& command) = 0;
    [[nodiscard]] virtual journal::Result<void> listen() = 0;
    /// Reads the certificates of the FIX door anew, for connections from now on.
    [[nodiscard]] virtual journal::Result<void> use_certificates(const net::TlsFiles& files) = 0;
    /// One turn; how many messages there were.
    virtual std::size_t do_work(int wait_ms) = 0;
    /// When the last turn was done with what came.
    [[nodiscard]] virtual Timestamp time() = 0;

    [[nodiscard]] virtual bool stopped() const = 0;
    /// Of the doors that are open.
    [[nodiscard]] virtual Ports ports() const = 0;
    /// By which way datagrams come and go, and why; empty while the UDP door is closed.
    [[nodiscard]] virtual std::string udp_path() const = 0;
    [[nodiscard]] virtual std::string udp_warning() const = 0;
    /// Any thread's; nothing while the door is closed.
    [[nodiscard]] virtual std::optional<UdpStatus> udp_status() const = 0;
    virtual void set_identities(const Settings& settings) = 0;
    /// For another thread to ask; null while the FIX door is closed.
    [[nodiscard]] virtual gateway::FixAdmin* fix_admin() = 0;
    [[nodiscard]] virtual telemetry::Probe& probe() = 0;
    // Any thread's:
    [[nodiscard]] virtual telemetry::Counters published_counters() const = 0;
    /// In use by those without a name.
    [[nodiscard]] virtual std::uint32_t anonymous_participants() const = 0;
    /// Memory that the messages of OUCH users take; any thread.
    [[nodiscard]] virtual std::uint64_t ouch_message_bytes() = 0;
    /// While no client trades, or between two commands of the exchange itself.
    [[nodiscard]] virtual MarketView market() const = 0;
    /// Before start() and after close().
    [[nodiscard]] virtual std::uint64_t state_hash() const = 0;
    [[nodiscard]] virtual std::uint64_t commands() const = 0;
};

/// How an exchange makes its doors and what is behind them; trade_with.hpp makes one for any list.
using MakeTrading = std::function<std::unique_ptr<Trading>(const Settings& settings)>;

/// Those of `damrak serve`, see door_list.hpp.
[[nodiscard]] std::unique_ptr<Trading> trade_at_standard_doors(const Settings& settings);

}  // namespace damrak::exchange
