// Survival estimates, by hand and against definitions written down as plainly as they are.
#include <damrak/replay/detail/survival.hpp>

#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damrak::replay::survival_test {
namespace {

Lifetime filled(std::int64_t ns) { return {.duration_ns = ns, .outcome = Outcome::filled}; }
Lifetime cancelled(std::int64_t ns) { return {.duration_ns = ns, .outcome = Outcome::cancelled}; }
Lifetime open(std::int64_t ns) { return {.duration_ns = ns, .outcome = Outcome::open}; }

/// The definitions, each time from the begin.
struct Plain {
    double alone = 1;
    double alive = 1;
    double filled = 0;
    double cancelled = 0;
};
Plain plain(const std::vector<Lifetime>& all, std::int64_t until_ns) {
    std::set<std::int64_t> times;
    for (const Lifetime& one : all) times.insert(one.duration_ns);
    Plain result;
    for (const std::int64_t time : times) {
        if (time > until_ns) break;
        double at_risk = 0;
        double fills = 0;
        double cancels = 0;
        for (const Lifetime& one : all) {
            at_risk += one.duration_ns >= time;
            fills += one.duration_ns == time && one.outcome == Outcome::filled;
            cancels += one.duration_ns == time && one.outcome == Outcome::cancelled;
        }
        result.filled += result.alive * fills / at_risk;
        result.cancelled += result.alive * cancels / at_risk;
        result.alive *= 1 - (fills + cancels) / at_risk;
        result.alone *= 1 - fills / at_risk;
    }
    return result;
}

}  // namespace

// Six orders: 5/6 live past 1; of the four left at 3 one is filled: 5/6 * 3/4.
TEST(Survival, OfSixOrdersIsWhatArithmeticSays) {
    const Survival survival{{filled(1), cancelled(2), filled(3), open(4), filled(5), cancelled(6)}};
    EXPECT_EQ(survival.count(Outcome::filled), 3U);
    EXPECT_EQ(survival.count(Outcome::cancelled), 2U);
    EXPECT_EQ(survival.count(Outcome::open), 1U);
    EXPECT_DOUBLE_EQ(survival.seconds_at_risk(), 21e-9);
    const std::vector<std::int64_t> at{0, 1, 3, 5, 9};
    const auto points = survival.at(at);
    ASSERT_EQ(points.size(), 5U);
    EXPECT_EQ(points[0].filled, 0);
    EXPECT_EQ(points[0].at_risk, 6U);
    EXPECT_DOUBLE_EQ(points[1].filled, 1.0 / 6);
    EXPECT_DOUBLE_EQ(points[2].filled_alone, 1 - 5.0 / 6 * 3 / 4);
    EXPECT_EQ(points[2].at_risk, 4U);
    EXPECT_DOUBLE_EQ(points[2].filled, 1.0 / 6 + 4.0 / 6 / 4) << "4/6 were neither";
    EXPECT_DOUBLE_EQ(points[3].filled_alone, 1 - 5.0 / 6 * 3 / 4 / 2);
    EXPECT_EQ(points[4].at_risk, 0U);
    EXPECT_DOUBLE_EQ(points[4].filled + points[4].cancelled, 1);
    EXPECT_LT(points[3].filled_alone_low, points[3].filled_alone);
    EXPECT_GT(points[3].filled_alone_high, points[3].filled_alone);
    EXPECT_EQ(survival.time_to_fill_ns(0.5), 5);
    EXPECT_EQ(survival.time_to_fill_ns(0.9), std::nullopt);
    EXPECT_EQ(survival.quantile_ns(Outcome::filled, 0.5), 3);
    EXPECT_EQ(survival.quantile_ns(Outcome::cancelled, 0.5), 2);
    EXPECT_EQ(Survival{{open(1)}}.quantile_ns(Outcome::filled, 0.5), std::nullopt);
}

// The variance of Greenwood after one fill of ten: 1 / (10 * 9); log(-log) interval by hand.
TEST(Survival, HasTheConfidenceIntervalOfGreenwood) {
    std::vector<Lifetime> all(9, open(10));
    all.push_back(filled(1));
    const std::vector<std::int64_t> at{1};
    const auto point = Survival{all}.at(at).front();
    EXPECT_DOUBLE_EQ(point.filled_alone, 0.1);
    EXPECT_NEAR(point.filled_alone_low, 0.014719, 1e-6);
    EXPECT_NEAR(point.filled_alone_high, 0.526991, 1e-6);
}

RC_GTEST_PROP(Survival, IsWhatTheDefinitionsGive, ()) {
    const int count = *rc::gen::inRange(1, 60);
    std::vector<Lifetime> all;
    for (int i = 0; i < count; ++i)
        all.push_back({.duration_ns = *rc::gen::inRange<std::int64_t>(0, 20),
                       .outcome = static_cast<Outcome>(*rc::gen::inRange(0, 3))});
    std::vector<std::int64_t> at;
    for (std::int64_t time = 0; time < 22; ++time) at.push_back(time);
    const auto points = Survival{all}.at(at);
    RC_ASSERT(points.size() == at.size());
    for (const SurvivalPoint& point : points) {
        const Plain expected = plain(all, point.duration_ns);
        const auto near = [](double a, double b) { return a - b < 1e-9 && b - a < 1e-9; };
        RC_ASSERT(near(point.filled, expected.filled));
        RC_ASSERT(near(point.cancelled, expected.cancelled));
        RC_ASSERT(near(point.filled_alone, 1 - expected.alone));
        RC_ASSERT(point.filled_alone_low <= point.filled_alone + 1e-9);
        RC_ASSERT(point.filled_alone_high >= point.filled_alone - 1e-9);
    }
}

}  // namespace damrak::replay::survival_test
