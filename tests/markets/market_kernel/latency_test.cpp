// Laws of latencies, and what a connection does to messages: they keep their order, its participant
// handles one after the other, and each direction has a stream of its own.
#include <damrak/market_kernel/detail/latency.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scripted_market.hpp"

namespace damrak::market_tests::latency_test {
namespace {

using market_kernel::Latency;
using market_kernel::Place;
using ::testing::ElementsAre;

constexpr int k_sample = 20'000;

std::vector<double> sorted_draws(const Latency& latency) {
    market_kernel::Draws draws{7};
    std::vector<double> all;
    for (int i = 0; i < k_sample; ++i) all.push_back(static_cast<double>(latency.draw(draws)));
    std::ranges::sort(all);
    EXPECT_GE(all.front(), 0);
    EXPECT_LE(all.back(), static_cast<double>(latency.most_ns()));
    return all;
}

double mean_of(const std::vector<double>& all) {
    double sum = 0;
    for (const double one : all) sum += one;
    return sum / static_cast<double>(all.size());
}

TEST(Latency, UniformIsAboveItsBase) {
    const auto all = sorted_draws(
        {.kind = Latency::Kind::uniform, .base_ns = 1'000'000, .spread_ns = 2'000'000});
    EXPECT_NEAR(mean_of(all), 2e6, 4 * 2e6 / std::sqrt(12. * k_sample));
    EXPECT_NEAR(all.front(), 1e6, 1e3);
    EXPECT_NEAR(all.back(), 3e6, 1e3);
}

TEST(Latency, NormalIsCutAtZero) {
    const auto all = sorted_draws(
        {.kind = Latency::Kind::normal, .base_ns = 10'000'000, .spread_ns = 1'000'000});
    EXPECT_NEAR(mean_of(all), 1e7, 4 * 1e6 / std::sqrt(1. * k_sample));
    EXPECT_NEAR(all[k_sample * 84 / 100], 11e6, 5e4);
    const auto cut =
        sorted_draws({.kind = Latency::Kind::normal, .base_ns = 0, .spread_ns = 1'000'000});
    EXPECT_EQ(cut[k_sample / 4], 0);
}

TEST(Latency, LogNormalIsGivenByItsMedian) {
    const auto all =
        sorted_draws({.kind = Latency::Kind::log_normal, .base_ns = 1'000'000, .sigma = 0.5});
    EXPECT_NEAR(all[k_sample / 2], 1e6, 4 * 0.5 * 1e6 * 1.2533 / std::sqrt(1. * k_sample));
    EXPECT_NEAR(std::log(all[k_sample * 84 / 100] / 1e6), 0.5, 0.03);
}

TEST(Latency, EmpiricalIsOneOfItsSamples) {
    const Latency latency{.kind = Latency::Kind::empirical,
                          .base_ns = 100,
                          .samples = std::make_shared<const std::vector<std::int64_t>>(
                              std::vector<std::int64_t>{1, 2, 9})};
    const auto all = sorted_draws(latency);
    EXPECT_EQ(
        std::ranges::count(all, 101) + std::ranges::count(all, 102) + std::ranges::count(all, 109),
        k_sample);
    EXPECT_NEAR(mean_of(all), 104, 4 * 3.6 / std::sqrt(1. * k_sample));
    EXPECT_EQ(latency.most_ns(), 109);
}

TEST(Place, IsTheSameForAllInAnIntervalAndChangesWithIt) {
    const Place place{.key = 5, .median_ns = 10'000, .sigma = 0.4, .interval_ns = 1'000};
    EXPECT_EQ(place.delay_at(2'000), place.delay_at(2'999));
    std::vector<std::int64_t> delays;
    for (std::int64_t i = 0; i < k_sample; ++i) delays.push_back(place.delay_at(1'000 * i));
    EXPECT_NE(delays[0], delays[1]);
    std::ranges::sort(delays);
    EXPECT_NEAR(static_cast<double>(delays[k_sample / 2]), 1e4, 4 * 4e3 * 1.2533 / 141);
    EXPECT_LE(delays.back(), place.most_ns());
    EXPECT_NE((Place{.key = 6, .median_ns = 10'000, .sigma = 0.4}.delay_at(0)),
              (Place{.key = 5, .median_ns = 10'000, .sigma = 0.4}.delay_at(0)));
}

/// Order n, counted from 1, has the price 100 n.
void enter_numbered(Scripted& participant, int count, std::int64_t gap_ns) {
    for (std::int64_t n = 1; n <= count; ++n)
        participant.at(n * gap_ns,
                       [n](MarketAccess& access) { access.enter(limit(Side::buy, 100 * n, 1)); });
}

std::vector<std::int64_t> numbers_of(const Scripted& participant) {
    std::vector<std::int64_t> numbers;
    for (const auto& heard : participant.reports) numbers.push_back(heard.price / 100);
    return numbers;
}

const Latency k_wild{.kind = Latency::Kind::log_normal, .base_ns = 20'000, .sigma = 2};

TEST(Connection, MessagesDoNotOvertakeEachOther) {
    for (const bool is_of_reports : {false, true}) {
        World world;
        Connection connection;
        (is_of_reports ? connection.reports : connection.orders) = k_wild;
        Scripted& participant = world.add(connection);
        enter_numbered(participant, 200, k_us);
        world.run(1'000'000 * k_us);
        const auto numbers = numbers_of(participant);
        EXPECT_EQ(numbers.size(), 200U);
        EXPECT_TRUE(std::ranges::is_sorted(numbers)) << is_of_reports;
    }
}

TEST(Connection, AParticipantThinksAboutOneMessageAfterTheOther) {
    World world;
    Connection connection;
    connection.think_ns = 10 * k_us;
    Scripted& participant = world.add(connection);
    participant.at(0, [](MarketAccess& access) {
        access.enter(limit(Side::buy, 100, 1));
        access.enter(limit(Side::buy, 200, 1));
    });
    participant.at(15 * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 300, 1)); });
    participant.at(100 * k_us,
                   [](MarketAccess& access) { access.enter(limit(Side::buy, 400, 1)); });
    world.run(1'000 * k_us);
    std::vector<std::int64_t> times;
    for (const auto& heard : participant.reports) times.push_back(heard.at_ns / k_us);
    EXPECT_THAT(times, ElementsAre(10, 20, 30, 110));
}

TEST(Connection, ASpikeScalesAllLatencies) {
    World world;
    Scripted& maker = world.add();
    Scripted& slow = world.add(constant(10 * k_us, 20 * k_us, 30 * k_us));
    maker.at(200 * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    slow.start = [](MarketAccess& access) { access.subscribe(k_first, MarketNews::top_of_book); };
    slow.at(200 * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 100, 1)); });
    world.run(100 * k_us).scale_latency({2}, 3);
    world.run(1'000 * k_us);
    ASSERT_EQ(slow.reports.size(), 1U);
    EXPECT_EQ(slow.reports[0].at_ns, (200 + 3 * (10 + 20)) * k_us);
    ASSERT_EQ(slow.news_ns.size(), 1U);
    EXPECT_EQ(slow.news_ns[0], (200 + 3 * 30) * k_us);
}

// Where one stream is another, the n-th delays of two directions are the same.
TEST(Connection, EachDirectionHasItsOwnStream) {
    World world;
    Connection connection;
    connection.orders = {.kind = Latency::Kind::uniform, .spread_ns = 1'000 * k_us};
    connection.reports = connection.orders;
    Scripted& participant = world.add(connection);
    std::vector<std::int64_t> there;
    std::vector<std::int64_t> back;
    participant.answer = [&](MarketAccess& access, const Report& report) {
        const std::int64_t sent = static_cast<std::int64_t>(there.size() + 1) * 10'000 * k_us;
        there.push_back((report.exchange_time - k_begin).value - sent);
        back.push_back((access.now() - report.exchange_time).value);
    };
    enter_numbered(participant, 100, 10'000 * k_us);
    world.run(2'000'000 * k_us);
    ASSERT_EQ(there.size(), 100U);
    for (std::size_t i = 0; i < there.size(); ++i) EXPECT_NE(there[i], back[i]) << i;
}

}  // namespace
}  // namespace damrak::market_tests::latency_test
