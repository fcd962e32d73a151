#include "support/simulation/simulated_process.hpp"

#include <utility>

namespace damrak::simulation {

journal::Result<void> SimulatedProcess::restore(exchange::TradingSide& trading) {
    journal::JournalConfig config = setup_->journal;
    if (setup_->plant.answers_early) config.durability = journal::Durability::async;
    state_ = std::make_unique<exchange::FollowedState>(setup_->engine);
    assembly_ = std::make_unique<exchange::Assembly>(
        exchange::Surrounding{.files = disk_, .now = [this] { return time(); }, .journal = config},
        journal::JournalIdentity{.instance = setup_->instance, .engine = setup_->engine}, trading,
        *state_);
    if (auto restored = assembly_->restore(); !restored) return restored;
    return setup_->snapshot_every == 0 ? journal::Result<void>{} : follow_journal();
}

journal::Result<void> SimulatedProcess::follow_journal() {
    auto reader = assembly_->read_on();
    if (!reader) return std::unexpected{std::move(reader.error())};
    replica_ = std::make_unique<Replica>(
        *disk_,
        journal::ReplicaConfig{.directory = setup_->journal.directory,
                               .snapshot_every = setup_->snapshot_every},
        journal().identity(), std::move(*reader), *state_,
        journal::JournalPositions{
            .appended = [this] { return journal().writer().appended_position(); },
            .synced = [this] { return journal().writer().synced_position(); }},
        began_with());
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
