// The exchange with its FIX door on a simulated network, disk and clock, as one process that may
// end at any call of the system, before and after each message is kept, and between the events of a
// command. Its messages are in the files of real stores; snapshots are written by a replica, and a
// restart begins with one. Destroying it is killing it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <damrak/gateway/doors.hpp>
#include <damrak/journal/exchange_state.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/replica.hpp>
#include <damrak/journal/restore.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/session/fix/message_store.hpp>
#include <damrak/sim/disk.hpp>
#include <damrak/sim/network.hpp>
#include <damrak/sim/virtual_clock.hpp>

#include "support/simulation/kept_ahead.hpp"

namespace damrak::simulation {

/// What does not work of the restart, in tests that plant a fault.
struct FixPlant {
    bool forgets_reports = false;   ///< those that were not kept before the kill
    bool forgets_requests = false;  ///< that the journal has of them
    bool trusts_snapshots = false;  ///< also those of records whose reports were not all kept
};

struct FixSetup {
    EngineConfig engine{};
    journal::JournalConfig journal{};
    std::array<std::uint64_t, 2> instance{1, 1};
    gateway::FixGatewayConfig door{};
    gateway::FixDeskConfig desk{};
    session::fix::StoreSettings store{};
    std::uint64_t snapshot_every = 0;  ///< records; zero: restarts replay the whole journal
    std::vector<Command> opening{};
    /// Called before each event is told: what other threads may do meanwhile.
    std::function<void()> beside{};
    FixPlant plant{};
};

/// The files of a session, with a place to die before and after each thing that is kept.
class MortalStore {
  public:
    using Files = session::fix::MessageStore;

    MortalStore(std::unique_ptr<Files> files, const std::function<void()>& place)
        : files_(std::move(files)), place_(&place) {}

    [[nodiscard]] std::span<char> claim(std::size_t maximum) { return files_->claim(maximum); }
    std::span<const char> commit(std::uint64_t sequence, std::span<const char> message,
                                 const session::fix::Kept& kept) {
        (*place_)();
        const auto result = files_->commit(sequence, message, kept);
        (*place_)();
        return result;
    }
    [[nodiscard]] std::optional<session::fix::Stored> find(std::uint64_t sequence) const {
        return files_->find(sequence);
    }
    [[nodiscard]] std::uint64_t next_outgoing() const { return files_->next_outgoing(); }
    [[nodiscard]] std::uint64_t next_incoming() const { return files_->next_incoming(); }
    void set_next_outgoing(std::uint64_t sequence, Timestamp now) {
        files_->set_next_outgoing(sequence, now);
    }
    void set_next_incoming(std::uint64_t sequence, Timestamp now) {
        (*place_)();
        files_->set_next_incoming(sequence, now);
    }
    void reset(Timestamp now) { files_->reset(now); }
    [[nodiscard]] Timestamp began() const { return files_->began(); }
    [[nodiscard]] session::fix::EventPosition last_position() const {
        return files_->last_position();
    }
    [[nodiscard]] std::string trouble() const { return files_->trouble(); }

  private:
    std::unique_ptr<Files> files_;
    const std::function<void()>* place_;
};
static_assert(session::fix::Store<MortalStore>);

class FixProcess;

/// What other threads do between two events of a command, and then the event.
struct FixRelay : Relay<FixProcess> {
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) const;
};

using SimulatedFixExchange = KeptAhead<FixRelay>;
using SimulatedFixDoors =
    gateway::Doors<sim::HostNetwork, SimulatedFixExchange, MortalStore, net::AnyPath>;

/// Tells the door what it has to make up for, as long as there is somebody to be told.
struct MissingReports {
    std::function<void(const Event&, const Origin&, const CommandStamp&,
                       const views::FixOrders::Applied&)>
        tell{};
    void on_fix_event(const Event& event, const Origin& origin, const CommandStamp& stamp,
                      const views::FixOrders::Applied& applied) const {
        if (tell) tell(event, origin, stamp, applied);
    }
    void on_event(const Event& /*event*/, const CommandStamp& /*stamp*/) const {}
    void on_batch_end(bool /*caught_up*/) const {}
};

class FixProcess {
  public:
    /// `place` is called where it may end, and throws if it does.
    FixProcess(sim::Network& network, sim::Network& no_network, sim::Disk& disk,
               const sim::VirtualClock& clock, const FixSetup& setup, std::function<void()> place);
    FixProcess(const FixProcess&) = delete;
    FixProcess& operator=(const FixProcess&) = delete;

    [[nodiscard]] journal::Result<void> start();
    void turn() { static_cast<void>(doors_.do_work(0)); }
    void keep() { static_cast<void>(journal_->keeper().do_work(time().value)); }
    void sync() { static_cast<void>(journal_->syncer().do_work(time().value)); }
    /// Of the thread that writes snapshots.
    void follow() {
        if (replica_) static_cast<void>(replica_->do_work(time().value));
    }
    /// Ends as one that is asked to.
    void close();

    [[nodiscard]] bool stopped() const { return doors_.stopped(); }
    /// With which it began.
    [[nodiscard]] std::uint64_t records() const { return restored_.journal.last_sequence; }
    /// Reports that were missing when it started.
    [[nodiscard]] std::uint64_t made_up() const { return doors_.desk().made_up(); }
    /// The record of the snapshot that it began with; zero if there was none.
    [[nodiscard]] std::uint64_t began_with() const { return restored_.snapshot; }
    [[nodiscard]] std::uint64_t snapshots() const { return replica_ ? replica_->snapshots() : 0; }

  private:
    friend struct Relay<FixProcess>;
    friend struct FixRelay;
    using State = journal::ExchangeState<MissingReports>;
    using Replica = journal::Replica<State>;

    [[nodiscard]] Timestamp time() const { return {clock_->time_of_day_ns()}; }
    [[nodiscard]] journal::Result<void> restore();
    [[nodiscard]] journal::Result<void> follow_journal();
    [[nodiscard]] journal::RestoreHooks hooks();

    sim::Disk* disk_;
    const sim::VirtualClock* clock_;
    const FixSetup* setup_;
    std::function<void()> place_;
    SimulatedFixDoors doors_;
    FixRelay relay_{{this}};
    SimulatedFixExchange exchange_;
    journal::Restored restored_;
    std::unique_ptr<State> state_;  ///< that is recovered, then of the replica
    std::unique_ptr<journal::Journal> journal_;
    std::unique_ptr<Replica> replica_;
};

}  // namespace damrak::simulation
