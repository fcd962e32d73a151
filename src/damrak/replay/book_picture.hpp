// Pictures of an archived day: the book of an instrument at a moment as a ladder, and what rested
// at each price in a window as a map, with best prices and trades. Called once each; a map reads
// the messages of the window twice, and its size depends on the picture alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

#include <damrak/archive/day.hpp>
#include <damrak/plot/depth_map.hpp>

namespace damrak::replay {

struct BookWindow {
    std::uint16_t locate = 0;
    std::string symbol;
    std::int64_t from_ns = 0;
    std::int64_t until_ns = 0;
};

[[nodiscard]] std::expected<plot::LadderChart, std::string> ladder_of(const archive::Day& day,
                                                                      const BookWindow& at,
                                                                      std::size_t depth);
/// An error where nothing is quoted in the window.
[[nodiscard]] std::expected<plot::DepthMap, std::string> depth_map_of(const archive::Day& day,
                                                                      const BookWindow& window);

}  // namespace damrak::replay
