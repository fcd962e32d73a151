#include <damrak/venue/market_hours.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace damrak::venue {

namespace {

bool is_call(const TradingSession& session, CallKind kind) {
    return session.phase == Phase::call && session.call == kind;
}

}  // namespace

bool MarketHours::exist(const Venue& venue) {
    const auto has = [&](CallKind kind) {
        return std::ranges::any_of(
            venue.sessions, [kind](const TradingSession& one) { return is_call(one, kind); });
    };
    return has(CallKind::opening) && has(CallKind::closing);
}

MarketHours::MarketHours(Timetable timetable)
    : timetable_(std::move(timetable)),
      is_regular_(timetable_.sessions().size()),
      is_open_(timetable_.sessions().size()) {
    // Twice, as a day may begin with the sessions after a closing call or after an opening one.
    bool is_open = false;
    for (std::size_t i = 0; i < 2 * is_regular_.size(); ++i) {
        const TradingSession& session = timetable_.session(i % is_regular_.size());
        const std::size_t at = i % is_open_.size();
        is_open_[at] = session.continues && at > 0
                           ? is_open_[at - 1]
                           : is_open && !is_call(session, CallKind::opening);
        if (is_call(session, CallKind::opening)) is_open = true;
        if (is_call(session, CallKind::closing)) is_open = false;
        is_regular_[i % is_regular_.size()] = is_open && session.phase == Phase::continuous;
    }
}

// Each session begins at least once a week.
template <class Suits>
Timetable::Slot MarketHours::next_slot(Timestamp now, Suits&& suits) const {
    constexpr std::size_t k_days = 7;
    Timetable::Slot slot = timetable_.scheduled(now);
    for (std::size_t i = 0; i <= k_days * is_regular_.size() && !suits(slot); ++i)
        slot = timetable_.scheduled(slot.end);
    return slot;
}

Timestamp MarketHours::close(Timestamp now) const {
    const auto is_last_stage = [&](const Timetable::Slot& slot) {
        return is_call(timetable_.session(slot.session), CallKind::closing) &&
               !timetable_.session(timetable_.scheduled(slot.end).session).continues;
    };
    return next_slot(now, is_last_stage).end;
}

Timestamp MarketHours::next_opening(Timestamp now) const {
    const auto is_first_stage = [&](const Timetable::Slot& slot) {
        const TradingSession& session = timetable_.session(slot.session);
        return is_call(session, CallKind::opening) && !session.continues;
    };
    return next_slot(timetable_.scheduled(now).end, is_first_stage).begin;
}

}  // namespace damrak::venue
