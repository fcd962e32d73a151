// Parameters are found again in simulated days, within four standard errors; on a real hour the
// estimates are those of an independent count.
#include <damrak/calibration/calibration.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/calibration/detail/hawkes_fit.hpp>
#include <damrak/market_kernel/draws.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/market_runs/recorded_day.hpp>
#include <damrak/market_runs/run.hpp>

#include "calibrated_day.hpp"
#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::calibration::calibration_test {
namespace {

using ::testing::HasSubstr;

void expect_found(const ModelEstimate& model, const std::string& name, double truth,
                  std::uint64_t least_count = 200) {
    const Estimate& estimate = named(model, name);
    EXPECT_GE(estimate.count, least_count) << name;
    EXPECT_GT(estimate.standard_error, 0) << name;
    EXPECT_NEAR(estimate.value, truth, 4 * estimate.standard_error) << name;
}

TEST(Calibrate, FindsTheRatesOfZeroIntelligence) {
    const auto found = calibrated(
        "kind = \"zero-intelligence\"\nlimit_per_tick_per_s = 0.5\nmarket_per_s = 10\n"
        "cancel_per_s = 0.2\nwindow_ticks = 30\nquantity = 10\n",
        "20min", {.ticks = 30, .model = "zero-intelligence"});
    ASSERT_EQ(found.models.size(), 1U);
    const ModelEstimate& model = found.models[0];
    expect_found(model, "limit_per_tick_per_s", 0.5);
    expect_found(model, "market_per_s", 10);
    expect_found(model, "cancel_per_s", 0.2);
    EXPECT_EQ(named(model, "quantity").value, 10);
    EXPECT_LT(named(model, "cancel_per_s").standard_error, 0.01);
}

TEST(Calibrate, FindsTheRatesOfContStoikovAndTalreja) {
    const auto found = calibrated("kind = \"cont-stoikov-talreja\"\nquantity = 10\n", "2h",
                                  {.ticks = 5, .model = "cont-stoikov-talreja"});
    const ModelEstimate& model = found.models.at(0);
    const std::vector<double> limits{1.85, 1.51, 1.09, 0.88, 0.77};
    const std::vector<double> cancels{0.71, 0.81, 0.68, 0.56, 0.47};
    for (std::size_t i = 0; i < 5; ++i) {
        expect_found(model, "limit_per_s[" + std::to_string(i + 1) + "]", limits[i]);
        expect_found(model, "cancel_per_s[" + std::to_string(i + 1) + "]", cancels[i]);
    }
    expect_found(model, "market_per_s", 0.94);
}

TEST(Calibrate, FindsTheRatesOfQueuesByTheirSize) {
    const auto found =
        calibrated("kind = \"queue-reactive\"\nlevels = 1\nmove = 0\nquantity = 10\n", "4h",
                   {.queues = 1, .model = "queue-reactive"});
    const ModelEstimate& model = found.models.at(0);
    EXPECT_EQ(named(model, "quantity").value, 10);
    for (std::size_t n = 0; n <= 8; ++n) {
        const std::string at = "[" + std::to_string(n) + "]";
        expect_found(model, "limit_per_s" + at, 1.5);
        if (n == 0) continue;
        expect_found(model, "cancel_per_s" + at, 0.2 * static_cast<double>(n));
        expect_found(model, "market_per_s" + at, 0.6);
    }
    EXPECT_EQ(named(model, "move").value, 0);
}

TEST(FitHawkes, FindsTheParametersOfTheProcess) {
    const participants::models::HawkesDescription truth{{.5, .3}, {.4, .2, .1, .3}, 2};
    participants::models::HawkesProcess process{truth};
    market_kernel::Draws draws{8};
    std::vector<FlowEvent> events;
    double now = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto arrival = process.next(draws);
        now += arrival.wait_s;
        events.push_back({now, static_cast<std::uint8_t>(arrival.type)});
    }
    const HawkesFit fit = fit_hawkes(events, 2, now);
    const auto expect_near = [](double value, double target, double error) {
        EXPECT_GT(error, 0);
        EXPECT_LT(error, 0.1);
        EXPECT_NEAR(value, target, 4 * error);
    };
    for (std::size_t i = 0; i < 2; ++i)
        expect_near(fit.estimate.base_per_s[i], truth.base_per_s[i],
                    fit.standard_error.base_per_s[i]);
    for (std::size_t i = 0; i < 4; ++i)
        expect_near(fit.estimate.branching[i], truth.branching[i], fit.standard_error.branching[i]);
    expect_near(fit.estimate.decay_per_s, 2, fit.standard_error.decay_per_s);
}

