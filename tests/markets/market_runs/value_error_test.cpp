// The error of the mid against the value, by horizon, of prices made by hand.
#include <damrak/market_runs/detail/value_error.hpp>

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace damrak::market_runs::value_error_test {
namespace {

constexpr InstrumentId k_first{1};
constexpr std::int64_t k_step_ns = detail::ValueError::k_step_ns;

views::PublicChange quote(std::int64_t time_ns, std::int64_t mid) {
    views::PublicChange change{};
    change.time = {time_ns};
    change.bid = {mid - 50};
    change.ask = {mid + 50};
    change.bid_quantity = change.ask_quantity = {1};
    return change;
}

market_kernel::Fundamentals constant() { return {1, {0}, {}, {{.start = 1'000'000}}}; }

TEST(ValueError, AnErrorThatHalvesEachSecondHasThatHalfLife) {
    market_kernel::Fundamentals values = constant();
    detail::ValueError error{values, k_first, {0}};
    for (std::int64_t i = 0; i < 400; ++i) {
        const double left = std::exp2(-static_cast<double>(i) * 0.1);
        error.on_change(quote(i * k_step_ns, 1'000'000 + std::llround(20'000 * left)));
    }
    measures::Results results;
    error.finish({400 * k_step_ns}, results);
    EXPECT_NEAR(results.find("value_error_left_1s")->value, 0.5, 0.001);
    EXPECT_NEAR(results.find("value_error_left_10s")->value, 1. / 1'024, 0.001);
    EXPECT_EQ(results.find("news_half_life"), nullptr) << "there were none";
}

TEST(ValueError, NewsThatArriveByHalvesEachSecondHaveThatHalfLife) {
    market_kernel::Fundamentals values = constant();
    values.plan({.instrument = k_first, .time = {5'950'000'000}, .log_return = 0.02});
    detail::ValueError error{values, k_first, {0}};
    const double move = 1'000'000 * (std::exp(0.02) - 1);
    for (std::int64_t ns = 0; ns < 40'000'000'000; ns += k_step_ns / 10) {
        const double age_s = static_cast<double>(ns - 5'950'000'000) * 1e-9;
        const double arrived = age_s < 0 ? 0 : 1 - std::exp2(-age_s);
        // An error that is there all the time is none of the news.
        error.on_change(quote(ns, 1'000'700 + std::llround(move * arrived)));
    }
    measures::Results results;
    error.finish({40'000'000'000}, results);
    EXPECT_NEAR(results.find("news_half_life")->value, 1, 0.02);
}

TEST(ValueError, IsTheRootMeanSquareWhileBothSidesHaveAPrice) {
    market_kernel::Fundamentals values = constant();
    detail::ValueError error{values, k_first, {0}};
    error.on_change(quote(0, 1'000'300));
    error.on_change(quote(10 * k_step_ns, 999'600));
    views::PublicChange gone = quote(20 * k_step_ns, 999'600);
    gone.ask_quantity = {0};
    error.on_change(gone);
    measures::Results results;
    error.finish({1'000 * k_step_ns}, results);
    // Ten looks 3 bp above, ten 4 bp below: a look sees what was before its time.
    EXPECT_NEAR(results.find("value_error_bp")->value, std::sqrt((9. + 16.) / 2), 0.2);
    EXPECT_EQ(results.find("value_error_bp")->count, 20U);
}

TEST(ValueError, APriceThatNeverComesHasNoHalfLife) {
    market_kernel::Fundamentals values = constant();
    values.plan({.instrument = k_first, .time = {5'950'000'000}, .log_return = 0.02});
    detail::ValueError error{values, k_first, {0}};
    error.on_change(quote(0, 1'000'500));
    measures::Results results;
    error.finish({1'000 * k_step_ns}, results);
    EXPECT_NEAR(results.find("value_error_left_30s")->value, 1, 0.1);
    EXPECT_EQ(results.find("news_half_life"), nullptr);
}

}  // namespace
}  // namespace damrak::market_runs::value_error_test
