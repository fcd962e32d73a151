// The exchange with its gateways on a simulated disk and clock, as one process that may crash in
// any system call, between the events of a command, and between two steps of its threads. A replica
// writes snapshots, and a restart begins with one. Destroying the object kills the process.
// gateways_process.hpp defines the gateways and the wiring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <support/disk.hpp>
#include <support/simulation/virtual_clock.hpp>

#include <damrak/base/detail/agent.hpp>
#include <damrak/base/random.hpp>
#include <damrak/exchange/detail/assembly.hpp>
#include <damrak/gateway/udp/detail/settings.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/replica.hpp>

#include "support/simulation/simulated_exchange.hpp"

namespace damrak::simulation {

class SimulatedProcess : public Hearer {
  public:
    SimulatedProcess(const SimulatedProcess&) = delete;
    SimulatedProcess& operator=(const SimulatedProcess&) = delete;
    virtual ~SimulatedProcess() = default;

    [[nodiscard]] virtual journal::Result<void> start() = 0;
    virtual void turn() = 0;
    /// A command of the exchange itself.
    virtual void submit(const Command& command) = 0;
    /// Does some of the work of other threads.
    void step_others(RandomStream& random);
    /// Shuts down in order.
    virtual void close() = 0;

    [[nodiscard]] virtual bool stopped() const = 0;
    /// Records in the journal at the start.
    [[nodiscard]] std::uint64_t records() const {
        return assembly_ ? assembly_->recovered().journal.last_sequence : 0;
    }
    /// The record of the snapshot at the start; zero if none.
    [[nodiscard]] std::uint64_t began_with() const {
        return assembly_ ? assembly_->recovered().snapshot : 0;
    }
    [[nodiscard]] std::uint64_t snapshots() const { return replica_ ? replica_->snapshots() : 0; }
    /// FIX reports that were missing at the start.
    [[nodiscard]] virtual std::uint64_t missing_reported() const { return 0; }
    /// Of its datagram gateway.
    [[nodiscard]] virtual const gateway::udp::UdpCounters& udp_counters() const {
        return no_counters_;
    }
    [[nodiscard]] virtual bool knows_sender(SessionId /*session*/) { return false; }

  protected:
    /// `place` is called at possible crashes, and throws to crash.
    SimulatedProcess(simulation::Disk& disk, const simulation::VirtualClock& clock,
                     const ProcessSetup& setup, std::function<void()> place)
        : disk_(&disk), clock_(&clock), setup_(&setup), place_(std::move(place)) {}

    /// Recovers the state to the end of the journal, and opens the journal.
    [[nodiscard]] journal::Result<void> restore(exchange::TradingSide& trading);

    [[nodiscard]] Timestamp time() const { return {clock_->time_of_day_ns()}; }
    void keep() { std::ignore = journal().preallocator().do_work(time().value); }
    void sync() { std::ignore = journal().syncer().do_work(time().value); }
    void follow() {
        if (replica_) std::ignore = replica_->do_work(time().value);
    }
    [[nodiscard]] std::vector<AgentRef> helpers() {
        return {AgentRef{journal().preallocator()}, AgentRef{journal().syncer()}};
    }
    [[nodiscard]] journal::Journal& journal() { return *assembly_->journal(); }

    using Replica = journal::Replica<exchange::FollowedState>;

    simulation::Disk* disk_;
    const simulation::VirtualClock* clock_;
    const ProcessSetup* setup_;
    std::function<void()> place_;
    std::unique_ptr<exchange::FollowedState> state_;  ///< recovered, then the replica's; large
    std::unique_ptr<exchange::Assembly> assembly_;    ///< and the journal
    std::unique_ptr<Replica> replica_;
    std::vector<AgentRef> agents_;  ///< of the pipelined wiring

  private:
    [[nodiscard]] journal::Result<void> follow_journal();

    gateway::udp::UdpCounters no_counters_{};
};

}  // namespace damrak::simulation
