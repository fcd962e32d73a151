// The map of depth over time.

#include <damrak/plot/depth_map.hpp>

#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::plot::depth_map_test {
namespace {

using ::testing::HasSubstr;

// Ten nanoseconds a pixel from x = 76; prices from 0 at y = 526 to 100 at y = 84.
DepthMap empty_map() {
    DepthMap map;
    map.title = "AAPL";
    map.time_ns = {.low = 0, .high = 8'480};
    map.price = {.low = 0, .high = 100};
    map.columns = 1;
    map.rows = 1;
    map.bids = {0};
    map.asks = {0};
    return map;
}

TEST(DepthMap, DrawsTheValueThatGoesOnWhereSeveralShareAPixel) {
    DepthMap map = empty_map();
    map.best_bid = {{100, 50}, {105, 75}, {4'000, 25}};
    EXPECT_THAT(render_depth_map(map), HasSubstr("d=\"M86.5 194.5H476V415.5H924\""));
}

TEST(DepthMap, EndsALineWhereItsSideIsEmptyOrOutOfThePicture) {
    DepthMap map = empty_map();
    map.best_bid = {{0, 50}, {1'000, std::numeric_limits<double>::quiet_NaN()}, {2'000, 25}};
    map.best_ask = {{0, 75}, {3'000, 101}};
    const std::string svg = render_depth_map(map);
    EXPECT_THAT(svg, HasSubstr("d=\"M76 305H176M276 415.5H924\""));
    EXPECT_THAT(svg, HasSubstr("d=\"M76 194.5H376\""));
}

}  // namespace
}  // namespace damrak::plot::depth_map_test
