#include <damrak/plot/depth_map.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include <damrak/plot/detail/svg_text.hpp>

namespace damrak::plot {

namespace {

using detail::pixel;

constexpr std::string_view k_bid_colour = "#0969da";
constexpr std::string_view k_ask_colour = "#d4670a";
constexpr std::string_view k_buyer_colour = "#1a7f37";
constexpr std::string_view k_seller_colour = "#cf222e";
constexpr std::string_view k_unknown_colour = "#8250df";
constexpr int k_left = 76;
constexpr int k_right = 36;
constexpr int k_top = 84;
constexpr int k_bottom = 34;
constexpr int k_shades = 10;

/// Maps values to pixels.
class Scale {
  public:
    Scale(Range from, double begin, double end)
        : from_(from), begin_(begin), factor_((end - begin) / std::max(from.width(), 1e-12)) {}
    [[nodiscard]] double at(double value) const { return begin_ + (value - from_.low) * factor_; }

  private:
    Range from_;
    double begin_;
    double factor_;
};

std::string head(std::string_view title, std::string_view subtitle) {
    return fmt::format(
        "<text class=\"t\" x=\"12\" y=\"28\">{}</text>\n<text x=\"12\" y=\"48\">{}</text>\n",
        escaped(title), escaped(subtitle));
}

/// The quantity with the darkest shade: few cells have more.
double darkest(const DepthMap& map) {
    constexpr double k_share = 0.995;
    std::vector<double> all;
    for (const auto* const side : {&map.bids, &map.asks})
        for (const double value : *side)
            if (value > 0) all.push_back(value);
    if (all.empty()) return 1;
    const auto at =
        all.begin() + static_cast<std::ptrdiff_t>(k_share * static_cast<double>(all.size() - 1));
    std::ranges::nth_element(all, at);
    return *at;
}

int shade_of(double quantity, double most) {
    if (quantity <= 0) return 0;
    const double share = std::sqrt(std::min(quantity / most, 1.0));
    return std::max(1, static_cast<int>(std::lround(share * k_shades)));
}

double opacity_of(int shade) { return 0.08 + 0.82 * shade / k_shades; }

// Adjacent cells of one shade form one rectangle, all rectangles of a shade one path.
std::string cells_of(const DepthMap& map, const std::vector<double>& side, double most,
                     std::string_view colour, double bottom) {
    const double cell_width =
        static_cast<double>(map.width - k_left - k_right) / static_cast<double>(map.columns);
    const double cell_height = (bottom - k_top) / static_cast<double>(map.rows);
    std::array<std::string, k_shades + 1> paths;
    for (std::size_t row = 0; row < map.rows; ++row)
        for (std::size_t column = 0; column < map.columns;) {
            const auto shade_at = [&](std::size_t at) {
                return shade_of(side[at * map.rows + row], most);
            };
            const int shade = shade_at(column);
            std::size_t end = column + 1;
            while (end < map.columns && shade_at(end) == shade) ++end;
            if (shade > 0)
                paths[static_cast<std::size_t>(shade)] += fmt::format(
                    "M{} {}h{}v{}h-{}z", pixel(k_left + static_cast<double>(column) * cell_width),
                    pixel(bottom - static_cast<double>(row + 1) * cell_height),
                    pixel(static_cast<double>(end - column) * cell_width), pixel(cell_height),
                    pixel(static_cast<double>(end - column) * cell_width));
            column = end;
        }
    std::string out;
    for (int shade = 1; shade <= k_shades; ++shade)
        if (const std::string& path = paths[static_cast<std::size_t>(shade)]; !path.empty())
            out += fmt::format("<path fill=\"{}\" fill-opacity=\"{:.2f}\" d=\"{}\"/>\n", colour,
                               opacity_of(shade), path);
    return out;
}

// Each value holds until the next point, the last one to the end. Of several points within a pixel,
// the last is drawn.
std::string line_of(const std::vector<Point>& points, const Scale& x, const Scale& y,
                    const DepthMap& map, std::string_view colour) {
    const auto x_of = [&](std::size_t i) { return x.at(static_cast<double>(points[i].time_ns)); };
    std::string path;
    bool pen = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double at = x_of(i);
        if (i + 1 < points.size() && std::floor(x_of(i + 1)) == std::floor(at)) continue;
        const double value = points[i].value;
        const bool shown = !std::isnan(value) && value >= map.price.low && value <= map.price.high;
        if (pen) path += fmt::format("H{}", pixel(at));
        if (shown)
            path += pen ? fmt::format("V{}", pixel(y.at(value)))
                        : fmt::format("M{} {}", pixel(at), pixel(y.at(value)));
        pen = shown;
    }
    if (pen) path += fmt::format("H{}", pixel(x.at(map.time_ns.high)));
    return fmt::format("<path class=\"l\" stroke=\"{}\" d=\"{}\"/>\n", colour, path);
}

std::string_view colour_of(const TradeDot& trade) {
    if (!trade.is_buy) return k_unknown_colour;
    return *trade.is_buy ? k_buyer_colour : k_seller_colour;
}

std::string dots_of(const DepthMap& map, const Scale& x, const Scale& y) {
    constexpr double k_largest = 7;
    constexpr double k_smallest = 1.2;
    double most = 1;
    for (const TradeDot& trade : map.trades) most = std::max(most, trade.quantity);
    std::string out;
    for (const TradeDot& trade : map.trades) {
        if (trade.price < map.price.low || trade.price > map.price.high) continue;
        const double radius =
            std::max(k_smallest, k_largest * std::sqrt(std::max(trade.quantity, 0.0) / most));
        out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" class=\"o\"/>\n",
                           pixel(x.at(static_cast<double>(trade.time_ns))),
                           pixel(y.at(trade.price)), pixel(radius), colour_of(trade));
    }
    return out;
}

