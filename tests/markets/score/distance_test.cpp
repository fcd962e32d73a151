// Distances of tiny samples, worked out by hand.
#include <damrak/score/distance.hpp>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::score::distance_test {
namespace {

using Weights = std::vector<double>;

Block block_of(std::vector<double> values) {
    Block block;
    block.values[Feature::depth] = std::move(values);
    return block;
}

Gap gap_of(const std::vector<Block>& first, const std::vector<Block>& second,
           const Weights& weights) {
    const auto gap = MergedValues{first, second, Feature::depth}.gap(weights);
    EXPECT_TRUE(gap);
    return gap.value_or(Gap{});
}

TEST(Distance, OfThreeValuesAndThreeOthers) {
    const Gap gap = gap_of({block_of({3, 1, 2})}, {block_of({2, 3, 4})}, {1, 1});
    EXPECT_NEAR(gap.area, 1, 1e-12);
    EXPECT_NEAR(gap.expected, 11. / 9, 1e-12);
    EXPECT_NEAR(gap.of(Method::wasserstein), 9. / 11, 1e-12);
    EXPECT_NEAR(gap.of(Method::kolmogorov_smirnov), 1. / 3, 1e-12);
}

TEST(Distance, OfEqualValuesIsZero) {
    const Gap gap = gap_of({block_of({1, 1, 7})}, {block_of({7, 1, 1})}, {1, 1});
    EXPECT_EQ(gap.of(Method::wasserstein), 0);
    EXPECT_EQ(gap.of(Method::kolmogorov_smirnov), 0);
    const Gap single = gap_of({block_of({5})}, {block_of({5, 5})}, {1, 1});
    EXPECT_EQ(single.of(Method::wasserstein), 0) << "and not 0 / 0";
}

TEST(Distance, OfValuesThatDoNotOverlapIsOne) {
    const Gap gap = gap_of({block_of({10, 11})}, {block_of({2, 3, 9})}, {1, 1});
    EXPECT_NEAR(gap.of(Method::wasserstein), 1, 1e-12);
    EXPECT_EQ(gap.of(Method::kolmogorov_smirnov), 1);
}

TEST(Distance, AWeightIsHowOftenABlockCounts) {
    const std::vector<Block> drawn{block_of({1, 4}), block_of({9}), block_of({2})};
    const std::vector<Block> day{block_of({3, 5})};
    const Gap weighted = gap_of(drawn, day, {2, 0, 1, 1});
    const Gap written = gap_of({block_of({1, 1, 4, 4, 2})}, day, {1, 1});
    EXPECT_NEAR(weighted.area, written.area, 1e-12);
    EXPECT_NEAR(weighted.expected, written.expected, 1e-12);
    EXPECT_NEAR(weighted.supremum, written.supremum, 1e-12);
    const MergedValues values{drawn, day, Feature::depth};
    EXPECT_FALSE(values.gap(Weights{0, 0, 0, 1})) << "nothing is left of the first";
}

TEST(Distance, OfCurves) {
    EXPECT_NEAR(*curve_distance({3, 1, 5}, {1, 2, std::nullopt}), 3. / 7, 1e-12);
    EXPECT_EQ(curve_distance({2, -1}, {2, -1}), 0);
    EXPECT_EQ(curve_distance({2, -1}, {-4, 3}), 1);
    EXPECT_EQ(curve_distance({0}, {0}), 0);
    EXPECT_FALSE(curve_distance({1, std::nullopt}, {std::nullopt, 1}));
}

TEST(Distance, ACurveIsOfAllBlocksAsOne) {
    std::vector<Block> blocks(3);
    measures::Regression all;
    const std::vector<std::vector<std::pair<double, double>>> pairs{
        {{1, 1}, {1, -1}}, {{-1, -1}, {-1, 1}, {1, 1}}, {{-1, -1}}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        blocks[i].signs.resize(features()[Feature::sign_memory].points.size());
        blocks[i].means[Feature::volatility].resize(features()[Feature::volatility].points.size());
        blocks[i].means[Feature::volatility][0] = {9. * static_cast<double>(i), 3};
        for (const auto& [x, y] : pairs[i]) {
            blocks[i].signs[0].add(x, y);
            if (i > 0) all.add(x, y);
        }
    }
    const Weights without_first{0, 1, 1};
    const Curve memory = curve_of(blocks, without_first, Feature::sign_memory);
    EXPECT_NEAR(*memory[0], all.correlation(), 1e-12);
    EXPECT_FALSE(memory[1]) << "no pairs at this lag";
    // The root of (9 + 18) / (3 + 3).
    EXPECT_NEAR(*curve_of(blocks, without_first, Feature::volatility)[0], std::sqrt(4.5), 1e-12);
}

}  // namespace
}  // namespace damrak::score::distance_test
