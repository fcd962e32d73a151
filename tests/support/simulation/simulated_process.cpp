#include "support/simulation/simulated_process.hpp"

#include <utility>

namespace damrak::simulation {

journal::Result<void> SimulatedProcess::restore() {
    const std::filesystem::path& folder = setup_->journal.directory;
    const journal::JournalIdentity begin{.instance = setup_->instance, .engine = setup_->engine};
    state_ = std::make_unique<State>(setup_->engine, MissingReports{});
    const auto hooks = prepare(*state_);
    if (!hooks) return std::unexpected{hooks.error()};
    auto restored = journal::restore(*disk_, folder, begin, *state_, *hooks);
    state_->observer().tell = {};
    if (!restored) return std::unexpected{std::move(restored.error())};
    restored_ = *std::move(restored);
    journal::JournalConfig config = setup_->journal;
    if (setup_->plant.answers_early) config.durability = journal::Durability::async;
    auto journal =
        journal::Journal::open(*disk_, config, restored_.journal, restored_.identity, time());
    if (!journal) return std::unexpected{std::move(journal.error())};
    journal_ = *std::move(journal);
    return setup_->snapshot_every == 0 ? journal::Result<void>{} : follow_journal();
}

journal::Result<void> SimulatedProcess::follow_journal() {
    const std::filesystem::path& folder = setup_->journal.directory;
    auto reader = journal::JournalReader::open(*disk_, folder, records() + 1);
    if (!reader) return std::unexpected{std::move(reader.error())};
    replica_ = std::make_unique<Replica>(
        *disk_,
        journal::ReplicaConfig{.directory = folder, .snapshot_every = setup_->snapshot_every},
        journal_->identity(), std::move(*reader), *state_,
        journal::JournalPositions{
            .appended = [this] { return journal_->writer().appended_position(); },
            .synced = [this] { return journal_->writer().synced_position(); }},
        restored_.snapshot);
    return {};
}

void SimulatedProcess::step_others(RandomStream& random) {
    if (random.below(3) == 0) keep();
    if (random.below(3) == 0) sync();
    if (random.below(6) == 0) follow();
    const auto agents = static_cast<std::uint32_t>(agents_.size());
    for (std::uint32_t i = random.below(2 * agents + 1); i > 0; --i) {
        place_();
        std::ignore = agents_[random.below(agents)].do_work(time().value);
    }
}

}  // namespace damrak::simulation
