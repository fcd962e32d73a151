// Against a price that closes a known share of its distance to the value in each moment.
#include <damrak/measures/price_discovery.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/market_kernel/draws.hpp>

namespace damrak::measures_tests::price_discovery_test {
namespace {

using measures::Results;

struct Path {
    std::vector<double> mids;
    std::vector<double> values;

    [[nodiscard]] Results measured() const {
        Results results;
        measures::report_price_discovery({.mids = mids, .values = values}, {.tick = 100}, results);
        return results;
    }
    [[nodiscard]] double operator()(const char* name) const {
        const Results results = measured();
        const auto* const found = results.find(name);
        return found == nullptr ? NAN : found->value;
    }
};

constexpr double k_start = 1'000'000;
constexpr double k_deviation = 100;  ///< of the value's change in a second

/// dM = (V - M) dt / `late_s`, V a random walk: ten steps a second. Zero: the mid is the value.
Path follow(double late_s, int seconds = 20'000) {
    constexpr int k_steps = 10;
    market_kernel::Draws draws{market_kernel::key_of(7, "discovery", 0, "value")};
    Path path;
    double value = k_start;
    double mid = k_start;
    for (int second = 0; second < seconds; ++second) {
        for (int step = 0; step < k_steps; ++step) {
            value += draws.normal() * k_deviation / std::sqrt(k_steps);
            mid = late_s == 0 ? value : value + (mid - value) * std::exp(-1 / (late_s * k_steps));
        }
        path.mids.push_back(mid);
        path.values.push_back(value);
    }
    return path;
}

}  // namespace

// The half-life of the distance is late_s ln 2.
TEST(PriceDiscovery, FindsTheHalfLifeOfNews) {
    for (const double late_s : {3., 10., 30.})
        EXPECT_NEAR(follow(late_s)("news_half_life"), late_s * std::log(2.), .12 * late_s)
            << late_s;
}

// After T seconds 1 - e^(-T / late_s) of the news is in the price.
TEST(PriceDiscovery, FindsTheShareOfNewsInThePrice) {
    const Path path = follow(10);
    EXPECT_NEAR(path("news_response_1s"), 1 - std::exp(-1.5 / 10), .02);
    EXPECT_NEAR(path("news_response_10s"), 1 - std::exp(-10.5 / 10), .05);
    EXPECT_NEAR(path("news_response_60s"), 1, .1);
}

// V - M is an Ornstein-Uhlenbeck process: its deviation is k_deviation * sqrt(late_s / 2), and the
// mean size of a normal variable is its deviation times sqrt(2 / pi).
TEST(PriceDiscovery, FindsTheErrorOfThePrice) {
    const double late_s = 10;
    const double expected = k_deviation * std::sqrt(late_s / 2) * std::sqrt(2 / M_PI);
    const Path path = follow(late_s);
    EXPECT_NEAR(path("value_error_0s") * 100, expected, .08 * expected);
    EXPECT_LT(path("value_error_10s"), path("value_error_0s")) << "it is late";
    EXPECT_GT(path("value_error_300s"), path("value_error_10s")) << "the value has moved on";
    EXPECT_EQ(follow(0)("value_error_0s"), 0);
}

TEST(PriceDiscovery, LeavesOutSecondsWithoutAMid) {
    Path path = follow(10);
    const double all = path("news_half_life");
    for (std::size_t i = 0; i < path.mids.size(); i += 3) path.mids[i] = 0;
    EXPECT_NEAR(path("news_half_life"), all, 1.5);
    path.mids.assign(path.mids.size(), 0);
    EXPECT_TRUE(path.measured().values().empty());
}

TEST(PriceDiscovery, HasNoHalfLifeIfThePriceDoesNotFollow) {
    Path path = follow(0, 5'000);
    market_kernel::Draws draws{market_kernel::key_of(8, "discovery", 0, "other")};
    double other = k_start;
    for (double& mid : path.mids) mid = other += draws.normal();
    EXPECT_TRUE(std::isnan(path("news_half_life")));
    EXPECT_NEAR(path("news_response_10s"), 0, .05);
}

}  // namespace damrak::measures_tests::price_discovery_test
