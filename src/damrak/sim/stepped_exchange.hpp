// The whole exchange in its inline wiring on a simulated network, disk and clock: binary door,
// sessions, sequencer, engine and journal, with the journal's helpers as agents that are stepped
// from outside instead of threads. One object is one process: destroying it is killing it.
//
//   ExchangeProcess process{world, setup};
//   process.start(); … process.turn(); process.keep(); process.sync(); … process.close();
//
// Used by simulations, on one thread. Costs what the exchange costs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <damrak/gateway/binary_gateway.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/sequencer/sequencer.hpp>
#include <damrak/sim/disk.hpp>
#include <damrak/sim/network.hpp>
#include <damrak/sim/virtual_clock.hpp>

namespace damrak::sim {

class SteppedExchange;
using SteppedDoor = gateway::BinaryGateway<HostNetwork, SteppedExchange>;

namespace detail {

/// Stands between sequencer and door, so that a simulation can look, or do wrong, in between.
struct Relay {
    SteppedExchange* exchange = nullptr;
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) const;
    void on_command_end(const Origin& origin) const;
    void on_replayed(const Event& event) const;
};
/// A base, so that it is there before the sequencer.
struct RelayOwner {
    Relay relay;
};

}  // namespace detail

/// What is behind the door. Virtual where a test of the simulation plants a fault.
class SteppedExchange : private detail::RelayOwner, public sequencer::Sequencer<detail::Relay> {
  public:
    SteppedExchange(const EngineConfig& config, SteppedDoor& door)
        : Sequencer(config, relay), door_(&door) {
        relay.exchange = this;
    }
    SteppedExchange(const SteppedExchange&) = delete;
    SteppedExchange& operator=(const SteppedExchange&) = delete;
    virtual ~SteppedExchange() = default;

    /// As threads of the journal would: whatever a command takes of it, the next segment is there.
    std::function<void()> keep_ahead{};

    [[nodiscard]] bool submit(const Command& command, const Origin& origin, Timestamp now) {
        keep_ahead();
        return Sequencer::submit(command, origin, now);
    }
    [[nodiscard]] bool do_work(Timestamp now) {
        keep_ahead();
        return Sequencer::do_work(now);
    }
    [[nodiscard]] virtual journal::Kept kept() const { return Sequencer::kept(); }

    virtual void recover(std::span<const journal::Record> records) { replay(records); }
    virtual void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp);
    virtual void on_command_end(const Origin& origin);
    virtual void on_replayed(const Event& event);

  private:
    SteppedDoor* door_;
};

struct ExchangeSetup {
    gateway::BinaryGatewayConfig door{};
    EngineConfig engine{};
    journal::JournalConfig journal{};
    std::array<std::uint64_t, 2> instance{1, 1};
    /// Of the exchange itself, when it begins for the first time.
    std::vector<Command> opening{};
    std::function<std::unique_ptr<SteppedExchange>(const EngineConfig&, SteppedDoor&)> make{};
};

class ExchangeProcess {
  public:
    ExchangeProcess(Network& network, Disk& disk, const VirtualClock& clock,
                    const ExchangeSetup& setup);

    /// Recovers what the disk has, ends what was left open, and listens.
    [[nodiscard]] journal::Result<void> start();
    /// One turn of the thread that trades.
    void turn() { static_cast<void>(door_->do_work(0)); }
    /// One turn of the thread that makes segments.
    void keep() { static_cast<void>(journal_->keeper().do_work(time_ns())); }
    /// One turn of the thread that brings records to the disk.
    void sync() { static_cast<void>(journal_->syncer().do_work(time_ns())); }
    /// Ends as one that is asked to: everything is told and on the disk.
    void close();

    [[nodiscard]] const SteppedDoor& door() const { return *door_; }
    [[nodiscard]] const SteppedExchange& exchange() const { return *exchange_; }
    [[nodiscard]] const journal::Recovery& recovery() const { return recovery_; }
    /// False while it recovers: nothing can be appended yet.
    [[nodiscard]] bool has_journal() const { return journal_ != nullptr; }
    [[nodiscard]] journal::JournalWriter& writer() { return journal_->writer(); }

  private:
    [[nodiscard]] std::int64_t time_ns();
    [[nodiscard]] journal::Result<void> open_journal();
    void keep_ahead();

    Disk* disk_;
    const VirtualClock* clock_;
    const ExchangeSetup* setup_;
    std::unique_ptr<SteppedDoor> door_;
    std::unique_ptr<SteppedExchange> exchange_;
    journal::Recovery recovery_;
    std::unique_ptr<journal::Journal> journal_;
    std::int64_t last_ns_ = 0;
};

}  // namespace damrak::sim

namespace damrak {

extern template class Engine<sequencer::Sequencer<sim::detail::Relay>>;
extern template class session::BinarySession<sim::SteppedDoor>;
extern template class gateway::BinaryGateway<sim::HostNetwork, sim::SteppedExchange>;

}  // namespace damrak
