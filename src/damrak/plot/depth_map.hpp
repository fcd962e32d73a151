// What rests at each price over time as SVG: a map whose cells are the darker the more rests there,
// one colour a side, with the best prices as lines and trades as dots. Knows nothing of where the
// values come from. Called at the end of a run; the picture has a bounded size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <damrak/plot/axis.hpp>
#include <damrak/plot/svg.hpp>

namespace damrak::plot {

struct TradeDot {
    std::int64_t time_ns{};
    double price{};
    double quantity{};             ///< its area
    std::optional<bool> is_buy{};  ///< of the aggressor, where it is known
};

struct DepthMap {
    std::string title;
    std::string subtitle;
    Range time_ns;
    Range price;
    std::size_t columns{};
    std::size_t rows{};
    std::vector<double> bids;  ///< quantity by column, then row from the lowest price
    std::vector<double> asks;
    std::vector<Point> best_bid;
    std::vector<Point> best_ask;
    std::vector<TradeDot> trades;
    int width{960};
    int height{560};
};

[[nodiscard]] std::string render_depth_map(const DepthMap& map);

struct LadderRow {
    double price{};
    double quantity{};
    std::uint64_t orders{};
};

/// A book at a moment: bids to the left of their prices, asks to the right, the best ones first.
struct LadderChart {
    std::string title;
    std::string subtitle;
    std::vector<LadderRow> bids;  ///< best first
    std::vector<LadderRow> asks;
    double price_step{0.01};  ///< to write prices with
    int width{960};
};

[[nodiscard]] std::string render_ladder(const LadderChart& chart);

}  // namespace damrak::plot
