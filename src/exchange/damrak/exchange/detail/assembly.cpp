#include <damrak/exchange/detail/assembly.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace damrak::exchange {

journal::Result<journal::Restored> Assembly::replay() {
    MarketObservers& observers = state_->observer();
    journal::Result<void> begun;
    auto restored = journal::restore(
        *surrounding_.files, surrounding_.journal.directory, identity_, *state_,
        {.latest_snapshot = std::min(trading_->latest_snapshot(), observers.kept()),
         .on_loaded =
             [&](std::uint64_t position) {
                 trading_->follow_replay(*state_);
                 observers.ask_about_orders(
                     [&state = *state_](OrderId id) { return state.is_anonymous(id); });
                 begun = observers.begin(state_->engine(), position);
             },
         .on_records =
             [&](std::span<const journal::Record> records) {
                 observers.on_batch_end(false);
                 trading_->note_records(records);
             }});
    observers.end_replay();
    if (!restored) return restored;
    if (!begun) return std::unexpected{std::move(begun.error())};
    return restored;
}

journal::Result<void> Assembly::restore() {
    const auto start = std::chrono::steady_clock::now();
    if (auto opened = trading_->open(); !opened) return opened;
    auto restored = replay();
    if (!restored) return std::unexpected{std::move(restored.error())};
    if (surrounding_.check)
        if (auto fits = surrounding_.check(restored->journal); !fits) return fits;
    MarketObservers& observers = state_->observer();
    observers.on_batch_end(true);
    if (auto live = observers.go_live(state_->engine(), restored->journal.last_sequence); !live)
        return live;
    recovered_ = {.journal = std::move(restored->journal),
                  .snapshot = restored->snapshot,
                  .notes = std::move(restored->notes)};
    auto opened =
        journal::Journal::open(*surrounding_.files, surrounding_.journal, recovered_.journal,
                               restored->identity, surrounding_.now());
    if (!opened) return std::unexpected{std::move(opened.error())};
    journal_ = std::move(*opened);
    // A journal with smaller capacities is replayed with those, until the command that raises them.
    if (recovered_.journal.last_sequence > 0 || restored->identity.engine != identity_.engine)
        trading_->take_over(*state_);
    recovered_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return {};
}

void Assembly::close() {
    trading_->close();
    trading_->note_all_reported(journal_->writer().appended_position());
}

journal::Result<journal::JournalReader> Assembly::read_on() const {
    return journal::JournalReader::open(*surrounding_.files, surrounding_.journal.directory,
                                        recovered_.journal.last_sequence + 1);
}

}  // namespace damrak::exchange
