// When simulated worlds begin, and how long faults occur in worlds with one kind of clients.
#pragma once

#include <cstdint>

namespace damrak::simulation {

/// Start time of the wall clock.
inline constexpr std::int64_t k_morning_ns = 1'700'000'000'000'000'000;
inline constexpr std::int64_t k_millisecond_ns = 1'000'000;
inline constexpr std::uint32_t k_steps = 2'500;

}  // namespace damrak::simulation
