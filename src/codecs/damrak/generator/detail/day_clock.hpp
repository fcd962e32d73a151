// Times of the messages of a generated day: orders of the prefill before the opening, the others
// within the regular hours, busiest at the open and at the close; one in four follows the previous
// message in a burst. Times are strictly ascending. Used by itch_day.hpp; some nanoseconds a draw.
#pragma once

#include <cstdint>

#include <damrak/base/random.hpp>
#include <damrak/base/time_units.hpp>

namespace damrak::generator::detail {

inline constexpr std::int64_t k_prefill_ns = 9 * k_hour_ns;
inline constexpr std::int64_t k_open_ns = 9 * k_hour_ns + k_hour_ns / 2;
inline constexpr std::int64_t k_close_ns = 16 * k_hour_ns;

class DayClock {
  public:
    /// `messages`: number of calls of next() after the prefill, at most 2^31.
    DayClock(std::uint64_t prefill, std::uint64_t messages, std::uint64_t seed)
        : prefill_{prefill}, messages_{messages}, random_{seed} {}

    [[nodiscard]] std::int64_t next_prefill();
    [[nodiscard]] std::int64_t next();

  private:
    std::uint64_t prefill_;
    std::uint64_t messages_;
    RandomStream random_;
    std::uint64_t prefilled_{0};
    std::uint64_t reported_{0};
    std::int64_t last_ns_{0};
};

}  // namespace damrak::generator::detail
