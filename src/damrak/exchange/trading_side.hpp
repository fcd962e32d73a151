// What is put together with a journal to make an exchange (assembly.hpp): doors and the sequencer
// behind them, in some wiring, on some network. Calls are one a start or one an end.
#pragma once

#include <cstdint>
#include <span>

#include <damrak/exchange/market_observers.hpp>
#include <damrak/journal/journal.hpp>

namespace damrak::exchange {

class TradingSide {
  public:
    TradingSide() = default;
    TradingSide(const TradingSide&) = delete;
    TradingSide& operator=(const TradingSide&) = delete;
    virtual ~TradingSide() = default;

    /// The files of FIX sessions, where there are any or the door is to open; before anything else.
    [[nodiscard]] virtual journal::Result<void> open() = 0;
    /// Of a record that snapshots may not go beyond: what came later has to be replayed.
    [[nodiscard]] virtual std::uint64_t latest_snapshot() const = 0;
    /// While the journal is replayed: what FIX clients were not told is made up for.
    virtual void follow_replay(FollowedState& state) = 0;
    virtual void note_records(std::span<const journal::Record> records) = 0;
    /// Goes on from what was recovered.
    virtual void take_over(const FollowedState& state) = 0;
    /// Does first what a restart owes. Commands are taken from here on.
    virtual void start(journal::JournalWriter& writer) = 0;
    /// Sends what can be sent and ends all sessions; threads of its own have ended on return.
    virtual void close() = 0;
    /// After close(): everything up to this record was reported.
    virtual void note_all_reported(std::uint64_t sequence) = 0;
};

}  // namespace damrak::exchange
