// What happened on an archived day: windows of time, and the life of an order in its queue.
#include <damrak/archive/day_search.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/wire/itch/descriptor.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::archive::day_search_test {
namespace {

namespace itch = wire::itch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint16_t k_one = 1;
constexpr std::uint16_t k_two = 2;

itch::AddOrder add(std::uint64_t reference, std::int64_t time, std::uint32_t shares,
                   std::uint32_t price = 100, std::uint16_t locate = k_one) {
    return {.stock_locate = locate,
            .tracking_number = 0,
            .timestamp_ns = time,
            .order_ref = reference,
            .side = Side::buy,
            .shares = shares,
            .stock = *itch::Stock::from("ONE"),
            .price_e4 = price};
}
itch::OrderExecuted execute(std::uint64_t reference, std::int64_t time, std::uint32_t shares) {
    return {.stock_locate = k_one,
            .tracking_number = 0,
            .timestamp_ns = time,
            .order_ref = reference,
            .executed_shares = shares,
            .match_number = 9};
}

class DaySearch : public ::testing::Test {
  protected:
    DaySearch() {
        auto writer = DayWriter::create(path_, {.source = "test"});
        writer->add(add(10, 1, 100));
        writer->add(add(11, 2, 50));
        writer->add(add(20, 3, 5, 100, k_two));
        writer->add(add(12, 4, 30));
        writer->add(execute(10, 5, 40));
        writer->add(itch::OrderDelete{
            .stock_locate = k_one, .tracking_number = 0, .timestamp_ns = 6, .order_ref = 11});
        writer->add(add(13, 7, 30));
        writer->add(itch::OrderReplace{.stock_locate = k_one,
                                       .tracking_number = 0,
                                       .timestamp_ns = 8,
                                       .order_ref = 12,
                                       .new_order_ref = 14,
                                       .shares = 20,
                                       .price_e4 = 100});
        writer->add(execute(10, 9, 60));
        writer->add(execute(13, 10, 30));
        writer->add(execute(14, 11, 20));
        writer->add(add(15, 12, 1));
        EXPECT_TRUE(writer->close());
        auto opened = Day::open(path_);
        EXPECT_TRUE(opened);
        day_.emplace(*std::move(opened));
    }
    [[nodiscard]] std::string types(std::uint16_t locate, std::int64_t from,
                                    std::int64_t to) const {
        std::string letters;
        std::uint64_t last = 0;
        const auto completeness = for_each_message(
            *day_, {.locate = locate, .from_ns = from, .until_ns = to},
            [&](std::uint64_t sequence, const itch::Message& message) {
                EXPECT_GT(sequence, last);
                last = sequence;
                std::visit(
                    [&](const auto& m) {
                        letters += itch::Layout<std::remove_cvref_t<decltype(m)>>::k_type;
                    },
                    message);
            });
        EXPECT_TRUE(completeness.is_complete());
        return letters;
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path path_ = folder_ / "day.dar";
    std::optional<Day> day_;
};

}  // namespace

TEST_F(DaySearch, GivesTheMessagesOfAnInstrumentInAWindow) {
    EXPECT_EQ(types(k_one, 0, INT64_MAX), "AAAEDAUEEEA");
    EXPECT_EQ(types(k_two, 0, INT64_MAX), "A");
    EXPECT_EQ(types(k_one, 5, 8), "EDAU");
    EXPECT_EQ(types(k_one, 13, 20), "");
}

TEST_F(DaySearch, FollowsAnOrderThroughItsQueueAndItsReplaces) {
    const auto [life, completeness] = order_life(*day_, 12);
    EXPECT_TRUE(completeness.is_complete());
    EXPECT_EQ(life.locate, k_one);
    EXPECT_EQ(life.side, Side::buy);
    std::vector<std::string> steps;
    for (const OrderStep& step : life.steps)
        steps.push_back(fmt::format("{} {} {}: {} behind {} of {}", step.sequence, step.type,
                                    step.reference, step.shares.value(), step.shares_ahead.value(),
                                    step.orders_ahead.value()));
    EXPECT_THAT(steps, ElementsAre("4 A 12: 30 behind 150 of 2", "5 E 12: 30 behind 110 of 2",
                                   "6 D 12: 30 behind 60 of 1", "8 U 14: 20 behind 90 of 2",
                                   "9 E 14: 20 behind 30 of 1", "10 E 14: 20 behind 0 of 0",
                                   "11 E 14: 0 behind 0 of 0"));
}

TEST_F(DaySearch, GivesTradesThePriceOfTheirOrder) {
    const auto found = trades(*day_, k_one, {.from_ns = 9, .to_ns = 10}).value;
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found.front().price_e4, 100U);
    EXPECT_EQ(found.front().shares, 60U);
    EXPECT_EQ(found.back().reference, 13U);
    EXPECT_EQ(trades(*day_, k_one, {}).value.size(), 4U);
}

TEST_F(DaySearch, FindsNoOrderThatThereIsNot) {
    const auto [life, completeness] = order_life(*day_, 99);
    EXPECT_TRUE(completeness.is_complete());
    EXPECT_THAT(life.steps, IsEmpty());
}

}  // namespace damrak::archive::day_search_test
