// The order flow is what it claims to be: NW-1 to the last bit, the same on every run, and of the
// shape that its name says.

#include <damrak/generator/flow.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::generator::order_flow_test {
namespace {

class Fnv {
  public:
    void fold(std::uint64_t word) { state_ = (state_ ^ word) * 1099511628211ULL; }
    [[nodiscard]] std::uint64_t state() const { return state_; }

  private:
    std::uint64_t state_ = 1469598103934665603ULL;
};

OrderFlow flow_of(const FlowOptions& options) {
    auto flow = OrderFlow::create(options);
    EXPECT_TRUE(flow.has_value()) << flow.error();
    return std::move(*flow);
}

struct Digest {
    std::uint64_t records = 0;
    std::uint64_t trades = 0;
    Fnv stream;       // every 64-bit word of every record
    Fnv fingerprint;  // taker, maker, price and quantity of every trade
};

void fold(Digest& digest, const FlowStep& step) {
    const auto record = to_nw1_record(step.order);
    ASSERT_TRUE(record.has_value());
    using Words = std::array<std::uint64_t, 4>;
    for (const std::uint64_t word : std::bit_cast<Words>(*record)) digest.stream.fold(word);
    ++digest.records;
    for (const MarketEvent& event : step.events) {
        if (event.kind != MarketEventKind::executed) continue;
        EXPECT_EQ(event.trade_number, ++digest.trades);
        digest.fingerprint.fold(event.taker_id);
        digest.fingerprint.fold(event.order_id);
        digest.fingerprint.fold(static_cast<std::uint64_t>(std::int64_t{event.price_ticks}));
        digest.fingerprint.fold(event.quantity);
    }
}

struct PublishedStream {
    std::string name;
    FlowOptions options;
    std::uint64_t opening_digest;  // of the first 10,000 records of the reference generator's file
    std::uint64_t records;
    std::uint64_t digest;
    std::uint64_t trades;
    std::uint64_t fingerprint;
};

void PrintTo(const PublishedStream& stream, std::ostream* out) { *out << stream.name; }

class PublishedNw1 : public ::testing::TestWithParam<PublishedStream> {};

TEST_P(PublishedNw1, ComesOutByteForByteWithItsFingerprint) {
    const PublishedStream& expected = GetParam();
    OrderFlow flow = flow_of(expected.options);
    Digest digest;
    while (const FlowStep* step = flow.next()) {
        fold(digest, *step);
        if (digest.records == 10'000) {
            ASSERT_EQ(digest.stream.state(), expected.opening_digest);
        }
    }
    EXPECT_EQ(digest.records, expected.records);
    EXPECT_EQ(digest.stream.state(), expected.digest);
    EXPECT_EQ(digest.trades, expected.trades);
    EXPECT_EQ(digest.fingerprint.state(), expected.fingerprint);
}

INSTANTIATE_TEST_SUITE_P(Streams, PublishedNw1,
                         ::testing::Values(PublishedStream{"8x1500",
                                                           {},
                                                           0x1c1f0000227a388d,
                                                           4'012'000,
                                                           0x9bd3b971d31e9150,
                                                           233'994,
                                                           0x3c6974e905a05327},
                                           PublishedStream{"1x20000",
                                                           {.symbols = 1, .live_orders = 20'000},
                                                           0xc1e0eed3b67a388d,
                                                           4'020'000,
                                                           0x0d49c119e2380bd4,
                                                           237'828,
                                                           0xfdb447f0daefe4b6},
                                           PublishedStream{"8x1500_scattered",
                                                           {.ids = FlowIds::scattered},
                                                           0xa72871cc23dc1539,
                                                           4'012'000,
                                                           0xf19c12b4d0367ea2,
                                                           233'994,
                                                           0xe70590d1929e8ab1}),
                         [](const auto& stream) { return "Stream" + stream.param.name; });

std::vector<Nw1Record> records_of(const FlowOptions& options) {
    OrderFlow flow = flow_of(options);
    std::vector<Nw1Record> records;
    while (const FlowStep* step = flow.next()) records.push_back(*to_nw1_record(step->order));
    return records;
}

std::string bytes_of(const std::vector<Nw1Record>& records) {
    return {reinterpret_cast<const char*>(records.data()), records.size() * sizeof(Nw1Record)};
}

TEST(OrderFlow, IsTheSameForTheSameSeedAndDiffersForAnother) {
    for (const FlowShape shape :
         {FlowShape::neutral, FlowShape::calm, FlowShape::swinging, FlowShape::crash}) {
        FlowOptions options{.messages = 20'000, .live_orders = 800, .seed = 7, .shape = shape};
        const std::string first = bytes_of(records_of(options));
        EXPECT_EQ(first, bytes_of(records_of(options)));
        options.seed = 8;
        EXPECT_NE(first, bytes_of(records_of(options)));
    }
}

TEST(OrderFlow, GivesAsManyMessagesAsAskedForAfterThePrefill) {
    OrderFlow flow = flow_of({.messages = 5'000, .symbols = 3, .live_orders = 100});
    std::uint64_t prefill = 0;
    std::uint64_t timed = 0;
    while (const FlowStep* step = flow.next()) {
        EXPECT_EQ(step->order.prefill, timed == 0 && prefill < 100);
        ++(step->order.prefill ? prefill : timed);
    }
    EXPECT_EQ(prefill, 100U);
    EXPECT_EQ(timed, 5'000U);
    EXPECT_EQ(flow.next(), nullptr);
}

// An aggregated replay of what is published: every reference is live when it is used.
TEST(OrderFlow, PublishesEventsThatAddUp) {
    OrderFlow flow = flow_of(
        {.messages = 50'000, .symbols = 5, .live_orders = 1'000, .shape = FlowShape::crash});
    std::map<std::uint64_t, MarketEvent> live;
    std::uint64_t last_reference = 0;
    while (const FlowStep* step = flow.next()) {
        for (const MarketEvent& event : step->events) {
            EXPECT_EQ(event.symbol, step->order.symbol);
            if (event.kind == MarketEventKind::added) {
                EXPECT_EQ(event.reference, ++last_reference);
                live[event.reference] = event;
                continue;
            }
            const bool renewed = event.kind == MarketEventKind::replaced;
            const auto found = live.find(renewed ? event.previous_reference : event.reference);
            ASSERT_NE(found, live.end());
            EXPECT_EQ(found->second.order_id, event.order_id);
            EXPECT_EQ(found->second.side, event.side);
            ASSERT_LE(renewed ? 0 : event.quantity, found->second.quantity);
            found->second.quantity -= renewed ? found->second.quantity : event.quantity;
            if (found->second.quantity == 0) live.erase(found);
            if (!renewed) continue;
            EXPECT_EQ(event.reference, ++last_reference);
            live[event.reference] = event;
        }
    }
    EXPECT_EQ(live.size(), flow.live_orders());
}

TEST(OrderFlow, HoldsItsTargetOfLiveOrdersOverThousandsOfSymbols) {
    OrderFlow flow = flow_of({.messages = 100'000, .symbols = 8'000, .live_orders = 12'000});
    std::uint32_t symbol_max = 0;
    while (const FlowStep* step = flow.next()) {
        symbol_max = std::max(symbol_max, step->order.symbol);
    }
    EXPECT_EQ(symbol_max, 7'999U);
    EXPECT_NEAR(static_cast<double>(flow.live_orders()), 12'000.0, 600.0);
}

// The prices of the trades of one symbol, in hundredths of the day.
struct PriceRange {
    std::int32_t lowest = 1'000'000;
    std::int32_t highest = 0;
};

std::vector<PriceRange> traded_ranges(FlowShape shape, std::uint32_t symbol) {
    const FlowOptions options{.messages = 400'000, .live_orders = 4'000, .shape = shape};
    OrderFlow flow = flow_of(options);
    std::vector<PriceRange> ranges(100);
    std::uint64_t count = 0;
    while (const FlowStep* step = flow.next()) {
        if (step->order.prefill) continue;
        PriceRange& range = ranges[100 * count++ / options.messages];
        for (const MarketEvent& event : step->events) {
            if (event.symbol != symbol || event.kind != MarketEventKind::executed) continue;
            range.lowest = std::min(range.lowest, event.price_ticks);
            range.highest = std::max(range.highest, event.price_ticks);
        }
    }
    return ranges;
}

TEST(OrderFlow, SwingsTradeAQuarterAboveAndAQuarterBelowTheOpening) {
    for (const std::uint32_t symbol : {0U, 7U}) {
        const auto ranges = traded_ranges(FlowShape::swinging, symbol);
        const auto highest = std::ranges::max(ranges, {}, &PriceRange::highest).highest;
        const auto lowest = std::ranges::min(ranges, {}, &PriceRange::lowest).lowest;
        EXPECT_NEAR(highest, 2560, 40) << "symbol " << symbol;
        EXPECT_NEAR(lowest, 1536, 40) << "symbol " << symbol;
    }
}

TEST(OrderFlow, ACrashFallsAFifthAtOnceAndRecovers) {
    for (const std::uint32_t symbol : {0U, 7U}) {
        const auto ranges = traded_ranges(FlowShape::crash, symbol);
        EXPECT_GT(ranges[43].lowest, 2048 * 97 / 100) << "symbol " << symbol;
        const auto lowest = std::ranges::min(ranges, {}, &PriceRange::lowest).lowest;
        EXPECT_LT(lowest, 2048 * 80 / 100) << "symbol " << symbol;
        EXPECT_GT(lowest, 2048 * 73 / 100) << "symbol " << symbol;
        EXPECT_GT(ranges[62].lowest, 2048 * 93 / 100) << "symbol " << symbol;
    }
}

TEST(OrderFlow, ACalmDayStaysNearItsOpening) {
    for (const PriceRange& range : traded_ranges(FlowShape::calm, 0)) {
        EXPECT_GT(range.lowest, 2048 * 97 / 100);
        EXPECT_LT(range.highest, 2048 * 103 / 100);
    }
}

TEST(OrderFlow, RefusesOptionsThatCannotBeMet) {
    const auto error_of = [](const FlowOptions& options) {
        const auto flow = OrderFlow::create(options);
        return flow ? std::string() : flow.error();
    };
    EXPECT_EQ(error_of({.symbols = 0}), "order flow: 0 symbols; expected 1 to 1000000");
    EXPECT_EQ(error_of({.symbols = 1'000'001, .live_orders = 2'000'000}),
              "order flow: 1000001 symbols; expected 1 to 1000000");
    EXPECT_EQ(error_of({.symbols = 10, .live_orders = 9}),
              "order flow: 9 live orders; expected at least one a symbol (10) and at most "
              "100000000");
}

TEST(OrderFlow, NamesItsShapes) {
    EXPECT_EQ(parse_flow_shape("neutral"), FlowShape::neutral);
    EXPECT_EQ(parse_flow_shape("calm"), FlowShape::calm);
    EXPECT_EQ(parse_flow_shape("volatile"), FlowShape::swinging);
    EXPECT_EQ(parse_flow_shape("crash"), FlowShape::crash);
    EXPECT_EQ(parse_flow_shape("Crash"), std::nullopt);
}

TEST(Nw1Record, HoldsNoSymbolAbove255) {
    EXPECT_EQ(to_nw1_record({.symbol = 255})->symbol, 255);
    EXPECT_EQ(to_nw1_record({.symbol = 256}), std::nullopt);
}

}  // namespace
}  // namespace damrak::generator::order_flow_test
