// Every row trades as the control does, on all kinds of streams: what is timed is also right.

#include "support/rows.hpp"

#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include <damrak/base/histogram.hpp>
#include <damrak/base/random.hpp>
#include <damrak/generator/flow.hpp>

#include "support/measure.hpp"
#include "support/row_events.hpp"
#include "support/streams.hpp"

namespace damrak::bench::rows_test {
namespace {

using generator::FlowShape;

Outcome expect_agreement(MessageStream stream) {
    const Outcome outcome = prepare(stream);
    EXPECT_EQ(find_disagreement(stream, outcome), "");
    return outcome;
}

TEST(Rows, AgreeOnFlowsOfEveryShape) {
    for (const auto shape :
         {FlowShape::neutral, FlowShape::calm, FlowShape::swinging, FlowShape::crash}) {
        for (const auto ids : {generator::FlowIds::sequential, generator::FlowIds::scattered}) {
            auto stream =
                flow_stream({.messages = 50'000, .live_orders = 2'000, .ids = ids, .shape = shape});
            ASSERT_TRUE(stream.has_value()) << stream.error();
            const Outcome outcome = expect_agreement(std::move(*stream));
            EXPECT_GT(outcome.trades, 1'000U);
            EXPECT_EQ(outcome.refused, 0U);
        }
    }
}

TEST(Rows, AgreeOnThousandsOfSymbols) {
    auto stream = flow_stream({.messages = 50'000, .symbols = 8'000, .live_orders = 12'000});
    ASSERT_TRUE(stream.has_value()) << stream.error();
    EXPECT_GT(expect_agreement(std::move(*stream)).trades, 500U);
}

TEST(Rows, AgreeOnInvalidStreams) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Outcome outcome = expect_agreement(odd_stream(seed, 50'000));
        EXPECT_GT(outcome.trades, 5'000U);
        EXPECT_GT(outcome.refused, 10'000U);
    }
}

// Every price on a path of its own: buys below zero, sells above.
TEST(Rows, AgreeOnPricesFarApart) {
    MessageStream stream;
    RandomStream random(4);
    std::uint64_t id = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto distance = static_cast<std::int32_t>(random.below(1U << 31U));
        const bool sells = random.coin();
        stream.append({.op = Nw1Op::add,
                       .side = sells,
                       .ioc = 0,
                       .padding = 0,
                       .quantity = 1 + random.below(100),
                       .order_id = ++id,
                       .price_ticks = sells ? distance : -distance - 1,
                       .symbol = static_cast<std::uint16_t>(random.below(200)),
                       .more_padding = 0,
                       .target_age = 0});
    }
    EXPECT_EQ(expect_agreement(std::move(stream)).refused, 0U);
}

TEST(Rows, SayWhenValuesAreTooLargeForTheEngine) {
    MessageStream stream;
    for (const std::int32_t price : {-2'000'000'000, 2'000'000'000}) {
        stream.append({.op = Nw1Op::add,
                       .side = 0,
                       .ioc = 0,
                       .padding = 0,
                       .quantity = 4'000'000'000,
                       .order_id = 7,
                       .price_ticks = price,
                       .symbol = 0,
                       .more_padding = 0,
                       .target_age = 0});
    }
    const Outcome outcome = prepare(stream);
    EXPECT_EQ(
        find_disagreement(stream, outcome),
        "row 'engine' cannot hold this stream, which it rejects in part (quantity_too_large): "
        "prices, quantities and their products have to stay within 63 bits");
}

TEST(Rows, KnowTheSideOfWhatIsCancelledAndLeaveTheFingerprintAloneWhenIdsAreMasked) {
    MessageStream stream;
    const auto append = [&](Nw1Op op, std::uint8_t side, std::uint64_t id) {
        stream.append({.op = op,
                       .side = side,
                       .ioc = 0,
                       .padding = 0,
                       .quantity = 10,
                       .order_id = id,
                       .price_ticks = 5,
                       .symbol = 0,
                       .more_padding = 0,
                       .target_age = 0});
    };
    append(Nw1Op::add, 1, 0);
    append(Nw1Op::add, 0, 1);  // executes order 0
    append(Nw1Op::add, 1, 2);
    append(Nw1Op::cancel, 0, 2);  // of a sell, whatever the record says
    const Outcome outcome = prepare(stream);
    EXPECT_EQ(stream.info.order_id_mask, 3U);
    EXPECT_EQ(stream.messages[3].side, 1);
    EXPECT_EQ(find_disagreement(stream, outcome), "");
    TradeCheck expected(0);
    expected.trade(1, 0, 5, 10);
    EXPECT_EQ(outcome, expected.outcome());
}

TEST(Rows, KnowTheCapacityAStreamNeeds) {
    auto stream = flow_stream({.messages = 10'000, .symbols = 4, .live_orders = 400});
    ASSERT_TRUE(stream.has_value()) << stream.error();
    (void)prepare(*stream);
    EXPECT_GE(stream->info.live_orders_max, 400U);
    EXPECT_LT(stream->info.live_orders_max, 500U);
    EXPECT_GE(stream->info.live_orders_per_symbol_max, 100U);
    EXPECT_LT(stream->info.live_orders_per_symbol_max, 200U);
}

TEST(Rows, ClockEveryTimedMessageOnce) {
    auto stream = flow_stream({.messages = 1'000, .live_orders = 100});
    ASSERT_TRUE(stream.has_value()) << stream.error();
    (void)prepare(*stream);
    for (const Row& row : all_rows()) {
        Histogram histogram;
        row.clock_cycles(*stream, histogram);
        EXPECT_EQ(histogram.count(), 1'000U) << row.name;
        EXPECT_GT(row.time_ns(*stream), 0.0) << row.name;
        EXPECT_GT(row.time_singly_ns(*stream), 0.0) << row.name;
    }
}

TEST(Streams, RefuseMoreSymbolsThanAMessageHolds) {
    const auto stream = flow_stream({.symbols = 65'537, .live_orders = 100'000});
    ASSERT_FALSE(stream.has_value());
    EXPECT_EQ(stream.error(), "a stream of messages holds at most 65536 symbols, not 65537");
}

}  // namespace
}  // namespace damrak::bench::rows_test
