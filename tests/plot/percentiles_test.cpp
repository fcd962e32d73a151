// The chart of distributions.

#include <damrak/plot/percentiles.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::plot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Percentiles, DrawsACurveFromTheLeftToTheRight) {
    const std::string svg = render_percentiles(
        {.title = "Times < all",
         .curves = {{"new", "#123456", {{0, 1}, {0.9, 10}, {0.99, 100}, {1, 1'000}}}}},
        "µs");
    EXPECT_THAT(svg, HasSubstr("Times &lt; all"));
    // Two nines are the most that are told: the axis ends there, and so does the largest value.
    EXPECT_THAT(svg, HasSubstr("d=\"M72 304L506 216L940 128L940 40\""));
    EXPECT_THAT(svg, HasSubstr(">1 µs<"));
    EXPECT_THAT(svg, HasSubstr(">1000 µs<"));
    EXPECT_THAT(svg, HasSubstr(">99%<"));
    EXPECT_THAT(svg, Not(HasSubstr(">99.9%<")));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(Percentiles, TakesAChartOfNothingAndValuesOfZero) {
    EXPECT_TRUE(render_percentiles({.title = "none", .curves = {}}, "µs").ends_with("</svg>\n"));
    const std::string svg =
        render_percentiles({.title = "", .curves = {{"a", "#000", {{0, 0}, {1, 5}}}}}, "µs");
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace damrak::plot
