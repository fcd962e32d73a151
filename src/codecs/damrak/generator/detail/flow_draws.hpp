// Distributions of the order flow: distance from the touch, quantity, and symbol.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/base/random.hpp>

namespace damrak::generator::detail {

/// Distance from the touch in ticks: 30 % at it, 60 % geometric with a mean of 8, and 10 % with a
/// tail like 1/d, up to 608.
[[nodiscard]] std::int32_t draw_distance(RandomStream& random);

/// 60 % one round lot of 100, 25 % an odd lot, 15 % up to ten round lots.
[[nodiscard]] std::uint32_t draw_quantity(RandomStream& random);

/// Cumulative Zipf(1) weights of the symbols, scaled to 32 bits.
[[nodiscard]] std::vector<std::uint32_t> zipf_thresholds(std::uint32_t symbols);

}  // namespace damrak::generator::detail
