// Puts an exchange together from its parts: a state that the journal is replayed into, the journal,
// and the trading side. Files and clock are parameters: real ones in Exchange, simulated ones in
// sim/ and in tests, so that all recover, start and end in the same order. Used once at the start
// and once at the end, by the thread that runs the exchange.
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

#include <damrak/exchange/detail/market_observers.hpp>
#include <damrak/exchange/detail/trading_side.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/reader.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/journal/restore.hpp>

namespace damrak::exchange {

struct Recovered {
    journal::Recovery journal;
    std::uint64_t snapshot = 0;      ///< record of the snapshot used; zero: none
    std::vector<std::string> notes;  ///< why other snapshots were skipped
    double seconds = 0;
};

/// The environment of an exchange.
struct Surrounding {
    journal::FileSystem* files = nullptr;
    std::function<Timestamp()> now;
    journal::JournalConfig journal;
    /// Whether the recovered journal may be continued.
    std::function<journal::Result<void>(const journal::Recovery&)> check{};
};

class Assembly {
  public:
    /// `identity` is for a new journal. Everything else must outlive the assembly.
    Assembly(Surrounding surrounding, const journal::JournalIdentity& identity,
             TradingSide& trading, FollowedState& state)
        : surrounding_(std::move(surrounding)),
          identity_(identity),
          trading_(&trading),
          state_(&state) {}

    /// Brings the state to the end of the journal, gives observers and gateways the records that
    /// they missed, opens the journal, and passes the state to the trading side.
    [[nodiscard]] journal::Result<void> restore();
    /// Accepts commands from here on, after ending what the last run left open.
    void start() { trading_->start(journal_->writer()); }
    /// Answers pending requests and ends all sessions. Everything in the journal is then reported.
    void close();
    /// Reads the records after the recovered ones.
    [[nodiscard]] journal::Result<journal::JournalReader> read_on() const;

    [[nodiscard]] const Recovered& recovered() const { return recovered_; }
    /// Null before restore().
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
