// Recorded days with participants of our own in them: alone they are the record, and an own order
// has its place in the queue and costs what the record says.
#include <damrak/what_if/what_if.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/sim/itch_day.hpp>

#include "explain/queue_checker.hpp"
#include "scripted.hpp"
#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_day.hpp"

namespace damrak::what_if {
namespace {

using ::testing::HasSubstr;
using testing::SmallDay;
using Orders = std::vector<std::pair<std::int64_t, std::int64_t>>;

template <class PriceOf>
Orders orders_of(const OrderBook& book, const BookStore& store, Side side, std::size_t most,
                 const PriceOf& price_of) {
    Orders orders;
    book.for_each_order(store, side, [&](OrderIndex index) {
        const Order& order = store.order(index);
        orders.emplace_back(price_of(order), order.quantity.value);
        return orders.size() < most;
    });
    return orders;
}

struct WhatIf : ::testing::Test {
    testing::ScratchFolder folder;

    OpenDay open(const std::filesystem::path& file, const std::string& symbol = "") {
        auto day = open_day({.file = file, .folder = folder.path() / "made", .symbol = symbol});
        if (!day) ADD_FAILURE() << day.error();
        return *std::move(day);
    }
    OpenDay open(const SmallDay& small) {
        const auto file = folder.path() / "small.itch";
        std::ofstream{file, std::ios::binary}.write(
            reinterpret_cast<const char*>(small.bytes().data()),
            static_cast<std::streamsize>(small.bytes().size()));
        return open(file);
    }
    /// Three symbols; large enough to trade in full.
    std::filesystem::path generated() {
        sim::FlowOptions options;
        options.symbols = 3;
        options.messages = 20'000;
        options.live_orders = 1'000;
        auto made = sim::ItchDay::create(options);
        EXPECT_TRUE(made) << made.error();
        auto path = folder.path() / "generated.dar";
        auto writer = archive::DayWriter::create(path, 20'261'123, "generated");
        EXPECT_TRUE(writer) << writer.error();
        for (const auto* messages = &made->next(); !messages->empty(); messages = &made->next())
            for (const wire::itch::Message& message : *messages)
                std::visit([&](const auto& one) { writer->add(one); }, message);
        EXPECT_TRUE(writer->close());
        return path;
    }
    static Result replay(const OpenDay& day, const study::MarketFile& file, Options options = {}) {
        auto result = run(day, file, options);
        if (!result) ADD_FAILURE() << result.error();
        return *std::move(result);
    }
    static study::MarketFile nobody(const OpenDay& day) {
        return *study::parse_market_file("", "nobody", &day.given);
    }
    /// One participant that does this, without latency.
    study::MarketFile with(const OpenDay& day, std::vector<Entry> entries) {
        kind_ = scripted(std::move(entries));
        study::MarketFile file = nobody(day);
        study::GroupDescription group;
        group.name = "own";
        group.kind = &kind_;
        group.instruments = {InstrumentId{1}};
        file.groups.push_back(std::move(group));
        return file;
    }

    static void expect_the_record(const OpenDay& day, std::size_t whole_every) {
        std::size_t steps = 0;
        std::size_t different = 0;
        Options options;
        options.compare = [&](const market::Market& market, const RecordedMarket& record) {
            const std::size_t depth = ++steps % whole_every == 0 ? 100'000 : 10;
            const InstrumentState& in = *market.engine().instrument(InstrumentId{1});
            for (const Side side : {Side::buy, Side::sell}) {
                const auto played =
                    orders_of(in.book, market.engine().store(), side, depth,
                              [&](const Order& order) { return in.price_of(order.tick).value; });
                const auto recorded =
                    record.instrument() ? orders_of(record.books().book(record.instrument()).book,
                                                    record.books().store(), side, depth,
                                                    [&](const Order& order) {
                                                        return record.books().price_of(order).value;
                                                    })
                                        : Orders{};
                if (played != recorded) ++different;
            }
        };
        const Result result = replay(day, nobody(day), options);
        EXPECT_GT(steps, 100U);
        EXPECT_EQ(different, 0U);
        EXPECT_TRUE(result.is_complete);
        EXPECT_GT(result.recorded_trades, 0U);
        EXPECT_EQ(result.counts.trades, result.recorded_trades);
        EXPECT_EQ(result.drift.differences, 0U);
        EXPECT_EQ(result.drift.refused, 0U);
        EXPECT_EQ(result.drift.missed_trades, 0U);
        EXPECT_EQ(result.counts.messages, 0U);
        EXPECT_FALSE(result.has_acted);
    }

