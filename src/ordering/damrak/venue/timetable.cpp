#include <damrak/venue/timetable.hpp>

#include <cstddef>
#include <limits>
#include <utility>

#include <damrak/base/random.hpp>
#include <damrak/base/wide_integer.hpp>

namespace damrak::venue {

namespace {

constexpr std::int64_t k_week = 7;

// 1970-01-01 was a Thursday.
bool is_on(const TradingSession& session, std::int64_t day) {
    const std::int64_t weekday = ((day + 3) % k_week + k_week) % k_week;
    return (session.days >> static_cast<unsigned>(weekday) & 1U) != 0;
}

}  // namespace

std::expected<Timetable, std::string> Timetable::make(const Venue& venue, std::uint64_t seed) {
    auto days = LocalDays::make(venue.zone);
    if (!days) return std::unexpected{std::move(days.error())};
    return Timetable{*std::move(days), venue.sessions, seed};
}

Timetable::Begin Timetable::last_begin(std::int64_t until_ns) const {
    const std::int64_t today = days_.day_of(until_ns);
    for (std::int64_t day = today; day >= today - k_week; --day)
        for (std::size_t i = sessions_.size(); i-- > 0;)
            if (is_on(sessions_[i], day))
                if (const std::int64_t at = days_.at(day, sessions_[i].at_ns); at <= until_ns)
                    return {i, at};
    return {0, std::numeric_limits<std::int64_t>::min()};  // before the time of any zone
}

Timetable::Begin Timetable::next_begin(std::int64_t after_ns) const {
    const std::int64_t today = days_.day_of(after_ns);
    for (std::int64_t day = today; day <= today + k_week; ++day)
        for (std::size_t i = 0; i < sessions_.size(); ++i)
            if (is_on(sessions_[i], day))
                if (const std::int64_t at = days_.at(day, sessions_[i].at_ns); at > after_ns)
                    return {i, at};
    return {0, std::numeric_limits<std::int64_t>::max()};
}

Timetable::Slot Timetable::scheduled(Timestamp now) const {
    const Begin begin = last_begin(now.value);
    return {begin.session, {begin.at_ns}, {next_begin(now.value).at_ns}};
}

std::int64_t Timetable::draw(Timestamp since, InstrumentId instrument, std::int64_t most_ns) const {
    const std::uint64_t chance =
        mix_bits(mix_bits(seed_ + instrument.value) ^ static_cast<std::uint64_t>(since.value));
    return static_cast<std::int64_t>(
        static_cast<Uint128>(chance) * static_cast<std::uint64_t>(most_ns + 1) >> 64U);
}

// Of the session, where it is a call: how much later than scheduled it ends.
std::int64_t Timetable::random_end(std::size_t session, Timestamp scheduled,
                                   InstrumentId instrument) const {
    return draw(scheduled, instrument, sessions_[session].random_end_ns);
}

Timetable::Slot Timetable::at(Timestamp now, InstrumentId instrument) const {
    Slot slot = scheduled(now);
    if (slot.begin.value == std::numeric_limits<std::int64_t>::min()) return slot;
    const Begin before = last_begin(slot.begin.value - 1);
    const Timestamp begin =
        slot.begin + Timestamp{random_end(before.session, slot.begin, instrument)};
    if (now < begin) return {before.session, {before.at_ns}, begin};
    slot.begin = begin;
    slot.end += Timestamp{random_end(slot.session, slot.end, instrument)};
    return slot;
}

}  // namespace damrak::venue
