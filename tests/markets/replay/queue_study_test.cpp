// What became of the limit orders of a day: by hand, and against a plain model on generated days.
#include <damrak/replay/queue_study.hpp>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_search.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::replay::queue_study_test {
namespace {

namespace itch = wire::itch;
/// Duration, outcome, orders and quantity ahead, placement.
using Seen = std::tuple<std::int64_t, Outcome, std::uint32_t, std::uint64_t, Placement>;

std::vector<Seen> sorted(const std::vector<QueuedOrder>& orders) {
    std::vector<Seen> seen;
    for (const QueuedOrder& one : orders)
        seen.emplace_back(one.lifetime.duration_ns, one.lifetime.outcome, one.orders_ahead,
                          one.quantity_ahead, one.placement);
    std::ranges::sort(seen);
    return seen;
}

/// All orders that ever came, in one list.
struct PlainStudy {
    struct Order {
        std::uint64_t reference;
        std::uint16_t locate;
        Side side;
        std::uint32_t price;
        std::uint64_t left;
        std::int64_t arrival_ns;
        Seen seen;
        bool is_over = false;
    };
    QueueWindow window;
    std::vector<Order> orders{};
    std::vector<Seen> ended{};

    void on(const auto& /*other*/) {}
    void on(const itch::AddOrder& m) { add(m, m.order_ref, m.side, m.price_e4); }
    void on(const itch::AddOrderAttributed& m) { add(m, m.order_ref, m.side, m.price_e4); }
    void on(const itch::OrderExecuted& m) { take(m, m.executed_shares, Outcome::filled); }
    void on(const itch::OrderExecutedWithPrice& m) { take(m, m.executed_shares, Outcome::filled); }
    void on(const itch::OrderCancel& m) { take(m, m.cancelled_shares, Outcome::cancelled); }
    void on(const itch::OrderDelete& m) { take(m, UINT32_MAX, Outcome::cancelled); }
    void on(const itch::OrderReplace& m) {
        const Side side = find(m.order_ref).side;
        take(m, UINT32_MAX, Outcome::cancelled);
        add(m, m.new_order_ref, side, m.price_e4);
    }
    std::vector<Seen> finish() {
        for (Order& one : orders) end(one, window.until_ns, Outcome::open);
        std::ranges::sort(ended);
        return ended;
    }

  private:
    Order& find(std::uint64_t reference) {
        return *std::ranges::find(orders, reference, &Order::reference);
    }
    void add(const auto& m, std::uint64_t reference, Side side, std::uint32_t price) {
        std::uint32_t ahead = 0;
        std::uint64_t quantity = 0;
        bool is_behind = false;
        for (const Order& one : orders) {
            if (one.left == 0 || one.locate != m.stock_locate || one.side != side) continue;
            ahead += one.price == price;
            quantity += one.price == price ? one.left : 0;
            is_behind |= side == Side::buy ? one.price > price : one.price < price;
        }
        const Placement placement = is_behind   ? Placement::behind
                                    : ahead > 0 ? Placement::joins
                                                : Placement::improves;
        orders.push_back({reference, m.stock_locate, side, price, m.shares, m.timestamp_ns,
                          Seen{0, Outcome::open, ahead, quantity, placement},
                          m.timestamp_ns < window.from_ns});
    }
    void take(const auto& m, std::uint64_t quantity, Outcome outcome) {
        Order& order = find(m.order_ref);
        order.left -= std::min(order.left, quantity);
        const bool first = outcome == Outcome::filled && window.fill == FillEvent::first;
        if (order.left == 0 || first) end(order, m.timestamp_ns, outcome);
    }
    void end(Order& order, std::int64_t time_ns, Outcome outcome) {
        if (order.is_over) return;
        order.is_over = true;
        std::get<0>(order.seen) = time_ns - order.arrival_ns;
        std::get<1>(order.seen) = outcome;
        ended.push_back(order.seen);
    }
};

class QueueStudy : public ::testing::Test {
  protected:
    testing::ScratchFolder folder_;
    std::filesystem::path file_ = folder_ / "day.dar";
};

}  // namespace

