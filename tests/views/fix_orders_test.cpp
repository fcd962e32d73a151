#include <damrak/views/fix_orders.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/archive.hpp>

namespace damrak::views {
namespace {

constexpr EngineConfig k_engine{.maximum_participants = 8, .maximum_orders = 16};
constexpr ParticipantId k_alice{1};
constexpr ParticipantId k_bob{2};

class FixOrdersTest : public ::testing::Test {
  protected:
    static Origin request(char type, const std::string& name) {
        return {.session = session_at(Door::fix, 3),
                .inbound_sequence = 1,
                .tag = FixNote{.name = ClOrdId::of(name), .request = type}.tag()};
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
                             request('D', name), {.stop = stop});
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
        return orders_.find(who, ClOrdId::of(name));
    }
    [[nodiscard]] bool is_taken(const std::string& name) const {
        return orders_.is_taken(k_alice, ClOrdId::of(name));
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

TEST_F(FixOrdersTest, OrdersOfOtherDoorsAreNotItsOwn) {
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
                   request('G', "b"), {.stop = stop})
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
                   request('D', std::to_string(id)), of)
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

TEST_F(FixOrdersTest, ACancelGivesTheOrderItsName) {
    accept(7, "a");
    const FixOrders::Applied applied = cancel(7, request('F', "b"));
    EXPECT_TRUE(applied.renamed);
    EXPECT_EQ(applied.order->name.view(), "b");
    EXPECT_EQ(applied.order->previous.view(), "a");
    EXPECT_EQ(named("a"), nullptr);
    EXPECT_TRUE(is_taken("a"));
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

TEST_F(FixOrdersTest, IsTheSameAfterItWasSavedAndLoaded) {
    for (std::uint64_t id = 1; id <= 9; ++id) accept(id, "o" + std::to_string(id), 10);
    for (std::uint64_t id = 1; id <= 7; ++id) cancel(id, request('F', "c" + std::to_string(id)));
    execute(8, 3, 7);
    const FixTerms hidden{.expiry = Timestamp{9}, .hidden = true};
    const auto told = orders_.apply({.kind = EventKind::accepted,
                                     .participant = k_bob,
                                     .order_id = OrderId{30},
                                     .quantity = Quantity{1},
                                     .remaining = Quantity{1}},
                                    request('D', "h"), hidden);
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
    EXPECT_EQ(other.open(), 3U);
    EXPECT_EQ(other.terms(*other.find(k_bob, ClOrdId::of("h"))), hidden);
    EXPECT_EQ(other.find(k_alice, ClOrdId::of("o8"))->executed, Quantity{3});
    EXPECT_EQ(other.find(k_alice, ClOrdId::of("c7"))->state, FixOrderState::cancelled);
    EXPECT_FALSE(other.is_taken(k_alice, ClOrdId::of("c1")));
    EXPECT_EQ(other.at(other.first_open(k_alice)).id, OrderId{9});
}

}  // namespace
}  // namespace damrak::views
