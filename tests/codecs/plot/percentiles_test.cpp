// The chart of distributions.

#include <damrak/plot/percentiles.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::plot::percentiles_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Percentiles, DrawsACurveFromTheLeftToTheRight) {
    const std::string svg = render_percentiles(
        {.title = "Times < all",
         .curves = {{"new", "#123456", {{0, 1}, {0.9, 10}, {0.99, 100}, {1, 1'000}}}}},
        "µs");
    EXPECT_THAT(svg, HasSubstr("Times &lt; all"));
    // The axis ends at two nines, and so does the largest value.
    EXPECT_THAT(svg, HasSubstr("d=\"M84 322L512 234L940 146L940 58\""));
    EXPECT_THAT(svg, HasSubstr(">1 µs<"));
    EXPECT_THAT(svg, HasSubstr(">1,000 µs<"));
    EXPECT_THAT(svg, HasSubstr(">99%<"));
    EXPECT_THAT(svg, Not(HasSubstr(">99.9%<")));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(Percentiles, ReportsWhatIsFarFromAllElseAndDoesNotScaleToIt) {
    const std::string svg = render_percentiles(
        {.title = "Times",
         .curves = {{"new", "#123456", {{0, 1}, {0.9, 10}, {0.99, 100}, {1, 578'000}}},
                    {"cancel", "#654321", {{0, 1}, {0.9, 9}, {1, 20}}}}},
        "µs");
    EXPECT_THAT(svg, HasSubstr(">beyond the chart: new up to 578,000 µs<"));
    EXPECT_THAT(svg, HasSubstr(">1,000 µs<"));
    EXPECT_THAT(svg, Not(HasSubstr(">10,000 µs<")));
}

TEST(Percentiles, IsNarrowForAPhone) {
    std::vector<PercentileCurve> curves;
    for (const char* name : {"new_order", "cancel", "modify", "hello", "logout"})
        curves.push_back({name, "#123456", {{0, 1}, {0.999999, 10}, {1, 20}}});
    const std::string svg =
        render_percentiles({.title = "Times", .width = 400, .curves = std::move(curves)}, "µs");
    EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 400 "));
    EXPECT_THAT(svg, Not(HasSubstr(">99.999%<"))) << "labels would lie on each other";
}

TEST(Percentiles, TakesAChartOfNothingAndValuesOfZero) {
    EXPECT_TRUE(render_percentiles({.title = "none", .curves = {}}, "µs").ends_with("</svg>\n"));
    const std::string svg =
        render_percentiles({.title = "", .curves = {{"a", "#000", {{0, 0}, {1, 5}}}}}, "µs");
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace damrak::plot::percentiles_test
