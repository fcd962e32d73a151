// The vocabulary of the market: identifiers, measures and the enumerations of order terms.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>

namespace damrak::vocabulary_test {
namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) { a < b; };
template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };

// A price cannot be passed as a quantity, nor an order id as a participant.
static_assert(!std::is_convertible_v<Price, Quantity> && !Comparable<Price, Quantity>);
static_assert(!Addable<Price, Quantity> && !Addable<Price, std::int64_t>);
static_assert(!std::is_convertible_v<OrderId, ClientOrderId> && !Comparable<OrderId, TradeId>);
static_assert(!std::is_convertible_v<std::uint32_t, ParticipantId>);
static_assert(sizeof(Price) == 8 && sizeof(OrderId) == 8 && sizeof(InstrumentId) == 4);

TEST(Measures, AddSubtractAndCompareLikeCounts) {
    Price price{100};
    price += Price{50};
    price -= Price{20};
    EXPECT_EQ(price, Price{130});
    EXPECT_EQ(Price{3} - Price{5}, Price{-2});
    EXPECT_EQ(-Quantity{7}, Quantity{-7});
    EXPECT_LT(Timestamp{1}, Timestamp{2});
}

TEST(Identifiers, AreFalseWhenTheyNameNothing) {
    EXPECT_FALSE(OrderId{});
    EXPECT_TRUE(OrderId{1});
    EXPECT_LT(OrderId{1}, OrderId{2});
}

// Decision "Order ids": instrument_index << 40 | n, the index from 0, n from 1.
TEST(AllocatedId, CountsOneTwoThreeInTheFirstInstrument) {
    EXPECT_EQ(allocated_id(InstrumentId{1}, 1), 1U);
    EXPECT_EQ(allocated_id(InstrumentId{1}, 3), 3U);
}

TEST(AllocatedId, HasTheInstrumentIndexAboveBitForty) {
    EXPECT_EQ(allocated_id(InstrumentId{2}, 1), (std::uint64_t{1} << 40U) + 1);
    EXPECT_EQ(allocated_id(InstrumentId{k_maximum_instruments}, 5),
              (std::uint64_t{0xFF'FFFF} << 40U) + 5);
}

template <class Enum>
int count_valid() {
    int valid = 0;
    for (unsigned byte = 0; byte < 256; ++byte) valid += is_valid(static_cast<Enum>(byte)) ? 1 : 0;
    return valid;
}

// A byte from outside may be anything: exactly the named values are valid.
TEST(OrderTerms, AcceptOnlyTheirOwnValuesAmongAllBytes) {
    EXPECT_EQ(count_valid<Side>(), 2);
    EXPECT_EQ(count_valid<OrderType>(), 4);
    EXPECT_EQ(count_valid<TimeInForce>(), 8);
    EXPECT_EQ(count_valid<SelfTradePrevention>(), 6);
    EXPECT_EQ(count_valid<TradingState>(), 2);
    EXPECT_EQ(count_valid<ParticipantState>(), 2);
    EXPECT_EQ(count_valid<MatchingPolicy>(), 1);
}

TEST(OrderTerms, TellOppositeSides) {
    EXPECT_EQ(opposite(Side::buy), Side::sell);
    EXPECT_EQ(opposite(Side::sell), Side::buy);
}

TEST(OrderTerms, TellWhichTypesWaitAndWhichHaveALimit) {
    EXPECT_FALSE(is_stop(OrderType::limit));
    EXPECT_FALSE(is_stop(OrderType::market));
    EXPECT_TRUE(is_stop(OrderType::stop));
    EXPECT_TRUE(is_stop(OrderType::stop_limit));
    EXPECT_TRUE(has_limit(OrderType::limit));
    EXPECT_FALSE(has_limit(OrderType::market));
    EXPECT_FALSE(has_limit(OrderType::stop));
    EXPECT_TRUE(has_limit(OrderType::stop_limit));
}

TEST(OrderTerms, TellWhichTimesInForceMayNotRest) {
    EXPECT_FALSE(is_immediate(TimeInForce::day));
    EXPECT_FALSE(is_immediate(TimeInForce::gtc));
    EXPECT_FALSE(is_immediate(TimeInForce::gtd));
    EXPECT_TRUE(is_immediate(TimeInForce::ioc));
    EXPECT_TRUE(is_immediate(TimeInForce::fok));
}

// Every journal ever written contains these values: append only, never change one.
TEST(OrderTerms, KeepTheirNumbers) {
    EXPECT_EQ(static_cast<int>(CommandKind::new_order), 1);
    EXPECT_EQ(static_cast<int>(CommandKind::end_day), 12);
    EXPECT_EQ(static_cast<int>(CommandKind::release_participant), 14);
    EXPECT_EQ(static_cast<int>(CommandKind::recorded_trade), 16);
    EXPECT_EQ(static_cast<int>(CommandKind::session_opened), 32);
    EXPECT_EQ(static_cast<int>(CommandKind::session_closed), 33);
    EXPECT_EQ(static_cast<int>(CommandKind::day_opened), 34);
    EXPECT_EQ(static_cast<int>(CommandKind::day_closed), 35);
    EXPECT_EQ(static_cast<int>(EventKind::accepted), 1);
    EXPECT_EQ(static_cast<int>(EventKind::day_ended), 17);
    EXPECT_EQ(static_cast<int>(Reason::invalid_limits), 41);
    EXPECT_EQ(static_cast<int>(Reason::requested), 64);
    EXPECT_EQ(static_cast<int>(Reason::end_of_day), 74);
}

}  // namespace
}  // namespace damrak::vocabulary_test
