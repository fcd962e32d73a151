#include <algorithm>

#include <damrak/archive/heatmap.hpp>
#include <damrak/base/assert.hpp>

namespace damrak::archive {

namespace {

constexpr std::int64_t k_grid_second_ns = 1'000'000'000;
constexpr std::uint64_t k_cent_e4 = 100;
constexpr std::uint64_t k_dollar_e4 = 10'000;

constexpr auto rounded_up(auto value, auto unit) { return (value + unit - 1) / unit * unit; }

/// Times of a column are multiples of it: seconds, and four times as long while a column has at
/// least four of them.
std::int64_t unit_of(std::int64_t column_ns) {
    if (column_ns < k_grid_second_ns) return 1;
    std::int64_t unit = k_grid_second_ns;
    while (unit * 16 <= column_ns) unit *= 4;
    return unit;
}

}  // namespace

HeatmapGrid heatmap_columns(const HeatmapView& view, std::int64_t first_ns, std::int64_t last_ns) {
    DAMRAK_ASSERT(view.columns > 0);
    HeatmapGrid grid{.begin_ns = std::max<std::int64_t>(view.from_ns.value_or(first_ns), 0)};
    const std::int64_t until = std::min(view.until_ns, last_ns) + 1;
    if (grid.begin_ns >= until) return grid;
    const std::int64_t from = grid.begin_ns;
    const auto most = static_cast<std::int64_t>(view.columns);
    for (std::int64_t least = (until - from + most - 1) / most;; least = grid.column_ns + 1) {
        grid.column_ns = rounded_up(least, unit_of(least));
        // Rounded up, it may begin a coarser unit, and is a multiple of it.
        const std::int64_t unit = unit_of(grid.column_ns);
        grid.begin_ns = from - from % unit;
        const std::int64_t columns = (until - grid.begin_ns + grid.column_ns - 1) / grid.column_ns;
        grid.columns = static_cast<std::uint32_t>(columns);
        if (columns <= most) return grid;
    }
}

void add_heatmap_rows(HeatmapGrid& grid, const HeatmapView& view, std::uint32_t low_e4,
                      std::uint32_t high_e4) {
    DAMRAK_ASSERT(view.rows > 0);
    const std::uint64_t margin = std::max<std::uint64_t>((high_e4 - low_e4) / 10, k_cent_e4);
    const std::uint64_t low =
        view.low_e4 ? *view.low_e4 : low_e4 - std::min<std::uint64_t>(margin, low_e4);
    std::uint64_t high = view.high_e4 ? *view.high_e4 : high_e4 + margin;
    if (high <= low) high = low + k_cent_e4;  // the prices are all outside of what is asked for
    const std::uint64_t unit = low >= k_dollar_e4 ? k_cent_e4 : 1;
    for (std::uint64_t least = (high - low + view.rows - 1) / view.rows;;
         least = grid.step_e4 + 1) {
        grid.step_e4 = rounded_up(least, unit);
        grid.low_e4 = low - low % grid.step_e4;
        const std::uint64_t rows = (high - grid.low_e4 + grid.step_e4 - 1) / grid.step_e4;
        grid.rows = static_cast<std::uint32_t>(rows);
        if (rows <= view.rows) return;
    }
}

}  // namespace damrak::archive
