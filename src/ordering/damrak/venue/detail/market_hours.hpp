// The regular hours of a venue's days: from the opening call to the closing call, as price bands
// and market-wide breakers need them. Pure; a call costs some searches in the zone's table.
#pragma once

#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/venue/timetable.hpp>

namespace damrak::venue {

class MarketHours {
  public:
    /// The venue has an opening and a closing call.
    explicit MarketHours(Timetable timetable);

    /// Whether an instrument trades continuously then, between its opening and its closing call.
    [[nodiscard]] bool is_regular(Timestamp now, InstrumentId instrument) const {
        return is_regular_[timetable_.at(now, instrument).session];
    }
    /// When the closing call ends that is on or comes next, without its random end.
    [[nodiscard]] Timestamp close(Timestamp now) const;
    /// When the next opening call begins.
    [[nodiscard]] Timestamp next_opening(Timestamp now) const;

  private:
    [[nodiscard]] Timetable::Slot next_call(Timetable::Slot slot, CallKind kind) const;

    Timetable timetable_;
    std::vector<bool> is_regular_;  ///< by session
};

}  // namespace damrak::venue