// Standard errors are those with which estimates vary between processes.
TEST(FitHawkes, StandardErrorsAreHonest) {
    constexpr int k_runs = 60;
    double squares = 0;
    for (int run = 0; run < k_runs; ++run) {
        participants::models::HawkesProcess process{{{1}, {.5}, 1.5}};
        market_kernel::Draws draws{
            market_kernel::key_of(3, "hawkes", static_cast<std::uint64_t>(run), "")};
        std::vector<FlowEvent> events;
        double now = 0;
        for (int i = 0; i < 2'000; ++i) events.push_back({now += process.next(draws).wait_s, 0});
        const HawkesFit fit = fit_hawkes(events, 1, now);
        const double z = (fit.estimate.branching[0] - .5) / fit.standard_error.branching[0];
        squares += z * z;
    }
    EXPECT_NEAR(squares / k_runs, 1, 4 * std::sqrt(2. / k_runs));
}

TEST(Calibrate, FindsTheHawkesFlowOfASimulatedDay) {
    const auto found = calibrated(k_hawkes, "40min", {.model = "hawkes"});
    const ModelEstimate& model = found.models.at(0);
    expect_found(model, "base_per_s[limit_buy]", 1.5);
    expect_found(model, "base_per_s[cancel_sell]", 0.2);
    expect_found(model, "branching[market_buy, market_buy]", 0.4);
    expect_found(model, "branching[limit_buy, limit_buy]", 0.3);
    expect_found(model, "branching[cancel_sell, limit_sell]", 0.1);
    expect_found(model, "decay_per_s", 2);
}

TEST(Calibrate, WritesAMarketFileThatRuns) {
    const auto found =
        calibrated("kind = \"zero-intelligence\"\nwindow_ticks = 20\nmarket_per_s = 4\n", "10min",
                   {.ticks = 20});
    ASSERT_EQ(found.models.size(), 4U);
    const std::string text = market_file_of(found);
    const auto file = market_runs::parse_market_file(text, "written");
    ASSERT_TRUE(file) << file.error() << text;
    std::size_t sound = 0;
    for (const ModelEstimate& model : found.models) sound += model.note.empty() ? 1U : 0U;
    EXPECT_GE(sound, 3U);
    EXPECT_EQ(file->groups.size(), sound);
    const auto run = market_runs::run_market(*file, {.seed = 1});
    ASSERT_TRUE(run) << run.error();
    EXPECT_TRUE(run->faults.empty());
    EXPECT_GT(run->counts.trades, 1'000U);
}

TEST(Calibrate, TooLittleIsAnError) {
    const testing::ScratchFolder folder;
    const auto path = folder.write("few.csv",
                                   "1,1,11,100,9900,1\n"
                                   "1,1,12,100,10100,-1\n");
    const auto result = calibrate(*market_runs::recorded_day(path, {}, {}, true), {});
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error(), HasSubstr("few.csv"));
    EXPECT_THAT(result.error(), HasSubstr("at least 100"));
    EXPECT_FALSE(calibrate({folder.path() / "none.csv", "X"}, {}));
}

// Counted by hand in the first rows of a file.
TEST(FlowRecorder, CountsByDistanceAndTime) {
    FlowRecorder recorder{{.ticks = 5, .queues = 2}};
    const InstrumentId id = recorder.declare("A");
    constexpr std::int64_t k_s = 1'000'000'000;
    recorder.on_add({1 * k_s, id}, OrderId{1}, Side::buy, {9'900}, {100});
    recorder.on_add({1 * k_s, id}, OrderId{2}, Side::sell, {10'100}, {100});
    recorder.on_add({3 * k_s, id}, OrderId{3}, Side::buy, {10'000}, {50});  // 1 tick from the ask
    recorder.on_reduce({5 * k_s, id}, OrderId{1}, {40});                    // 2 ticks from it
    recorder.on_execute({6 * k_s, id}, OrderId{3}, {50});
    recorder.on_execute({6 * k_s, id}, OrderId{1}, {60});  // the same market order
    recorder.on_add({8 * k_s, id}, OrderId{4}, Side::buy, {9'900}, {10});
    const FlowRecord& record = recorder.record();
    EXPECT_EQ(record.limits, 4U);
    EXPECT_EQ(record.markets, 1U);
    EXPECT_EQ(record.market_shares, 110);
    EXPECT_EQ(record.seconds, 7);
    EXPECT_EQ(record.side_seconds, 7 + 5);  // there was no bid from 6 s on
    EXPECT_EQ(record.distances[0].limits, 1U);
    EXPECT_EQ(record.distances[1].limits, 1U) << "at 8 s; the first two came to empty books";
    EXPECT_EQ(record.distances[1].cancels, 1U);
    EXPECT_EQ(record.distances[1].cancelled_shares, 40);
    // Order 3 from 3 s to 6 s, and then order 2, which was 1 tick from it.
    EXPECT_EQ(record.distances[0].order_seconds, 3 + 3);
    ASSERT_EQ(record.events.size(), 6U);
    EXPECT_EQ(record.events[4].type, 1) << "a market sell";
    EXPECT_EQ(record.events[4].time_s, 5);
}

TEST(Calibrate, ARealHour) {
    DAMRAK_REAL_DATA_OR_SKIP(path, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    const auto found = calibrate(*market_runs::recorded_day(path, {}, {}, true), {});
    ASSERT_TRUE(found) << found.error();
    EXPECT_EQ(found->models.size(), 4U);
    EXPECT_NEAR(found->seconds, 3'600, 1);
    // Counted in the file by other means: rows of type 4, of which those of one time and side are
    // one order; of type 1; of types 2 and 3.
    EXPECT_EQ(named(found->models[0], "market_per_s").count, 3'290U);
    EXPECT_EQ(named(found->models[0], "quantity").count, 44'256U);
    EXPECT_EQ(named(found->models[3], "base_per_s[cancel_buy]").count +
                  named(found->models[3], "base_per_s[cancel_sell]").count,
              41'473U);
    const auto file = market_runs::parse_market_file(market_file_of(*found), "written");
    EXPECT_TRUE(file) << file.error();
}

}  // namespace
}  // namespace damrak::calibration::calibration_test
