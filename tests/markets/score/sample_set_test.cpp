// What is observed of a day, worked out by hand; and of the same day, seen less deeply.
#include <damrak/score/sample_set.hpp>

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/market_runs/recorded_day.hpp>
#include <damrak/wire/itch/walk.hpp>

#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_day.hpp"

namespace damrak::score::sample_set_test {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t k_us = 1'000'000;  // of a second

struct IntoDay {
    archive::DayWriter& writer;
    void on(const auto& message) { writer.add(message); }
};

/// Of a day in whole, in blocks of this length.
SampleSet sampled(const testing::SmallDay& day, std::int64_t block_ns = k_block_ns) {
    const testing::ScratchFolder folder;
    auto writer = archive::DayWriter::create(folder / "day.dar", {.source = "hand"});
    EXPECT_TRUE(writer);
    IntoDay into{*writer};
    static_cast<void>(wire::itch::walk(day.bytes(), into));
    EXPECT_TRUE(writer->close());
    const auto set = sample_day({.path = folder / "day.dar", .symbol = "AAPL"}, {}, block_ns);
    EXPECT_TRUE(set) << set.error();
    return set.value_or(SampleSet{});
}

std::vector<double> values_of(const SampleSet& set, Feature::Id feature) {
    std::vector<double> all;
    for (const Block& block : set.blocks)
        all.insert(all.end(), block.values[feature].begin(), block.values[feature].end());
    return all;
}

TEST(SampleSet, OfADayByHand) {
    testing::SmallDay day;
    day.listed(1, "AAPL")
        .add(k_us * 1 / 2, 1, Side::buy, 9'990, 200)
        .add(k_us * 3 / 4, 2, Side::sell, 10'010, 100)
        .add(k_us * 3 / 2, 3, Side::buy, 9'980, 50)    // behind the best price
        .add(k_us * 5 / 2, 4, Side::buy, 10'000, 300)  // mid from 100.00 to 100.05
        .remove(k_us * 9 / 2, 4)                       // and back
        .execute(k_us * 13 / 2, 2, 40)
        .remove(k_us * 15 / 2, 3)
        .add(k_us * 131 / 2, 5, Side::buy, 9'990, 10)
        .execute(k_us * 181 / 2, 2, 30)
        .add(k_us * 251 / 2, 6, Side::buy, 9'990, 20);
    const SampleSet set = sampled(day);
    ASSERT_EQ(set.blocks.size(), 1U);
    EXPECT_EQ(set.blocks[0].begin_ns, testing::SmallDay::time_ns(0));

    std::vector<double> spread = values_of(set, Feature::spread);
    ASSERT_EQ(spread.size(), 125U) << "one by the second";
    const double narrow = 1e4 * .1 / 100.05;
    EXPECT_THAT((std::vector(spread.begin(), spread.begin() + 5)),
                ElementsAre(DoubleNear(20, 1e-9), DoubleNear(20, 1e-9), DoubleNear(narrow, 1e-9),
                            DoubleNear(narrow, 1e-9), DoubleNear(20, 1e-9)));
    EXPECT_EQ(values_of(set, Feature::depth)[0], 150);
    EXPECT_EQ(values_of(set, Feature::imbalance)[0], 1. / 3);
    EXPECT_THAT(values_of(set, Feature::order_size), ElementsAre(200, 100, 300, 10, 20));
    EXPECT_THAT(values_of(set, Feature::interarrival), ElementsAre(.25, 1.75, 2, 2, 59, 25, 35));
    EXPECT_THAT(values_of(set, Feature::time_to_cancel), ElementsAre(2));
    EXPECT_THAT(values_of(set, Feature::volume), ElementsAre(30)) << "of whole minutes";

    const auto& means = set.blocks[0].means;
    // Of order 4, and nothing of order 5; before the others there was no mid.
    EXPECT_NEAR(means[Feature::order_response][0].sum, 5, 1e-9);
    EXPECT_EQ(means[Feature::order_response][0].count, 2);
    EXPECT_NEAR(means[Feature::cancel_response][0].sum, 1e4 * .05 / 100.05, 1e-9);
    EXPECT_EQ(means[Feature::trade_response][0].count, 2);
    EXPECT_EQ(means[Feature::impact][0].count, 2) << "both below 100 shares";
    // The mid moves twice by 5 bp of the first one.
    EXPECT_NEAR(means[Feature::volatility][0].sum, 50, 1e-9);
    EXPECT_EQ(means[Feature::volatility][0].count, 124);
}

TEST(SampleSet, EndsItsPathsWithEachBlock) {
    testing::SmallDay day;
    day.listed(1, "AAPL")
        .add(k_us / 2, 1, Side::buy, 9'990, 900)
        .add(k_us / 2, 2, Side::sell, 10'010, 900);
    for (int second = 1; second < 8; ++second) day.execute(k_us * second + 100, 2, 10);
    const SampleSet set = sampled(day, 4'000'000'000);
    ASSERT_EQ(set.blocks.size(), 2U);
    EXPECT_EQ(set.blocks[0].signs[0].count(), 2U) << "of three trades";
    EXPECT_EQ(set.blocks[1].signs[0].count(), 3U) << "of four";
    EXPECT_EQ(set.blocks[0].means[Feature::volatility][0].count, 2);
    EXPECT_EQ(set.blocks[1].means[Feature::volatility][0].count, 3);
}

TEST(SampleSet, SaysWhatADayCannotTell) {
    const archive::DayDepth all{};
    const archive::DayDepth narrow{.depth = 5};
    const archive::DayDepth levels{.book_flags = archive::DayDepth::k_levels_alone};
    const archive::DayDepth instants{.book_flags = archive::DayDepth::k_instants_only};
    for (const Feature& feature : features()) {
        EXPECT_THAT(why_unknown(feature.id, all), IsEmpty()) << feature.name;
        EXPECT_EQ(why_unknown(feature.id, narrow).empty(), feature.id != Feature::time_to_cancel);
        EXPECT_EQ(why_unknown(feature.id, instants).empty(), feature.id == Feature::volatility);
    }
    EXPECT_THAT(why_unknown(Feature::time_to_cancel, narrow), HasSubstr("below level 5"));
    EXPECT_THAT(why_unknown(Feature::order_size, levels), HasSubstr("no orders"));
    EXPECT_THAT(why_unknown(Feature::spread, levels), IsEmpty());
}

/// All but the time to cancel are of what happens at the best prices, which five levels show too.
TEST(SampleSet, IsTheSameForADayOfFewerLevels) {
    DAMRAK_REAL_DATA_OR_SKIP(wide, "lobster/AAPL_2012-06-21_34200000_57600000_message_10.csv");
    const auto narrow =
        *testing::real_data("lobster/cut/AAPL_2012-06-21_34200000_57600000_message_5.csv");
    const auto ten = sample_day(*market_runs::recorded_day(wide));
    const auto five = sample_day(*market_runs::recorded_day(narrow));
    ASSERT_TRUE(ten && five);
    for (const Feature& feature : features())
        if (feature.id != Feature::time_to_cancel) {
            EXPECT_EQ(values_of(*ten, feature.id), values_of(*five, feature.id)) << feature.name;
            for (std::size_t point = 0; point < feature.points.size(); ++point)
                EXPECT_EQ(ten->blocks[0].means[feature.id][point].sum,
                          five->blocks[0].means[feature.id][point].sum)
                    << feature.name;
        }
    EXPECT_GT(values_of(*ten, Feature::interarrival).size(), 100U);
}

}  // namespace
}  // namespace damrak::score::sample_set_test
