// Measures of recorded days: a file by hand, a generated day against a plain book, and the figures
// of a real hour.
#include <damrak/market_runs/recorded_measures.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/market_runs/recorded_flow.hpp>
#include <damrak/measures/traded.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/replay/market_statistics.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::market_runs::recorded_measures_test {
namespace {

namespace itch = wire::itch;
using ::testing::HasSubstr;

double value_of(const RecordedMeasures& day, std::string_view name) {
    const measures::Value* const value = day.results.find(name);
    EXPECT_NE(value, nullptr) << name;
    return value == nullptr ? 0 : value->value;
}

std::uint64_t count_of(const RecordedMeasures& day, std::string_view name) {
    const measures::Value* const value = day.results.find(name);
    return value == nullptr ? 0 : value->count;
}

TEST(RecordedMeasures, OfALobsterFileByHand) {
    const testing::ScratchFolder folder;
    const auto file = folder.write("few.csv",
                                   "1,1,11,100,9900,1\n"    // a bid, which improves on order 5
                                   "1,1,12,100,10100,-1\n"  // an ask
                                   "2,1,13,40,10300,-1\n"   // and one behind it
                                   "3,4,12,100,10100,-1\n"  // bought at 10,100: spread 2 -> 4
                                   "4,5,0,7,10000,1\n"      // with a hidden order
                                   "5,3,11,100,9900,1\n"    // the best bid is now order 5
                                   "7,2,5,20,9500,1\n"      // which was there before the file
                                   "9,4,5,30,9500,1\n");
    // Two levels of each side after each message: order 5 had 50 at 9,500.
    const auto book = folder.write("book.csv",
                                   "9999999999,0,9900,100,9999999999,0,9500,50\n"
                                   "10100,100,9900,100,9999999999,0,9500,50\n"
                                   "10100,100,9900,100,10300,40,9500,50\n"
                                   "10300,40,9900,100,9999999999,0,9500,50\n"
                                   "10300,40,9900,100,9999999999,0,9500,50\n"
                                   "10300,40,9500,50,9999999999,0,-9999999999,0\n"
                                   "10300,40,9500,30,9999999999,0,-9999999999,0\n"
                                   "10300,40,-9999999999,0,9999999999,0,-9999999999,0\n");
    const auto day = measure_day({file, "FEW", book});
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(day->anomalies, 0U);
    EXPECT_EQ(value_of(*day, "trades"), 3);
    EXPECT_EQ(value_of(*day, "volume"), 137);
    EXPECT_EQ(day->results.find("refused_changes"), nullptr);
    // 2 ticks for 2 s, 4 for 2 s, 8 for 4 s; then there is no bid.
    EXPECT_NEAR(value_of(*day, "quoted_spread_ticks"), (2 * 2. + 2 * 4 + 4 * 8) / 8, 1e-9);
    // Bought 1 tick above 10,000, sold 4 ticks below 9,900.
    EXPECT_NEAR(value_of(*day, "effective_spread"), (2 + 8) / 2., 1e-9);
    EXPECT_NEAR(value_of(*day, "cancels_to_adds"), 2. / 3, 1e-9);
    EXPECT_NEAR(value_of(*day, "hidden_executions"), 1. / 3, 1e-9);
    EXPECT_NEAR(value_of(*day, "round_lot_adds"), 2. / 3, 1e-9);
    EXPECT_NE(day->results.find("depth_1"), nullptr);
    EXPECT_EQ(day->results.find("depth_5"), nullptr) << "two levels are known";
}

/// What `damrak replay` counts as traded, of the same messages.
measures::Traded traded_in_replay(const RecordedDay& day) {
    order_flow::BookBuilder<replay::MarketStatistics> books{
        {.orders = 64, .levels = 256, .ladder_nodes = 256}, replay::MarketStatistics{{}}};
    EXPECT_TRUE(read_recorded_day(day, std::numeric_limits<std::int64_t>::max(), books));
    return books.observer().instruments().front().traded;
}

TEST(RecordedMeasures, TradedIsWhatReplayCallsTraded) {
    const testing::ScratchFolder folder;
    const auto file = folder.write("traded.csv",
                                   "1,1,11,100,9900,1\n"
                                   "1,1,12,100,10100,-1\n"
                                   "2,4,12,40,10100,-1\n"
                                   "3,5,0,70,10000,1\n"    // hidden
                                   "4,6,0,900,10000,-1\n"  // a cross
                                   "5,1,13,10,10200,1\n"   // crosses the ask
                                   "6,4,12,60,10100,-1\n"
                                   "7,4,13,15,10200,1\n");  // more than there is
    const RecordedDay recorded{file, "FEW"};
    const measures::Traded replayed = traded_in_replay(recorded);
    const auto day = measure_day(recorded);
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(replayed.trades(), 4U);
    EXPECT_EQ(replayed.volume(), 185U);
    EXPECT_EQ(replayed.crosses.volume, 900U);
    EXPECT_EQ(value_of(*day, "trades"), 4);
    EXPECT_EQ(value_of(*day, "volume"), 185);
}

TEST(RecordedMeasures, WhatAFileOfMessagesAloneLeavesOutIsThereWhenItIsNamed) {
    const testing::ScratchFolder folder;
    const auto file = folder.write("late.csv",
                                   "1,1,11,100,10100,-1\n"
                                   "5,4,5,30,9900,1\n");
    const auto day = measure_day({file, "LATE"});
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(day->anomalies, 0U);
    EXPECT_TRUE(day->depth.has(archive::DayDepth::k_messages_alone));
    EXPECT_EQ(value_of(*day, "trades"), 1);
}

constexpr std::int64_t k_second_ns = 1'000'000'000;

/// Bids 9,900 and 9,800, an ask 10,100; the bid behind is replaced to 9,700, then a halt.
std::filesystem::path day_by_hand(const testing::ScratchFolder& folder) {
    auto path = folder / "hand.day";
    auto writer = archive::DayWriter::create(path, {.source = "hand"});
    EXPECT_TRUE(writer);
    const auto stock = *itch::Stock::from("HAND");
    const auto add = [&](std::uint64_t reference, Side side, std::uint32_t price) {
        writer->add(itch::AddOrder{.stock_locate = 1,
                                   .timestamp_ns = k_second_ns,
                                   .order_ref = reference,
                                   .side = side,
                                   .shares = 100,
                                   .stock = stock,
                                   .price_e4 = price});
    };
    add(1, Side::buy, 9'900);
    add(2, Side::buy, 9'800);
    add(3, Side::sell, 10'100);
    itch::OrderReplace replace{};
    replace.stock_locate = 1;
    replace.timestamp_ns = 3 * k_second_ns;
    replace.order_ref = 2;
    replace.new_order_ref = 4;
    replace.shares = 300;
    replace.price_e4 = 9'700;
    writer->add(replace);
    itch::StockTradingAction halt{};
    halt.stock_locate = 1;
    halt.timestamp_ns = 5 * k_second_ns;
    halt.stock = stock;
    halt.trading_state = 'H';
    writer->add(halt);
    itch::OrderDelete last{};
    last.stock_locate = 1;
    last.timestamp_ns = 9 * k_second_ns;
    last.order_ref = 1;
    writer->add(last);
    EXPECT_TRUE(writer->close());
    return path;
}

TEST(RecordedMeasures, ReplacesMoveDepthAndHaltsStopTheClock) {
    const testing::ScratchFolder folder;
    const auto day = measure_day({day_by_hand(folder), "HAND"});
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(value_of(*day, "depth_1"), 100);
    // (200 + 100) / 2 for 2 s, then (100 + 300 + 100) / 2 for 2 s; no time counts in the halt.
    EXPECT_NEAR(value_of(*day, "depth_5"), (150 + 250) / 2., 1e-9);
    EXPECT_EQ(count_of(*day, "quoted_spread_ticks"), 2U);
    EXPECT_EQ(value_of(*day, "cancels_to_adds"), 1. / 3);
}

TEST(RecordedMeasures, HoursBeginWithTheWholeBookAndEndInTime) {
    const testing::ScratchFolder folder;
    const auto path = day_by_hand(folder);
    const auto late = measure_day({path, "HAND"}, {.begin_ns = 2 * k_second_ns});
    ASSERT_TRUE(late) << late.error();
    // From the time itself on, and not from the message after it: 150 for a second more.
    EXPECT_NEAR(value_of(*late, "depth_5"), (150 + 2 * 250) / 3., 1e-9);
    EXPECT_EQ(late->results.find("cancels_to_adds"), nullptr) << "all adds came before";
    const auto early = measure_day({path, "HAND"}, {.end_ns = 4 * k_second_ns});
    ASSERT_TRUE(early) << early.error();
    EXPECT_NEAR(value_of(*early, "depth_5"), (2 * 150 + 250) / 3., 1e-9);
    EXPECT_EQ(value_of(*early, "cancels_to_adds"), 0);
}

TEST(RecordedMeasures, WhatIsNotThereIsAnError) {
    const testing::ScratchFolder folder;
    EXPECT_FALSE(measure_day({folder / "none.csv", "X"}));
    EXPECT_FALSE(measure_day({folder / "none.day", "X"}));
    const auto bad = measure_day({folder.write("bad.csv", "1,1,11,100,9900,7\n"), "X"});
    ASSERT_FALSE(bad);
    EXPECT_THAT(bad.error(), HasSubstr("bad.csv"));
}

/// The obvious book of one instrument, and spreads by the obvious sums.
struct PlainDay {
    struct Order {
        Side side;
        std::uint32_t price;
        std::uint32_t shares;
    };
    std::uint16_t locate = 0;
    std::int64_t begin_ns = 0;
    std::map<std::uint64_t, Order> orders{};
    std::map<std::uint32_t, std::uint64_t> levels[2]{};
    std::int64_t now_ns = 0;
    std::optional<double> twice_mid_before{};
    double spread_time = 0;
    double time = 0;
    double effective = 0;
    std::uint64_t effective_trades = 0;
    std::uint64_t trades = 0;
    std::uint64_t adds = 0;
    std::uint64_t cancels = 0;

    void on(const auto& /*other*/) {}
    void on(const itch::AddOrder& m) { add(m, m.order_ref, m.side, m.price_e4); }
    void on(const itch::AddOrderAttributed& m) { add(m, m.order_ref, m.side, m.price_e4); }
    void on(const itch::OrderCancel& m) {
        if (!go_to(m)) return;
        if (m.timestamp_ns >= begin_ns) ++cancels;
        take(m.order_ref, m.cancelled_shares);
    }
    void on(const itch::OrderDelete& m) {
        if (!go_to(m)) return;
        if (m.timestamp_ns >= begin_ns) ++cancels;
        take(m.order_ref, orders.at(m.order_ref).shares);
    }
    void on(const itch::OrderReplace& m) {
        if (!go_to(m)) return;
        const Order old = orders.at(m.order_ref);
        take(m.order_ref, old.shares);
        put(m.new_order_ref, {old.side, m.price_e4, m.shares});
    }
    void on(const itch::OrderExecuted& m) {
        if (!go_to(m)) return;
        const Order maker = orders.at(m.order_ref);
        take(m.order_ref, m.executed_shares);
        if (m.timestamp_ns < begin_ns) return;
        ++trades;
        if (!twice_mid_before) return;
        const double paid = 2. * maker.price - *twice_mid_before;
        effective += maker.side == Side::sell ? paid : -paid;
        ++effective_trades;
    }
    void add(const auto& m, std::uint64_t reference, Side side, std::uint32_t price) {
        if (!go_to(m)) return;
        if (m.timestamp_ns >= begin_ns) ++adds;
        put(reference, {side, price, m.shares});
    }
    bool go_to(const auto& m) {
        if (m.stock_locate != locate) return false;
        if (m.timestamp_ns == now_ns) return true;
        const auto& bids = levels[0];
        const auto& asks = levels[1];
        const bool has_both = !bids.empty() && !asks.empty();
        // The first step that is heard has nothing before it.
        const bool is_heard = now_ns >= begin_ns;
        twice_mid_before.reset();
        if (has_both && is_heard) {
            const double bid = bids.rbegin()->first;
            const double ask = asks.begin()->first;
            twice_mid_before = bid + ask;
            const auto duration = static_cast<double>(m.timestamp_ns - now_ns);
            spread_time += (ask - bid) * duration;
            time += duration;
        }
        now_ns = m.timestamp_ns;
        return true;
    }
    void put(std::uint64_t reference, const Order& order) {
        orders[reference] = order;
        levels[static_cast<std::size_t>(order.side)][order.price] += order.shares;
    }
    void take(std::uint64_t reference, std::uint32_t shares) {
        Order& order = orders.at(reference);
        auto& side = levels[static_cast<std::size_t>(order.side)];
        side[order.price] -= shares;
        if (side[order.price] == 0) side.erase(order.price);
        order.shares -= shares;
        if (order.shares == 0) orders.erase(reference);
    }
};

class GeneratedDay : public ::testing::Test {
  protected:
    void SetUp() override {
        auto generated = generator::ItchDay::create({.messages = 60'000, .symbols = 2, .seed = 7});
        ASSERT_TRUE(generated);
        auto writer = archive::DayWriter::create(file_, {.source = "generated"});
        ASSERT_TRUE(writer);
        for (const auto* next = &generated->next(); !next->empty(); next = &generated->next())
            for (const itch::Message& message : *next)
                std::visit(
                    [&](const auto& m) {
                        writer->add(m);
                        plain_.on(m);
                        late_.on(m);
                        last_ns_ = m.timestamp_ns;
                    },
                    message);
        ASSERT_TRUE(writer->close());
    }
    static void compare(const RecordedMeasures& day, const PlainDay& plain) {
        EXPECT_EQ(day.anomalies, 0U);
        EXPECT_EQ(day.results.find("refused_changes"), nullptr);
        EXPECT_GT(plain.trades, 1'000U);
        EXPECT_EQ(value_of(day, "trades"), static_cast<double>(plain.trades));
        EXPECT_NEAR(value_of(day, "quoted_spread_ticks"), plain.spread_time / plain.time / 100,
                    1e-6);
        EXPECT_NEAR(value_of(day, "effective_spread"),
                    plain.effective / static_cast<double>(plain.effective_trades) / 100, 1e-9);
        EXPECT_NEAR(value_of(day, "cancels_to_adds"),
                    static_cast<double>(plain.cancels) / static_cast<double>(plain.adds), 1e-12);
    }
    static constexpr std::int64_t k_noon_ns = 12 * 3'600'000'000'000;

    testing::ScratchFolder folder_;
    std::filesystem::path file_ = folder_ / "generated.day";
    PlainDay plain_{.locate = 1};
    PlainDay late_{.locate = 1, .begin_ns = k_noon_ns};
    std::int64_t last_ns_ = 0;
};

TEST_F(GeneratedDay, HasTheMeasuresOfAPlainBook) {
    const auto day = measure_day({file_, "SIM1"});
    ASSERT_TRUE(day) << day.error();
    compare(*day, plain_);
}

TEST_F(GeneratedDay, PartOfTheDayBeginsWithTheBookOfBefore) {
    ASSERT_GT(last_ns_, k_noon_ns);
    const auto day = measure_day({file_, "SIM1"}, {.begin_ns = k_noon_ns});
    ASSERT_TRUE(day) << day.error();
    compare(*day, late_);
    EXPECT_LT(late_.trades, plain_.trades);
}

TEST_F(GeneratedDay, AnUnknownSymbolIsAnError) {
    const auto day = measure_day({file_, "SIM9"});
    ASSERT_FALSE(day);
    EXPECT_THAT(day.error(), HasSubstr("SIM9"));
}

// The figures come from an independent count over the rows of the file.
TEST(RecordedMeasures, OfARealHour) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    const auto book =
        testing::real_data("lobster/AAPL_2012-06-21_34200000_57600000_orderbook_10.csv");
    const auto day = measure_day({file, "AAPL", book});
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(day->anomalies, 0U);
    EXPECT_EQ(day->results.find("refused_changes"), nullptr);
    EXPECT_EQ(value_of(*day, "trades"), 4067 + 2201) << "visible and hidden";
    EXPECT_NEAR(value_of(*day, "cancels_to_adds"), .937, .0005);
    EXPECT_NEAR(value_of(*day, "round_lot_adds"), .528, .0005);
    EXPECT_NEAR(value_of(*day, "hidden_executions"), .351, .0005);
    EXPECT_NEAR(value_of(*day, "interarrival_cv"), 3.37, .005);
    EXPECT_NEAR(value_of(*day, "merged_sign_autocorrelation_1"), .613, .001);
    EXPECT_NEAR(value_of(*day, "merged_sign_autocorrelation_2"), .449, .001);
    EXPECT_NEAR(value_of(*day, "merged_sign_autocorrelation_5"), .244, .001);
    EXPECT_NEAR(value_of(*day, "merged_sign_autocorrelation_10"), .107, .001);
    EXPECT_NEAR(value_of(*day, "sign_autocorrelation_1"), .687, .001);
    for (const measures::Value& value : day->results.values())
        RecordProperty(value.name, std::to_string(value.value));
}

}  // namespace
}  // namespace damrak::market_runs::recorded_measures_test
