// The last trades, read from another thread.
#include <damrak/feed/trade_tape.hpp>

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::feed::trade_tape_test {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Tape : public ::testing::Test {
  protected:
    void trade(std::int64_t quantity) {
        Event event{};
        event.kind = EventKind::executed;
        event.side = Side::sell;
        event.instrument = {1};
        event.quantity = {quantity};
        tape_.on_event(event, {});
        event.side = Side::buy;
        event.flags = EventFlags::k_aggressor;
        tape_.on_event(event, {});
    }
    std::vector<std::int64_t> quantities_after(std::uint64_t after) {
        std::vector<std::int64_t> quantities;
        traded_ = tape_.for_each_after(after, [&](const TapeTrade& trade) {
            EXPECT_EQ(trade.aggressor, Side::buy);
            quantities.push_back(trade.quantity.value);
        });
        return quantities;
    }

    TradeTape tape_;
    std::uint64_t traded_ = 0;
};

TEST_F(Tape, HasATradeOnceWithTheSideOfItsAggressor) {
    trade(10);
    tape_.on_event({}, {});
    trade(20);
    EXPECT_THAT(quantities_after(0), ElementsAre(10, 20));
    EXPECT_EQ(traded_, 2U);
    EXPECT_THAT(quantities_after(1), ElementsAre(20));
    EXPECT_THAT(quantities_after(2), IsEmpty());
}

TEST_F(Tape, KeepsTheLastOnes) {
    for (std::int64_t i = 1; i <= 1'200; ++i) trade(i);
    const auto kept = quantities_after(3);
    ASSERT_EQ(kept.size(), TradeTape::k_trades);
    EXPECT_EQ(kept.front(), 701);
    EXPECT_EQ(kept.back(), 1'200);
}

TEST_F(Tape, ReportsAllOfAnotherRun) {
    trade(10);
    EXPECT_THAT(quantities_after(1'000), ElementsAre(10));
    EXPECT_EQ(traded_, 1U);
}

}  // namespace
}  // namespace damrak::feed::trade_tape_test
