// Commands made with named parameters: each has exactly the fields of its kind.
#include <damrak/domain/make_command.hpp>

#include <cstring>

#include <gtest/gtest.h>

namespace damrak::make_command_test {
namespace {

constexpr InstrumentId k_stock{3};
constexpr ParticipantId k_alice{7};

bool same(const Command& made, const Command& expected) {
    return std::memcmp(&made, &expected, sizeof made) == 0;
}

Command of_alice(CommandKind kind) {
    Command command{};
    command.kind = kind;
    command.instrument = k_stock;
    command.participant = k_alice;
    return command;
}

// At no cost: an order of constants is a constant.
static_assert(limit_order({.price{100'100}}).price == Price{100'100});

TEST(MakeCommand, ALimitOrderIsForTheDayUnlessItSaysOtherwise) {
    Command expected = of_alice(CommandKind::new_order);
    expected.side = Side::sell;
    expected.price = Price{100'100};
    expected.quantity = Quantity{200};
    EXPECT_TRUE(same(limit_order({.instrument = k_stock,
                                  .participant = k_alice,
                                  .side = Side::sell,
                                  .price{100'100},
                                  .quantity{200}}),
                     expected));
}

TEST(MakeCommand, ALimitOrderHasEachTermThatItNames) {
    Command expected = of_alice(CommandKind::new_order);
    expected.side = Side::sell;
    expected.time_in_force = TimeInForce::gtd;
    expected.self_trade_prevention = SelfTradePrevention::cancel_both;
    expected.flags = CommandFlags::k_hidden | CommandFlags::k_post_only;
    expected.order_id = OrderId{11};
    expected.client_order_id = ClientOrderId{12};
    expected.price = Price{100'100};
    expected.quantity = Quantity{200};
    expected.order = {
        .display_quantity = Quantity{50}, .minimum_quantity = Quantity{20}, .expire_time{99}};
    EXPECT_TRUE(same(limit_order({.instrument = k_stock,
                                  .participant = k_alice,
                                  .side = Side::sell,
                                  .price{100'100},
                                  .quantity{200},
                                  .time_in_force = TimeInForce::gtd,
                                  .expire_time{99},
                                  .display_quantity{50},
                                  .minimum_quantity{20},
                                  .hidden = true,
                                  .post_only = true,
                                  .self_trade_prevention = SelfTradePrevention::cancel_both,
                                  .order_id{11},
                                  .client_order_id{12}}),
                     expected));
}

TEST(MakeCommand, AMarketOrderHasNoPrice) {
    Command expected = of_alice(CommandKind::new_order);
    expected.side = Side::sell;
    expected.order_type = OrderType::market;
    expected.time_in_force = TimeInForce::gtd;
    expected.self_trade_prevention = SelfTradePrevention::skip_own;
    expected.order_id = OrderId{11};
    expected.client_order_id = ClientOrderId{12};
    expected.quantity = Quantity{200};
    expected.order.expire_time = Timestamp{99};
    const MarketOrderDetails order{.instrument = k_stock,
                                   .participant = k_alice,
                                   .side = Side::sell,
                                   .quantity{200},
                                   .time_in_force = TimeInForce::gtd,
                                   .expire_time{99},
                                   .self_trade_prevention = SelfTradePrevention::skip_own,
                                   .order_id{11},
                                   .client_order_id{12}};
    EXPECT_TRUE(same(market_order(order), expected));
    expected.order_type = OrderType::stop;
    expected.order.stop_price = Price{99'000};
    EXPECT_TRUE(same(stop_order(Price{99'000}, order), expected)) << "a stop order becomes it";
}

TEST(MakeCommand, AStopLimitOrderIsALimitOrderOnceTheStopPriceTrades) {
    const LimitOrderDetails then{.instrument = k_stock, .participant = k_alice, .price{98'000}};
    Command expected = limit_order(then);
    expected.order_type = OrderType::stop_limit;
    expected.order.stop_price = Price{99'000};
    EXPECT_TRUE(same(stop_limit_order(Price{99'000}, then), expected));
}

TEST(MakeCommand, ACancelIsOfTheWholeOrderOrOfAPart) {
    Command expected = of_alice(CommandKind::cancel_order);
    expected.order_id = OrderId{11};
    EXPECT_TRUE(same(cancel_order({.instrument = k_stock, .participant = k_alice, .order_id{11}}),
                     expected));
    expected.quantity = Quantity{30};
    expected.client_order_id = ClientOrderId{12};
    EXPECT_TRUE(same(cancel_order({.instrument = k_stock,
                                   .participant = k_alice,
                                   .order_id{11},
                                   .quantity{30},
                                   .client_order_id{12}}),
                     expected));
}

TEST(MakeCommand, AReplaceHasTheNewTerms) {
    Command expected = of_alice(CommandKind::replace_order);
    expected.flags = CommandFlags::k_quantity_is_total | CommandFlags::k_lose_priority;
    expected.order_id = OrderId{11};
    expected.client_order_id = ClientOrderId{12};
    expected.new_order_id = OrderId{13};
    expected.price = Price{100'200};
    expected.quantity = Quantity{300};
    expected.order.stop_price = Price{99'000};
    EXPECT_TRUE(same(replace_order({.instrument = k_stock,
                                    .participant = k_alice,
                                    .order_id{11},
                                    .price{100'200},
                                    .quantity{300},
                                    .quantity_is_total = true,
                                    .lose_priority = true,
                                    .stop_price{99'000},
                                    .new_order_id{13},
                                    .client_order_id{12}}),
                     expected));
}

TEST(MakeCommand, AMassCancelIsOfBothSidesUnlessItNamesOne) {
    Command expected = of_alice(CommandKind::mass_cancel);
    expected.flags = CommandFlags::k_both_sides;
    EXPECT_TRUE(same(mass_cancel({.instrument = k_stock, .participant = k_alice}), expected));
    expected.flags = 0;
    expected.side = Side::sell;
    EXPECT_TRUE(
        same(mass_cancel({.instrument = k_stock, .participant = k_alice, .side = Side::sell}),
             expected));
}

TEST(MakeCommand, AnInstrumentIsAddedAsItIsDefined) {
    const InstrumentDefinition definition{.id = k_stock,
                                          .symbol = Symbol::of("DMRK"),
                                          .tick_bands{{{Price{-500}, Price{50}}}},
                                          .price_decimals = 3,
                                          .unpublished = true,
                                          .shard_group = 2,
                                          .lot_size{10},
                                          .maximum_price{900'000},
                                          .maximum_quantity{5'000}};
    EXPECT_EQ(add_instrument(definition).kind, CommandKind::add_instrument);
    EXPECT_EQ(definition_of(add_instrument(definition)), definition);
}

TEST(MakeCommand, ForAParticipantForTimeAndForTheEndOfADay) {
    const LimitDetails limits{.order_quantity{500}};
    EXPECT_EQ(set_limits(k_alice, limits).kind, CommandKind::set_limits);
    EXPECT_EQ(set_limits(k_alice, limits).participant, k_alice);
    EXPECT_EQ(set_limits(k_alice, limits).limits, limits);
    EXPECT_EQ(tick(Timestamp{99}).kind, CommandKind::tick);
    EXPECT_EQ(tick(Timestamp{99}).timestamp, Timestamp{99});
    EXPECT_EQ(end_day(k_stock).kind, CommandKind::end_day);
    EXPECT_EQ(end_day(k_stock).instrument, k_stock);
    EXPECT_FALSE(end_day().instrument);
}

}  // namespace
}  // namespace damrak::make_command_test
