// The whole exchange in one of its wirings on a simulated network, disk and clock: binary gateway,
// sessions, sequencer, engine and journal, and everything that normally has its own thread (helpers
// of the journal, the replica that writes snapshots, the agents of the pipelined wiring), stepped
// from outside. One object is one process: destroying it kills the process.
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
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <support/disk.hpp>
#include <support/simulation/network.hpp>
#include <support/simulation/virtual_clock.hpp>

#include <damrak/base/detail/agent.hpp>
#include <damrak/exchange/detail/assembly.hpp>
#include <damrak/exchange/detail/gateways.hpp>
#include <damrak/gateway/binary/binary_gateway.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/replica.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>
#include <damrak/sequencer/sequencer.hpp>

namespace damrak::simulation {

class SteppedExchange;
using SteppedGateway = gateway::binary::BinaryGateway<HostNetwork, SteppedExchange>;
using SteppedGateways = exchange::Gateways<SteppedExchange, SteppedGateway>;

/// The exchange behind the gateway, in either wiring. Virtual, so that one gateway serves both, and
/// so that tests can inject faults.
class SteppedExchange {
  public:
    explicit SteppedExchange(SteppedGateways& gateways) : gateways_(&gateways) {}
    SteppedExchange(const SteppedExchange&) = delete;
    SteppedExchange& operator=(const SteppedExchange&) = delete;
    virtual ~SteppedExchange() = default;

    // Called by the gateway, see gateway::ExchangeSide.
    [[nodiscard]] virtual bool submit(const Command& command, const Origin& origin,
                                      Timestamp now) = 0;
    [[nodiscard]] virtual bool do_work(Timestamp now) = 0;
    [[nodiscard]] virtual bool ready() const = 0;
    [[nodiscard]] virtual bool awaits_answers() const = 0;
    [[nodiscard]] virtual journal::DurableState durable_state() const = 0;
    [[nodiscard]] virtual bool has_instrument(InstrumentId id) const = 0;
    [[nodiscard]] virtual bool below_zero(InstrumentId id) const = 0;
    [[nodiscard]] virtual SessionId last_session() const = 0;
    [[nodiscard]] virtual ParticipantId last_participant() const = 0;

    // Called by the process:
    /// Records that are replayed into the state that it takes over.
    virtual void note_records(std::span<const journal::Record> /*records*/) {}
    virtual void take_over(const exchange::FollowedState& state) = 0;
    /// `helpers` are those of the journal, for when it must wait for them.
    virtual void start(journal::JournalWriter& writer, Timestamp now,
                       std::span<const AgentRef> helpers) = 0;
    /// Runs until everything is answered, or can no longer be.
    virtual void settle(Timestamp /*now*/, std::span<const AgentRef> /*helpers*/) {}
    /// The threads of the wiring, to be stepped.
    [[nodiscard]] virtual std::vector<AgentRef> agents() { return {}; }
    /// Empty while journal records are still to be applied.
    [[nodiscard]] virtual std::optional<std::uint64_t> state_hash() = 0;
    /// Commands that the engine applied, including replayed ones.
    [[nodiscard]] virtual std::uint64_t commands() const = 0;
    /// The last journal record on disk, for the name of a snapshot.
    [[nodiscard]] virtual std::uint64_t on_disk(const journal::JournalWriter& writer) const {
        return writer.synced_position();
    }

    // Reports to the gateway.
    virtual void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp);
    virtual void on_command_end(const Origin& origin);

    /// Does the work of the journal's threads, so that the next segment is always ready.
    std::function<void()> keep_ahead{};

  private:
    SteppedGateways* gateways_;
};

namespace detail {

/// Listener passed to a wiring, whose template needs its type.
struct Relay {
    SteppedExchange* exchange = nullptr;
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) const {
        exchange->on_event(event, origin, stamp);
    }
    void on_command_end(const Origin& origin) const { exchange->on_command_end(origin); }
    /// Not used: the wiring takes over a recovered state.
    void on_replayed(const Event& /*event*/, const Origin& /*origin*/) const {}
};

}  // namespace detail

class SteppedInline : public SteppedExchange {
  public:
    SteppedInline(const EngineConfig& config, SteppedGateways& gateways);

    [[nodiscard]] bool submit(const Command& command, const Origin& origin, Timestamp now) override;
    [[nodiscard]] bool do_work(Timestamp now) override;
    [[nodiscard]] bool ready() const override { return sequencer_.ready(); }
    [[nodiscard]] bool awaits_answers() const override { return false; }
    [[nodiscard]] journal::DurableState durable_state() const override {
        return sequencer_.durable_state();
    }
    [[nodiscard]] bool has_instrument(InstrumentId id) const override {
        return sequencer_.has_instrument(id);
    }
    [[nodiscard]] bool below_zero(InstrumentId id) const override {
        return sequencer_.below_zero(id);
    }
    [[nodiscard]] SessionId last_session() const override { return sequencer_.last_session(); }
    [[nodiscard]] ParticipantId last_participant() const override {
        return sequencer_.last_participant();
    }
    void take_over(const exchange::FollowedState& state) override;
    void start(journal::JournalWriter& writer, Timestamp now,
               std::span<const AgentRef> helpers) override;
    [[nodiscard]] std::optional<std::uint64_t> state_hash() override;
    [[nodiscard]] std::uint64_t commands() const override { return sequencer_.commands(); }

  private:
    detail::Relay relay_{this};
    sequencer::Sequencer<detail::Relay> sequencer_;
};

class SteppedPipelined : public SteppedExchange {
  public:
    SteppedPipelined(const EngineConfig& config, SteppedGateways& gateways,
                     sequencer::PipelineConfig pipeline);

