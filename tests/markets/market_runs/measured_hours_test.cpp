// The hours of a recorded day that are measured: those that are asked for, and of these the ones
// whose book is known.
#include <cstdint>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/market_runs/recorded_measures.hpp>

#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::market_runs::measured_hours_test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t k_second_ns = 1'000'000'000;

double value_of(const RecordedMeasures& day, std::string_view name) {
    const measures::Value* const value = day.results.find(name);
    EXPECT_NE(value, nullptr) << name;
    return value == nullptr ? 0 : value->value;
}

TEST(MeasuredHours, OfALobsterFileEndInTime) {
    const testing::ScratchFolder folder;
    const auto file = folder.write("hours.csv",
                                   "1,1,11,100,9900,1\n"
                                   "2,1,12,100,10100,-1\n"
                                   "5,4,12,100,10100,-1\n");
    const auto day = measure_day({file, "HOURS"}, {.end_ns = 4 * k_second_ns});
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(day->results.find("trades"), nullptr);
    EXPECT_EQ(value_of(measure_day({file, "HOURS"}).value(), "trades"), 1);
}

TEST(MeasuredHours, NothingIsMeasuredWhereNoBookIsKnown) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    const auto book =
        testing::real_data("lobster/AAPL_2012-06-21_34200000_57600000_orderbook_10.csv");
    const auto day = measure_day({file, "AAPL", book}, {.begin_ns = 36'000 * k_second_ns});
    ASSERT_FALSE(day);
    EXPECT_THAT(day.error(), HasSubstr("the book is not known after 09:30:49"));
}

// Messages of five levels beside rows of one: from the first row to the last.
TEST(MeasuredHours, OfAWidePairAreThoseOfTheTimeThatItsRowsSpan) {
    const testing::ScratchFolder folder;
    const auto file = folder.write("X_2026-01-02_0_57600000_message_5.csv",
                                   "1,1,10,7,9700,1\n"  // below the best: no row
                                   "2,1,11,100,9900,1\n"
                                   "3,1,12,100,10100,-1\n"
                                   "5,1,13,100,9800,1\n"  // below the best: no row
                                   "7,1,14,10,10000,1\n"  // after the last row
                                   "9,3,14,10,10000,1\n");
    const auto book = folder.write("X_2026-01-02_0_57600000_orderbook_1.csv",
                                   "9999999999,0,9900,100\n"
                                   "10100,100,9900,100\n");
    const auto day = measure_day({file, "X", book});
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(day->depth.book_from_ns, 2 * k_second_ns);
    EXPECT_EQ(day->depth.book_until_ns, 7 * k_second_ns - 1);
    EXPECT_NEAR(value_of(*day, "quoted_spread_ticks"), 2, 1e-9);
    EXPECT_FALSE(measure_day({file, "X", book}, {.begin_ns = 0, .end_ns = k_second_ns}));
}

}  // namespace
}  // namespace damrak::market_runs::measured_hours_test
