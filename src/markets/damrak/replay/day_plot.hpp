// The picture of an instrument's day: best bid and ask with the trades, the spread, the depth.
// Called once, after a replay; the file is at most a few hundred kB.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include <damrak/plot/svg.hpp>
#include <damrak/replay/detail/day_series.hpp>

namespace damrak::replay {

[[nodiscard]] plot::Figure day_figure(const DaySeries& day);

/// The error says which file could not be written and why.
[[nodiscard]] std::expected<void, std::string> write_day_plot(const std::filesystem::path& path,
                                                              const DaySeries& day);

}  // namespace damrak::replay
