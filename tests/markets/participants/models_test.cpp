// Models without a market, against their closed forms.
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/participants/detail/queue_law.hpp>
#include <damrak/participants/models/hawkes_process.hpp>
#include <damrak/participants/models/queue_race.hpp>

namespace damrak::participants_tests::models_test {
namespace {

using market_kernel::Draws;
using namespace participants::models;

// Cont, Stoikov and Talreja (2010), recomputed.
TEST(QueueRace, TheFirstPassageEquationsGiveTheTable) {
    const QueueRace race;
    EXPECT_NEAR(probability_of_up(race, 1, 1), .5, 1e-9);
    EXPECT_NEAR(probability_of_up(race, 1, 2), .3352, 5e-5);
    EXPECT_NEAR(probability_of_up(race, 1, 5), .1878, 5e-5);
    EXPECT_NEAR(probability_of_up(race, 3, 2), .5931, 5e-5);
    EXPECT_NEAR(probability_of_up(race, 5, 1), .8122, 5e-5);
    EXPECT_NEAR(probability_of_up(race, 5, 4), .5477, 5e-5);
}

TEST(QueueRace, DrawnRacesAgreeWithTheEquations) {
    const QueueRace race;
    Draws draws{42};
    int ups = 0;
    for (int i = 0; i < 40'000; ++i) ups += draw_up(race, 2, 1, draws) ? 1 : 0;
    EXPECT_NEAR(ups / 40'000.0, .6648, 4 * std::sqrt(.6648 * .3352 / 40'000));
}

// Variance over mean of the events in `seconds`, for one type.
// Var N(T) = r T + 2 c (T / k - (1 - e^(-k T)) / k^2), with c the covariance density at zero.
double fano_factor(double branching, double decay_per_s, double seconds) {
    const double a = branching * decay_per_s;
    const double k = decay_per_s - a;
    const double c = a * (2 * decay_per_s - a) / (2 * k);  // over the rate
    const double decayed = 1 - std::exp(-k * seconds);
    return 1 + 2 * c * (seconds / k - decayed / (k * k)) / seconds;
}

TEST(HawkesProcess, TheVarianceOfCountsIsTheClosedForm) {
    EXPECT_NEAR(fano_factor(.3, 1, 10), 1.8923, 5e-5);
    EXPECT_NEAR(fano_factor(.5, 1, 1), 1.6392, 5e-5);
    EXPECT_NEAR(fano_factor(.8, 1, 100), 23.800, 5e-4);
}

// Mean and Fano factor of counts in windows of `seconds`.
void expect_counts(double branching, double seconds, int windows) {
    const HawkesDescription description{{1}, {branching}, 1};
    const double rate = stationary_rates(description).at(0);
    EXPECT_NEAR(rate, 1 / (1 - branching), 1e-12);
    HawkesProcess process{description};
    Draws draws{17};
    double time = -200;  // burn in
    double sum = 0;
    double squares = 0;
    double next = process.next(draws).wait_s + time;
    for (int i = -1; i < windows; ++i) {
        const double end = i < 0 ? 0 : time + seconds;
        double count = 0;
        for (; next < end; next += process.next(draws).wait_s) ++count;
        time = end;
        if (i < 0) continue;
        sum += count;
        squares += count * count;
    }
    const double mean = sum / windows;
    const double fano = (squares / windows - mean * mean) / mean;
    const double expected = fano_factor(branching, 1, seconds);
    const double long_run = 1 / ((1 - branching) * (1 - branching));
    EXPECT_NEAR(mean / seconds, rate, 4 * std::sqrt(rate * long_run / seconds / windows));
    EXPECT_NEAR(fano / expected, 1, 0.05) << branching << ' ' << seconds;
}

TEST(HawkesProcess, CountsHaveTheMeanAndVarianceOfTheTheory) {
    expect_counts(.3, 1, 200'000);
    expect_counts(.5, 10, 40'000);
    expect_counts(.8, 10, 40'000);
}

TEST(HawkesProcess, TypesExciteEachOther) {
    // Type 1 follows from type 0 alone: rates 1 / (1 - .2) and .5 + .6 · 1.25.
    const HawkesDescription description{{1, .5}, {.2, 0, .6, 0}, 2};
    const auto rates = stationary_rates(description);
    ASSERT_EQ(rates.size(), 2U);
    EXPECT_NEAR(rates[0], 1.25, 1e-12);
    EXPECT_NEAR(rates[1], 1.25, 1e-12);
    HawkesProcess process{description};
    Draws draws{5};
    double seconds = 0;
    int first = 0;
    constexpr int k_events = 100'000;
    for (int i = 0; i < k_events; ++i) {
        const auto arrival = process.next(draws);
        seconds += arrival.wait_s;
        first += arrival.type == 0 ? 1 : 0;
    }
    EXPECT_NEAR(k_events / seconds, 2.5, 0.06);
    EXPECT_NEAR(first / static_cast<double>(k_events), 0.5, 0.015);
}

TEST(HawkesProcess, ASpectralRadiusOfOneIsNotStationary) {
    EXPECT_TRUE(stationary_rates({{1}, {1}, 1}).empty());
    EXPECT_TRUE(stationary_rates({{1, 1}, {0, 2, .5, 0}, 1}).empty());
    EXPECT_FALSE(stationary_rates({{1, 1}, {0, 2, .49, 0}, 1}).empty());
    EXPECT_TRUE(stationary_rates({{1, 1}, {0, 2, 2, 0}, 1}).empty());
}

TEST(QueueLaw, IsThatOfABirthDeathQueue) {
    QueueRates rates{{1.5}, {}, {0, .6}};
    for (int n = 0; n <= 60; ++n) rates.cancel_per_s.push_back(.2 * n);
    const auto law = stationary_law(rates, 60);
    const std::vector<double> expected{.0397, .0744, .1116, .1395, .1495, .1402, .1168};
    double mean = 0;
    for (std::size_t n = 0; n < law.size(); ++n) mean += static_cast<double>(n) * law[n];
    for (std::size_t n = 0; n < expected.size(); ++n) EXPECT_NEAR(law[n], expected[n], 5e-5);
    EXPECT_NEAR(mean, 4.619, 5e-4);
    Draws draws{1};
    double sum = 0;
    for (int i = 0; i < 40'000; ++i) sum += static_cast<double>(draw_size(law, draws));
    EXPECT_NEAR(sum / 40'000, mean, 4 * 2.7 / 200);
}

}  // namespace
}  // namespace damrak::participants_tests::models_test
