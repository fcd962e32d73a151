// Allocation among resting orders: worked examples of each policy of docs/rule-book/allocation.md.

#include <damrak/auction/allocation.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::auction::allocation_test {
namespace {

using ::testing::ElementsAre;

constexpr auto k_down = static_cast<std::uint8_t>(Rounding::down);
constexpr auto k_up = static_cast<std::uint8_t>(Rounding::up);

RestingOrder order(std::int64_t quantity) { return {.quantity{quantity}}; }
RestingOrder top_order(std::int64_t quantity) { return {.quantity{quantity}, .top = true}; }
constexpr std::array<std::uint16_t, k_most_lead_makers> k_percentages{10, 20, 25, 40,
                                                                      50, 60, 80, 100};
/// Of the lead maker with this percentage.
RestingOrder lead_maker(std::int64_t quantity, std::uint16_t per_cent) {
    const auto at = std::ranges::find(k_percentages, per_cent) - k_percentages.begin();
    return {.quantity{quantity}, .lead_maker = static_cast<std::uint8_t>(at + 1)};
}
RestingOrder of_broker(std::int64_t quantity, std::uint32_t broker) {
    return {.quantity{quantity}, .broker{broker}};
}

std::vector<std::int64_t> fills_of(const AllocationDetails& rules,
                                   const std::vector<RestingOrder>& orders,
                                   const IncomingOrder& incoming, std::int64_t lot = 1) {
    AllocationPolicy policy{.rules = rules, .lot = Quantity{lot}};
    for (std::size_t i = 0; i < k_most_lead_makers; ++i)
        policy.lead_basis_points.at(i) = static_cast<std::uint16_t>(k_percentages.at(i) * 100);
    std::vector<Quantity> fills(orders.size(), Quantity{-1});
    std::vector<std::uint32_t> scratch(orders.size());
    const Quantity filled = allocate(policy, incoming, orders, fills, scratch);
    std::vector<std::int64_t> counts;
    Quantity sum{};
    for (const Quantity fill : fills) {
        counts.push_back(fill.value);
        sum += fill;
    }
    EXPECT_EQ(filled, sum);
    return counts;
}

std::vector<std::int64_t> fills_of(const AllocationDetails& rules,
                                   const std::vector<RestingOrder>& orders, std::int64_t incoming,
                                   std::int64_t lot = 1) {
    return fills_of(rules, orders, IncomingOrder{Quantity{incoming}}, lot);
}

TEST(PriceTime, FillsTheEarliestFirst) {
    EXPECT_THAT(fills_of(price_time_policy(), {order(10), order(20), order(30)}, 25),
                ElementsAre(10, 15, 0));
}

TEST(Allocation, FillsAllOrdersWholeWhereEnoughComesIn) {
    const std::vector orders{top_order(5), lead_maker(7, 20), order(9)};
    for (const AllocationDetails& policy :
         {price_time_policy(), size_time_policy(), cme_a_policy(), cme_c_policy(),
          cme_k_policy(4'000, Quantity{2}, true), cme_o_policy(Quantity{1}, Quantity{2}),
          cme_q_policy(Quantity{1}, Quantity{2}), cme_s_policy(), cme_t_policy()}) {
        EXPECT_THAT(fills_of(policy, orders, 21), ElementsAre(5, 7, 9));
        EXPECT_THAT(fills_of(policy, orders, 1'000), ElementsAre(5, 7, 9));
    }
}

TEST(Allocation, OfNothingIsNothing) {
    EXPECT_THAT(fills_of(cme_a_policy(), {}, 10), ElementsAre());
    EXPECT_THAT(fills_of(cme_k_policy(4'000, Quantity{1}, true), {order(4), order(6)}, 0),
                ElementsAre(0, 0));
}

TEST(CmeA, FillsTheTopOrderThenProRataOfAtLeastTwoThenByTime) {
    EXPECT_THAT(
        fills_of(cme_a_policy(), {top_order(20), order(7), order(30), order(60), order(83)}, 100),
        ElementsAre(20, 3 + 2, 13, 26, 36));
}

TEST(CmeA, TakesASharePerOrderBelowTheMinimumAsZero) {
    // Shares of 10 among 94, 3, 3: 9, 0, 0. Of 70: 65, 2, 2, and one more by time.
    EXPECT_THAT(fills_of(cme_a_policy(), {order(3), order(94), order(3)}, 10),
                ElementsAre(1, 9, 0));
    EXPECT_THAT(fills_of(cme_a_policy(), {order(3), order(94), order(3)}, 70),
                ElementsAre(2 + 1, 65, 2));
    EXPECT_THAT(fills_of(cme_a_policy(), {order(50), order(2), order(48)}, 60),
                ElementsAre(30 + 2, 0, 28));
}

TEST(CmeC, GivesLotsLostInRoundingToTheEarliest) {
    EXPECT_THAT(fills_of(cme_c_policy(), {order(3), order(40), order(57)}, 30),
                ElementsAre(1, 12, 17));
}

TEST(CmeO, LimitsWhatTheTopOrderGets) {
    const AllocationDetails policy = cme_o_policy(Quantity{1}, Quantity{100});
    EXPECT_THAT(fills_of(policy, {top_order(150), order(8), order(160)}, 200),
                ElementsAre(100 + 22 + 2, 3, 73));
}

TEST(CmeQ, ServesLeadMarketMakersAfterTheTopOrder) {
    const AllocationDetails policy = cme_q_policy(Quantity{1}, Quantity{250});
    EXPECT_THAT(fills_of(policy, {top_order(300), order(15), lead_maker(160, 40)}, 400),
                ElementsAre(250 + 27 + 1, 8, 60 + 54));
}

TEST(CmeK, LevelsOrdersThatProRataGaveNothingTheLargerFirst) {
    const AllocationDetails policy = cme_k_policy(4'000, Quantity{2}, true);
    EXPECT_THAT(
        fills_of(policy, {top_order(1), order(100), order(30), order(80), order(30), order(60)}, 8),
        ElementsAre(1, 3 + 1, 1, 1, 0, 1));
}

TEST(CmeK, GoesThroughAllItsSteps) {
    const AllocationDetails policy = cme_k_policy(4'000, Quantity{2}, true);
    const std::vector orders{top_order(4), lead_maker(50, 10), lead_maker(40, 20),
                             order(100),   order(2),           order(3)};
    EXPECT_THAT(fills_of(policy, orders, 104), ElementsAre(4, 10 + 28 + 3 + 1, 20 + 6, 30, 1, 1));
}

TEST(CmeK, WithoutLevelingGivesTheRestByTime) {
    const AllocationDetails policy = cme_k_policy(4'000, Quantity{2}, false);
    EXPECT_THAT(
        fills_of(policy, {top_order(1), order(100), order(30), order(80), order(30), order(60)}, 8),
        ElementsAre(1, 3 + 4, 0, 0, 0, 0));
}

TEST(CmeK, RoundsTheSplitAsThePolicySays) {
    // 50 % of 5 is 2.5; the other half goes pro rata: nothing to the small, all to the large.
    AllocationDetails policy = cme_k_policy(5'000, Quantity{1}, false);
    const std::vector orders{order(3), order(1'000)};
    EXPECT_THAT(fills_of(policy, orders, 5), ElementsAre(3, 2));  // 3 by time, 2 pro rata
    policy.split_rounding = k_down;
    EXPECT_THAT(fills_of(policy, orders, 5), ElementsAre(2 + 1, 2));  // 2, 2, then 1 by time
    const std::vector larger{order(4), order(1'000)};
    policy.split_rounding = k_up;
    EXPECT_THAT(fills_of(policy, larger, 7), ElementsAre(4, 3));
    policy.split_rounding = k_down;
    EXPECT_THAT(fills_of(policy, larger, 7), ElementsAre(3 + 1, 3));
}

TEST(CmeS, ServesTheTopOrderThenLeadMarketMakersThenTime) {
    EXPECT_THAT(fills_of(cme_s_policy(), {order(10), top_order(6), lead_maker(10, 50)}, 16),
                ElementsAre(5, 6, 5));
}

TEST(CmeT, ServesLeadMarketMakersThenTime) {
    EXPECT_THAT(fills_of(cme_t_policy(),
                         {order(10), lead_maker(10, 10), lead_maker(10, 20), order(10)}, 30),
                ElementsAre(10, 3 + 7, 6 + 4, 0));
}

TEST(CmeT, CapsTheShareOfALeadMarketMakerByItsOrder) {
    EXPECT_THAT(fills_of(cme_t_policy(), {order(30), lead_maker(5, 40)}, 20), ElementsAre(15, 5));
}

TEST(CmeT, ServesTheEarlierWherePercentagesPromiseTooMuch) {
    EXPECT_THAT(fills_of(cme_t_policy(), {order(9), lead_maker(90, 80), lead_maker(90, 60)}, 10),
                ElementsAre(0, 8, 2));
}

// Otherwise many small orders would get a multiple of it.
TEST(CmeT, GivesALeadMarketMakerItsShareOnceHoweverManyOrdersItHas) {
    EXPECT_THAT(
        fills_of(cme_t_policy(),
                 {order(90), lead_maker(10, 20), lead_maker(30, 10), lead_maker(40, 20)}, 100),
        ElementsAre(90 - 20, 10, 10, 10));
}

TEST(SizeTime, FillsTheLargestFirstAndOfEqualOnesTheEarliest) {
    EXPECT_THAT(fills_of(size_time_policy(), {order(10), order(30), order(5), order(30)}, 45),
                ElementsAre(0, 30, 0, 15));
}

TEST(PriceBrokerTime, FillsOrdersOfTheSameBrokerFirst) {
    const std::vector orders{of_broker(10, 1), of_broker(10, 2), of_broker(10, 1),
                             of_broker(10, 2)};
    EXPECT_THAT(fills_of(price_broker_time_policy(), orders, {Quantity{25}, ParticipantId{2}}),
                ElementsAre(5, 10, 0, 10));
}

TEST(PriceBrokerTime, KnowsNoPreferenceWithoutABroker) {
    const std::vector orders{of_broker(10, 1), of_broker(10, 0)};
    EXPECT_THAT(fills_of(price_broker_time_policy(), orders, 12), ElementsAre(10, 2));
}

TEST(Allocation, GivesWholeLots) {
    // 33 % of 10 lots: 3 by time. Pro rata of 7: 2.8, 3.5 and 0.7 lots. Leveling: 1. Time: 1.
    EXPECT_THAT(fills_of(cme_k_policy(3'300, Quantity{1}, true),
                         {order(700), order(500), order(100)}, 1'000, 100),
                ElementsAre(300 + 200 + 100, 300, 100));
    EXPECT_THAT(fills_of(cme_t_policy(), {order(900), lead_maker(900, 25)}, 1'000, 100),
                ElementsAre(800, 200));
}

TEST(Allocation, DoesNotOverflowOnLargeQuantities) {
    constexpr std::int64_t k_large = std::numeric_limits<std::int64_t>::max() / 4;
    EXPECT_THAT(fills_of(cme_c_policy(), {order(k_large), order(k_large)}, k_large - 1),
                ElementsAre(k_large / 2, k_large / 2));
}

TEST(AllocationRules, AreSoundIfTheStepsFitTogether) {
    using enum AllocationStep;
    const auto sound = [](AllocationDetails rules) { return is_sound(rules); };
    for (const AllocationDetails& rules :
         {price_time_policy(), size_time_policy(), price_broker_time_policy(), cme_a_policy(),
          cme_c_policy(), cme_k_policy(10'000, Quantity{2}, true),
          cme_k_policy(0, Quantity{0}, false), cme_o_policy(Quantity{5}, Quantity{5}),
          cme_q_policy(Quantity{0}, Quantity{0}), cme_s_policy(), cme_t_policy()})
        EXPECT_TRUE(sound(rules));
    EXPECT_FALSE(sound({.steps = {static_cast<AllocationStep>(8)}}));
    EXPECT_FALSE(sound({.steps = {none, pro_rata}}));
    EXPECT_FALSE(sound({.steps = {top, pro_rata, top}}));
    EXPECT_FALSE(sound({.steps = {leveling}}));
    EXPECT_FALSE(sound({.steps = {pro_rata, top, leveling}}));
    EXPECT_FALSE(sound({.steps = {pro_rata}, .split_basis_points = 1}));
    EXPECT_FALSE(sound(cme_k_policy(10'001, Quantity{1}, true)));
    EXPECT_FALSE(sound({.steps = {split}, .split_rounding = 3}));
    EXPECT_FALSE(sound(cme_o_policy(Quantity{-1}, Quantity{1})));
    EXPECT_FALSE(sound(cme_o_policy(Quantity{2}, Quantity{1})));
    EXPECT_FALSE(sound(cme_k_policy(10, Quantity{-1}, true)));
}

}  // namespace
}  // namespace damrak::auction::allocation_test