TEST_F(QueueStudy, OfAFewOrdersIsWhatHappened) {
    auto writer = archive::DayWriter::create(file_, {.source = "few"});
    ASSERT_TRUE(writer);
    const auto add = [&](std::int64_t time_ns, std::uint64_t reference, std::uint32_t price) {
        writer->add(itch::AddOrder{.stock_locate = 1,
                                   .timestamp_ns = time_ns,
                                   .order_ref = reference,
                                   .side = Side::buy,
                                   .shares = 100,
                                   .stock = *itch::Stock::from("AAPL"),
                                   .price_e4 = price});
    };
    add(10, 1, 10'000);
    add(20, 2, 10'000);
    add(30, 3, 9'900);
    add(40, 4, 10'100);
    const auto execute = [&](std::int64_t time_ns, std::uint64_t reference, std::uint32_t shares) {
        writer->add(itch::OrderExecuted{.stock_locate = 1,
                                        .timestamp_ns = time_ns,
                                        .order_ref = reference,
                                        .executed_shares = shares});
    };
    execute(50, 4, 100);
    execute(60, 1, 30);
    writer->add(itch::OrderDelete{.stock_locate = 1, .timestamp_ns = 70, .order_ref = 1});
    writer->add(itch::OrderReplace{.stock_locate = 1,
                                   .timestamp_ns = 80,
                                   .order_ref = 2,
                                   .new_order_ref = 5,
                                   .shares = 50,
                                   .price_e4 = 9'900});
    add(100, 6, 9'800);
    ASSERT_TRUE(writer->close());
    const auto day = archive::Day::open(file_);
    ASSERT_TRUE(day);
    const auto improves = Placement::improves;
    const auto behind = Placement::behind;
    const std::vector<Seen> others{{0, Outcome::open, 0, 0, behind},                    // 6
                                   {10, Outcome::filled, 0, 0, improves},               // 4
                                   {20, Outcome::open, 1, 100, Placement::joins},       // 5
                                   {60, Outcome::cancelled, 1, 100, Placement::joins},  // 2
                                   {70, Outcome::open, 0, 0, behind}};                  // 3
    auto first = others;
    first.insert(first.begin() + 3, {50, Outcome::filled, 0, 0, improves});  // 1
    EXPECT_EQ(sorted(study_queue(*day, {.locate = 1}).value), first);
    auto full = others;
    full.insert(full.begin() + 4, {60, Outcome::cancelled, 0, 0, improves});
    std::ranges::sort(full);
    EXPECT_EQ(sorted(study_queue(*day, {.locate = 1, .fill = FillEvent::full}).value), full);
    const auto window =
        sorted(study_queue(*day, {.locate = 1, .from_ns = 35, .until_ns = 45}).value);
    EXPECT_EQ(window, (std::vector<Seen>{{5, Outcome::open, 0, 0, improves}}));
    EXPECT_TRUE(study_queue(*day, {.locate = 2}).value.empty());
}

TEST_F(QueueStudy, OfGeneratedDaysIsThatOfThePlainModel) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        generator::FlowOptions options;
        options.messages = 6'000;
        options.live_orders = 200;
        options.symbols = 2;
        options.seed = seed;
        auto generated = generator::ItchDay::create(options);
        ASSERT_TRUE(generated);
        {
            auto writer = archive::DayWriter::create(file_, {.source = "generated"});
            ASSERT_TRUE(writer);
            for (const auto* next = &generated->next(); !next->empty(); next = &generated->next())
                for (const itch::Message& message : *next)
                    std::visit([&](const auto& m) { writer->add(m); }, message);
            ASSERT_TRUE(writer->close());
        }
        const auto day = archive::Day::open(file_);
        ASSERT_TRUE(day);
        const std::int64_t length_ns = day->last_time_ns() - day->first_time_ns();
        for (const FillEvent fill : {FillEvent::first, FillEvent::full})
            for (const std::int64_t cut : {INT64_C(0), length_ns / 4}) {
                const QueueWindow window{.locate = 1,
                                         .from_ns = day->first_time_ns() + cut,
                                         .until_ns = day->last_time_ns() - cut,
                                         .fill = fill};
                PlainStudy plain{window};
                ASSERT_TRUE(archive::for_each_message(
                                *day, {.locate = 1, .until_ns = window.until_ns},
                                [&](std::uint64_t, const itch::Message& message) {
                                    std::visit([&](const auto& m) { plain.on(m); }, message);
                                })
                                .is_complete());
                const auto study = study_queue(*day, window);
                EXPECT_TRUE(study.completeness.is_complete());
                EXPECT_GT(study.value.size(), 100U);
                EXPECT_EQ(sorted(study.value), plain.finish());
            }
    }
}

}  // namespace damrak::replay::queue_study_test
