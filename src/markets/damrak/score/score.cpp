#include <damrak/score/score.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <damrak/market_kernel/draws.hpp>
#include <damrak/score/distance.hpp>

namespace damrak::score {
namespace {

constexpr std::array<double, 13> k_quantiles{.01, .05, .1, .2, .3,  .4, .5,
                                             .6,  .7,  .8, .9, .95, .99};

using Weights = std::vector<double>;
using Blocks = std::span<const Block>;

/// The distance of two days with weighted blocks; weights of the first, then of the second.
using DistanceOf = std::function<std::optional<double>(const Weights&)>;

DistanceOf distance_between(Blocks first, Blocks second, const Feature& feature) {
    if (feature.method != Method::curve)
        return [values = MergedValues{first, second, feature.id},
                method = feature.method](const Weights& weights) -> std::optional<double> {
            const auto gap = values.gap(weights);
            return gap ? std::optional{gap->of(method)} : std::nullopt;
        };
    return [=](const Weights& weights) {
        const std::span<const double> all{weights};
        return curve_distance(curve_of(first, all.first(first.size()), feature.id),
                              curve_of(second, all.subspan(first.size()), feature.id));
    };
}

/// As many blocks as there are, with replacement.
void draw(std::span<double> weights, market_kernel::Draws& draws) {
    std::ranges::fill(weights, 0);
    for (std::size_t i = 0; i < weights.size(); ++i) ++weights[draws.below(weights.size())];
}

// Basic: drawing again adds as much to a distance as drawing the first time did.
std::optional<comparison::Interval> interval_of(const DistanceOf& distance_of, double distance,
                                                std::size_t first, std::size_t second,
                                                Feature::Id feature) {
    if (first < 2 || second < 2) return std::nullopt;
    market_kernel::Draws draws{market_kernel::key_of(1, "score", feature, "bootstrap")};
    Weights weights(first + second);
    std::vector<double> drawn;
    for (std::size_t i = 0; i < k_drawings; ++i) {
        draw(std::span{weights}.first(first), draws);
        draw(std::span{weights}.subspan(first), draws);
        if (const auto again = distance_of(weights)) drawn.push_back(*again);
    }
    std::ranges::sort(drawn);
    constexpr double k_tail = (1 - comparison::k_confidence) / 2;
    return comparison::Interval{
        std::clamp(2 * distance - comparison::quantile_of(drawn, 1 - k_tail), 0.0, 1.0),
        std::clamp(2 * distance - comparison::quantile_of(drawn, k_tail), 0.0, 1.0)};
}

// Halves that take turns have the same hours of the day, unlike morning and afternoon.
std::optional<double> floor_of(Blocks day, const Feature& feature) {
    Weights weights;
    for (const std::size_t half : {0U, 1U})
        for (std::size_t i = 0; i < day.size(); ++i) weights.push_back(i % 2 == half ? 1 : 0);
    return distance_between(day, day, feature)(weights);
}

std::vector<double> sorted_values(Blocks blocks, Feature::Id feature) {
    std::vector<double> values;
    for (const Block& block : blocks)
        values.insert(values.end(), block.values[feature].begin(), block.values[feature].end());
    std::ranges::sort(values);
    return values;
}

std::vector<ScoredPoint> quantiles(Blocks market, Blocks day, Feature::Id feature) {
    const std::vector<double> ours = sorted_values(market, feature);
    const std::vector<double> theirs = sorted_values(day, feature);
    std::vector<ScoredPoint> points;
    for (const double p : k_quantiles)
        points.push_back({fmt::format("{:g}%", 100 * p), p, comparison::quantile_of(ours, p),
                          comparison::quantile_of(theirs, p)});
    return points;
}

std::vector<ScoredPoint> curve_points(Blocks market, Blocks day, const Feature& feature) {
    const Curve ours = curve_of(market, Weights(market.size(), 1), feature.id);
    const Curve theirs = curve_of(day, Weights(day.size(), 1), feature.id);
    std::vector<ScoredPoint> points;
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (ours[i] && theirs[i])
            points.push_back({std::string{feature.points[i]}, 0, *ours[i], *theirs[i]});
    return points;
}

bool is_observed(Blocks blocks, const Feature& feature) {
    if (feature.method != Method::curve) return !sorted_values(blocks, feature.id).empty();
    const Curve curve = curve_of(blocks, Weights(blocks.size(), 1), feature.id);
    return std::ranges::any_of(curve, [](const auto& point) { return point.has_value(); });
}

Score score_of(const Feature& feature, Blocks market, Blocks day) {
    Score score{.feature = &feature};
    const DistanceOf distance_of = distance_between(market, day, feature);
    const Weights once(market.size() + day.size(), 1);
    const auto distance = distance_of(once);
    if (!distance) {
        score.unknown = !is_observed(market, feature) ? "the market has no observation"
                        : !is_observed(day, feature)  ? "the day has no observation"
                                                      : "the two have no point in common";
        return score;
    }
    score.distance = *distance;
    score.interval = interval_of(distance_of, *distance, market.size(), day.size(), feature.id);
    score.floor = floor_of(day, feature);
    if (feature.method == Method::curve) {
        score.points = curve_points(market, day, feature);
        score.market = score.points.front().market;
        score.day = score.points.front().day;
    } else {
        score.points = quantiles(market, day, feature.id);
        score.wasserstein = MergedValues{market, day, feature.id}.gap(once)->area;
        const ScoredPoint& median = score.points[k_quantiles.size() / 2];
        score.market = median.market;
        score.day = median.day;
    }
    return score;
}

}  // namespace

std::vector<Score> score(const SampleSet& market, const SampleSet& day) {
    std::vector<Score> scores;
    for (const Feature& feature : features()) {
        std::string unknown = why_unknown(feature.id, day.depth);
        scores.push_back(unknown.empty()
                             ? score_of(feature, market.blocks, day.blocks)
                             : Score{.feature = &feature, .unknown = std::move(unknown)});
    }
    return scores;
}

}  // namespace damrak::score
