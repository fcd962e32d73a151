// Watches a market by the rules of its venue, and returns the commands that they demand: price
// bands of limit up, limit down; its pauses and their reopening; halts of the market-wide breaker.
//
// It sees what the engine did, from the code that has the events, and never changes anything
// itself: its commands are stamped and journaled like others, so a replay needs no supervisor
// (docs/decisions/0029-the-supervisor-stands-outside.md). After a restart it continues from the
// state of the engine. Deterministic. One thread at a time. An event of a supervised instrument
// costs some ten nanoseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/venue/detail/index_breaker.hpp>
#include <damrak/venue/detail/luld_watch.hpp>
#include <damrak/venue/market_hours.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue {

class Supervisor {
  public:
    /// An auction that did not take place, as one of its conditions did not hold: for the phase
    /// clock, which extends scheduled calls.
    struct Refusal {
        InstrumentId instrument{};
        Reason reason{};
        Timestamp time{};
    };

    /// Whether the venue has something to supervise.
    [[nodiscard]] static bool is_needed(const Venue& venue);

    Supervisor(std::shared_ptr<const Venue> venue, const Timetable& timetable);
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;

    /// The market as it stands. Call it first.
    void begin(const Engine& engine, Timestamp now);
    /// Each event, in order. The engine has applied its command.
    void on_event(const Event& event, Timestamp now, const Engine& engine);

    /// When commands may be due.
    [[nodiscard]] Timestamp next() const { return next_; }
    /// The due commands, in the order of submission.
    [[nodiscard]] std::vector<Command> due(Timestamp now);
    /// Those since the last call.
    [[nodiscard]] std::vector<Refusal> take_refusals();

    /// Those of the market-wide breaker, after due() of a day that has begun: for the feeds.
    [[nodiscard]] std::optional<BreakerLevels> take_levels() {
        return std::exchange(levels_, std::nullopt);
    }

    /// Of an instrument with limit up, limit down.
    [[nodiscard]] std::optional<auction::LuldPhase> luld_phase(InstrumentId instrument) const;

  private:
    struct Watched {
        InstrumentId id{};
        AuctionRule auction{};
        Phase phase{};
        CallKind call{};
        bool is_regular = false;  ///< continuous trading in regular hours
        bool is_halted = false;   ///< by the market-wide breaker
        bool is_closed = false;   ///< by its last level
        bool is_held = false;     ///< halted by the operator
        std::unique_ptr<detail::LuldWatch> luld;
    };

    Watched* find(InstrumentId instrument);
    void watch(const InstrumentState& in, Timestamp now);
    void note_phase(Watched& one, const InstrumentState& in, Timestamp now) const;
    void note_state(Watched& one, const InstrumentState& in);
    void on_phase(Watched& one, const InstrumentState& in, Timestamp now);
    void on_refused(Watched& one, Reason reason, Timestamp now);
    void look_at_index(Timestamp now);
    void obey_breaker(Timestamp now, std::vector<Command>& commands);
    void halt_all(HaltCause cause, std::vector<Command>& commands);
    void set_all(TradingState state, std::vector<Command>& commands);
    void reopen_all(Timestamp now, std::vector<Command>& commands);

    std::shared_ptr<const Venue> venue_;
    MarketHours hours_;
    std::vector<Watched> watched_;  ///< by instrument id, from 1; those that are there have an id
    std::optional<detail::IndexBreaker> breaker_;
    std::optional<int> level_;             ///< was reached, and has not halted yet
    std::optional<BreakerLevels> levels_;  ///< not reported yet
    Timestamp next_reopening_{};
    std::vector<Refusal> refusals_;
    Timestamp next_;
};

}  // namespace damrak::venue