    [[nodiscard]] bool submit(const Command& command, const Origin& origin, Timestamp now) override;
    [[nodiscard]] bool do_work(Timestamp now) override { return sequencer_.do_work(now); }
    [[nodiscard]] bool ready() const override { return sequencer_.ready(); }
    [[nodiscard]] bool awaits_answers() const override { return sequencer_.awaits_answers(); }
    [[nodiscard]] journal::DurableState durable_state() const override {
        return sequencer_.durable_state();
    }
    [[nodiscard]] bool has_instrument(InstrumentId id) const override {
        return sequencer_.has_instrument(id);
    }
    [[nodiscard]] bool below_zero(InstrumentId id) const override {
        return sequencer_.below_zero(id);
    }
    [[nodiscard]] SessionId last_session() const override { return sequencer_.last_session(); }
    [[nodiscard]] ParticipantId last_participant() const override {
        return sequencer_.last_participant();
    }
    void take_over(const exchange::FollowedState& state) override;
    void start(journal::JournalWriter& writer, Timestamp now,
               std::span<const AgentRef> helpers) override;
    void settle(Timestamp now, std::span<const AgentRef> helpers) override;
    [[nodiscard]] std::vector<AgentRef> agents() override;
    [[nodiscard]] std::optional<std::uint64_t> state_hash() override;
    [[nodiscard]] std::uint64_t commands() const override { return sequencer_.commands(); }

  private:
    detail::Relay relay_{this};
    sequencer::PipelinedSequencer<detail::Relay> sequencer_;
};

struct ExchangeSetup {
    gateway::binary::BinaryGatewayConfig gateway{};
    gateway::Identities identities{};
    EngineConfig engine{};
    journal::JournalConfig journal{};
    std::array<std::uint64_t, 2> instance{1, 1};
    /// Settings of a replica that writes snapshots, from which restarts begin; its directory is the
    /// journal's. Nothing: restarts replay the whole journal.
    std::optional<journal::ReplicaConfig> snapshots{};
    /// Set for the pipelined wiring; nothing: inline.
    std::optional<sequencer::PipelineConfig> pipeline{};
    /// Commands that the exchange submits at its first start.
    std::vector<Command> opening{};
    /// Makes another exchange, for tests that plant a fault.
    std::function<std::unique_ptr<SteppedExchange>(const ExchangeSetup&, SteppedGateways&)> make{};
};

class ExchangeProcess {
  public:
    ExchangeProcess(Network& network, Disk& disk, const VirtualClock& clock,
                    const ExchangeSetup& setup);
    ExchangeProcess(const ExchangeProcess&) = delete;
    ExchangeProcess& operator=(const ExchangeProcess&) = delete;
    ~ExchangeProcess();

    /// Recovers from the disk, ends what was left open, and listens.
    [[nodiscard]] journal::Result<void> start();
    /// One turn of the trading thread or, if pipelined, of the gateways' thread.
    void turn() { static_cast<void>(gateways_->do_work(0)); }
    /// One turn of the journal's preallocator.
    void keep() { static_cast<void>(journal().preallocator().do_work(time_ns())); }
    /// One turn of the journal's syncer.
    void sync() { static_cast<void>(journal().syncer().do_work(time_ns())); }
    /// One turn of the follower, which writes snapshots.
    void follow() {
        if (replica_) static_cast<void>(replica_->do_work(time_ns()));
    }
    /// One turn of an agent of the pipelined wiring.
    void step_agent(std::size_t which) { static_cast<void>(agents_[which].do_work(time_ns())); }
    [[nodiscard]] std::size_t agents() const { return agents_.size(); }
    /// Closes in an orderly way: all events are reported and on disk.
    void close();

    [[nodiscard]] const SteppedGateway& gateway() const {
        return *std::as_const(*gateways_).gateway<gateway::binary::k_binary_gateway>();
    }
    /// The journal accepts no more records.
    [[nodiscard]] bool stopped() const { return gateways_->stopped(); }
    [[nodiscard]] SteppedExchange& exchange() { return *exchange_; }
    [[nodiscard]] const journal::Recovery& recovery() const {
        return assembly_->recovered().journal;
    }
    /// The record of the snapshot from which it started; zero if there was none.
    [[nodiscard]] std::uint64_t began_with() const { return assembly_->recovered().snapshot; }
    [[nodiscard]] std::uint64_t snapshots() const { return replica_ ? replica_->snapshots() : 0; }
    /// False during recovery: nothing can be appended yet.
    [[nodiscard]] bool has_journal() const { return assembly_->journal() != nullptr; }
    [[nodiscard]] journal::JournalWriter& writer() { return journal().writer(); }

  private:
    using Replica = journal::Replica<exchange::FollowedState>;
    class Side;

    [[nodiscard]] std::int64_t time_ns();
    [[nodiscard]] journal::Journal& journal() { return *assembly_->journal(); }
    [[nodiscard]] journal::Result<void> follow_journal();
    void keep_ahead();

    Disk* disk_;
    const VirtualClock* clock_;
    const ExchangeSetup* setup_;
    std::unique_ptr<SteppedGateways> gateways_;
    std::unique_ptr<SteppedExchange> exchange_;
    std::unique_ptr<Side> side_;
    std::unique_ptr<exchange::FollowedState> state_;  ///< recovered, then used by the replica
    std::unique_ptr<exchange::Assembly> assembly_;    ///< includes the journal
    std::unique_ptr<Replica> replica_;
    std::vector<AgentRef> helpers_;
    std::vector<AgentRef> agents_;
    std::int64_t last_ns_ = 0;
};

}  // namespace damrak::simulation

namespace damrak {

extern template class session::BinarySession<simulation::SteppedGateway>;
extern template class gateway::binary::BinaryGateway<simulation::HostNetwork,
                                                     simulation::SteppedExchange>;

}  // namespace damrak
