// The chart of lying bars.

#include <damrak/plot/stacked_bars.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::plot::stacked_bars_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(StackedBars, PutsThePartsBehindEachOther) {
    const std::string svg = render_bars({.title = "Stages",
                                         .unit = "µs",
                                         .parts = {{"decode", "#111111"}, {"match", "#222222"}},
                                         .bars = {{"new", {1, 3}}, {"cancel", {1, 1}}}});
    EXPECT_THAT(svg, HasSubstr("<path fill=\"#111111\" d=\"M84 63h198v20h-198z\"/>"));
    EXPECT_THAT(svg, HasSubstr("<path fill=\"#222222\" d=\"M282 63h594v20h-594z\"/>"));
    EXPECT_THAT(svg, HasSubstr("<path fill=\"#222222\" d=\"M282 93h198v20h-198z\"/>"));
    EXPECT_THAT(svg, HasSubstr(">4.00 µs<"));
    EXPECT_THAT(svg, HasSubstr(">2.00 µs<"));
}

TEST(StackedBars, CutsABarThatIsFarLongerThanTheOthers) {
    const std::string svg =
        render_bars({.title = "Stages",
                     .unit = "µs",
                     .parts = {{"wait", "#111111"}, {"match", "#222222"}},
                     .bars = {{"new", {7'491, 100}}, {"cancel", {1, 3}}, {"modify", {1, 2}}}});
    EXPECT_THAT(svg, HasSubstr("<path fill=\"#111111\" d=\"M84 63h792v20h-792z\"/>"));
    EXPECT_THAT(svg, HasSubstr(">7,591 µs<"));
    EXPECT_THAT(svg, HasSubstr("<path fill=\"#222222\" d=\"M282 93h594v20h-594z\"/>"));
}

TEST(StackedBars, TakesBarsWithoutLengthAndWithoutAll) {
    const std::string svg = render_bars(
        {.title = "", .unit = "µs", .parts = {{"a", "#000"}}, .bars = {{"x", {0}}, {"y", {}}}});
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace damrak::plot::stacked_bars_test
