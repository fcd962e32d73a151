#include <damrak/score/distance.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace damrak::score {
namespace {

std::optional<double> mean_at(std::span<const Block> blocks, std::span<const double> weights,
                              Feature::Id feature, std::size_t point) {
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Mean& mean = blocks[i].means[feature][point];
        sum += weights[i] * mean.sum;
        count += weights[i] * mean.count;
    }
    if (count == 0) return std::nullopt;
    return feature == Feature::volatility ? std::sqrt(sum / count) : sum / count;
}

std::optional<double> correlation_at(std::span<const Block> blocks, std::span<const double> weights,
                                     std::size_t point) {
    measures::Regression all;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (!blocks[i].signs.empty())
            for (int times = 0; times < weights[i]; ++times) all.add(blocks[i].signs[point]);
    if (!all.has_correlation()) return std::nullopt;
    return all.correlation();
}

}  // namespace

MergedValues::MergedValues(std::span<const Block> first, std::span<const Block> second,
                           Feature::Id feature)
    : first_blocks_(first.size()) {
    std::uint32_t block = 0;
    for (const std::span<const Block> blocks : {first, second})
        for (const Block& one : blocks) {
            for (const double value : one.values[feature]) entries_.push_back({value, block, 1});
            ++block;
        }
    std::ranges::sort(entries_, {},
                      [](const Entry& entry) { return std::tuple{entry.value, entry.block}; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (kept > 0 && entries_[kept - 1].value == entries_[i].value &&
            entries_[kept - 1].block == entries_[i].block)
            ++entries_[kept - 1].count;
        else
            entries_[kept++] = entries_[i];
    }
    entries_.resize(kept);
}

std::optional<Gap> MergedValues::gap(std::span<const double> weights) const {
    double totals[2]{};
    for (const Entry& entry : entries_)
        totals[entry.block >= first_blocks_] += weights[entry.block] * entry.count;
    if (totals[0] == 0 || totals[1] == 0) return std::nullopt;
    Gap gap;
    double sums[2]{};
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        sums[entry.block >= first_blocks_] += weights[entry.block] * entry.count;
        if (i + 1 == entries_.size() || entries_[i + 1].value == entry.value) continue;
        const double f = sums[0] / totals[0];
        const double g = sums[1] / totals[1];
        const double width = entries_[i + 1].value - entry.value;
        gap.area += width * std::abs(f - g);
        gap.expected += width * (f * (1 - g) + g * (1 - f));
        gap.supremum = std::max(gap.supremum, std::abs(f - g));
    }
    return gap;
}

Curve curve_of(std::span<const Block> blocks, std::span<const double> weights,
               Feature::Id feature) {
    Curve curve;
    for (std::size_t point = 0; point < features()[feature].points.size(); ++point)
        curve.push_back(feature == Feature::sign_memory ? correlation_at(blocks, weights, point)
                                                        : mean_at(blocks, weights, feature, point));
    return curve;
}

std::optional<double> curve_distance(const Curve& first, const Curve& second) {
    double apart = 0;
    double size = 0;
    bool has_common = false;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (!first[i] || !second[i]) continue;
        has_common = true;
        apart += std::abs(*first[i] - *second[i]);
        size += std::abs(*first[i]) + std::abs(*second[i]);
    }
    if (!has_common) return std::nullopt;
    return size > 0 ? apart / size : 0;
}

}  // namespace damrak::score
