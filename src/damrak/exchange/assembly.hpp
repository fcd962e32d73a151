// Puts an exchange together from its parts: a state that the journal is replayed into, the journal
// itself, and what trades. On the files and by the clock that it is given: the real ones in
// Exchange, simulated ones in sim/ and in the tests, so that all of them recover, start and end in
// the same order. Used once at the start and once at the end, by the thread that runs the exchange.
//
//   Assembly assembly{surroundings, identity, trading, state};
//   assembly.restore(); … assembly.start(); … assembly.close();
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <damrak/exchange/market_observers.hpp>
#include <damrak/exchange/trading_side.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/reader.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/journal/restore.hpp>

namespace damrak::exchange {

struct Recovered {
    journal::Recovery journal;
    std::uint64_t snapshot = 0;      ///< from which the records were applied; zero: from the first
    std::vector<std::string> notes;  ///< why other snapshots were passed over
    double seconds = 0;
};

/// What an exchange stands on.
struct Surrounding {
    journal::FileSystem* files = nullptr;
    std::function<Timestamp()> now;
    journal::JournalConfig journal;
    /// Whether what was found may be gone on with.
    std::function<journal::Result<void>(const journal::Recovery&)> check{};
};

class Assembly {
  public:
    /// `identity` is that of a journal that begins now. All else must outlive it.
    Assembly(Surrounding surrounding, const journal::JournalIdentity& identity,
             TradingSide& trading, FollowedState& state)
        : surrounding_(std::move(surrounding)),
          identity_(identity),
          trading_(&trading),
          state_(&state) {}

    /// Brings the state to the end of the journal, tells observers and doors what they missed,
    /// opens the journal, and gives the state to what trades.
    [[nodiscard]] journal::Result<void> restore();
    /// Commands are taken from here on; what the last run left open is ended first.
    void start() { trading_->start(journal_->writer()); }
    /// Answers what is under way and ends all sessions; what the journal has then was reported.
    void close();
    /// Of the records behind those that were recovered.
    [[nodiscard]] journal::Result<journal::JournalReader> read_on() const;

    [[nodiscard]] const Recovered& recovered() const { return recovered_; }
    /// Null until it is restored.
    [[nodiscard]] journal::Journal* journal() const { return journal_.get(); }

  private:
    [[nodiscard]] journal::Result<journal::Restored> replay();

    Surrounding surrounding_;
    journal::JournalIdentity identity_;
    TradingSide* trading_;
    FollowedState* state_;
    Recovered recovered_;
    std::unique_ptr<journal::Journal> journal_;
};

}  // namespace damrak::exchange
