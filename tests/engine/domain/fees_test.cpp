// Fees of trades: by side and participant, and how they round.
#include <damrak/domain/fees.hpp>

#include <gtest/gtest.h>

namespace damrak::fees_test {
namespace {

Event fill(EventFlags::Bits flags) {
    Event event{};
    event.kind = EventKind::executed;
    event.flags = flags;
    return event;
}

TEST(Fees, AreByTheSideOfTheTradeAndTheGroupOfItsOwner) {
    const FeeRates all{.maker = {.per_share = 1}, .taker = {.per_share = 2}, .auction = {3, 0}};
    EXPECT_EQ(all.of(fill(0)).per_share, 1);
    EXPECT_EQ(all.of(fill(EventFlags::k_aggressor)).per_share, 2);
    EXPECT_EQ(all.of(fill(EventFlags::k_cross)).per_share, 3);
    EXPECT_EQ(all.of(fill(EventFlags::k_cross | EventFlags::k_aggressor)).per_share, 3);
    const Fees fees{.all = all,
                    .groups = {{.name = "", .participants = {ParticipantId{4}}, .rates = {}}}};
    EXPECT_EQ(fees.of(ParticipantId{3}), all);
    EXPECT_EQ(fees.of(ParticipantId{4}), FeeRates{});
    EXPECT_TRUE(fees.exist());
    EXPECT_FALSE(Fees{}.exist());
}

TEST(Fees, AShareCostsAnAmountAndAPartOfTheValue) {
    // 0.003 a share of 200 shares; 0.1 % of 200 at 10.01.
    EXPECT_EQ(fee_of({.per_share = 3'000'000}, Price{100'100}, Quantity{200}, 4), 6'000);
    EXPECT_EQ(fee_of({.millionths = 1'000}, Price{100'100}, Quantity{200}, 4), 20'020);
    EXPECT_EQ(fee_of({3'000'000, 1'000}, Price{100'100}, Quantity{200}, 4), 26'020);
    EXPECT_EQ(fee_of({.per_share = 3'000'000}, Price{1'001}, Quantity{200}, 2), 60);
    EXPECT_EQ(fee_of({.per_share = -2'000'000}, Price{100'100}, Quantity{200}, 4), -4'000);
    EXPECT_EQ(fee_of({.millionths = 1'000}, Price{-100'100}, Quantity{200}, 4), 20'020)
        << "the value of a trade below zero is not negative";
}

TEST(Fees, RoundHalfAwayFromZeroOnceATrade) {
    // 0.00005 a share, in units of 0.0001.
    EXPECT_EQ(fee_of({.per_share = 50'000}, Price{1}, Quantity{1}, 4), 1);
    EXPECT_EQ(fee_of({.per_share = -50'000}, Price{1}, Quantity{1}, 4), -1);
    EXPECT_EQ(fee_of({.per_share = 49'999}, Price{1}, Quantity{1}, 4), 0);
    EXPECT_EQ(fee_of({.per_share = 50'000}, Price{1}, Quantity{3}, 4), 2);
    EXPECT_EQ(
        fee_of({1'000'000'000'000, 100'000}, Price{2'000'000'000}, Quantity{4'294'967'295}, 4),
        42'949'672'950'000'000 + 858'993'459'000'000'000);
}

}  // namespace
}  // namespace damrak::fees_test
