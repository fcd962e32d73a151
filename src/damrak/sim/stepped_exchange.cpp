#include <damrak/sim/stepped_exchange.hpp>

#include <algorithm>
#include <utility>

#include <damrak/journal/recovery.hpp>

namespace damrak {

template class Engine<sequencer::Sequencer<sim::detail::Relay>>;
template class session::BinarySession<sim::SteppedDoor>;
template class gateway::BinaryGateway<sim::HostNetwork, sim::SteppedExchange>;

}  // namespace damrak

namespace damrak::sim {

void detail::Relay::on_event(const Event& event, const Origin& origin,
                             const CommandStamp& stamp) const {
    exchange->on_event(event, origin, stamp);
}
void detail::Relay::on_command_end(const Origin& origin) const { exchange->on_command_end(origin); }
void detail::Relay::on_replayed(const Event& event) const { exchange->on_replayed(event); }

void SteppedExchange::on_event(const Event& event, const Origin& origin,
                               const CommandStamp& stamp) {
    door_->on_event(event, origin, stamp);
}
void SteppedExchange::on_command_end(const Origin& origin) { door_->on_command_end(origin); }
void SteppedExchange::on_replayed(const Event& event) { door_->on_replayed(event); }

ExchangeProcess::ExchangeProcess(Network& network, Disk& disk, const VirtualClock& clock,
                                 const ExchangeSetup& setup)
    : disk_(&disk),
      clock_(&clock),
      setup_(&setup),
      door_(std::make_unique<SteppedDoor>(setup.door, setup.engine, HostNetwork{network})),
      exchange_(setup.make ? setup.make(setup.engine, *door_)
                           : std::make_unique<SteppedExchange>(setup.engine, *door_)) {
    exchange_->keep_ahead = [this] { keep_ahead(); };
}

std::int64_t ExchangeProcess::time_ns() {
    last_ns_ = std::max(last_ns_, clock_->time_of_day_ns());
    return last_ns_;
}

journal::Result<void> ExchangeProcess::open_journal() {
    auto recovery = journal::recover(
        *disk_, setup_->journal.directory, {},
        [this](std::span<const journal::Record> records) { exchange_->recover(records); });
    if (!recovery) return std::unexpected{std::move(recovery.error())};
    recovery_ = std::move(*recovery);
    auto journal =
        journal::Journal::open(*disk_, setup_->journal, recovery_,
                               recovery_.identity.value_or(journal::JournalIdentity{
                                   .instance = setup_->instance, .engine = setup_->engine}),
                               {time_ns()});
    if (!journal) return std::unexpected{std::move(journal.error())};
    journal_ = std::move(*journal);
    return {};
}

journal::Result<void> ExchangeProcess::start() {
    if (auto opened = open_journal(); !opened) return opened;
    keep_ahead();
    exchange_->start(journal_->writer(), {time_ns()});
    if (recovery_.last_sequence == 0)
        for (const Command& command : setup_->opening)
            if (!exchange_->submit(command, {}, {time_ns()}))
                return std::unexpected{journal_->writer().refusal()};
    door_->attach(*exchange_);
    return door_->listen();
}

// The sequencing thread waits for a segment that is not there yet; nobody else would run meanwhile.
void ExchangeProcess::keep_ahead() { keep(); }

void ExchangeProcess::close() {
    while (journal_->writer().kept() == journal::Kept::not_yet) sync();
    door_->close();
    journal_->syncer().on_close();
}

}  // namespace damrak::sim
