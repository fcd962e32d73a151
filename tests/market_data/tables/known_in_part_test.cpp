// Tables of days in which an order is known in part: it came into view with what a message takes
// from it, and may have more.
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/tables/table_reader.hpp>

#include "market_data/tables/lines.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::tables::known_in_part_test {
namespace {

namespace itch = wire::itch;
using archive::DayDepth;
using ::testing::ElementsAre;
using testing::Lines;

constexpr std::uint64_t k_in_part = 2;
constexpr std::uint64_t k_whole = 3;

class KnownInPart : public ::testing::TestWithParam<DayDepth> {
  protected:
    KnownInPart() {
        auto writer = *archive::DayWriter::create(path_, {.source = "test", .depth = GetParam()});
        writer.add(itch::StockDirectory{
            .stock_locate = 1, .timestamp_ns = 1, .stock = *itch::Stock::from("ONE")});
        writer.add(add(10, k_in_part, itch::k_made_by_view));
        writer.add(executed(11, k_in_part));
        writer.add(add(12, k_whole, 0));
        writer.add(executed(13, k_whole));
        writer.add(
            itch::OrderDelete{.stock_locate = 1, .timestamp_ns = 14, .order_ref = k_in_part});
        EXPECT_TRUE(writer.close());
    }

    static itch::AddOrder add(std::int64_t time_ns, std::uint64_t reference,
                              std::uint16_t tracking_number) {
        return {.stock_locate = 1,
                .tracking_number = tracking_number,
                .timestamp_ns = time_ns,
                .order_ref = reference,
                .side = Side::buy,
                .shares = 5,
                .stock = *itch::Stock::from("ONE"),
                .price_e4 = 10'000};
    }
    static itch::OrderExecuted executed(std::int64_t time_ns, std::uint64_t reference) {
        return {.stock_locate = 1,
                .timestamp_ns = time_ns,
                .order_ref = reference,
                .executed_shares = 2,
                .match_number = reference};
    }
    [[nodiscard]] Lines lines_of(const TableQuery& query) const {
        const auto day = archive::Day::open(path_);
        return testing::lines_of(ArchivedDay{*day}, {query}, {.locate = 1}).front();
    }

    testing::ScratchFolder folder_;
    std::string path_ = folder_ / "day.dar";
};

// Behind the shares: what remains, and the reference. When it ends, nothing is left.
TEST_P(KnownInPart, WhatIsLeftOfTheOrderIsNotKnown) {
    EXPECT_EQ(lines_of({.table = Table::messages}),
              (Lines{"1,1,ONE,R,N,N,,,,,,,,,false", "10,2,ONE,A,A,B,1.0000,5,,2,,,,,true",
                     "11,3,ONE,E,F,B,1.0000,2,,2,,2,true,false,false",
                     "12,4,ONE,A,A,B,1.0000,5,5,3,,,,,false",
                     "13,5,ONE,E,F,B,1.0000,2,3,3,,3,true,false,false",
                     "14,6,ONE,D,C,B,1.0000,3,0,2,,,,,false"}));
}

// Others may have come into view with it. The last two cells: orders at the best prices.
TEST_P(KnownInPart, TheNumberOfOrdersAtItsPriceIsNotKnownInANarrowDay) {
    if (GetParam().depth == 0) return;
    EXPECT_EQ(
        lines_of({.table = Table::bbo}),
        (Lines{"10,2,ONE,1.0000,,5,0,,0", "11,3,ONE,1.0000,,3,0,,0", "12,4,ONE,1.0000,,8,0,,0",
               "13,5,ONE,1.0000,,6,0,,0", "14,6,ONE,1.0000,,3,0,1,0"}));
}

TEST_P(KnownInPart, BeforeItsFirstOrderANarrowDayHasNoKnownBook) {
    if (GetParam().depth == 0) return;
    EXPECT_THAT(lines_of({.table = Table::bbo, .at_ns = {5, 14}}),
                ElementsAre("5,0,ONE,,,,,,", "14,6,ONE,1.0000,,3,0,1,0"));
}

INSTANTIATE_TEST_SUITE_P(Days, KnownInPart,
                         ::testing::Values(DayDepth{.depth = 1, .book_flags = DayDepth::k_marked},
                                           DayDepth{.book_flags = DayDepth::k_marked |
                                                                  DayDepth::k_messages_alone}));

}  // namespace
}  // namespace damrak::tables::known_in_part_test
