// Leads the instruments of a market through the sessions of a venue: returns the commands that are
// due. The state comes from the engine, the time from the caller: an exchange, a simulated one or a
// replay. So a restart goes on from what the journal has: nothing happens twice, and what was
// missed is made up for.
//
//   set_phase   a session begins; also for the call of a session that was missed
//   uncross     a call ends: by the timetable, after an interruption, or with its batch
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
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
    /// Instruments were added, or something else changed: the next call looks again.
    void look_again() { next_ = {std::numeric_limits<std::int64_t>::min()}; }

    [[nodiscard]] const Timetable& timetable() const { return timetable_; }

  private:
    using Commands = std::vector<Command>;

    void visit(const InstrumentState& in, Timestamp now, Commands& commands);
    void enter(const InstrumentState& in, const Timetable::Slot& slot, Timestamp now,
               Commands& commands);
    void end_interruption(const InstrumentState& in, Timestamp now, Commands& commands);
    [[nodiscard]] Timestamp end_of_batch(const Timetable::Slot& slot, Timestamp begun) const;
    void end_batch(const InstrumentState& in, const Timetable::Slot& slot, Timestamp now,
                   Commands& commands);
    void wake_at(Timestamp time) { next_ = std::min(next_, time); }

    const Venue* venue_;
    Timetable timetable_;
    Timestamp next_{std::numeric_limits<std::int64_t>::min()};
};

}  // namespace damrak::venue
