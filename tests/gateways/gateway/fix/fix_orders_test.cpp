#include <damrak/gateway/fix/fix_orders.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>
#include <damrak/gateway/fix/detail/fix_attachment.hpp>

namespace damrak::gateway::fix::fix_orders_test {
namespace {

constexpr EngineConfig k_engine{.maximum_participants = 8, .maximum_orders = 16};
constexpr ParticipantId k_alice{1};
constexpr ParticipantId k_bob{2};

class FixOrdersTest : public ::testing::Test {
  protected:
    static Origin request(char type, const std::string& name) {
        FixNote note{.name = {}, .request = type};
        note.set_name(name);
        return {.session = session_at(k_fix_gateway, 3), .inbound_sequence = 1, .tag = note.tag()};
    }
    FixOrders::Applied accept(std::uint64_t id, const std::string& name, std::int64_t quantity = 10,
                              Price stop = {}) {
        return orders_.apply({.kind = EventKind::accepted,
                              .command = CommandKind::new_order,
                              .instrument = InstrumentId{1},
                              .participant = k_alice,
                              .order_id = OrderId{id},
                              .price = Price{500},
                              .quantity = Quantity{quantity},
                              .remaining = Quantity{quantity}},
                             request('D', name), {.terms = {.stop = stop}});
    }
    FixOrders::Applied execute(std::uint64_t id, std::int64_t quantity, std::int64_t left,
                               std::int64_t price = 500) {
        return orders_.apply({.kind = EventKind::executed,
                              .participant = k_alice,
                              .order_id = OrderId{id},
                              .price = Price{price},
                              .quantity = Quantity{quantity},
                              .remaining = Quantity{left}},
                             {}, {});
    }
    FixOrders::Applied cancel(std::uint64_t id, const Origin& origin = {}) {
        return orders_.apply({.kind = EventKind::cancelled,
                              .command = CommandKind::cancel_order,
                              .participant = k_alice,
                              .order_id = OrderId{id},
                              .quantity = Quantity{10}},
                             origin, {});
    }
    [[nodiscard]] const FixOrder* named(const std::string& name,
                                        ParticipantId who = k_alice) const {
        return orders_.find(who, name);
    }
    [[nodiscard]] bool is_taken(const std::string& name) const {
        return orders_.is_taken(k_alice, name);
    }

