#include <damrak/sim/stepped_exchange.hpp>

#include <algorithm>
#include <utility>

namespace damrak {

template class session::BinarySession<sim::SteppedDoor>;
template class gateway::BinaryGateway<sim::HostNetwork, sim::SteppedExchange>;

}  // namespace damrak

namespace damrak::sim {

void SteppedExchange::on_event(const Event& event, const Origin& origin,
                               const CommandStamp& stamp) {
    doors_->on_event(event, origin, stamp);
}
void SteppedExchange::on_command_end(const Origin& origin) { doors_->on_command_end(origin); }
void SteppedExchange::on_replayed(const Event& event, const Origin& origin) {
    doors_->on_replayed(event, origin);
}

SteppedInline::SteppedInline(const EngineConfig& config, SteppedDoors& doors)
    : SteppedExchange(doors), sequencer_(config, relay_) {}

bool SteppedInline::submit(const Command& command, const Origin& origin, Timestamp now) {
    keep_ahead();
    return sequencer_.submit(command, origin, now);
}
bool SteppedInline::do_work(Timestamp now) {
    keep_ahead();
    return sequencer_.do_work(now);
}
void SteppedInline::recover(std::span<const journal::Record> records) {
    sequencer_.replay(records);
}
void SteppedInline::take_over(const exchange::ExchangeState<>& state) {
    sequencer_.take_over(state);
}
void SteppedInline::start(journal::JournalWriter& writer, Timestamp now,
                          std::span<const AgentRef> /*helpers*/) {
    sequencer_.start(writer, now);
}
std::optional<std::uint64_t> SteppedInline::state_hash() { return sequencer_.state_hash(); }

SteppedPipelined::SteppedPipelined(const EngineConfig& config, SteppedDoors& doors,
                                   sequencer::PipelineConfig pipeline)
    : SteppedExchange(doors), sequencer_(config, std::move(pipeline), relay_) {}

bool SteppedPipelined::submit(const Command& command, const Origin& origin, Timestamp now) {
    return sequencer_.submit(command, origin, now);
}
void SteppedPipelined::take_over(const exchange::ExchangeState<>& state) {
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

std::unique_ptr<SteppedExchange> make_exchange(const ExchangeSetup& setup, SteppedDoors& doors) {
    if (setup.make) return setup.make(setup, doors);
    if (setup.pipeline)
        return std::make_unique<SteppedPipelined>(setup.engine, doors, *setup.pipeline);
    return std::make_unique<SteppedInline>(setup.engine, doors);
}

}  // namespace

ExchangeProcess::ExchangeProcess(Network& network, Disk& disk, const VirtualClock& clock,
                                 const ExchangeSetup& setup)
    : disk_(&disk),
      clock_(&clock),
      setup_(&setup),
      doors_(std::make_unique<SteppedDoors>(
          setup.engine, SteppedDoor::Setup{.config = setup.door, .network = HostNetwork{network}})),
      exchange_(make_exchange(setup, *doors_)) {
    doors_->set_identities(setup.identities);
    exchange_->keep_ahead = [this] { keep_ahead(); };
}

std::int64_t ExchangeProcess::time_ns() {
    last_ns_ = std::max(last_ns_, clock_->time_of_day_ns());
    return last_ns_;
}

// The state after the last record: replayed by the exchange itself, or taken over.
journal::Result<void> ExchangeProcess::restore() {
    const journal::JournalIdentity begin{.instance = setup_->instance, .engine = setup_->engine};
    const std::filesystem::path& folder = setup_->journal.directory;
    if (!setup_->snapshots && exchange_->replays()) {
        auto recovery = journal::recover(
            *disk_, folder, {},
            [this](std::span<const journal::Record> records) { exchange_->recover(records); });
        if (!recovery) return std::unexpected{std::move(recovery.error())};
        restored_.journal = std::move(*recovery);
        restored_.identity = begin;
        return {};
    }
    state_ = std::make_unique<exchange::ExchangeState<>>(setup_->engine);
    auto restored = journal::restore(*disk_, folder, begin, *state_);
    if (!restored) return std::unexpected{std::move(restored.error())};
    restored_ = std::move(*restored);
    if (recovery().last_sequence > 0) {
        exchange_->take_over(*state_);
        doors_->take_over(*state_);
    }
    return {};
}

journal::Result<void> ExchangeProcess::open_journal() {
    auto journal = journal::Journal::open(*disk_, setup_->journal, recovery(), restored_.identity,
                                          {time_ns()});
    if (!journal) return std::unexpected{std::move(journal.error())};
    journal_ = std::move(*journal);
    helpers_ = {AgentRef{journal_->preallocator()}, AgentRef{journal_->syncer()}};
    agents_ = exchange_->agents();
    return {};
}

journal::Result<void> ExchangeProcess::follow_journal() {
    journal::ReplicaConfig config = *setup_->snapshots;
    config.directory = setup_->journal.directory;
    auto reader =
        journal::JournalReader::open(*disk_, config.directory, recovery().last_sequence + 1);
    if (!reader) return std::unexpected{std::move(reader.error())};
    replica_ = std::make_unique<Replica>(
        *disk_, std::move(config), journal_->identity(), std::move(*reader), *state_,
        journal::JournalPositions{.appended = [this] { return writer().appended_position(); },
                                  .synced = [this] { return exchange_->on_disk(writer()); }},
        restored_.snapshot);
    return {};
}

journal::Result<void> ExchangeProcess::start() {
    if (auto done = restore(); !done) return done;
    if (auto done = open_journal(); !done) return done;
    if (setup_->snapshots)
        if (auto done = follow_journal(); !done) return done;
    keep_ahead();
    exchange_->start(journal_->writer(), {time_ns()}, helpers_);
    if (recovery().last_sequence == 0) {
        for (const Command& command : setup_->opening)
            if (!exchange_->submit(command, {}, {time_ns()}))
                return std::unexpected{journal_->writer().refusal()};
        exchange_->settle({time_ns()}, helpers_);
    }
    doors_->attach(*exchange_);
    return doors_->listen();
}

// The sequencing thread waits for a segment that is not there yet; nobody else would run meanwhile.
void ExchangeProcess::keep_ahead() { keep(); }

void ExchangeProcess::close() {
    exchange_->settle({time_ns()}, helpers_);
    while (writer().durable_state() == journal::DurableState::not_yet) sync();
    doors_->close();
    exchange_->settle({time_ns()}, helpers_);
    journal_->syncer().on_close();
    if (replica_) replica_->finish(time_ns());
}

}  // namespace damrak::sim
