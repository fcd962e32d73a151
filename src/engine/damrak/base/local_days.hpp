// Days of a time zone, counted from 1970-01-01, and the times of day in them. Pure; a call costs a
// search in the zone's table.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/base/time_units.hpp>
#include <damrak/base/time_zone.hpp>

namespace damrak {

class LocalDays {
  public:
    /// The error says what is wrong with the zone.
    [[nodiscard]] static std::expected<LocalDays, std::string> make(std::string_view zone) {
        if (zone == "UTC") return LocalDays{nullptr};
        auto found = TimeZone::find(zone);
        if (!found) return std::unexpected{std::move(found.error())};
        return LocalDays{*std::move(found)};
    }

    [[nodiscard]] std::int64_t day_of(std::int64_t utc_ns) const {
        const std::int64_t local = zone_ == nullptr ? utc_ns : zone_->local_of(utc_ns);
        return (local - (local % k_day_ns + k_day_ns) % k_day_ns) / k_day_ns;
    }
    /// UTC of a time of that day.
    [[nodiscard]] std::int64_t at(std::int64_t day, std::int64_t after_midnight_ns) const {
        const std::int64_t local = day * k_day_ns + after_midnight_ns;
        return zone_ == nullptr ? local : zone_->utc_of(local);
    }

  private:
    explicit LocalDays(TimeZone::Shared zone) : zone_(std::move(zone)) {}

    TimeZone::Shared zone_;  ///< null: UTC
};

}  // namespace damrak