    FixOrders orders_{k_engine, 4};
};

TEST_F(FixOrdersTest, KnowsAnOrderByItsName) {
    accept(7, "a");
    ASSERT_NE(named("a"), nullptr);
    EXPECT_EQ(named("a")->id, OrderId{7});
    EXPECT_EQ(named("a")->member, 3U);
    EXPECT_EQ(named("a", k_bob), nullptr);
    EXPECT_EQ(named("b"), nullptr);
}

TEST_F(FixOrdersTest, OrdersOfOtherGatewaysAreNotItsOwn) {
    EXPECT_EQ(orders_
                  .apply({.kind = EventKind::accepted,
                          .participant = k_alice,
                          .order_id = OrderId{7},
                          .quantity = Quantity{1},
                          .remaining = Quantity{1}},
                         {.session = {9}}, {})
                  .order,
              nullptr);
    EXPECT_EQ(execute(7, 1, 0).order, nullptr);
}

TEST_F(FixOrdersTest, AddsUpWhatWasExecuted) {
    accept(7, "a", 10);
    execute(7, 4, 6, 500);
    const FixOrder* const order = execute(7, 6, 0, 600).order;
    ASSERT_NE(order, nullptr);
    EXPECT_EQ(order->executed, Quantity{10});
    EXPECT_EQ(static_cast<std::int64_t>(order->notional), 4 * 500 + 6 * 600);
    EXPECT_EQ(order->state, FixOrderState::filled);
    EXPECT_EQ(orders_.open(), 0U);
}

TEST_F(FixOrdersTest, WhatIsOpenIsWhatIsLeftOfIt) {
    accept(7, "a", 10);
    EXPECT_EQ(execute(7, 4, 6).order->open(), Quantity{6});
    EXPECT_EQ(cancel(7).order->open(), Quantity{0});
}

TEST_F(FixOrdersTest, KeepsTheStopPriceOfTheCommand) {
    const auto replace = [this](Price stop) {
        return orders_
            .apply({.kind = EventKind::replaced,
                    .command = CommandKind::replace_order,
                    .participant = k_alice,
                    .order_id = OrderId{7},
                    .reference = 7,
                    .remaining = Quantity{10}},
                   request('G', "b"), {.terms = {.stop = stop}})
            .order->stop;
    };
    EXPECT_EQ(accept(7, "a", 10, Price{480}).order->stop, Price{480});
    EXPECT_EQ(replace(Price{470}), Price{470});
    EXPECT_EQ(replace(Price{}), Price{470}) << "triggered meanwhile, it had that one";
}

TEST_F(FixOrdersTest, KeepsTheTermsThatNoEventRepeats) {
    const FixTerms terms{.stop = Price{480},
                         .display = Quantity{3},
                         .minimum = Quantity{2},
                         .expiry = Timestamp{77},
                         .post_only = true};
    const auto accepted = [&](std::uint64_t id, const FixTerms& of) {
        return orders_
            .apply({.kind = EventKind::accepted,
                    .participant = k_alice,
                    .order_id = OrderId{id},
                    .quantity = Quantity{10},
                    .remaining = Quantity{10}},
                   request('D', std::to_string(id)), {.terms = of})
            .order;
    };
    EXPECT_EQ(orders_.terms(*accepted(1, terms)), terms);
    EXPECT_EQ(orders_.terms(*accepted(2, {})), FixTerms{});
    EXPECT_EQ(orders_.terms(*accepted(3, {.stop = Price{5}})), FixTerms{.stop = Price{5}});
    // Its place is taken by a usual one.
    cancel(1);
    for (std::uint64_t id = 10; id < 14; ++id) {
        accepted(id, {});
        cancel(id);
    }
    EXPECT_EQ(orders_.terms(*accepted(20, {})), FixTerms{});
}

std::string fields(std::string text) {
    for (char& c : text)
        if (c == '|') c = FixFields::k_end;
    return text;
}

TEST_F(FixOrdersTest, KnowsNamesOfAnyForm) {
    const std::vector<std::string> names{"a",
                                         "twenty-characters-20",
                                         "twenty-characters-201",
                                         "twenty-characters-202",
                                         "123e4567-e89b-12d3-a456-426614174000",
                                         "123E4567-E89B-12D3-A456-426614174000",
                                         "123e4567-E89B-12d3-a456-426614174000",
                                         std::string(64, 'x'),
                                         std::string(63, 'x')};
    std::uint64_t id = 0;
    for (const std::string& name : names) {
        FixNote note{.name = {}, .request = 'D'};
        note.set_name(name);
        const bool begun = note.form == FixNote::Form::begun;
        const std::string rest = begun ? fields("11=" + name.substr(20) + "|") : "";
        EXPECT_EQ(note.full_name(rest).view(), name);
        EXPECT_FALSE(is_taken(name)) << name;
        const auto applied = orders_.apply({.kind = EventKind::accepted,
                                            .participant = k_alice,
                                            .order_id = OrderId{++id},
                                            .quantity = Quantity{10},
                                            .remaining = Quantity{10}},
                                           request('D', name), {.attachment = rest});
        ASSERT_NE(applied.order, nullptr);
        EXPECT_EQ(orders_.name(*applied.order), name);
        EXPECT_EQ(orders_.fields(*applied.order), "");
    }
    id = 0;
    for (const std::string& name : names) {
        ASSERT_NE(named(name), nullptr) << name;
        EXPECT_EQ(named(name)->id, OrderId{++id}) << name;
    }
    EXPECT_FALSE(is_taken("twenty-characters-203"));
    const auto applied = cancel(3, request('F', "123e4567-e89b-12d3-a456-426614174001"));
    EXPECT_EQ(applied.previous, "twenty-characters-201");
    EXPECT_EQ(orders_.name(*applied.order), "123e4567-e89b-12d3-a456-426614174001");
    EXPECT_EQ(named("twenty-characters-201"), nullptr);
    EXPECT_TRUE(is_taken("twenty-characters-201"));
}

TEST_F(FixOrdersTest, KeepsFieldsUntilARequestHasOthers) {
    const auto accepted =
        orders_.apply({.kind = EventKind::accepted,
                       .participant = k_alice,
                       .order_id = OrderId{1},
                       .quantity = Quantity{10},
                       .remaining = Quantity{10}},
                      request('D', "a"), {.attachment = fields("11=rest|1=ACCOUNT|50=DESK|")});
    EXPECT_EQ(orders_.fields(*accepted.order), fields("1=ACCOUNT|50=DESK|"));
    const auto replace = [&](const std::string& attachment) {
        const auto applied =
            orders_.apply({.kind = EventKind::replaced,
                           .command = CommandKind::replace_order,
                           .participant = k_alice,
                           .order_id = OrderId{1},
                           .reference = 1,
                           .remaining = Quantity{10}},
                          request('G', "b" + attachment.substr(0, 5)), {.attachment = attachment});
        return std::string{orders_.fields(*applied.order)};
    };
    EXPECT_EQ(replace(""), fields("1=ACCOUNT|50=DESK|"));
    EXPECT_EQ(replace(fields("11=more|")), fields("1=ACCOUNT|50=DESK|"));
    EXPECT_EQ(replace(fields("1=OTHER|")), fields("1=OTHER|"));
    EXPECT_EQ(orders_.fields(*accept(2, "z").order), "");
}

TEST_F(FixOrdersTest, TheSideOfAShortSaleIsKept) {
    FixNote note{.name = {}, .request = 'D', .flags = FixNote::k_sell_short_exempt};
    note.set_name("s");
    const auto applied =
        orders_.apply({.kind = EventKind::accepted,
                       .side = Side::sell,
                       .participant = k_alice,
                       .order_id = OrderId{1},
                       .quantity = Quantity{1},
                       .remaining = Quantity{1}},
                      {.session = session_at(k_fix_gateway, 3), .tag = note.tag()}, {});
    EXPECT_EQ(applied.order->side_sent, '6');
    EXPECT_EQ(accept(2, "t").order->side_sent, '\0');
}

TEST_F(FixOrdersTest, ACancelGivesTheOrderItsName) {
    accept(7, "a");
    const FixOrders::Applied applied = cancel(7, request('F', "b"));
    EXPECT_TRUE(applied.renamed);
    EXPECT_EQ(orders_.name(*applied.order), "b");
    EXPECT_EQ(applied.previous, "a");
    EXPECT_EQ(named("a"), nullptr);
    EXPECT_TRUE(is_taken("a"));
    EXPECT_EQ(orders_.find_ever(k_alice, "a"), named("b"));
    EXPECT_EQ(named("b")->state, FixOrderState::cancelled) << "remembered for a while";
}

TEST_F(FixOrdersTest, ForgetsTheOldestEndsAndTheirNames) {
    for (std::uint64_t id = 1; id <= 6; ++id) {
        accept(id, "o" + std::to_string(id));
        cancel(id);
    }
    EXPECT_FALSE(is_taken("o1"));
    EXPECT_FALSE(is_taken("o2"));
    EXPECT_TRUE(is_taken("o3"));
    EXPECT_EQ(orders_.find(OrderId{2}), nullptr);
    EXPECT_NE(orders_.find(OrderId{6}), nullptr);
}

TEST_F(FixOrdersTest, AnEarlierNameOutlivesItsOrderAndNamesNoOther) {
    accept(1, "a");
    cancel(1, request('F', "b"));
    for (std::uint64_t id = 2; id <= 6; ++id) {
        accept(id, "o" + std::to_string(id));
        cancel(id);
    }
    EXPECT_TRUE(is_taken("a"));
    EXPECT_EQ(orders_.find_ever(k_alice, "a"), nullptr) << "four others have ended since";
}

TEST_F(FixOrdersTest, AnOpenOrderIsNeverForgotten) {
    accept(100, "keep");
    for (std::uint64_t id = 1; id <= 50; ++id) {
        accept(id, "o" + std::to_string(id));
        cancel(id, request('F', "c" + std::to_string(id)));
    }
    ASSERT_NE(named("keep"), nullptr);
    EXPECT_EQ(orders_.open(), 1U);
    EXPECT_EQ(orders_.at(orders_.first_open(k_alice)).id, OrderId{100});
}

TEST_F(FixOrdersTest, WhoGetsTheNumberOfAReleasedParticipantHasNoneOfItsNamesAndOrders) {
    accept(1, "a");
    cancel(1, request('F', "b"));
    EXPECT_TRUE(orders_.is_of(*orders_.find(OrderId{1}), k_alice));
    static_cast<void>(
        orders_.apply({.kind = EventKind::participant_released, .participant = k_alice}, {}, {}));
    EXPECT_FALSE(is_taken("a"));
    EXPECT_EQ(named("b"), nullptr);
    EXPECT_EQ(orders_.find_ever(k_alice, "a"), nullptr);
    EXPECT_FALSE(orders_.is_of(*orders_.find(OrderId{1}), k_alice));
    accept(2, "a");
    EXPECT_EQ(named("a")->id, OrderId{2});
    EXPECT_TRUE(orders_.is_of(*named("a"), k_alice));
    // Those of before still leave the memory in their turn.
    for (std::uint64_t id = 3; id <= 7; ++id) {
        accept(id, "o" + std::to_string(id));
        cancel(id, request('F', "c" + std::to_string(id)));
    }
    EXPECT_EQ(orders_.find(OrderId{1}), nullptr);
    EXPECT_EQ(named("a")->id, OrderId{2});
}

TEST_F(FixOrdersTest, IsTheSameAfterItWasSavedAndLoaded) {
    for (std::uint64_t id = 1; id <= 9; ++id) accept(id, "o" + std::to_string(id), 10);
    for (std::uint64_t id = 1; id <= 7; ++id) cancel(id, request('F', "c" + std::to_string(id)));
    execute(8, 3, 7);
    constexpr ParticipantId k_released{5};
    for (const EventKind kind : {EventKind::accepted, EventKind::cancelled})
        static_cast<void>(
            orders_.apply({.kind = kind, .participant = k_released, .order_id = OrderId{40}},
                          request('D', "z"), {}));
    ASSERT_TRUE(orders_.is_taken(k_released, "z"));
    static_cast<void>(orders_.apply(
        {.kind = EventKind::participant_released, .participant = k_released}, {}, {}));
    static_cast<void>(orders_.apply({.kind = EventKind::trade_busted,
                                     .participant = k_alice,
                                     .order_id = OrderId{8},
                                     .price = Price{500},
                                     .quantity = Quantity{1}},
                                    {}, {}));
    const FixTerms hidden{.expiry = Timestamp{9}, .hidden = true};
    const std::string long_name(50, 'n');
    static_cast<void>(orders_.apply(
        {.kind = EventKind::accepted,
         .participant = k_bob,
         .order_id = OrderId{31},
         .quantity = Quantity{1},
         .remaining = Quantity{1}},
        request('D', long_name), {.attachment = fields("11=" + long_name.substr(20) + "|1=A|")}));
    const auto told = orders_.apply({.kind = EventKind::accepted,
                                     .participant = k_bob,
                                     .order_id = OrderId{30},
                                     .quantity = Quantity{1},
                                     .remaining = Quantity{1}},
                                    request('D', "h"), {.terms = hidden});
    ASSERT_NE(told.order, nullptr);
    std::vector<std::byte> bytes;
    const auto keep = [&](std::span<const std::byte> piece) {
        bytes.insert(bytes.end(), piece.begin(), piece.end());
    };
    SaveArchive saved{keep};
    FixOrders::transfer(std::as_const(orders_), saved);
    FixOrders other{k_engine, 4};
    LoadArchive loaded{bytes};
    FixOrders::transfer(other, loaded);
    ASSERT_TRUE(loaded.complete());
    EXPECT_EQ(other.open(), 4U);
    EXPECT_FALSE(other.is_taken(k_released, "z"));
    ASSERT_NE(other.find(k_bob, long_name), nullptr);
    EXPECT_EQ(other.name(*other.find(k_bob, long_name)), long_name);
    EXPECT_EQ(other.fields(*other.find(k_bob, long_name)), fields("1=A|"));
    EXPECT_EQ(other.terms(*other.find(k_bob, "h")), hidden);
    EXPECT_EQ(other.find(k_alice, "o8")->executed, Quantity{2});
    EXPECT_EQ(other.find(k_alice, "o8")->total(Quantity{9}), Quantity{10});
    EXPECT_EQ(other.find(k_alice, "c7")->state, FixOrderState::cancelled);
    EXPECT_EQ(other.find_ever(k_alice, "o7"), other.find(k_alice, "c7"));
    EXPECT_FALSE(other.is_taken(k_alice, "c1"));
    EXPECT_EQ(other.at(other.first_open(k_alice)).id, OrderId{9});
}

}  // namespace
}  // namespace damrak::gateway::fix::fix_orders_test
