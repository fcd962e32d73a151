#include <damrak/plot/intervals.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::plot::intervals_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The axis runs from 210 to 840 pixels.
TEST(Intervals, BeginAtZeroWhereValuesAreNearEachOther) {
    const std::string svg = render_intervals(
        {.title = "Time",
         .unit = "ns",
         .mark_name = {},
         .lines = {{.name = "a<b", .low = 40, .value = 50, .high = 60, .colour = "#123456"},
                   {.name = "c", .low = 95, .value = 98, .high = 100, .colour = "#654321"}}});
    EXPECT_THAT(svg, HasSubstr(">a&lt;b</text>"));
    EXPECT_THAT(svg, HasSubstr(">50 ns</text>"));
    EXPECT_THAT(svg, HasSubstr(">0 ns</text>"));
    // 50 of 102, which is where the axis ends.
    EXPECT_THAT(svg, HasSubstr("<circle fill=\"#123456\" cx=\"518.8\""));
    EXPECT_THAT(svg, Not(HasSubstr("l5 5l-5 5l-5-5z")));
}

TEST(Intervals, FarApartStandOnALogarithmicAxis) {
    const std::string svg = render_intervals(
        {.title = "Time",
         .unit = "ns",
         .mark_name = {},
         .lines = {{.name = "a", .low = 10, .value = 10, .high = 10, .colour = "#1"},
                   {.name = "b", .low = 100, .value = 100, .high = 100, .colour = "#2"},
                   {.name = "c", .low = 1'000, .value = 1'000, .high = 1'000, .colour = "#3"}}});
    // The one between lies in the middle of the other two.
    EXPECT_THAT(svg, HasSubstr("<circle fill=\"#2\" cx=\"525\""));
    EXPECT_THAT(svg, Not(HasSubstr(">0 ns</text>")));
}

TEST(Intervals, BelowZeroStandOnBothSidesOfIt) {
    const std::string svg = render_intervals(
        {.title = "Change",
         .unit = "s",
         .mark_name = {},
         .lines = {{.name = "a", .low = -50, .value = -20, .high = 50, .colour = "#1"}}});
    // From -52 to 52: zero is in the middle.
    EXPECT_THAT(svg, HasSubstr("<path class=\"f\" d=\"M525 "));
    EXPECT_THAT(svg, HasSubstr("<circle fill=\"#1\" cx=\"403.8\""));
    EXPECT_THAT(svg, HasSubstr(">-20 s</text>"));
}

// A number beside a mark far away would be read as the mark's.
TEST(Intervals, AValueIsWrittenBesideItselfUnlessTheMarkIsThere) {
    const auto with_mark = [](double mark) {
        return render_intervals(
            {.title = "Time",
             .unit = "ns",
             .mark_name = "day",
             .lines = {{.name = "a", .low = 1, .value = 1, .high = 1, .mark = mark, .colour = "#1"},
                       {.name = "b", .low = 9, .value = 9, .high = 9, .colour = "#2"}}});
    };
    // The axis ends at 9.18: a unit is 68.6 pixels.
    EXPECT_THAT(with_mark(8), HasSubstr("<text x=\"288.6\" y=\"57\">1 ns</text>"));
    EXPECT_THAT(with_mark(1.2), HasSubstr("<text x=\"302.4\" y=\"57\">1 ns</text>"));
}

TEST(Intervals, ShowWhatToHoldAValueAgainst) {
    const std::string svg = render_intervals(
        {.title = "Time",
         .unit = "ns",
         .mark_name = "published",
         .lines = {{.name = "a", .low = 1, .value = 2, .high = 3, .mark = 4, .colour = "#1"}}});
    EXPECT_THAT(svg, HasSubstr(">published</text>"));
    EXPECT_THAT(svg, HasSubstr("l5 5l-5 5l-5-5z"));
}

TEST(Intervals, WithoutLinesAreAnEmptyPicture) {
    const std::string svg =
        render_intervals({.title = "Nothing", .unit = "ns", .mark_name = {}, .lines = {}});
    EXPECT_THAT(svg, HasSubstr("Nothing"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace damrak::plot::intervals_test
