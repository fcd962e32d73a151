// Where each field of a command and of an event lies. The journal contains these bytes, so a change
// here requires a new schema version, never an edit of this table.

#include <array>
#include <cstddef>
#include <cstring>

#include <gtest/gtest.h>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>

namespace damrak::layout_test {
namespace {

TEST(CommandLayout, IsTwoCacheLinesOfSchemaVersionOne) {
    EXPECT_EQ(sizeof(Command), 128U);
    EXPECT_EQ(alignof(Command), 64U);
    EXPECT_EQ(k_command_schema_version, 1);
    EXPECT_EQ(Command{}.schema_version, 1);
}

TEST(CommandLayout, HasTheFieldsOfAPlainOrderInTheFirstLine) {
    EXPECT_EQ(offsetof(Command, kind), 0U);
    EXPECT_EQ(offsetof(Command, schema_version), 1U);
    EXPECT_EQ(offsetof(Command, side), 2U);
    EXPECT_EQ(offsetof(Command, order_type), 3U);
    EXPECT_EQ(offsetof(Command, time_in_force), 4U);
    EXPECT_EQ(offsetof(Command, self_trade_prevention), 5U);
    EXPECT_EQ(offsetof(Command, flags), 6U);
    EXPECT_EQ(offsetof(Command, instrument), 8U);
    EXPECT_EQ(offsetof(Command, participant), 12U);
    EXPECT_EQ(offsetof(Command, timestamp), 16U);
    EXPECT_EQ(offsetof(Command, order_id), 24U);
    EXPECT_EQ(offsetof(Command, client_order_id), 32U);
    EXPECT_EQ(offsetof(Command, price), 40U);
    EXPECT_EQ(offsetof(Command, quantity), 48U);
    EXPECT_EQ(offsetof(Command, new_order_id), 56U);
}

TEST(CommandLayout, HasTheFieldsOfItsKindInTheSecondLine) {
    EXPECT_EQ(offsetof(Command, order), 64U);
    EXPECT_EQ(offsetof(Command, definition), 64U);
    EXPECT_EQ(offsetof(Command, tick_band), 64U);
    EXPECT_EQ(offsetof(Command, trading_state), 64U);
    EXPECT_EQ(offsetof(Command, participant_state), 64U);
    EXPECT_EQ(offsetof(Command, limits), 64U);
    EXPECT_EQ(sizeof(Command::raw), 64U);
}

TEST(CommandLayout, HasTheDetailsOfAnOrder) {
    EXPECT_EQ(offsetof(OrderDetails, stop_price), 0U);
    EXPECT_EQ(offsetof(OrderDetails, display_quantity), 8U);
    EXPECT_EQ(offsetof(OrderDetails, minimum_quantity), 16U);
    EXPECT_EQ(offsetof(OrderDetails, expire_time), 24U);
    EXPECT_EQ(offsetof(OrderDetails, offset), 32U);
    EXPECT_EQ(offsetof(OrderDetails, peg), 40U);
    EXPECT_EQ(sizeof(OrderDetails), 48U);
}

TEST(CommandLayout, HasTheDetailsOfAnInstrument) {
    EXPECT_EQ(offsetof(InstrumentDetails, symbol), 0U);
    EXPECT_EQ(offsetof(InstrumentDetails, tick_size), 16U);
    EXPECT_EQ(offsetof(InstrumentDetails, maximum_price), 24U);
    EXPECT_EQ(offsetof(InstrumentDetails, lot_size), 32U);
    EXPECT_EQ(offsetof(InstrumentDetails, maximum_quantity), 40U);
    EXPECT_EQ(offsetof(InstrumentDetails, shard_group), 48U);
    EXPECT_EQ(offsetof(InstrumentDetails, price_decimals), 50U);
    EXPECT_EQ(offsetof(InstrumentDetails, policy), 51U);
    EXPECT_EQ(offsetof(InstrumentDetails, unpublished), 52U);
}

TEST(CommandLayout, HasTheLimitsOfAParticipant) {
    EXPECT_EQ(offsetof(LimitDetails, order_quantity), 0U);
    EXPECT_EQ(offsetof(LimitDetails, order_notional), 8U);
    EXPECT_EQ(offsetof(LimitDetails, open_orders), 16U);
    EXPECT_EQ(offsetof(LimitDetails, open_notional), 24U);
    EXPECT_EQ(offsetof(LimitDetails, position), 32U);
    EXPECT_EQ(LimitDetails{}.position.value, LimitDetails::k_unlimited);
}

TEST(CommandLayout, StartsWithEveryByteZeroButTheVersion) {
    const Command command{};
    std::array<unsigned char, sizeof(Command)> bytes{};
    std::memcpy(bytes.data(), &command, sizeof(command));
    EXPECT_EQ(bytes[1], k_command_schema_version);
    bytes[1] = 0;
    for (std::size_t i = 0; i < offsetof(Command, order) + sizeof(OrderDetails); ++i)
        EXPECT_EQ(bytes[i], 0) << "at " << i;
}

TEST(EventLayout, IsOneCacheLineWithoutHoles) {
    EXPECT_EQ(sizeof(Event), 64U);
    EXPECT_EQ(alignof(Event), 64U);
    EXPECT_EQ(offsetof(Event, kind), 0U);
    EXPECT_EQ(offsetof(Event, command), 1U);
    EXPECT_EQ(offsetof(Event, side), 2U);
    EXPECT_EQ(offsetof(Event, order_type), 3U);
    EXPECT_EQ(offsetof(Event, time_in_force), 4U);
    EXPECT_EQ(offsetof(Event, reason), 5U);
    EXPECT_EQ(offsetof(Event, flags), 6U);
    EXPECT_EQ(offsetof(Event, instrument), 8U);
    EXPECT_EQ(offsetof(Event, participant), 12U);
    EXPECT_EQ(offsetof(Event, order_id), 16U);
    EXPECT_EQ(offsetof(Event, reference), 24U);
    EXPECT_EQ(offsetof(Event, price), 32U);
    EXPECT_EQ(offsetof(Event, quantity), 40U);
    EXPECT_EQ(offsetof(Event, remaining), 48U);
    EXPECT_EQ(offsetof(Event, displayed), 56U);
}

TEST(Event, NamesItsReferenceByItsMeaning) {
    Event event;
    event.reference = 77;
    EXPECT_EQ(event.client_order_id(), ClientOrderId{77});
    EXPECT_EQ(event.trade_id(), TradeId{77});
    EXPECT_EQ(event.new_order_id(), OrderId{77});
    EXPECT_EQ(event.public_id(), OrderId{77});
}

TEST(Flags, AreOneBitEach) {
    Command command{};
    command.flags = CommandFlags::k_post_only;
    EXPECT_TRUE(has_flag(command, CommandFlags::k_post_only));
    EXPECT_FALSE(has_flag(command, CommandFlags::k_hidden));
    Event event;
    event.flags = EventFlags::k_held | EventFlags::k_hidden;
    EXPECT_TRUE(has_flag(event, EventFlags::k_held));
    EXPECT_FALSE(has_flag(event, EventFlags::k_on_book));
}

}  // namespace
}  // namespace damrak::layout_test