  private:
    participants::Kind kind_;
};

TEST_F(WhatIf, AGeneratedDayAloneIsTheRecordAtEveryMessage) {
    const auto file = generated();
    for (const char* symbol : {"SIM1", "SIM3"}) expect_the_record(open(file, symbol), 100);
}

TEST_F(WhatIf, ARealHourAloneIsTheRecordAtEveryMessage) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    expect_the_record(open(file), 1'000);
}

TEST_F(WhatIf, ARealPairAloneIsTheRecordAtEveryMessage) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_57600000_message_10.csv");
    expect_the_record(open(file), 10);
}

/// A bid of 100 and an ask of 50; then 30, 70 and 60 are sold at the bid.
SmallDay bid_that_trades() {
    SmallDay day;
    day.listed(1, "AAPL")
        .add(0, 1, Side::buy, 1'000, 100)
        .add(0, 2, Side::sell, 1'010, 50)
        .add(20, 3, Side::buy, 1'000, 200)
        .execute(30, 1, 30)
        .execute(40, 1, 70)
        .execute(50, 3, 60)
        .add(60, 4, Side::buy, 1'004, 10)
        .remove(3'000'000, 4)
        .add(5'000'000, 5, Side::sell, 1'020, 10);
    return day;
}

TEST_F(WhatIf, AnOwnOrderWaitsForThoseBeforeItAndTradesBeforeThoseBehind) {
    const OpenDay day = open(bid_that_trades());
    const Result result = replay(day, with(day, {{10'000, Side::buy, 1'000, 40, 0}}));
    ASSERT_EQ(result.groups.size(), 1U);
    const GroupTrading& own = result.groups[0];
    // Nothing of the 100 sold before it, all of its 40 of the next 60.
    EXPECT_EQ(own.fills, 1U);
    EXPECT_EQ(own.bought, 40);
    EXPECT_EQ(own.maker_quantity, 40);
    EXPECT_EQ(result.drift.taken, 40U);
    EXPECT_EQ(result.drift.missed_trades, 0U);
    EXPECT_EQ(own.cash, -40 * 100'000);
    // Bought 5 cents below the recorded mid of 10.05; a second later, mid is 10.07.
    EXPECT_DOUBLE_EQ(own.slippage / 40, -500);
    EXPECT_DOUBLE_EQ(own.shortfall / 40, -500);
    EXPECT_EQ(own.markouts[0].quantity, 40);
    EXPECT_DOUBLE_EQ(own.markouts[0].sum / 40, 700);
    EXPECT_EQ(own.markouts[1].quantity, 0) << "the day ends before ten seconds";
    EXPECT_EQ(result.first_action_ns, SmallDay::time_ns(10));
}

TEST_F(WhatIf, AnOwnFillIsExplained) {
    const OpenDay day = open(bid_that_trades());
    explain::OrderWatch watch{{{"own", 0, 1}}, {.group = "own", .number = 1}};
    Options options;
    options.watchers = {&watch};
    static_cast<void>(replay(day, with(day, {{10'000, Side::buy, 1'000, 60, 0}}), options));
    watch.finish();
    ASSERT_EQ(watch.fates().size(), 1U);
    const explain::Fate& own = watch.fates()[0];
    ASSERT_EQ(own.stays.size(), 1U);
    EXPECT_EQ(own.stays[0].at_price, (explain::Crowd{1, 100}));
    EXPECT_EQ(own.stays[0].traded, (explain::Crowd{1, 100}));
    EXPECT_TRUE(own.stays[0].joined.empty());
    EXPECT_EQ(own.stays[0].front->value, day.midnight_ns + SmallDay::time_ns(40));
    ASSERT_EQ(own.trades.size(), 1U);
    EXPECT_EQ(own.trades[0].at.value, day.midnight_ns + SmallDay::time_ns(50));
    EXPECT_EQ(own.trades[0].other, ParticipantId{2}) << "the record";
    EXPECT_EQ(own.ending, explain::Ending::filled);
}

/// Two makers a millisecond away: what is counted ahead of their orders is what the engine has.
void expect_exact_places(const OpenDay& day) {
    const auto file = study::parse_market_file(
        "[[participants]]\nkind = \"fixed-maker\"\nname = \"makers\"\ncount = 2\n"
        "latency = \"1ms\"",
        "makers", &day.given);
    ASSERT_TRUE(file) << file.error();
    explain::OrderWatch watch{{{"makers", 0, 2}, {"makers", 1, 2}},
                              {.group = "makers", .number = {}, .limit = 300}};
    explain::QueueChecker checker{watch};
    Options options;
    options.watchers = {&watch, &checker};
    ASSERT_TRUE(run(day, *file, options));
    EXPECT_GT(checker.checked, 100U);
    EXPECT_EQ(checker.different, 0U);
}

TEST_F(WhatIf, PlacesOfOwnOrdersAreExactInAGeneratedDay) {
    expect_exact_places(open(generated(), "SIM1"));
}

TEST_F(WhatIf, PlacesOfOwnOrdersAreExactInARealHour) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    expect_exact_places(open(file));
}

TEST_F(WhatIf, ATradeWithAnOrderThatWeTookIsMissedAndCounted) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(0, 1, Side::buy, 1'000, 100)
        .add(0, 2, Side::sell, 1'010, 50)
        .add(0, 3, Side::sell, 1'012, 50)
        .execute(20, 2, 50)
        .remove(30, 3)
        .add(2'000'030, 4, Side::buy, 1'001, 1);
    const OpenDay day = open(small);
    const Result result = replay(day, with(day, {{10'000, Side::buy, 1'010, 50, 0}}));
    EXPECT_EQ(result.groups[0].bought, 50);
    EXPECT_DOUBLE_EQ(result.groups[0].slippage / 50, 500) << "paid the half spread";
    EXPECT_EQ(result.drift.missed_trades, 1U);
    EXPECT_EQ(result.drift.missed_quantity, 50U);
    EXPECT_EQ(result.recorded_trades, 1U);
    // From the fill to the recorded trade, the ask was 2 cents away; later both had none but ours.
    EXPECT_EQ(result.distance.differing_ns, 10'000);
    EXPECT_EQ(result.series.size(), 3U);
}

TEST_F(WhatIf, ARecordedOrderThatMeetsOursTradesWithIt) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(0, 1, Side::buy, 1'000, 100)
        .add(0, 2, Side::sell, 1'010, 50)
        .add(20, 3, Side::sell, 1'003, 30)
        .remove(30, 3)  // of which 10 are left
        .remove(40, 1);
    const OpenDay day = open(small);
    const Result result = replay(day, with(day, {{10'000, Side::buy, 1'004, 20, 0}}));
    EXPECT_EQ(result.groups[0].bought, 20);
    EXPECT_EQ(result.groups[0].cash, -20 * 100'400) << "at the price of the order that rested";
    EXPECT_EQ(result.drift.missed_trades, 0U);
    EXPECT_EQ(result.drift.refused, 0U);
}

TEST_F(WhatIf, MessagesOfAHaltOfOursWaitForItsEnd) {
    const OpenDay day = open(bid_that_trades());
    study::MarketFile file = with(day, {{15'000, Side::buy, 1'000, 40, 0}});
    study::TimelineEntry halt;
    halt.kind = study::TimelineEntry::Kind::halt;
    halt.at_ns = 10'000;
    halt.for_ns = 1'000'000;
    file.timeline.push_back(halt);
    const Result result = replay(day, file);
    // Nothing is entered while the market is halted; afterwards the record goes on.
    EXPECT_EQ(result.groups[0].bought, 0);
    EXPECT_EQ(result.counts.rejects, 1U);
    EXPECT_EQ(result.counts.trades, 3U);
    EXPECT_EQ(result.drift.differences, 0U);
    EXPECT_EQ(result.drift.refused, 0U);
}

TEST_F(WhatIf, EventsOfTheTimelineTradeInTheRecord) {
    const OpenDay day = open(generated(), "SIM1");
    const auto file = study::parse_market_file(R"(
[[timeline]]
at = "1s"
event = "fat_finger"
quantity = 700
ticks_through = 1000
[[timeline]]
at = "2s"
for = "10s"
event = "sell_programme"
side = "buy"
quantity = 300
interval = "1s"
[[timeline]]
at = "15s"
for = "1s"
event = "quote_stuffing"
orders_per_s = 100
[[timeline]]
at = "0s"
event = "limits"
order_quantity = 1_000
)",
                                               "events", &day.given);
    ASSERT_TRUE(file) << file.error();
    const Result result = replay(day, *file);
    ASSERT_EQ(result.groups.size(), 3U);
    EXPECT_EQ(result.groups[0].group, "fat_finger");
    EXPECT_EQ(result.groups[0].sold, 700);
    EXPECT_EQ(result.groups[1].bought, 300);
    EXPECT_EQ(result.groups[2].orders, 100U);
    EXPECT_EQ(result.groups[2].fills, 0U);
    EXPECT_EQ(result.drift.refused, 0U) << "limits do not hold for the record";
    EXPECT_EQ(replay(day, *file).hash, result.hash);
    // An event that never comes leaves the record as it is.
    const auto late = study::parse_market_file(
        "duration = \"5s\"\n[[timeline]]\nat = \"5s\"\nevent = \"fat_finger\"\nquantity = 1",
        "late", &day.given);
    ASSERT_TRUE(late) << late.error();
    EXPECT_EQ(replay(day, *late).drift.missed_trades, 0U);
}

TEST_F(WhatIf, TheSameFileGivesTheSameReplay) {
    const OpenDay day = open(generated(), "SIM2");
    const study::MarketFile file =
        with(day, {{1, Side::buy, 1'000'000, 100, 0}, {k_second_ns, Side::buy, 1'000'000, 100, 0}});
    const Result once = replay(day, file);
    const Result again = replay(day, file);
    EXPECT_GT(once.groups[0].fills, 0U);
    EXPECT_EQ(once.hash, again.hash);
    EXPECT_NE(once.hash, replay(day, nobody(day)).hash);
}

TEST_F(WhatIf, SaysWhatIsWrongWithDayOrFile) {
    const auto no_symbol = open_day({.file = generated()});
    ASSERT_FALSE(no_symbol);
    EXPECT_THAT(no_symbol.error(), HasSubstr("3 instruments: give --symbol"));
    const auto other = open_day({.file = folder.path() / "generated.dar", .symbol = "XYZ"});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error(), HasSubstr("no symbol 'XYZ'"));
    const auto none = open_day({.file = folder.path() / "none.dar"});
    EXPECT_FALSE(none);
    const auto late = open_day({.file = folder.path() / "generated.dar",
                                .symbol = "SIM1",
                                .from_ns = 23 * 3'600 * k_second_ns});
    ASSERT_FALSE(late);
    EXPECT_THAT(late.error(), HasSubstr("no messages in these hours"));
    const OpenDay day = open(folder.path() / "generated.dar", "SIM1");
    const auto own =
        study::parse_market_file("[[instrument]]\nsymbol = \"AAA\"\n", "file.toml", &day.given);
    ASSERT_FALSE(own);
    EXPECT_EQ(own.error(),
              "file.toml:1: instrument: the recorded day has the instrument: leave out "
              "[[instrument]]");
}

}  // namespace
}  // namespace damrak::what_if
