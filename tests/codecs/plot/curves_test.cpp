#include <damrak/plot/curves.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::plot::curves_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The axes run from 80 to 790 pixels and from 300 up to 40.
TEST(Curves, RunOverPowersOfTen) {
    const std::string svg =
        render_curves({.title = "Cost",
                       .size_name = "orders",
                       .unit = "ns",
                       .curves = {{"a&b", "#123456", {{10, 10}, {100, 100}, {1'000, 1'000}}}}});
    EXPECT_THAT(svg, HasSubstr("d=\"M80 300L435 170L790 40\""));
    EXPECT_THAT(svg, HasSubstr(">a&amp;b</text>"));
    EXPECT_THAT(svg, HasSubstr(">1000 ns</text>"));
    EXPECT_THAT(svg, HasSubstr(">orders</text>"));
}

TEST(Curves, ThatEndTogetherHaveNamesOneBelowTheOther) {
    const std::string svg =
        render_curves({.title = "Cost",
                       .size_name = "orders",
                       .unit = "ns",
                       .curves = {{"one", "#1", {{1, 10}}}, {"two", "#2", {{1, 10}}}}});
    EXPECT_THAT(svg, HasSubstr("y=\"291\" style=\"fill:#1\">one</text>"));
    EXPECT_THAT(svg, HasSubstr("y=\"304\" style=\"fill:#2\">two</text>"));
}

// The highest share is 0.15, so that the axis ends at 20 %; the lower name would lie below it.
TEST(Curves, OfSharesHaveALinearAxisInPercent) {
    const std::string svg = render_curves({.title = "Filled",
                                           .size_name = "seconds",
                                           .unit = "",
                                           .has_shares = true,
                                           .curves = {{"one", "#1", {{1, 0}, {10, 0.15}}},
                                                      {"two", "#2", {{1, 0}, {10, 0.001}}},
                                                      {"three", "#3", {{1, 0}, {10, 0}}}}});
    EXPECT_THAT(svg, HasSubstr("d=\"M80 300L790 105\""));
    EXPECT_THAT(svg, HasSubstr(">20 %</text>"));
    EXPECT_THAT(svg, HasSubstr("y=\"291\" style=\"fill:#2\">two</text>"));
    EXPECT_THAT(svg, HasSubstr("y=\"304\" style=\"fill:#3\">three</text>"));
}

TEST(Curves, WithoutPointsAreAnEmptyPicture) {
    const std::string svg =
        render_curves({.title = "Nothing", .size_name = "", .unit = "", .curves = {}});
    EXPECT_THAT(svg, HasSubstr("Nothing"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace damrak::plot::curves_test
