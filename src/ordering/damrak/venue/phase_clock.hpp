// Leads the instruments of a market through the sessions of a venue: returns the commands that are
// due. The state comes from the engine, the time from the caller: an exchange, a simulated one or a
// replay. So a restart continues from what the journal has: nothing happens twice, and what was
// missed is made up for. Only how often a call may still be extended is not in the journal: one
// that was extended before a restart ends at the end of this extension.
//
//   set_phase   a session begins; also for the call of a session that was missed, and for one that
//               is extended
//   uncross     a call ends: by the timetable, after an interruption, or with its batch
//   set_price_limits   the auction corridor of a call that is extended becomes wider, and is as
//               before when that is over
//   set_price_band     a day has ended: its close is the reference of the next one
//   tick        feeds tell the indicative values of calls, where they do it by the clock
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/engine/instrument_state.hpp>
#include <damrak/venue/timetable.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue {

class PhaseClock {
  public:
    /// `venue` must outlive it.
    PhaseClock(const Venue& venue, Timetable timetable)
        : venue_(&venue), timetable_(std::move(timetable)) {}

    /// Whether commands may be due: if so, call due(). Cheap.
    [[nodiscard]] bool is_due(Timestamp now) const { return now >= next_; }
    /// When that will be.
    [[nodiscard]] Timestamp next() const { return next_; }
    /// The due commands, in the order of submission.
    [[nodiscard]] std::vector<Command> due(Timestamp now,
                                           std::span<const InstrumentState* const> instruments);
    /// An auction did not take place, as one of its conditions did not hold: its call continues.
    void on_refused(InstrumentId instrument, Reason reason, Timestamp now);
    /// Instruments were added, or something else changed: the next call looks again.
    void look_again() { next_ = {std::numeric_limits<std::int64_t>::min()}; }

    [[nodiscard]] const Timetable& timetable() const { return timetable_; }

  private:
    using Commands = std::vector<Command>;

    /// Of a call that continues beyond its end.
    struct Extended {
        CallKind call{};
        Extensions left{};
        Timestamp until{};
        bool is_new = false;  ///< and was not announced
    };

    /// An auction that has no answer yet.
    struct Asked {
        Timestamp call_since{};  ///< when its call began
        Timestamp time{};
    };

    void visit(const InstrumentState& in, Timestamp now, Commands& commands);
    [[nodiscard]] bool may_ask(const InstrumentState& in, Timestamp now);
    void set_corridor(const InstrumentState& in, Commands& commands) const;
    [[nodiscard]] bool goes_on_in(const InstrumentState& in, const Timetable::Slot& slot) const;
    void enter(const InstrumentState& in, const Timetable::Slot& slot, Timestamp now,
               Commands& commands);
    [[nodiscard]] Extended* extended(const InstrumentState& in, const Timetable::Slot& slot);
    bool goes_on(const InstrumentState& in, const Timetable::Slot& slot, Timestamp now,
                 Commands& commands);
    [[nodiscard]] const Rules& rules_of(const InstrumentState& in) const {
        return venue_->rules_of(in.definition().symbol.view());
    }
    [[nodiscard]] UncrossConditions::Bits conditions(const InstrumentState& in);
    void end_interruption(const InstrumentState& in, Phase next, Timestamp now, Commands& commands);
    [[nodiscard]] Timestamp end_of_batch(const Timetable::Slot& slot, Timestamp begun) const;
    void end_batch(const InstrumentState& in, const Timetable::Slot& slot, Timestamp now,
                   Commands& commands);
    void tick(Timestamp now, std::span<const InstrumentState* const> instruments,
              Commands& commands);
    void wake_at(Timestamp time) { next_ = std::min(next_, time); }

    const Venue* venue_;
    Timetable timetable_;
    std::map<InstrumentId, Extended> extended_;  ///< those in a call that ended or went on
    std::map<InstrumentId, Asked> asked_;
    Timestamp next_tick_{};  ///< zero: no call runs
    Timestamp next_{std::numeric_limits<std::int64_t>::min()};
};

}  // namespace damrak::venue
