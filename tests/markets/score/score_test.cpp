// Scores of small samples: of a day and itself, of a known shift, the floor, and that the same
// samples always score the same.
#include <damrak/score/score.hpp>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/market_kernel/draws.hpp>
#include <damrak/score/report.hpp>

namespace damrak::score::score_test {
namespace {

using ::testing::HasSubstr;

/// Twelve blocks with everything in them; sizes have a known shift.
SampleSet day_of(std::uint64_t key, double shift = 0) {
    market_kernel::Draws draws{key};
    SampleSet set{.symbol = "AAA"};
    set.blocks.resize(12);
    for (Block& block : set.blocks) {
        for (const Feature& feature : features()) {
            block.means[feature.id].resize(feature.points.size());
            if (feature.method != Method::curve)
                for (int i = 0; i < 20; ++i)
                    block.values[feature.id].push_back(static_cast<double>(draws.below(100)) +
                                                       (feature.id == Feature::spread ? shift : 0));
            for (Mean& mean : block.means[feature.id]) mean.add(1 + draws.uniform());
        }
        block.signs.resize(features()[Feature::sign_memory].points.size());
        for (measures::Regression& pairs : block.signs)
            for (int i = 0; i < 20; ++i)
                pairs.add(draws.chance(.5) ? 1 : -1, draws.chance(.5) ? 1 : -1);
    }
    return set;
}

const Score& of(const std::vector<Score>& scores, Feature::Id feature) { return scores[feature]; }

TEST(Score, ADayIsNotFarFromItself) {
    const SampleSet day = day_of(1);
    for (const Score& one : score(day, day)) {
        EXPECT_EQ(one.unknown, "") << one.feature->name;
        EXPECT_EQ(one.distance, 0) << one.feature->name;
        ASSERT_TRUE(one.interval);
        EXPECT_EQ(one.interval->low, 0);
        EXPECT_GT(*one.floor, 0) << one.feature->name;
    }
}

TEST(Score, AShiftIsItsWassersteinDistance) {
    const auto scores = score(day_of(1, 30), day_of(1));
    const Score& spread = of(scores, Feature::spread);
    EXPECT_NEAR(*spread.wasserstein, 30, 1e-9);
    EXPECT_NEAR(spread.market - spread.day, 30, 1e-9);
    EXPECT_GT(spread.distance, *spread.floor);
    EXPECT_GT(spread.interval->low, 0);
    EXPECT_LT(spread.interval->low, spread.distance);
    EXPECT_GT(spread.interval->high, spread.distance);
    EXPECT_EQ(*of(scores, Feature::depth).wasserstein, 0);
    EXPECT_FALSE(of(scores, Feature::volatility).wasserstein);
}

TEST(Score, TheFloorIsOfEveryOtherBlockFromTheRest) {
    SampleSet day{.symbol = "AAA"};
    day.blocks.resize(4);
    for (std::size_t i = 0; i < 4; ++i) {
        day.blocks[i].values[Feature::depth] = {i % 2 == 0 ? 1. : 2., 3};
        for (const Feature& feature : features())
            day.blocks[i].means[feature.id].resize(feature.points.size());
    }
    const auto scores = score(day, day);
    EXPECT_NEAR(*of(scores, Feature::depth).floor, .5, 1e-12);
    EXPECT_THAT(of(scores, Feature::spread).unknown, HasSubstr("market has no observation"));
    day.blocks.resize(1);
    const Score single = of(score(day, day), Feature::depth);
    EXPECT_EQ(single.distance, 0);
    EXPECT_FALSE(single.floor);
    EXPECT_FALSE(single.interval);
}

TEST(Score, IsTheSameForTheSameSamples) {
    const auto once = score(day_of(1), day_of(2));
    const auto again = score(day_of(1), day_of(2));
    for (std::size_t i = 0; i < once.size(); ++i) {
        EXPECT_EQ(once[i].distance, again[i].distance);
        EXPECT_EQ(once[i].interval->low, again[i].interval->low);
        EXPECT_EQ(once[i].interval->high, again[i].interval->high);
        EXPECT_EQ(once[i].floor, again[i].floor);
    }
}

TEST(Score, OfANarrowDaySaysWhatIsUnknown) {
    SampleSet day = day_of(1);
    day.depth.depth = 1;
    const auto scores = score(day_of(2), day);
    EXPECT_THAT(of(scores, Feature::time_to_cancel).unknown, HasSubstr("below level 1"));
    EXPECT_EQ(of(scores, Feature::order_size).unknown, "");
}

TEST(Score, ThePageHasAPictureOfEachKnownFeature) {
    SampleSet day = day_of(1);
    day.depth.depth = 1;
    const std::string page = report_html(
        {.market = "<ours>", .day = "AAA", .scores = score(day_of(2), day), .notes = {"a note"}});
    std::size_t pictures = 0;
    for (std::size_t at = page.find("<svg"); at != std::string::npos;
         at = page.find("<svg", at + 1))
        ++pictures;
    EXPECT_EQ(pictures, 1 + Feature::k_count - 1) << "of the distances, and no time to cancel";
    EXPECT_THAT(page, HasSubstr("unknown: the day does not show cancels below level 1"));
    EXPECT_THAT(page, HasSubstr("&lt;ours&gt; against AAA"));
    EXPECT_THAT(page, HasSubstr("a note."));
}

}  // namespace
}  // namespace damrak::score::score_test
