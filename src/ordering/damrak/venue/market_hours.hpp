// The regular hours of a venue's days: from the opening call to the closing call, as price bands,
// market-wide breakers and the feed need them. Pure; a call costs some searches in the zone's
// table.
#pragma once

#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/venue/timetable.hpp>

namespace damrak::venue {

class MarketHours {
  public:
    /// Whether the venue has an opening and a closing call, which the constructor needs.
    [[nodiscard]] static bool exist(const Venue& venue);
    explicit MarketHours(Timetable timetable);

    /// Whether an instrument trades continuously then, between its opening and its closing call.
    [[nodiscard]] bool is_regular(Timestamp now, InstrumentId instrument) const {
        return is_regular_[timetable_.at(now, instrument).session];
    }
    /// Whether the market is open, without random ends: since the end of the opening call, until
    /// that of the closing call.
    [[nodiscard]] bool is_open(Timestamp now) const {
        return is_open_[timetable_.scheduled(now).session];
    }
    /// When is_open() may be different.
    [[nodiscard]] Timestamp next_session(Timestamp now) const {
        return timetable_.scheduled(now).end;
    }
    /// When the closing call ends that is on or comes next, without its random end.
    [[nodiscard]] Timestamp close(Timestamp now) const;
    /// When the next opening call begins.
    [[nodiscard]] Timestamp next_opening(Timestamp now) const;

  private:
    template <class Suits>
    [[nodiscard]] Timetable::Slot next_slot(Timestamp now, Suits&& suits) const;

    Timetable timetable_;
    // By session:
    std::vector<bool> is_regular_;
    std::vector<bool> is_open_;
};

}  // namespace damrak::venue
