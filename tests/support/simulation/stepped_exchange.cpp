#include <support/simulation/stepped_exchange.hpp>

#include <algorithm>
#include <utility>

namespace damrak {

template class session::BinarySession<simulation::SteppedGateway>;
template class gateway::binary::BinaryGateway<simulation::HostNetwork, simulation::SteppedExchange>;

}  // namespace damrak

namespace damrak::simulation {

void SteppedExchange::on_event(const Event& event, const Origin& origin,
                               const CommandStamp& stamp) {
    gateways_->on_event(event, origin, stamp);
}
void SteppedExchange::on_command_end(const Origin& origin) { gateways_->on_command_end(origin); }

SteppedInline::SteppedInline(const EngineConfig& config, SteppedGateways& gateways)
    : SteppedExchange(gateways), sequencer_(config, relay_) {}

bool SteppedInline::submit(const Command& command, const Origin& origin, Timestamp now) {
    keep_ahead();
    return sequencer_.submit(command, origin, now);
}
bool SteppedInline::do_work(Timestamp now) {
    keep_ahead();
    return sequencer_.do_work(now);
}
void SteppedInline::take_over(const exchange::FollowedState& state) { sequencer_.take_over(state); }
void SteppedInline::start(journal::JournalWriter& writer, Timestamp now,
                          std::span<const AgentRef> /*helpers*/) {
    sequencer_.start(writer, now);
}
std::optional<std::uint64_t> SteppedInline::state_hash() { return sequencer_.state_hash(); }

SteppedPipelined::SteppedPipelined(const EngineConfig& config, SteppedGateways& gateways,
                                   sequencer::PipelineConfig pipeline)
    : SteppedExchange(gateways), sequencer_(config, std::move(pipeline), relay_) {}

bool SteppedPipelined::submit(const Command& command, const Origin& origin, Timestamp now) {
    return sequencer_.submit(command, origin, now);
}
void SteppedPipelined::take_over(const exchange::FollowedState& state) {
    sequencer_.take_over(state);
}
void SteppedPipelined::start(journal::JournalWriter& writer, Timestamp now,
                             std::span<const AgentRef> helpers) {
    sequencer_.start(writer, now, helpers);
}
void SteppedPipelined::settle(Timestamp now, std::span<const AgentRef> helpers) {
    sequencer_.settle(now, helpers);
}
std::vector<AgentRef> SteppedPipelined::agents() { return sequencer_.pipeline().agents(); }

std::optional<std::uint64_t> SteppedPipelined::state_hash() {
    if (!sequencer_.pipeline().sequencer().has_applied_all()) return std::nullopt;
    return sequencer_.state_hash();
}

namespace {

std::unique_ptr<SteppedExchange> make_exchange(const ExchangeSetup& setup,
                                               SteppedGateways& gateways) {
    if (setup.make) return setup.make(setup, gateways);
    if (setup.pipeline)
        return std::make_unique<SteppedPipelined>(setup.engine, gateways, *setup.pipeline);
    return std::make_unique<SteppedInline>(setup.engine, gateways);
}

}  // namespace

/// Gateway and exchange as the trading side of an assembly.
class ExchangeProcess::Side final : public exchange::TradingSide {
  public:
    explicit Side(ExchangeProcess& process) : process_(&process) {}

    [[nodiscard]] journal::Result<void> open() override { return {}; }
    [[nodiscard]] std::uint64_t latest_snapshot() const override { return UINT64_MAX; }
    void follow_replay(exchange::FollowedState& /*state*/) override {}
    void note_records(std::span<const journal::Record> records) override {
        process_->exchange_->note_records(records);
    }
    void take_over(const exchange::FollowedState& state) override {
        process_->exchange_->take_over(state);
        process_->gateways_->take_over(state);
        process_->gateways_->note_accounts(state.engine().accounts());
    }
    void start(journal::JournalWriter& writer) override {
        process_->keep_ahead();
        process_->gateways_->attach(*process_->exchange_);
        process_->exchange_->start(writer, {process_->time_ns()}, process_->helpers_);
    }
    void close() override {
        settle();
        while (process_->writer().durable_state() == journal::DurableState::not_yet)
            process_->sync();
        process_->gateways_->close();
        settle();
    }
    void note_all_reported(std::uint64_t /*sequence*/) override {}
    void settle() { process_->exchange_->settle({process_->time_ns()}, process_->helpers_); }

  private:
    ExchangeProcess* process_;
};

ExchangeProcess::ExchangeProcess(Network& network, Disk& disk, const VirtualClock& clock,
                                 const ExchangeSetup& setup)
    : disk_(&disk),
      clock_(&clock),
      setup_(&setup),
      gateways_(std::make_unique<SteppedGateways>(
          setup.engine,
          SteppedGateway::Setup{.config = setup.gateway, .network = HostNetwork{network}})),
      exchange_(make_exchange(setup, *gateways_)),
      side_(std::make_unique<Side>(*this)),
      state_(std::make_unique<exchange::FollowedState>(setup.engine)),
      assembly_(std::make_unique<exchange::Assembly>(
          exchange::Surrounding{.files = &disk,
                                .now = [this] { return Timestamp{time_ns()}; },
                                .journal = setup.journal},
          journal::JournalIdentity{.instance = setup.instance, .engine = setup.engine}, *side_,
          *state_)) {
    gateways_->set_identities(setup.identities);
    exchange_->keep_ahead = [this] { keep_ahead(); };
}

ExchangeProcess::~ExchangeProcess() = default;

std::int64_t ExchangeProcess::time_ns() {
    last_ns_ = std::max(last_ns_, clock_->time_of_day_ns());
    return last_ns_;
}

journal::Result<void> ExchangeProcess::follow_journal() {
    journal::ReplicaConfig config = *setup_->snapshots;
    config.directory = setup_->journal.directory;
    auto reader = assembly_->read_on();
    if (!reader) return std::unexpected{std::move(reader.error())};
    replica_ = std::make_unique<Replica>(
        *disk_, std::move(config), journal().identity(), std::move(*reader), *state_,
        journal::JournalPositions{.appended = [this] { return writer().appended_position(); },
                                  .synced = [this] { return exchange_->on_disk(writer()); }},
        began_with());
    return {};
}

journal::Result<void> ExchangeProcess::start() {
    if (auto done = assembly_->restore(); !done) return done;
    helpers_ = {AgentRef{journal().preallocator()}, AgentRef{journal().syncer()}};
    agents_ = exchange_->agents();
    if (setup_->snapshots)
        if (auto done = follow_journal(); !done) return done;
    assembly_->start();
    if (recovery().last_sequence == 0) {
        for (const Command& command : setup_->opening)
            if (!exchange_->submit(command, {}, {time_ns()}))
                return std::unexpected{writer().refusal()};
        side_->settle();
    }
    return gateways_->listen();
}

// The sequencing thread waits for the next segment; in a single-threaded simulation it must make
// the segment itself.
void ExchangeProcess::keep_ahead() { keep(); }

void ExchangeProcess::close() {
    assembly_->close();
    journal().syncer().on_close();
    if (replica_) replica_->finish(time_ns());
}

}  // namespace damrak::simulation