std::string axes_of(const DepthMap& map, const Scale& x, const Scale& y, double bottom) {
    constexpr int k_price_labels = 10;
    constexpr int k_label_width = 110;
    const Ticks prices = number_ticks(map.price, k_price_labels);
    const Ticks times = time_ticks(map.time_ns, (map.width - k_left - k_right) / k_label_width);
    std::string out;
    for (const double price : prices.at)
        out += fmt::format(
            "<path class=\"g\" d=\"M{0} {1}H{2}\"/>\n<text class=\"v\" x=\"{3}\" y=\"{4}\">{5}"
            "</text>\n",
            k_left, pixel(y.at(price)), map.width - k_right, k_left - 8, pixel(y.at(price) + 4),
            number_label(price, prices.step));
    for (const double time : times.at)
        out += fmt::format(
            "<path class=\"f\" d=\"M{0} {1}v5\"/>\n<text class=\"h\" x=\"{0}\" y=\"{2}\">{3}"
            "</text>\n",
            pixel(x.at(time)), pixel(bottom), pixel(bottom + 20), time_label(time, times.step));
    return out;
}

}  // namespace

std::string render_depth_map(const DepthMap& map) {
    const double bottom = map.height - k_bottom;
    const Scale x{map.time_ns, k_left, static_cast<double>(map.width - k_right)};
    const Scale y{map.price, bottom, k_top};
    const double most = darkest(map);
    std::string out = detail::svg_begin(map.width, map.height, map.title);
    out += "<style>.o{fill-opacity:.75;stroke:#fff;stroke-width:.4}</style>\n";
    out += head(map.title, map.subtitle);
    const std::array<detail::LegendEntry, 5> entries{
        detail::LegendEntry{fmt::format("bids (darkest: {} or more)", number_label(most, 1)),
                            std::string{k_bid_colour}},
        detail::LegendEntry{"asks", std::string{k_ask_colour}},
        detail::LegendEntry{"buyer took", std::string{k_buyer_colour}},
        detail::LegendEntry{"seller took", std::string{k_seller_colour}},
        detail::LegendEntry{"with a hidden order", std::string{k_unknown_colour}}};
    out += detail::legend(entries, 12, map.width - k_right, 54).svg;
    out += axes_of(map, x, y, bottom);
    out += cells_of(map, map.bids, most, k_bid_colour, bottom);
    out += cells_of(map, map.asks, most, k_ask_colour, bottom);
    out += line_of(map.best_bid, x, y, map, "#0550ae");
    out += line_of(map.best_ask, x, y, map, "#953800");
    out += dots_of(map, x, y);
    return out + "</svg>\n";
}

std::string render_ladder(const LadderChart& chart) {
    constexpr int k_row = 22;
    constexpr int k_price_width = 96;
    constexpr int k_text = 150;
    const int middle = chart.width / 2;
    const std::size_t rows = std::max(chart.bids.size(), chart.asks.size());
    const int height = k_top + static_cast<int>(rows) * k_row + 16;
    double most = 1;
    for (const auto* const side : {&chart.bids, &chart.asks})
        for (const LadderRow& row : *side) most = std::max(most, row.quantity);
    const double longest = middle - k_price_width - k_text;
    std::string out = detail::svg_begin(chart.width, height, chart.title);
    out += head(chart.title, chart.subtitle);
    out += fmt::format("<text class=\"p v\" x=\"{}\" y=\"74\">bid</text>\n", middle - 10);
    out += fmt::format("<text class=\"p\" x=\"{}\" y=\"74\">ask</text>\n", middle + 10);
    const auto side = [&](const std::vector<LadderRow>& levels, int sign, std::string_view colour) {
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const LadderRow& row = levels[i];
            const int y = k_top + static_cast<int>(i) * k_row;
            const double length = std::max(row.quantity / most * longest, 1.0);
            const double from = middle + sign * k_price_width;
            const double end = from + sign * length;
            const char* const anchor = sign < 0 ? "v" : "";
            out += fmt::format("<path fill=\"{}\" fill-opacity=\".75\" d=\"M{} {}H{}v{}H{}z\"/>\n",
                               colour, pixel(from), y, pixel(end), k_row - 4, pixel(from));
            out +=
                fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", anchor,
                            middle + sign * 10, y + 14, number_label(row.price, chart.price_step));
            out += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{} in {}</text>\n", anchor,
                               pixel(end + sign * 6), y + 14, number_label(row.quantity, 1),
                               row.orders ? fmt::to_string(*row.orders) : "?");
        }
    };
    side(chart.bids, -1, k_bid_colour);
    side(chart.asks, 1, k_ask_colour);
    return out + "</svg>\n";
}

}  // namespace damrak::plot
