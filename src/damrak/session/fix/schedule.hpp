// When a FIX session is open: always, at certain hours of each day, or from one time of the week to
// another; in UTC, or by the clocks of a time zone. Sequence numbers live for one opening. Pure
// arithmetic on time that the caller gives; asked by sessions at logon and when time passes.
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
    /// From `start` to `end` of each day, nanoseconds after midnight; over midnight if `end` is not
    /// later. Equal times: open around the clock, with a new session at that time.
    [[nodiscard]] static Schedule daily(std::int64_t start_ns, std::int64_t end_ns);
    /// Days count from Monday, 0.
    [[nodiscard]] static Schedule weekly(int start_day, std::int64_t start_ns, int end_day,
                                         std::int64_t end_ns);
    /// As configuration has it: "always", "07:00:00-17:30:00", "mon 07:00:00-fri 17:30:00".
    [[nodiscard]] static std::expected<Schedule, std::string> parse(std::string_view text);

    /// The same hours by the clocks of that zone; null: UTC. A time that they skip is the moment of
    /// their change; of one that they show twice it is the first.
    [[nodiscard]] Schedule in(TimeZone::Shared zone) const {
        Schedule moved = *this;
        moved.zone_ = std::move(zone);
        return moved;
    }

    [[nodiscard]] bool always() const { return period_ns_ == 0; }
    [[nodiscard]] bool is_open(Timestamp now) const;
    /// When the opening began that is under way or was the last one; the beginning of time if
    /// it is always open.
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
    std::int64_t start_ns_ = 0;   ///< of an opening, after the Unix epoch
    std::int64_t length_ns_ = 0;
    TimeZone::Shared zone_;
};

}  // namespace damrak::session::fix
