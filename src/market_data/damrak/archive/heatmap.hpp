// The displayed quantity of an instrument over time and price, for a picture: a grid of columns of
// equal time and rows of equal price range, and how much was displayed in each cell on average.
// Reads the blocks of the window twice if the prices are not given, otherwise once. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/base/wide_integer.hpp>

namespace damrak::archive {

/// What somebody wants to see. The grid may begin earlier and have fewer columns and rows.
struct HeatmapView {
    std::optional<std::int64_t> from_ns{};  ///< otherwise the first message of the day
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    std::uint32_t columns = 400;  ///< positive
    std::uint32_t rows = 200;     ///< positive
    /// Otherwise that of the best prices and the trades, with a margin of a tenth.
    std::optional<std::uint32_t> low_e4{};
    std::optional<std::uint32_t> high_e4{};
};

/// Column c begins at begin_ns + c * column_ns, row r at low_e4 + r * step_e4.
struct HeatmapGrid {
    std::int64_t begin_ns = 0;
    std::int64_t column_ns = 1;
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::uint64_t low_e4 = 0;
    std::uint64_t step_e4 = 1;

    [[nodiscard]] std::int64_t end_ns() const { return begin_ns + column_ns * columns; }
    [[nodiscard]] std::uint64_t high_e4() const { return low_e4 + step_e4 * rows; }
};

/// An interval of time in a heatmap.
struct HeatmapColumn {
    std::uint32_t bid_e4 = 0;  ///< at its end; zero: none
    std::uint32_t ask_e4 = 0;
    std::uint64_t bought = 0;  ///< shares, by the side that came in
    std::uint64_t sold = 0;
    std::uint64_t other = 0;  ///< in crosses and with hidden orders
};

struct Heatmap {
    HeatmapGrid grid{};
    std::vector<HeatmapColumn> columns{};
    /// Cell (c, r) is at c * rows + r: shares times nanoseconds.
    std::vector<Uint128> bids{};
    std::vector<Uint128> asks{};
    std::vector<std::string> damage{};  ///< what could not be read in the window
};

/// The columns of a view between the first and the last message of a day; no rows. None if nothing
/// of the day is in the view.
[[nodiscard]] HeatmapGrid heatmap_columns(const HeatmapView& view, std::int64_t first_ns,
                                          std::int64_t last_ns);
/// Adds the rows. `low_e4` to `high_e4`: the prices that there are; zero: none.
void add_heatmap_rows(HeatmapGrid& grid, const HeatmapView& view, std::uint32_t low_e4,
                      std::uint32_t high_e4);

[[nodiscard]] Heatmap heatmap(const Day& day, std::uint16_t locate, const HeatmapView& view);

}  // namespace damrak::archive
