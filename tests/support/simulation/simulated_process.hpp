// The exchange with its doors on a simulated disk and clock, as one process that may end at any
// call of the system, between the events of a command, and between two steps of what has a thread
// of its own. A replica writes snapshots, and a restart begins with one. Destroying it is killing
// it. Which doors there are, and in which wiring, is said in doors_process.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <damrak/base/agent.hpp>
#include <damrak/base/random.hpp>
#include <damrak/exchange/door_states.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/replica.hpp>
#include <damrak/journal/restore.hpp>
#include <damrak/sim/disk.hpp>
#include <damrak/sim/virtual_clock.hpp>
#include <damrak/udp_gateway/settings.hpp>

#include "support/simulation/simulated_exchange.hpp"

namespace damrak::simulation {

/// Reports to a gateway what it missed, while there is a gateway.
struct MissingReports {
    std::function<void(const Event&, const Origin&, const CommandStamp&,
                       const gateway::FixOrders::Applied&)>
        tell{};
    void on_fix_event(const Event& event, const Origin& origin, const CommandStamp& stamp,
                      const gateway::FixOrders::Applied& applied) const {
        if (tell) tell(event, origin, stamp, applied);
    }
    void on_event(const Event& /*event*/, const CommandStamp& /*stamp*/) const {}
    void on_batch_end(bool /*caught_up*/) const {}
};

class SimulatedProcess : public Hearer {
  public:
    SimulatedProcess(const SimulatedProcess&) = delete;
    SimulatedProcess& operator=(const SimulatedProcess&) = delete;
    virtual ~SimulatedProcess() = default;

    [[nodiscard]] virtual journal::Result<void> start() = 0;
    virtual void turn() = 0;
    /// Does some of the work of other threads.
    void step_others(RandomStream& random);
    /// Ends as one that is asked to.
    virtual void close() = 0;

    [[nodiscard]] virtual bool stopped() const = 0;
    /// With which it began.
    [[nodiscard]] std::uint64_t records() const { return restored_.journal.last_sequence; }
    /// The record of the snapshot that it began with; zero if there was none.
    [[nodiscard]] std::uint64_t began_with() const { return restored_.snapshot; }
    [[nodiscard]] std::uint64_t snapshots() const { return replica_ ? replica_->snapshots() : 0; }
    /// Reports by FIX that were missing when it started.
    [[nodiscard]] virtual std::uint64_t missing_reported() const { return 0; }
    /// Of its door for datagrams.
    [[nodiscard]] virtual const gateway::UdpCounters& udp_counters() const { return no_counters_; }
    [[nodiscard]] virtual bool knows_sender(SessionId /*session*/) { return false; }

  protected:
    using State = exchange::ExchangeState<MissingReports>;

    /// `place` is called where it may end, and throws if it does.
    SimulatedProcess(sim::Disk& disk, const sim::VirtualClock& clock, const ProcessSetup& setup,
                     std::function<void()> place)
        : disk_(&disk), clock_(&clock), setup_(&setup), place_(std::move(place)) {}

    /// Brings the state to the end of the journal, and opens that.
    [[nodiscard]] journal::Result<void> restore();
    /// Before it, for who keeps something beside the journal.
    [[nodiscard]] virtual journal::Result<journal::RestoreHooks> prepare(State& state) = 0;

    [[nodiscard]] Timestamp time() const { return {clock_->time_of_day_ns()}; }
    void keep() { std::ignore = journal_->preallocator().do_work(time().value); }
    void sync() { std::ignore = journal_->syncer().do_work(time().value); }
    void follow() {
        if (replica_) std::ignore = replica_->do_work(time().value);
    }
    [[nodiscard]] std::vector<AgentRef> helpers() {
        return {AgentRef{journal_->preallocator()}, AgentRef{journal_->syncer()}};
    }

    using Replica = journal::Replica<State>;

    sim::Disk* disk_;
    const sim::VirtualClock* clock_;
    const ProcessSetup* setup_;
    std::function<void()> place_;
    journal::Restored restored_;
    std::unique_ptr<State> state_;  ///< that is recovered, then of the replica; it is large
    std::unique_ptr<journal::Journal> journal_;
    std::unique_ptr<Replica> replica_;
    std::vector<AgentRef> agents_;  ///< of the pipelined wiring

  private:
    [[nodiscard]] journal::Result<void> follow_journal();

    gateway::UdpCounters no_counters_{};
};

}  // namespace damrak::simulation
