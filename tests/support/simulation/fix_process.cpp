#include "support/simulation/fix_process.hpp"

namespace damrak::simulation {

void FixRelay::on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) const {
    process->setup_->beside();
    Relay::on_event(event, origin, stamp);
}

FixProcess::FixProcess(sim::Network& network, sim::Network& no_network, sim::Disk& disk,
                       const sim::VirtualClock& clock, const FixSetup& setup,
                       std::function<void()> place)
    : disk_(&disk),
      clock_(&clock),
      setup_(&setup),
      place_(std::move(place)),
      doors_(
          {.fix = setup.door, .desk = setup.desk, .binary_open = false}, setup.engine,
          [this](const std::filesystem::path& folder)
              -> std::expected<std::unique_ptr<MortalStore>, std::string> {
              auto files = session::fix::MessageStore::open(*disk_, folder, setup_->store, time());
              if (!files) return std::unexpected{std::move(files.error())};
              return std::make_unique<MortalStore>(*std::move(files), place_);
          },
          [] -> std::expected<net::AnyPath, std::string> {
              return std::unexpected{std::string{"its door is closed"}};
          },
          sim::HostNetwork{no_network}, sim::HostNetwork{network}),
      exchange_(setup.engine, relay_) {
    exchange_.keep_ahead = [this] { keep(); };
}

journal::RestoreHooks FixProcess::hooks() {
    auto& desk = doors_.desk();
    journal::RestoreHooks hooks;
    if (!setup_->plant.trusts_snapshots) hooks.latest_snapshot = desk.told_position();
    hooks.on_loaded = [this, &desk] {
        for (std::uint32_t id = 1; id <= setup_->engine.maximum_instruments; ++id)
            if (const auto* const in = state_->engine().instrument(InstrumentId{id}))
                desk.note_instrument(in->definition());
    };
    if (!setup_->plant.forgets_requests)
        hooks.on_records = [&desk](std::span<const journal::Record> records) {
            for (const journal::Record& record : records) desk.note_record(record);
        };
    return hooks;
}

journal::Result<void> FixProcess::restore() {
    if (auto opened = doors_.open_desk(*disk_, time()); !opened) return opened;
    auto& desk = doors_.desk();
    state_ = std::make_unique<State>(setup_->engine, MissingReports{});
    if (!setup_->plant.forgets_reports)
        state_->observer().tell = [&](const Event& event, const Origin& origin,
                                      const CommandStamp& stamp, const auto& applied) {
            if (event.kind == EventKind::instrument_added)
                desk.note_instrument(state_->engine().instrument(event.instrument)->definition());
            desk.make_up(event, origin, stamp, applied);
        };
    const journal::JournalIdentity begin{.instance = setup_->instance, .engine = setup_->engine};
    auto restored = journal::restore(*disk_, setup_->journal.directory, begin, *state_, hooks());
    state_->observer().tell = {};
    if (!restored) return std::unexpected{std::move(restored.error())};
    restored_ = *std::move(restored);
    if (records() > 0) exchange_.take_over(*state_, doors_.binary().names(), &desk.orders());
    auto journal = journal::Journal::open(*disk_, setup_->journal, restored_.journal,
                                          restored_.identity, time());
    if (!journal) return std::unexpected{std::move(journal.error())};
    journal_ = *std::move(journal);
    return {};
}

journal::Result<void> FixProcess::follow_journal() {
    if (setup_->snapshot_every == 0) return {};
    auto reader = journal::JournalReader::open(*disk_, setup_->journal.directory, records() + 1);
    if (!reader) return std::unexpected{std::move(reader.error())};
    replica_ = std::make_unique<Replica>(
        *disk_,
        journal::ReplicaConfig{.directory = setup_->journal.directory,
                               .snapshot_every = setup_->snapshot_every},
        journal_->identity(), std::move(*reader), *state_,
        journal::JournalPositions{
            .appended = [this] { return journal_->writer().appended_position(); },
            .synced = [this] { return journal_->writer().synced_position(); }},
        restored_.snapshot);
    return {};
}

journal::Result<void> FixProcess::start() {
    if (auto done = restore(); !done) return done;
    if (auto done = follow_journal(); !done) return done;
    keep();
    doors_.attach(exchange_);
    exchange_.start(journal_->writer(), time());
    if (records() == 0)
        for (const Command& command : setup_->opening)
            if (!exchange_.submit(command, {}, time()))
                return std::unexpected{journal_->writer().refusal()};
    return doors_.fix().listen();
}

void FixProcess::close() {
    while (journal_->writer().kept() == journal::Kept::not_yet) sync();
    doors_.close();
    doors_.desk().note_told(journal_->writer().appended_position());
    journal_->syncer().on_close();
    if (replica_) replica_->finish(time().value);
}

}  // namespace damrak::simulation
