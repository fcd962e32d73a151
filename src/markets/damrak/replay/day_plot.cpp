#include <damrak/replay/day_plot.hpp>

#include <limits>

#include <fmt/format.h>

#include <damrak/plot/axis.hpp>
#include <damrak/plot/picture_file.hpp>

namespace damrak::replay {
namespace {

constexpr double k_units_per_currency = 10'000;
constexpr double k_gap = std::numeric_limits<double>::quiet_NaN();

// Blue buys and orange sells, which colour-blind readers can distinguish; lines are lighter than
// trades.
constexpr const char* k_bid = "#5b9bd5";
constexpr const char* k_ask = "#ee9b57";
constexpr const char* k_buyer = "#0b4f9c";
constexpr const char* k_seller = "#b3400b";
constexpr const char* k_neutral = "#6e7781";

using Points = std::vector<plot::Point>;

void append(Points& points, const Bucket& bucket, const Extent& extent, double scale) {
    if (!extent.seen) return;
    for (const std::int64_t value : {extent.low, extent.high, extent.last}) {
        points.push_back({bucket.begin_ns, static_cast<double>(value) / scale});
    }
}

Points points_of(const DaySeries& day, Extent Bucket::* member, double scale) {
    Points points;
    for (const Bucket& bucket : day.buckets()) append(points, bucket, bucket.*member, scale);
    return points;
}

// As points_of(), with a gap from the end of each bucket at which the line has no value.
Points line_of(const DaySeries& day, Extent Bucket::* member, bool bid, bool ask) {
    Points points;
    for (const Bucket& bucket : day.buckets()) {
        append(points, bucket, bucket.*member, k_units_per_currency);
        const bool gone = (bid && !bucket.has_bid) || (ask && !bucket.has_ask);
        if (gone) points.push_back({bucket.begin_ns, k_gap});
    }
    return points;
}

// The axis begins and ends at round times if that costs less than a pixel.
std::int64_t axis_grain_ns(std::int64_t span_ns) {
    std::int64_t grain_ns = 1;
    while (grain_ns <= span_ns / 10'000) grain_ns *= 10;
    return grain_ns;
}

}  // namespace

plot::Figure day_figure(const DaySeries& day) {
    constexpr double k_second_ns = 1e9;
    const std::int64_t grain_ns = axis_grain_ns(day.end_ns() - day.begin_ns());
    plot::Figure figure{
        .title = day.symbol(),
        .subtitle = fmt::format("{} to {}",
                                plot::time_label(static_cast<double>(day.begin_ns()), k_second_ns),
                                plot::time_label(static_cast<double>(day.end_ns()), k_second_ns)),
        .begin_ns = day.begin_ns() - day.begin_ns() % grain_ns,
        .end_ns = day.end_ns() + grain_ns - day.end_ns() % grain_ns,
        .panels = {},
    };
    figure.panels.push_back({
        .title = "Best bid and ask in dollars, trades by aggressor",
        .height_share = 5,
        .layers = {plot::StepLine{"best ask", k_ask, line_of(day, &Bucket::ask, false, true)},
                   plot::StepLine{"best bid", k_bid, line_of(day, &Bucket::bid, true, false)},
                   plot::Dots{"buyer took", k_buyer,
                              points_of(day, &Bucket::bought, k_units_per_currency)},
                   plot::Dots{"seller took", k_seller,
                              points_of(day, &Bucket::sold, k_units_per_currency)}},
    });
    figure.panels.push_back({
        .title = "Spread in dollars",
        .height_share = 2,
        .layers = {plot::StepArea{"", k_neutral, line_of(day, &Bucket::spread, true, true)}},
    });
    figure.panels.push_back({
        .title = fmt::format("Shares at the best {} levels", day.depth_levels()),
        .height_share = 3,
        .unsigned_labels = true,
        .layers = {plot::StepArea{"bids", k_bid, points_of(day, &Bucket::bid_depth, 1)},
                   plot::StepArea{"asks", k_ask, points_of(day, &Bucket::ask_depth, -1)}},
    });
    return figure;
}

std::expected<void, std::string> write_day_plot(const std::filesystem::path& path,
                                                const DaySeries& day) {
    return plot::write_picture(path, plot::render_svg(day_figure(day)));
}

}  // namespace damrak::replay
