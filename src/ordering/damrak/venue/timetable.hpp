// The sessions of a venue over time: which one is on, and when the next begins. Pure; a call costs
// some searches in the zone's table.
//
// A call with a random end lasts up to this much longer, drawn for each call and instrument from
// the seed: the same at a restart, and unknown to those who do not know the seed.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include <damrak/base/local_days.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue {

class Timetable {
  public:
    /// When a session is on.
    struct Slot {
        std::size_t session = 0;  ///< index into the sessions
        Timestamp begin{};
        Timestamp end{};  ///< the next one begins
    };

    /// The error says what is wrong with the zone.
    [[nodiscard]] static std::expected<Timetable, std::string> make(const Venue& venue,
                                                                    std::uint64_t seed);

    /// By the clock alone, without random ends.
    [[nodiscard]] Slot scheduled(Timestamp now) const;
    /// For an instrument, with random ends.
    [[nodiscard]] Slot at(Timestamp now, InstrumentId instrument) const;
    /// From 0 to `most`, for what an instrument does from a time on.
    [[nodiscard]] std::int64_t draw(Timestamp since, InstrumentId instrument,
                                    std::int64_t most_ns) const;

    [[nodiscard]] const TradingSession& session(std::size_t index) const {
        return sessions_[index];
    }
    [[nodiscard]] const std::vector<TradingSession>& sessions() const { return sessions_; }
    /// The session that is on before this one, at some weekday.
    [[nodiscard]] const TradingSession& before(std::size_t index) const {
        return sessions_[(index + sessions_.size() - 1) % sessions_.size()];
    }

  private:
    struct Begin {
        std::size_t session = 0;
        std::int64_t at_ns = 0;
    };

    Timetable(LocalDays days, std::vector<TradingSession> sessions, std::uint64_t seed)
        : days_(std::move(days)), sessions_(std::move(sessions)), seed_(seed) {}
    [[nodiscard]] Begin last_begin(std::int64_t until_ns) const;
    [[nodiscard]] Begin next_begin(std::int64_t after_ns) const;
    [[nodiscard]] std::int64_t random_end(std::size_t session, Timestamp scheduled,
                                          InstrumentId instrument) const;

    LocalDays days_;
    std::vector<TradingSession> sessions_;
    std::uint64_t seed_;
};

}  // namespace damrak::venue
