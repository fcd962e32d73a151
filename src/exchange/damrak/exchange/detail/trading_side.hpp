// The part that an assembly (assembly.hpp) combines with a journal into an exchange: gateways and
// sequencer, in some wiring, on some network. Called only at the start and at the end.
#pragma once

#include <cstdint>
#include <span>

#include <damrak/exchange/detail/market_observers.hpp>
#include <damrak/journal/journal.hpp>

namespace damrak::exchange {

class TradingSide {
  public:
    TradingSide() = default;
    TradingSide(const TradingSide&) = delete;
    TradingSide& operator=(const TradingSide&) = delete;
    virtual ~TradingSide() = default;

    /// Opens the files of gateways. Called first.
    [[nodiscard]] virtual journal::Result<void> open() = 0;
    /// The last record that a snapshot may include: later ones must be replayed.
    [[nodiscard]] virtual std::uint64_t latest_snapshot() const = 0;
    /// During the replay: creates the reports that clients lack.
    virtual void follow_replay(FollowedState& state) = 0;
    virtual void note_records(std::span<const journal::Record> records) = 0;
    /// Continues from the recovered state.
    virtual void take_over(const FollowedState& state) = 0;
    /// Does the pending work of the last run, then accepts commands.
    virtual void start(journal::JournalWriter& writer) = 0;
    /// Sends what it can and ends all sessions; its threads have ended on return.
    virtual void close() = 0;
    /// After close(): everything up to this record was reported.
    virtual void note_all_reported(std::uint64_t sequence) = 0;
};

}  // namespace damrak::exchange
