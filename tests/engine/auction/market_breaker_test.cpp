// The market-wide breaker: its levels, and when each of them halts.

#include <damrak/auction/market_breaker.hpp>

#include <array>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

namespace damrak::auction::market_breaker_test {
namespace {

using Phase = MarketBreaker::Phase;

constexpr Timestamp k_ten = minutes(10 * 60);
constexpr Timestamp k_close = minutes(16 * 60);
constexpr Timestamp k_quiet = minutes(15 * 60 + 25);

// The index in units of 0.0001.
constexpr std::int64_t k_last_close = 40'000'000;
constexpr std::int64_t k_level_1 = 37'200'000;
constexpr std::int64_t k_level_2 = 34'800'000;
constexpr std::int64_t k_level_3 = 32'000'000;

MarketBreaker breaker() { return {{}, k_last_close, k_close}; }

TEST(MarketBreaker, HaltsAtEachLevelIncludingItsExactValue) {
    EXPECT_EQ(breaker().on_index(k_ten, k_level_1 + 1), std::nullopt);
    EXPECT_EQ(breaker().on_index(k_ten, k_level_1), 1);
    EXPECT_EQ(breaker().on_index(k_ten, k_level_2 + 1), 1);
    EXPECT_EQ(breaker().on_index(k_ten, k_level_2), 2);
    EXPECT_EQ(breaker().on_index(k_ten, k_level_3 + 1), 2);
    EXPECT_EQ(breaker().on_index(k_ten, k_level_3), 3);
}

TEST(MarketBreaker, ComparesInFullPrecision) {
    // 7, 13 and 20 % below 5,346.56 are 4,972.3008, 4,651.5072 and 4,277.2480.
    const MarketBreaker untouched({}, 53'465'600, k_close);
    const std::array<Wide, 3> levels{49'723'008, 46'515'072, 42'772'480};
    EXPECT_TRUE(untouched.levels() == levels);
    const auto at = [&](std::int64_t value) {
        return MarketBreaker(untouched).on_index(k_ten, value);
    };
    EXPECT_EQ(at(49'723'009), std::nullopt);
    EXPECT_EQ(at(49'723'008), 1);
    EXPECT_EQ(at(46'515'073), 1);
    EXPECT_EQ(at(46'515'072), 2);
    EXPECT_EQ(at(42'772'481), 2);
    EXPECT_EQ(at(42'772'480), 3);
    // In cents, the level is between two values of the index.
    const MarketBreaker cents({}, 534'656, k_close);
    EXPECT_EQ(MarketBreaker(cents).on_index(k_ten, 497'231), std::nullopt);
    EXPECT_EQ(MarketBreaker(cents).on_index(k_ten, 497'230), 1);
}

TEST(MarketBreaker, HaltsFifteenMinutesAndThenWaitsForTheReopening) {
    MarketBreaker market = breaker();
    market.on_index(k_ten, k_level_1);
    EXPECT_EQ(market.phase(), Phase::halted);
    EXPECT_EQ(market.due(), k_ten + minutes(15));
    market.on_time(k_ten + minutes(15) - Timestamp{1});
    EXPECT_EQ(market.phase(), Phase::halted);
    market.on_time(k_ten + minutes(15));
    EXPECT_EQ(market.phase(), Phase::reopening);
    EXPECT_EQ(market.due(), std::nullopt);
    market.resume();
    EXPECT_EQ(market.phase(), Phase::trading);
}

TEST(MarketBreaker, HaltsOnceADayAtALevel) {
    MarketBreaker market = breaker();
    market.on_index(k_ten, k_level_1);
    market.on_time(k_ten + minutes(15));
    market.resume();
    EXPECT_EQ(market.on_index(k_ten + minutes(16), k_level_1), std::nullopt);
    EXPECT_EQ(market.on_index(k_ten + minutes(17), k_level_2), 2);
    market.on_time(k_ten + minutes(40));
    market.resume();
    EXPECT_EQ(market.on_index(k_ten + minutes(41), k_level_2), std::nullopt);
    EXPECT_EQ(market.on_index(k_ten + minutes(42), k_level_3), 3);
}

TEST(MarketBreaker, ThatJumpsOverALevelDoesNotHaltAtItLater) {
    MarketBreaker market = breaker();
    market.on_index(k_ten, k_level_2);
    market.on_time(k_ten + minutes(15));
    market.resume();
    EXPECT_EQ(market.on_index(k_ten + minutes(16), k_level_1), std::nullopt);
}

TEST(MarketBreaker, DoesNotCountValuesDuringAHalt) {
    MarketBreaker market = breaker();
    market.on_index(k_ten, k_level_1);
    EXPECT_EQ(market.on_index(k_ten + minutes(1), k_level_3), std::nullopt);
    EXPECT_EQ(market.phase(), Phase::halted);
    EXPECT_EQ(market.on_index(k_ten + minutes(15), k_level_3), std::nullopt);
    EXPECT_EQ(market.phase(), Phase::reopening);
}

TEST(MarketBreaker, HasOnlyTheLastLevelInTheLast35Minutes) {
    EXPECT_EQ(breaker().on_index(k_quiet - Timestamp{1}, k_level_1), 1);
    EXPECT_EQ(breaker().on_index(k_quiet, k_level_1), std::nullopt);
    EXPECT_EQ(breaker().on_index(k_quiet, k_level_2), std::nullopt);
    EXPECT_EQ(breaker().on_index(k_quiet, k_level_3), 3);
}

TEST(MarketBreaker, ClosesTheDayAtTheLastLevel) {
    MarketBreaker market = breaker();
    market.on_index(k_ten, k_level_3);
    EXPECT_EQ(market.phase(), Phase::closed);
    EXPECT_EQ(market.due(), std::nullopt);
    market.on_time(k_close);
    EXPECT_EQ(market.phase(), Phase::closed);
    EXPECT_EQ(market.on_index(k_close, k_level_3), std::nullopt);
}

TEST(MarketBreaker, LevelsThatTheIndexStandsAtAfterARestartDoNotHaltAgain) {
    MarketBreaker market = breaker();
    market.restore(k_level_1 + 1);
    EXPECT_EQ(market.on_index(k_ten, k_level_1), 1);
    market = breaker();
    market.restore(k_level_2);
    EXPECT_EQ(market.phase(), Phase::trading);
    EXPECT_EQ(market.on_index(k_ten, k_level_2), std::nullopt);
    EXPECT_EQ(market.on_index(k_ten, k_level_3), 3);
    market = breaker();
    market.restore(k_level_3);
    EXPECT_EQ(market.phase(), Phase::closed);
}

TEST(MarketBreaker, AHaltThatARestartFindsEndsInTime) {
    MarketBreaker market = breaker();
    market.restore(k_level_1);
    market.restore_halt(k_ten);
    EXPECT_EQ(market.phase(), Phase::halted);
    EXPECT_EQ(market.due(), k_ten + minutes(15));
}

}  // namespace
}  // namespace damrak::auction::market_breaker_test
