// When a FIX session is open: always, at certain hours of each day, or from one time of the week to
// another; in UTC or local time of a zone. Sequence numbers last for one opening. Pure arithmetic
// on the caller's time; sessions ask at logon and as time passes.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/base/time_zone.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::session::fix {

class Schedule {
  public:
    /// Always open.
    Schedule() = default;
    /// From `start` to `end` of each day, nanoseconds after midnight; past midnight if `end` is not
    /// later. Equal times: open around the clock, with a new session at that time.
    [[nodiscard]] static Schedule daily(std::int64_t start_ns, std::int64_t end_ns);
    /// Days count from Monday, which is 0.
    [[nodiscard]] static Schedule weekly(int start_day, std::int64_t start_ns, int end_day,
                                         std::int64_t end_ns);
    /// As in configuration files: "always", "07:00:00-17:30:00", "mon 07:00:00-fri 17:30:00".
    [[nodiscard]] static std::expected<Schedule, std::string> parse(std::string_view text);

    /// The same hours in local time of that zone; null: UTC. A local time that is skipped means the
    /// moment of the clock change; a repeated one means its first occurrence.
    [[nodiscard]] Schedule in(TimeZone::Shared zone) const {
        Schedule moved = *this;
        moved.zone_ = std::move(zone);
        return moved;
    }

    [[nodiscard]] bool always() const { return period_ns_ == 0; }
    [[nodiscard]] bool is_open(Timestamp now) const;
    /// Start of the current or else the last opening; the beginning of time if it is always open.
    [[nodiscard]] Timestamp last_start(Timestamp now) const;

    friend bool operator==(const Schedule&, const Schedule&) = default;

  private:
    Schedule(std::int64_t period_ns, std::int64_t start_ns, std::int64_t length_ns)
        : period_ns_(period_ns), start_ns_(start_ns), length_ns_(length_ns) {}

    [[nodiscard]] std::int64_t local_start(Timestamp now) const;
    [[nodiscard]] Timestamp utc_of(std::int64_t local_ns) const {
        return {zone_ == nullptr ? local_ns : zone_->utc_of(local_ns)};
    }

    std::int64_t period_ns_ = 0;  ///< a day or a week
    std::int64_t start_ns_ = 0;   ///< start of an opening, after the Unix epoch
    std::int64_t length_ns_ = 0;
    TimeZone::Shared zone_;
};

}  // namespace damrak::session::fix
