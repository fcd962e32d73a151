#include <damrak/plot/svg.hpp>

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::plot::svg_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t k_open_ns = 34'200'000'000'000;

Figure figure_of(std::vector<Layer> layers) {
    return {.title = "A day",
            .subtitle = "in short",
            .begin_ns = k_open_ns,
            .end_ns = k_open_ns + 60'000'000'000,
            .panels = {Panel{.title = "Price", .layers = std::move(layers)}}};
}

std::vector<Point> noise(int count) {
    std::vector<Point> points;
    std::uint32_t state = 1;
    for (int i = 0; i < count; ++i) {
        state = state * 1'664'525 + 1'013'904'223;
        points.push_back({k_open_ns + 60'000'000'000LL * i / count, state / 1e6});
    }
    return points;
}

std::size_t occurrences(const std::string& text, const std::string& of) {
    std::size_t count = 0;
    for (auto at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++count;
    return count;
}

TEST(Svg, ShowsTitlesLegendAndTimes) {
    const std::string svg = render_svg(figure_of({StepLine{"best bid", "#123456", noise(5)}}));
    for (const char* text : {"A day", "in short", "Price", "best bid", "#123456", "09:30:30"}) {
        EXPECT_THAT(svg, HasSubstr(text));
    }
}

TEST(Svg, KeepsTheLastTimeInThePicture) {
    const std::string svg = render_svg(figure_of({StepLine{"best bid", "#123456", noise(5)}}));
    const std::string last = "\">09:31:00<";  // at the right edge of the panel
    const auto end = svg.find(last);
    ASSERT_NE(end, std::string::npos);
    const auto begin = svg.rfind("x=\"", end) + 3;
    constexpr double k_half_width = 8 * 7 / 2.0;
    EXPECT_LE(std::stod(svg.substr(begin)) + k_half_width, Figure{}.width);
}

TEST(Svg, ASpikeLeavesThePanelAndIsReported) {
    std::vector<Point> points;
    for (int i = 0; i < 100; ++i)
        points.push_back({k_open_ns + i * 600'000'000LL, i == 40 ? 1'234'567.0 : 100.0 + i});
    Figure figure = figure_of({StepArea{"messages", "red", points}});
    EXPECT_THAT(render_svg(figure), Not(HasSubstr("beyond the chart")));
    figure.panels[0].spikes_leave = true;
    const std::string svg = render_svg(figure);
    EXPECT_THAT(svg, HasSubstr(">up to 1,234,567, beyond the chart<"));
    EXPECT_THAT(svg, HasSubstr(">100<"));
    EXPECT_THAT(svg, Not(HasSubstr(">1,000,000<")));
}

TEST(Svg, IsNarrowForAPhoneAndDarkForWhoPrefersThat) {
    Figure figure = figure_of({StepLine{"best bid", "#123456", noise(50)}});
    figure.width = 400;
    const std::string svg = render_svg(figure);
    EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 400 "));
    EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
    EXPECT_THAT(svg, Not(HasSubstr("fill=\"#fff\"")));
}

TEST(Svg, EscapesWhatXmlReserves) {
    Figure figure = figure_of({});
    figure.title = "<AT&T> \"day\"";
    const std::string svg = render_svg(figure);
    EXPECT_THAT(svg, HasSubstr("&lt;AT&amp;T&gt; &quot;day&quot;"));
    EXPECT_THAT(svg, Not(HasSubstr("AT&T")));
}

TEST(Svg, StepsHoldAValueUntilTheNextPoint) {
    const std::vector<Point> points{{k_open_ns, 0}, {k_open_ns + 30'000'000'000, 10}};
    const std::string svg = render_svg(figure_of({StepLine{"", "red", points}}));
    // From the left edge along the lower value, up at the middle, on to the right edge.
    EXPECT_THAT(svg, HasSubstr("d=\"M72 572H506V114.9H940\""));
}

TEST(Svg, HasABoundedSizeWhateverTheInput) {
    const std::vector<Layer> layers{StepLine{"a", "red", noise(1'000'000)},
                                    StepArea{"b", "blue", noise(1'000'000)},
                                    Dots{"c", "green", noise(1'000'000)}};
    EXPECT_LT(render_svg(figure_of(layers)).size(), 150'000U);
}

TEST(Svg, IsTheSameForTheSameFigure) {
    const Figure figure = figure_of({Dots{"trades", "red", noise(1000)}});
    EXPECT_EQ(render_svg(figure), render_svg(figure));
}

TEST(Svg, DrawsOneDotForTradesThatFallTogether) {
    const std::vector<Point> points(50, Point{k_open_ns + 1'000'000'000, 7});
    EXPECT_EQ(occurrences(render_svg(figure_of({Dots{"", "red", points}})), "h0"), 1U);
}

TEST(Svg, OfAnEmptyFigureIsStillAPicture) {
    const std::string svg = render_svg(figure_of({StepLine{"nothing", "red", {}}}));
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(Svg, LabelsADownwardPanelWithoutSigns) {
    Figure figure = figure_of({StepArea{"asks", "red", {{k_open_ns, -400}}}});
    figure.panels[0].unsigned_labels = true;
    const std::string svg = render_svg(figure);
    EXPECT_THAT(svg, HasSubstr(">400<"));
    EXPECT_THAT(svg, Not(HasSubstr("\u2212")));
}

}  // namespace
}  // namespace damrak::plot::svg_test
