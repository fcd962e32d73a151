// Pictures of an archived day: the book of an instrument at a moment as a ladder, and the resting
// quantity at each price in a window as a map, with best prices and trades. Called once each. A map
// reads the messages of the window twice; its size depends only on the picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

#include <damrak/archive/day.hpp>
#include <damrak/plot/depth_map.hpp>

namespace damrak::replay {

/// Which part of a day is drawn.
struct BookWindow {
    std::uint16_t locate = 0;
    std::string symbol;
    std::int64_t from_ns = 0;
    std::int64_t until_ns = 0;
};

/// Of `at.from_ns`, or of the last moment before something is missing. An error if the book is not
/// known then.
[[nodiscard]] std::expected<archive::Answer<plot::LadderChart>, std::string> ladder_of(
    const archive::Day& day, const BookWindow& at, std::size_t depth);
/// Drawn up to where something is missing. An error if the window has no quotes.
[[nodiscard]] std::expected<archive::Answer<plot::DepthMap>, std::string> depth_map_of(
    const archive::Day& day, const BookWindow& window);

}  // namespace damrak::replay
