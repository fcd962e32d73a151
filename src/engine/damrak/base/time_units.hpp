// Units of time in nanoseconds.
#pragma once

#include <cstdint>

namespace damrak {

inline constexpr std::int64_t k_microsecond_ns = 1'000;
inline constexpr std::int64_t k_millisecond_ns = 1'000'000;
inline constexpr std::int64_t k_second_ns = 1'000'000'000;
inline constexpr std::int64_t k_hour_ns = 3'600 * k_second_ns;
inline constexpr std::int64_t k_day_ns = 24 * k_hour_ns;

}  // namespace damrak
