// The gateways and everything behind them, in either wiring. Virtual calls happen at most once a
// turn, never per message. Owned by the exchange, used by its thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include <damrak/base/waiting.hpp>
#include <damrak/exchange/changes.hpp>
#include <damrak/exchange/detail/trading_side.hpp>
#include <damrak/exchange/settings.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/gateway/health.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::exchange {

using Ports = std::map<std::string, std::uint16_t>;  ///< by gateway

class Trading : public TradingSide {
  public:
    /// Whether the files of gateways allow for a new journal; the error says what to do.
    [[nodiscard]] virtual journal::Result<void> check_new_journal() const = 0;
    /// Whether the files of gateways know everybody that the journal knows.
    [[nodiscard]] virtual journal::Result<void> check_replayed(
        const FollowedState& state) const = 0;
    /// Those of the market that open gateways have for their clients.
    [[nodiscard]] virtual std::vector<feed::MarketObserver*> observers(
        const EngineConfig& engine) = 0;
    /// Submits commands of the exchange itself, in this order, and waits for the end of all. False:
    /// the journal accepts no more. `tag` is that of their origin.
    [[nodiscard]] virtual bool submit(std::span<const Command> commands, const Tag& tag) = 0;
    [[nodiscard]] bool submit(std::span<const Command> commands) { return submit(commands, {}); }
    [[nodiscard]] bool submit(const Command& command, const Tag& tag = {}) {
        return submit({&command, 1}, tag);
    }
    /// Waits for the end of all pending commands.
    virtual void settle() = 0;
    [[nodiscard]] virtual journal::Result<void> listen() = 0;
    /// Reloads the certificates of gateways, for new connections.
    [[nodiscard]] virtual journal::Result<void> use_certificates(const Settings& settings) = 0;
    /// One turn. Returns the number of messages.
    virtual std::size_t do_work(int wait_ms) = 0;
    /// When the last turn received its input.
    [[nodiscard]] virtual Timestamp time() = 0;

    [[nodiscard]] virtual bool stopped() const = 0;
    /// Ports of the open gateways.
    [[nodiscard]] virtual Ports ports() const = 0;
    /// What open gateways tell the operator at the start, as lines.
    [[nodiscard]] virtual std::vector<std::string> descriptions(const Settings& settings) const = 0;
    virtual void set_identities(const Settings& settings) = 0;
    /// What reports tell of executions from now on.
    virtual void set_fees(const Fees& fees) = 0;
    /// For requests of clients that come from now on.
    virtual void set_delay(const venue::Delay& delay, std::uint64_t seed) = 0;
    [[nodiscard]] virtual telemetry::Probe& probe() = 0;
    // For any thread:
    /// Adds anonymous participants, and the finite resources of gateways.
    virtual void add_usages(const Settings& settings, gateway::Usages& usages) const = 0;
    /// Of open gateways, in Prometheus format.
    [[nodiscard]] virtual std::string metrics() = 0;
    [[nodiscard]] virtual gateway::Health health() const = 0;
    /// The administration of a gateway, by its type; null while that is closed.
    template <class Admin>
    [[nodiscard]] Admin* admin() {
        return static_cast<Admin*>(find_admin(typeid(Admin)));
    }
    // For one thread at a time:
    /// Notices of what is new among the troubles of gateways; their totals, at the end.
    virtual void look_for_troubles(std::int64_t now_ns) = 0;
    virtual void tell_totals() const = 0;
    /// Call it while no client trades, or between two commands of the exchange itself.
    [[nodiscard]] virtual MarketView market() const = 0;
    /// Call it before start() or after close().
    [[nodiscard]] virtual std::uint64_t state_hash() const = 0;
    [[nodiscard]] virtual std::uint64_t commands() const = 0;

  private:
    [[nodiscard]] virtual void* find_admin(const std::type_info& type) = 0;
};

/// Makes the Trading of an exchange; trade_with.hpp makes one for any list of gateways.
using MakeTrading = std::function<std::unique_ptr<Trading>(const Settings& settings)>;

/// With the gateways of `damrak serve`, see standard_exchange/gateway_list.hpp.
[[nodiscard]] std::unique_ptr<Trading> trade_at_standard_gateways(const Settings& settings);

}  // namespace damrak::exchange
