// What instruments are worth that follow others: baskets and delays.
#include <damrak/market_kernel/fundamental.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::market_tests::fundamental_test {
namespace {

using market_kernel::FundamentalDescription;
using market_kernel::Fundamentals;

constexpr Timestamp k_start{1'000'000'000};
constexpr InstrumentId k_one{1};
constexpr InstrumentId k_two{2};
constexpr InstrumentId k_sum{3};

Timestamp after(double seconds) {
    return {k_start.value + static_cast<std::int64_t>(seconds * 1e9)};
}

std::vector<FundamentalDescription> two_shares() {
    return {{.start = 500'000, .volatility = 0.001}, {.start = 1'200'000, .volatility = 0.0005}};
}

TEST(Fundamentals, ABasketIsWorthItsParts) {
    auto paths = two_shares();
    paths.push_back({.basket = {{k_one, 0.5}, {k_two, 2}}});
    Fundamentals worth{7, k_start, {}, paths};
    for (const double at : {0., 1., 17.33, 300.}) {
        const double one = worth.value(k_one, after(at));
        const double two = worth.value(k_two, after(at));
        EXPECT_DOUBLE_EQ(worth.value(k_sum, after(at)), 0.5 * one + 2 * two) << at;
    }
    EXPECT_NE(worth.value(k_sum, after(300)), worth.value(k_sum, after(0)));
}

TEST(Fundamentals, ALaggingInstrumentIsWorthWhatItsLeaderWas) {
    auto paths = two_shares();
    paths.push_back({.basket = {{k_one, 1}}, .lag_ns = 500'000'000});
    Fundamentals worth{7, k_start, {}, paths};
    for (const double at : {0.5, 3., 60.})
        EXPECT_EQ(worth.value(k_sum, after(at)), worth.value(k_one, after(at - 0.5))) << at;
    EXPECT_EQ(worth.value(k_sum, after(0.1)), 500'000) << "before the lag has passed";
}

// With a part of its own, which reverts to the basket: the tracking error of an ETF. Its log is an
// Ornstein-Uhlenbeck process with standard deviation volatility / sqrt(2 reversion).
TEST(Fundamentals, TheOwnPartIsTheDistanceFromTheBasket) {
    auto paths = two_shares();
    paths.push_back({.volatility = 0.0002, .reversion = 0.5, .basket = {{k_one, 1}, {k_two, 1}}});
    Fundamentals worth{7, k_start, {}, paths};
    double squares = 0;
    constexpr int k_samples = 4'000;
    for (int i = 1; i <= k_samples; ++i) {
        const Timestamp at = after(10. * i);
        const double basket = worth.value(k_one, at) + worth.value(k_two, at);
        const double error = worth.value(k_sum, at) / basket - 1;
        squares += error * error;
    }
    const double expected = 0.0002 * 0.0002 / (2 * 0.5);
    EXPECT_NEAR(squares / k_samples / expected, 1, 4 * 1.5 / 63);
}

TEST(Fundamentals, APlannedMoveOfAPartReachesThoseThatFollow) {
    auto paths = two_shares();
    paths[0].volatility = 0;
    paths.push_back({.basket = {{k_one, 1}}, .lag_ns = 1'000'000'000});
    Fundamentals worth{7, k_start, {}, paths};
    worth.plan({.instrument = k_one, .time = after(10), .log_return = 0.1});
    EXPECT_EQ(worth.value(k_sum, after(10.9)), 500'000);
    EXPECT_EQ(worth.value(k_sum, after(11)), worth.value(k_one, after(10)));
    EXPECT_GT(worth.value(k_sum, after(11)), 550'000);
}

// Common random numbers: those that do not follow anything are as they were without the basket.
TEST(Fundamentals, ABasketLeavesOtherPathsAlone) {
    auto paths = two_shares();
    Fundamentals without{7, k_start, {}, paths};
    paths.push_back({.volatility = 0.01, .basket = {{k_one, 1}}});
    Fundamentals with{7, k_start, {}, paths};
    static_cast<void>(with.value(k_sum, after(100)));
    EXPECT_EQ(with.value(k_one, after(50)), without.value(k_one, after(50)));
    EXPECT_EQ(with.value(k_two, after(50)), without.value(k_two, after(50)));
}

TEST(Fundamentals, AFactorMovesEachInstrumentByItsLoad) {
    Fundamentals worth{7,
                       k_start,
                       {{.volatility = .001}, {.volatility = .002}},
                       {{.start = 1e6, .loads = {1, 0}},
                        {.start = 1e6, .loads = {0, 1}},
                        {.start = 1e6, .loads = {-.5, 2}}}};
    double squares = 0;
    constexpr int k_samples = 2'000;
    std::vector<double> before(3);
    for (int second = 1; second <= k_samples; ++second) {
        std::vector<double> moved(3);
        for (std::uint32_t i = 0; i < 3; ++i)
            moved[i] = std::log(worth.value({i + 1}, after(second)) / 1e6);
        EXPECT_NEAR(moved[2], -.5 * moved[0] + 2 * moved[1], 1e-9);
        squares += (moved[0] - before[0]) * (moved[0] - before[0]);
        before = moved;
    }
    EXPECT_NEAR(squares / k_samples / 1e-6, 1, 4 * std::sqrt(2. / k_samples));
}

double log_return(Fundamentals& worth, double from, double to) {
    return std::log(worth.value(k_one, after(to)) / worth.value(k_one, after(from)));
}

// Common random numbers: with the same seed, the jumps of a volatile path are those of a quiet one.
TEST(Fundamentals, JumpsDoNotDependOnTheVolatility) {
    const FundamentalDescription quiet{.start = 1e6, .jumps_per_s = 5, .jump_size = .01};
    FundamentalDescription moving = quiet;
    moving.volatility = .002;
    FundamentalDescription without = moving;
    without.jumps_per_s = 0;
    Fundamentals jumps{7, k_start, {}, {quiet}};
    Fundamentals both{7, k_start, {}, {moving}};
    Fundamentals moves{7, k_start, {}, {without}};
    double most = 0;
    for (int second = 0; second < 60; ++second) {
        const double jumped = log_return(jumps, second, second + 1);
        most = std::max(most, std::abs(jumped));
        EXPECT_NEAR(log_return(both, second, second + 1),
                    jumped + log_return(moves, second, second + 1), 1e-9);
    }
    EXPECT_GT(most, .01);
}

// Half of the paths jump in their first step; as many of these had a return up as one down.
TEST(Fundamentals, JumpsDoNotDependOnTheReturns) {
    int jumped = 0;
    int up = 0;
    for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
        const FundamentalDescription moving{.start = 1e6, .volatility = .002};
        FundamentalDescription jumping = moving;
        jumping.jumps_per_s = 50;
        jumping.jump_size = .01;
        Fundamentals one{seed, k_start, {}, {moving}};
        Fundamentals other{seed, k_start, {}, {jumping}};
        const double moves = log_return(one, 0, .01);
        if (log_return(other, 0, .01) == moves) continue;
        ++jumped;
        if (moves > 0) ++up;
    }
    EXPECT_NEAR(jumped, 1'000, 4 * std::sqrt(500.));
    EXPECT_NEAR(up, jumped / 2., 4 * std::sqrt(jumped / 4.));
}

// The variance of the log return over a time is volatility^2 times the time, whatever the step.
TEST(Fundamentals, TheStepIsTheGridAndNotTheLaw) {
    constexpr std::int64_t k_step_ns = 250'000'000;
    Fundamentals worth{7, k_start, {}, two_shares(), k_step_ns};
    EXPECT_EQ(worth.value(k_one, after(0.2499)), 500'000);
    EXPECT_NE(worth.value(k_one, after(0.25)), 500'000);
    for (const std::int64_t step_ns : {k_step_ns, Fundamentals::k_step_ns}) {
        Fundamentals path{11, k_start, {}, two_shares(), step_ns};
        double squares = 0;
        constexpr int k_samples = 4'000;
        for (int i = 0; i < k_samples; ++i) {
            const double move =
                std::log(path.value(k_one, after(i + 1.)) / path.value(k_one, after(i)));
            squares += move * move;
        }
        const double variance = 0.001 * 0.001;
        EXPECT_NEAR(squares / k_samples, variance, 4 * variance * std::sqrt(2. / k_samples));
    }
}

}  // namespace
}  // namespace damrak::market_tests::fundamental_test
