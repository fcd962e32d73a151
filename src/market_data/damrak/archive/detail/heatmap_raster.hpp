// Draws the cells of a heatmap: for the reader of blocks and for that of the file of columns. A
// call costs as much as it has columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <damrak/archive/detail/heatmap_levels.hpp>
#include <damrak/archive/heatmap.hpp>

namespace damrak::archive {

/// Draws into the cells what it is given. Without rows it finds the range of the prices.
class HeatmapRaster {
  public:
    explicit HeatmapRaster(Heatmap& map) : map_(&map) {
        const std::size_t cells = std::size_t{map.grid.columns} * map.grid.rows;
        map.columns.assign(map.grid.columns, {});
        map.bids.assign(cells, 0);
        map.asks.assign(cells, 0);
    }

    void pass(const auto& levels, std::int64_t time_ns) {
        const HeatmapGrid& grid = map_->grid;
        for (; passed_ < grid.columns && begin_of(passed_ + 1) <= time_ns; ++passed_) {
            HeatmapColumn& column = map_->columns[passed_];
            column.bid_e4 = levels.best_bid();
            column.ask_e4 = levels.best_ask();
            note(column.bid_e4);
            note(column.ask_e4);
        }
    }
    void stood(Side side, std::uint32_t price_e4, std::uint64_t shares, std::int64_t since_ns,
               std::int64_t until_ns) {
        const HeatmapGrid& grid = map_->grid;
        if (shares == 0 || price_e4 < grid.low_e4 || price_e4 >= grid.high_e4()) return;
        const std::size_t row = (price_e4 - grid.low_e4) / grid.step_e4;
        std::int64_t at = std::max(since_ns, grid.begin_ns);
        const std::int64_t end = std::min(until_ns, grid.end_ns());
        auto& cells = side == Side::buy ? map_->bids : map_->asks;
        while (at < end) {
            const std::size_t column = column_of(at);
            const std::int64_t next = std::min(end, begin_of(column + 1));
            cells[column * grid.rows + row] +=
                Uint128{shares} * static_cast<std::uint64_t>(next - at);
            at = next;
        }
    }
    /// Shares times nanoseconds from `begin_ns` on, within one column.
    void sum(Side side, std::uint32_t price_e4, std::int64_t begin_ns, Uint128 sum) {
        const HeatmapGrid& grid = map_->grid;
        if (price_e4 < grid.low_e4 || price_e4 >= grid.high_e4()) return;
        if (begin_ns < grid.begin_ns || begin_ns >= grid.end_ns()) return;
        const std::size_t row = (price_e4 - grid.low_e4) / grid.step_e4;
        (side == Side::buy ? map_->bids : map_->asks)[column_of(begin_ns) * grid.rows + row] += sum;
    }
    void trade(std::int64_t time_ns, std::uint32_t price_e4, std::uint64_t shares,
               Incoming incoming) {
        const HeatmapGrid& grid = map_->grid;
        if (time_ns < grid.begin_ns || time_ns >= grid.end_ns()) return;
        HeatmapColumn& column = map_->columns[column_of(time_ns)];
        (incoming == Incoming::buyer    ? column.bought
         : incoming == Incoming::seller ? column.sold
                                        : column.other) += shares;
        note(price_e4);
    }
    /// The book is not known up to this time.
    void skip(std::int64_t time_ns) {
        while (passed_ < map_->grid.columns && begin_of(passed_ + 1) <= time_ns) ++passed_;
    }
    [[nodiscard]] std::uint32_t low_e4() const { return low_e4_; }
    [[nodiscard]] std::uint32_t high_e4() const { return high_e4_; }

  private:
    [[nodiscard]] std::int64_t begin_of(std::size_t column) const {
        return map_->grid.begin_ns + map_->grid.column_ns * static_cast<std::int64_t>(column);
    }
    [[nodiscard]] std::size_t column_of(std::int64_t time_ns) const {
        return static_cast<std::size_t>((time_ns - map_->grid.begin_ns) / map_->grid.column_ns);
    }
    void note(std::uint32_t price_e4) {
        if (price_e4 == 0) return;
        low_e4_ = low_e4_ == 0 ? price_e4 : std::min(low_e4_, price_e4);
        high_e4_ = std::max(high_e4_, price_e4);
    }

    Heatmap* map_;
    std::size_t passed_ = 0;  ///< columns whose end is behind
    std::uint32_t low_e4_ = 0;
    std::uint32_t high_e4_ = 0;
};

/// Draws on the columns of `grid`; twice if the prices of the view are to be found.
/// `draw(map, raster)` draws everything.
template <class Draw>
[[nodiscard]] Heatmap draw_heatmap(const HeatmapGrid& grid, const HeatmapView& view,
                                   const Draw& draw) {
    Heatmap map{.grid = grid};
    std::uint32_t low_e4 = 0;
    std::uint32_t high_e4 = 0;
    if (grid.columns > 0 && (!view.low_e4 || !view.high_e4)) {
        HeatmapRaster range{map};
        draw(map, range);
        low_e4 = range.low_e4();
        high_e4 = range.high_e4();
        map.damage.clear();
    }
    add_heatmap_rows(map.grid, view, low_e4, high_e4);
    HeatmapRaster raster{map};
    draw(map, raster);
    return map;
}

}  // namespace damrak::archive
