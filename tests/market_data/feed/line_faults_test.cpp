// Faults on purpose: what is asked for happens, the same each time, and nothing else.
#include <damrak/feed/line_faults.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::feed::line_faults_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<int> sent(std::string_view faults, int packets) {
    const auto parsed = LineFaults::parse(faults);
    EXPECT_TRUE(parsed) << parsed.error();
    std::vector<int> heard;
    FaultyLine line{*parsed, 0, [&](std::span<const std::byte> packet) {
                        heard.push_back(std::to_integer<int>(packet[0]) * 256 +
                                        std::to_integer<int>(packet[1]));
                    }};
    for (int i = 0; i < packets; ++i)
        line.send(std::vector{static_cast<std::byte>(i / 256), static_cast<std::byte>(i % 256)},
                  {i});
    return heard;
}

}  // namespace

TEST(LineFaults, OfNoneIsALineThatKeepsAll) {
    EXPECT_THAT(sent("line=A", 4), ElementsAre(0, 1, 2, 3));
}

TEST(LineFaults, LoseAboutAsManyAsAskedForAndTheSameEachTime) {
    const auto heard = sent("loss=0.1,seed=4", 10'000);
    EXPECT_NEAR(static_cast<double>(heard.size()), 9'000, 200);
    EXPECT_TRUE(std::ranges::is_sorted(heard));
    EXPECT_EQ(sent("loss=0.1,seed=4", 10'000), heard);
    EXPECT_NE(sent("loss=0.1,seed=5", 10'000), heard);
}

TEST(LineFaults, DuplicateAndReorderLoseNothing) {
    const auto heard = sent("duplicate=0.1,reorder=0.1", 2'000);
    EXPECT_GT(heard.size(), 2'000U);
    EXPECT_FALSE(std::ranges::is_sorted(heard));
    EXPECT_GE(std::set<int>(heard.begin(), heard.end()).size(), 1'999U) << "one may be held";
}

TEST(LineFaults, GapsAreLong) {
    const auto heard = sent("gap=0.01", 2'000);
    int longest = 0;
    for (std::size_t i = 1; i < heard.size(); ++i)
        longest = std::max(longest, heard[i] - heard[i - 1] - 1);
    EXPECT_GE(longest, static_cast<int>(LineFaults::k_gap_packets));
}

TEST(LineFaults, ADelayHoldsEveryPacket) {
    const auto faults = LineFaults::parse("delay=5");
    ASSERT_TRUE(faults);
    int heard = 0;
    FaultyLine line{*faults, 0, [&](std::span<const std::byte>) { ++heard; }};
    line.send(std::vector{std::byte{1}}, {0});
    line.on_time({4'999'999});
    EXPECT_EQ(heard, 0);
    line.on_time({5'000'000});
    EXPECT_EQ(heard, 1);
}

TEST(LineFaults, SayWhatIsWrongWithThem) {
    EXPECT_THAT(LineFaults::parse("loss").error(), HasSubstr("'loss': expected a fault and its"));
    EXPECT_THAT(LineFaults::parse("loss=2").error(), HasSubstr("a probability from 0 to 1"));
    EXPECT_THAT(LineFaults::parse("loss=-1").error(), HasSubstr("not negative"));
    EXPECT_THAT(LineFaults::parse("loss=nan").error(), HasSubstr("not negative"));
    EXPECT_THAT(LineFaults::parse("line=C").error(), HasSubstr("A, B or AB"));
    EXPECT_THAT(LineFaults::parse("lose=0.1").error(), HasSubstr("there is no fault 'lose'"));
    EXPECT_THAT(LineFaults::parse("delay=1e9").error(), HasSubstr("at most 60000"));
    EXPECT_THAT(LineFaults::parse("seed=x").error(), HasSubstr("a whole number"));
}

TEST(LineFaults, AreOfTheLinesThatAreNamed) {
    EXPECT_TRUE(LineFaults::parse("loss=0.1")->on_b);
    EXPECT_FALSE(LineFaults::parse("line=A,loss=0.1")->on_b);
    EXPECT_TRUE(LineFaults::parse("line=A,loss=0.1")->on_a);
}

}  // namespace damrak::feed::line_faults_test
