#include "support/simulation/fix_process.hpp"

#include <damrak/journal/restore.hpp>

namespace damrak::simulation {

namespace {

/// Tells the door what it has to make up for.
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

}  // namespace

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

journal::Result<void> FixProcess::restore() {
    if (auto opened = doors_.open_desk(*disk_, time()); !opened) return opened;
    auto& desk = doors_.desk();
    using State = journal::ExchangeState<MissingReports>;
    State state{setup_->engine, MissingReports{}};
    if (!setup_->plant.forgets_reports)
        state.observer().tell = [&](const Event& event, const Origin& origin,
                                    const CommandStamp& stamp, const auto& applied) {
            if (event.kind == EventKind::instrument_added)
                desk.note_instrument(state.engine().instrument(event.instrument)->definition());
            desk.make_up(event, origin, stamp, applied);
        };
    journal::RestoreHooks hooks;
    if (!setup_->plant.forgets_requests)
        hooks.on_records = [&](std::span<const journal::Record> records) {
            for (const journal::Record& record : records) desk.note_record(record);
        };
    const journal::JournalIdentity begin{.instance = setup_->instance, .engine = setup_->engine};
    auto restored = journal::restore(*disk_, setup_->journal.directory, begin, state, hooks);
    if (!restored) return std::unexpected{std::move(restored.error())};
    records_ = restored->journal.last_sequence;
    if (records_ > 0) exchange_.take_over(state, doors_.binary().names(), &desk.orders());
    auto journal = journal::Journal::open(*disk_, setup_->journal, restored->journal,
                                          restored->identity, time());
    if (!journal) return std::unexpected{std::move(journal.error())};
    journal_ = *std::move(journal);
    return {};
}

journal::Result<void> FixProcess::start() {
    if (auto done = restore(); !done) return done;
    keep();
    doors_.attach(exchange_);
    exchange_.start(journal_->writer(), time());
    if (records_ == 0)
        for (const Command& command : setup_->opening)
            if (!exchange_.submit(command, {}, time()))
                return std::unexpected{journal_->writer().refusal()};
    return doors_.fix().listen();
}

void FixProcess::close() {
    doors_.close();
    doors_.desk().note_told(journal_->writer().appended_position());
    journal_->syncer().on_close();
}

}  // namespace damrak::simulation
