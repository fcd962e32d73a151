// When trading days begin and end: at configured local times of a time zone. Pure; a call costs a
// few searches in the zone's table.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

#include <damrak/base/local_days.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/gateway/settings.hpp>

namespace damrak::exchange {

using gateway::DaySettings;

class TradingCalendar {
  public:
    struct Day {
        std::int32_t date = 0;  ///< yyyymmdd, at the end of the day
        Timestamp begin{};
        Timestamp end{};  ///< the first instant after the day
        [[nodiscard]] bool contains(Timestamp time) const { return begin <= time && time < end; }
    };

    /// The error says what is wrong with the zone.
    [[nodiscard]] static std::expected<TradingCalendar, std::string> make(
        const DaySettings& settings);

    /// The day that is open at this time, or the next one.
    [[nodiscard]] Day day_at(Timestamp time) const;
    /// The last midnight of the zone before or at this time.
    [[nodiscard]] Timestamp midnight_before(Timestamp time) const;

  private:
    TradingCalendar(LocalDays days, std::int64_t begin_ns, std::int64_t end_ns)
        : days_(std::move(days)), begin_ns_(begin_ns), end_ns_(end_ns) {}

    LocalDays days_;
    std::int64_t begin_ns_;
    std::int64_t end_ns_;
};

}  // namespace damrak::exchange
