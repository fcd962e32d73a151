// The resting quantity at each price over time, as SVG: a map with one colour per side, in which
// darker cells have more quantity, with the best prices as lines and trades as dots. Independent of
// the source of the values. Called at the end of a run; the picture has a bounded size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <damrak/plot/axis.hpp>
#include <damrak/plot/svg.hpp>

namespace damrak::plot {

/// A trade on the map.
struct TradeDot {
    std::int64_t time_ns{};
    double price{};
    double quantity{};             ///< gives the area of the dot
    std::optional<bool> is_buy{};  ///< the aggressor bought, if known
};

struct DepthMap {
    std::string title;
    std::string subtitle;
    Range time_ns;
    Range price;
    std::size_t columns{};
    std::size_t rows{};
    std::vector<double> bids;  ///< quantity by column, then by row from the lowest price
    std::vector<double> asks;
    std::vector<Point> best_bid;
    std::vector<Point> best_ask;
    std::vector<TradeDot> trades;
    int width{960};
    int height{560};
};

[[nodiscard]] std::string render_depth_map(const DepthMap& map);

/// A price level of the book beside the map.
struct LadderRow {
    double price{};
    double quantity{};
    std::optional<std::uint64_t> orders{};  ///< none: not known
};

/// A book at a moment: bids to the left of the prices, asks to the right, best ones first.
struct LadderChart {
    std::string title;
    std::string subtitle;
    std::vector<LadderRow> bids;  ///< best first
    std::vector<LadderRow> asks;
    double price_step{0.01};  ///< gives the decimals of prices
    int width{960};
};

[[nodiscard]] std::string render_ladder(const LadderChart& chart);

}  // namespace damrak::plot
