// Conversion of recorded messages into orders for the engine: docs/reference/replay.md, one test
// per rule.
#include <damrak/replay/rematch.hpp>

#include <gtest/gtest.h>

#include "support/small_day.hpp"

namespace damrak::replay::rematch_test {
namespace {

using damrak::testing::SmallDay;

RematchReport rematched(const SmallDay& day) {
    Rematch rematch{{.instruments = 4, .orders = 4'096}, {}};
    day.replay(rematch);
    rematch.finish();
    return rematch.report();
}

TEST(Rematch, ExecutionsOfOneMomentAndSideAreOneIncomingOrder) {
    const auto report = rematched(SmallDay{}
                                      .add(1, 1, Side::sell, 1000, 100)
                                      .add(2, 2, Side::sell, 1000, 50)
                                      .add(3, 3, Side::sell, 1001, 70)
                                      .execute(9, 1, 100)
                                      .execute(9, 2, 50)
                                      .execute(9, 3, 20));
    EXPECT_EQ(report.aggressors, 1U);
    EXPECT_EQ(report.aggressors_equal, 1U);
    EXPECT_EQ(report.recorded, 3U);
    EXPECT_EQ(report.matched, 3U);
    EXPECT_EQ(report.equal_price_and_size, 3U);
    EXPECT_EQ(report.equal_order, 3U);
    EXPECT_EQ(report.recorded_volume, 170U);
    EXPECT_EQ(report.matched_volume, 170U);
    EXPECT_EQ(report.all_rejected(), 0U);
}

TEST(Rematch, AnotherMomentOrSideOrInstrumentIsAnotherIncomingOrder) {
    const auto report = rematched(SmallDay{}
                                      .add(1, 1, Side::sell, 1001, 100)
                                      .add(2, 2, Side::buy, 1000, 50)
                                      .add(3, 3, Side::buy, 1000, 50, 2)
                                      .execute(9, 1, 10)
                                      .execute(9, 2, 10)
                                      .execute(9, 3, 10, 2)
                                      .execute(10, 2, 10));
    EXPECT_EQ(report.aggressors, 4U);
    EXPECT_EQ(report.aggressors_equal, 4U);
}

TEST(Rematch, MessagesOfOtherInstrumentsDoNotCutASweepApart) {
    const auto report = rematched(SmallDay{}
                                      .add(1, 1, Side::sell, 1000, 100)
                                      .add(2, 2, Side::sell, 1001, 50)
                                      .execute(9, 1, 100)
                                      .add(9, 3, Side::buy, 2000, 50, 2)
                                      .execute(9, 2, 50));
    EXPECT_EQ(report.aggressors, 1U);
    EXPECT_EQ(report.equal_order, 2U);
}

TEST(Rematch, AnotherRestingOrderAtTheSamePriceAndSizeIsAMatterOfPriority) {
    const auto report = rematched(SmallDay{}
                                      .add(1, 1, Side::sell, 1000, 100)
                                      .add(2, 2, Side::sell, 1000, 100)
                                      .execute(9, 2, 100));
    EXPECT_EQ(report.equal_price_and_size, 1U);
    EXPECT_EQ(report.equal_order, 0U);
    EXPECT_FALSE(report.first_price_or_size);
    ASSERT_TRUE(report.first_order);
    EXPECT_EQ(report.first_order->recorded->order, OrderId{2});
    EXPECT_EQ(report.first_order->engine->order, OrderId{1});
    EXPECT_EQ(report.first_order->symbol, "AAPL");
    EXPECT_EQ(report.first_order->time_ns, SmallDay::time_ns(9));
    EXPECT_EQ(report.repaired, 1U);  // order 2 must not rest on
}

TEST(Rematch, AnOrderThatTheRecordingPassedOverAtABetterPriceIsADifferenceOfPrice) {
    const auto report = rematched(SmallDay{}
                                      .add(1, 1, Side::buy, 1000, 100)
                                      .add(2, 2, Side::buy, 999, 100)
                                      .execute(9, 2, 100));
    EXPECT_EQ(report.equal_price_and_size, 0U);
    ASSERT_TRUE(report.first_price_or_size);
    EXPECT_EQ(report.first_price_or_size->recorded->price, Price{99'900});
    EXPECT_EQ(report.first_price_or_size->engine->price, Price{100'000});
}

TEST(Rematch, AMessageAboutAnOrderThatStandsOtherwiseInTheEngineIsCounted) {
    // The engine executed order 1, the recording order 2; then the recording cancels 1 and trades
    // on.
    const auto report = rematched(SmallDay{}
                                      .add(1, 1, Side::sell, 1000, 100)
                                      .add(2, 2, Side::sell, 1000, 100)
                                      .execute(9, 2, 100)
                                      .remove(10, 1)
                                      .add(11, 3, Side::sell, 1001, 40)
                                      .execute(12, 3, 40));
    EXPECT_EQ(report.diverged, 1U);
    EXPECT_EQ(report.equal_order, 1U);
    EXPECT_EQ(report.all_rejected(), 0U);
}

TEST(Rematch, ReplacesLosePriorityInTheEngineToo) {
    const auto report = rematched(SmallDay{}
                                      .add(1, 1, Side::sell, 1000, 100)
                                      .add(2, 2, Side::sell, 1000, 100)
                                      .replace(3, 1, 4, 1000, 50)
                                      .execute(9, 2, 100)
                                      .execute(9, 4, 50));
    EXPECT_EQ(report.equal_order, 2U);
    EXPECT_EQ(report.diverged, 0U);
}

TEST(Rematch, CancelsInPartKeepPriorityInTheEngineToo) {
    const auto report = rematched(SmallDay{}
                                      .add(1, 1, Side::sell, 1000, 100)
                                      .add(2, 2, Side::sell, 1000, 100)
                                      .cancel(3, 1, 40)
                                      .execute(9, 1, 60)
                                      .execute(9, 2, 10));
    EXPECT_EQ(report.equal_order, 2U);
    EXPECT_EQ(report.diverged, 0U);
}

TEST(Rematch, OtherPricesHiddenOrdersAndCrossesAreLeftOutAndCounted) {
    const auto report = rematched(SmallDay{}
                                      .add(1, 1, Side::sell, 1000, 100)
                                      .execute_at(2, 1, 30, 999)
                                      .hidden_trade(3, 1000, 10)
                                      .cross(4, 1000, 500)
                                      .execute(5, 1, 70));
    EXPECT_EQ(report.left_out_at_other_price, 1U);
    EXPECT_EQ(report.left_out_hidden, 1U);
    EXPECT_EQ(report.left_out_crosses, 1U);
    EXPECT_EQ(report.recorded, 1U);
    EXPECT_EQ(report.equal_order, 1U);  // what was left out is gone from the engine's book too
    EXPECT_EQ(report.diverged, 0U);
}

TEST(Rematch, AddedOrdersThatCrossTradeInTheEngineAlone) {
    const auto report =
        rematched(SmallDay{}.add(1, 1, Side::sell, 1000, 100).add(2, 2, Side::buy, 1001, 100));
    EXPECT_EQ(report.unrecorded, 1U);
    EXPECT_EQ(report.recorded, 0U);
}

TEST(Rematch, AnomaliesOfTheRecordingNeverReachTheEngine) {
    SmallDay day;
    day.add(1, 1, Side::sell, 1000, 100)
        .add(2, 1, Side::sell, 1000, 100)
        .execute(3, 99, 10)
        .remove(4, 98)
        .replace(5, 97, 96, 1000, 10)
        .add(6, 2, Side::buy, 0, 10);
    const auto report = rematched(day);
    EXPECT_EQ(report.all_rejected(), 0U);
    EXPECT_EQ(report.commands, 2U);  // the instrument and the one order
}

TEST(Rematch, TheSameRecordingGivesTheSameStateHash) {
    SmallDay day;
    for (std::uint64_t i = 1; i <= 200; ++i)
        day.add(static_cast<std::int64_t>(i), i, i % 2 == 0 ? Side::buy : Side::sell,
                i % 2 == 0 ? 990 : 1010, 10);
    const auto hash = [](const SmallDay& recorded) {
        Rematch rematch{{.instruments = 4, .orders = 4'096}, {}};
        recorded.replay(rematch);
        rematch.finish();
        return rematch.state_hash();
    };
    const std::uint64_t before = hash(day);
    EXPECT_EQ(hash(day), before);
    EXPECT_NE(hash(day.remove(300, 7)), before);
}

}  // namespace
}  // namespace damrak::replay::rematch_test
