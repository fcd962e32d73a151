// A recorded day as a market: alone it is the recording, and with a client it differs by what that
// one did.
#include <cstdint>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/generator/itch_day.hpp>

#include "played_day.hpp"
#include "support/real_data.hpp"
#include "support/small_day.hpp"

namespace damrak::recorded_market::playback_test {
namespace {

namespace itch = wire::itch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::SmallDay;

/// What a message says was traded: quantity and price; zero: nothing.
struct Traded {
    std::int64_t quantity = 0;
    std::int64_t price_e4 = 0;  ///< zero: that of the order
};

Traded traded_by(const itch::Message& message) {
    if (const auto* m = std::get_if<itch::OrderExecuted>(&message)) return {m->executed_shares};
    if (const auto* m = std::get_if<itch::OrderExecutedWithPrice>(&message))
        return {m->executed_shares, m->execution_price_e4};
    if (const auto* m = std::get_if<itch::Trade>(&message)) return {m->shares, m->price_e4};
    return {};
}

// The trades of the last command are those of its message, and so are the books after it.
void expect_as_recorded(const PlayedDay& day, std::size_t depth) {
    const Recorded& last = day.last();
    const Traded wanted = traded_by(last.message);
    std::int64_t quantity = 0;
    for (const Event& event : day.events()) {
        ASSERT_NE(event.kind, EventKind::rejected) << last.sequence;
        if (event.kind != EventKind::executed || !has_flag(event, EventFlags::k_aggressor))
            continue;
        quantity += event.quantity.value;
        if (wanted.price_e4 != 0) {
            ASSERT_EQ(event.price.value, wanted.price_e4) << last.sequence;
        }
    }
    ASSERT_EQ(quantity, wanted.quantity) << last.sequence;
    for (const Side side : {Side::buy, Side::sell})
        ASSERT_EQ(day.played(last.locate, side, depth), day.recorded(last.locate, side, depth))
            << last.sequence;
}

void expect_all_as_recorded(PlayedDay& day, std::uint64_t whole_every) {
    for (std::uint64_t steps = 1; day.step(); ++steps)
        ASSERT_NO_FATAL_FAILURE(expect_as_recorded(day, steps % whole_every == 0 ? 100'000 : 5));
    const DriftCounts drift = day.playback().drift().total();
    EXPECT_GT(drift.messages, 0U);
    EXPECT_EQ(drift.differences, 0U);
    EXPECT_EQ(drift.taken, 0U);
    EXPECT_TRUE(day.playback().is_over());
    EXPECT_TRUE(day.playback().completeness().is_complete());
}

struct Playbacks : ::testing::Test {
    testing::ScratchFolder folder;

    archive::Day day_of(const SmallDay& small) {
        const auto file = folder.path() / "day.itch";
        std::ofstream{file, std::ios::binary}.write(
            reinterpret_cast<const char*>(small.bytes().data()),
            static_cast<std::streamsize>(small.bytes().size()));
        return import(file, folder.path() / "day.dar");
    }
};

TEST_F(Playbacks, OfARealHourAreTheRecordingAtEveryMessage) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    PlayedDay day{import(file, folder.path() / "day.dar", "AAPL")};
    expect_all_as_recorded(day, 1'000);
}

// Buys and sells at once, and offers that the recording fills. All that the market differs by is of
// the orders that it met.
TEST_F(Playbacks, OfARealHourStayCloseToTheRecordingWithAClientInIt) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    PlayedDay day{import(file, folder.path() / "day.dar", "AAPL")};
    constexpr std::int64_t k_minute_ns = 60'000'000'000;
    std::int64_t bought = 0;
    for (std::int64_t minute = 1; minute < 50; ++minute) {
        day.play(SmallDay::k_begin_ns + minute * k_minute_ns);
        const auto asks = day.played(1, Side::sell, 1);
        const auto bids = day.played(1, Side::buy, 1);
        ASSERT_FALSE(asks.empty() || bids.empty());
        day.order(Side::buy, 30, asks.front().first / 100 + 1);
        day.order(Side::sell, 20, asks.front().first / 100);
        day.order(Side::buy, 20, bids.front().first / 100);
        bought += 30;
    }
    day.play();
    const DriftCounts drift = day.playback().drift().total();
    EXPECT_GE(drift.taken, static_cast<std::uint64_t>(bought));
    EXPECT_EQ(drift.refused, 0U);
    EXPECT_EQ(day.engine().instrument(InstrumentId{1})->aside_orders, 0U);
    EXPECT_LT(drift.differences, 500U);
}

TEST_F(Playbacks, OfAGeneratedDayAreTheRecordingAtEveryMessage) {
    generator::FlowOptions options;
    options.symbols = 3;
    options.messages = 20'000;
    options.live_orders = 1'000;
    auto generated = generator::ItchDay::create(options);
    ASSERT_TRUE(generated) << generated.error();
    const auto file = folder.path() / "day.dar";
    auto writer = archive::DayWriter::create(file, {.date = 20261123, .source = "generated"});
    ASSERT_TRUE(writer) << writer.error();
    for (const auto* messages = &generated->next(); !messages->empty();
         messages = &generated->next())
        for (const itch::Message& message : *messages)
            std::visit([&](const auto& one) { writer->add(one); }, message);
    ASSERT_TRUE(writer->close());
    PlayedDay day{*archive::Day::open(file)};
    expect_all_as_recorded(day, 500);
}

SmallDay every_message() {
    SmallDay day;
    day.listed(1, "AAPL")
        .state(0, 'T')
        .add(1, 11, Side::sell, 1'001, 100)
        .add(2, 12, Side::sell, 1'001, 50)
        .add(3, 13, Side::buy, 1'000, 80)
        .execute(4, 11, 30)
        .cancel(5, 12, 10)
        .execute_at(6, 11, 20, 999)
        .replace(7, 11, 14, 1'002, 70)
        .hidden_trade(8, 1'000, 25)
        .replace(9, 13, 15, 1'000, 60)
        .execute(10, 12, 40)
        .cross(11, 1'001, 500)
        .remove(12, 15)
        .add(13, 16, Side::buy, 1'000, 5);
    return day;
}

TEST_F(Playbacks, HaveAllKindsOfMessages) {
    PlayedDay day{day_of(every_message())};
    expect_all_as_recorded(day, 1);
    EXPECT_EQ(day.drift().not_played, 1U);
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'200, 70)));
    EXPECT_THAT(day.played(1, Side::buy, 9), ElementsAre(Pair(100'000, 5)));
}

TEST_F(Playbacks, FillClientsThatStandBeforeTheRecordedOrder) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(1, 11, Side::sell, 1'001, 100)
        .execute(2, 11, 40)
        .execute(3, 11, 60)
        .remove(5, 99);
    PlayedDay day{day_of(small)};
    day.play(SmallDay::time_ns(1));
    day.order(Side::sell, 25, 1'000);
    day.order(Side::sell, 10, 1'001);  // behind the recorded one
    day.play(SmallDay::time_ns(2));
    EXPECT_EQ(day.drift().taken, 25U);
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'100, 85), Pair(100'100, 10)));
    day.play();
    EXPECT_EQ(day.drift().taken, 25U);
    EXPECT_EQ(day.drift().missed_quantity, 0U);
    // What the client sold is what the recorded order still has.
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'100, 25), Pair(100'100, 10)));
}

TEST_F(Playbacks, WithdrawWhatIsLeftOfATradedOrderOnceItIsInTheWay) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(1, 11, Side::sell, 1'001, 100)
        .add(1, 12, Side::sell, 1'003, 100)
        .execute(2, 11, 100)
        .add(3, 13, Side::buy, 1'000, 10)
        .add(4, 14, Side::buy, 999, 10)
        .replace(5, 14, 15, 1'002, 10)
        .add(6, 16, Side::buy, 1'001, 10);
    PlayedDay day{day_of(small)};
    day.play(SmallDay::time_ns(1));
    day.order(Side::sell, 25, 1'000);
    day.play(SmallDay::time_ns(4));
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'100, 25), Pair(100'300, 100)));
    EXPECT_EQ(day.drift().withdrawn, 0U);
    day.play();
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'300, 100)));
    EXPECT_THAT(day.played(1, Side::buy, 9),
                ElementsAre(Pair(100'200, 10), Pair(100'100, 10), Pair(100'000, 10)));
    EXPECT_EQ(day.drift().taken, 25U);
    EXPECT_EQ(day.drift().withdrawn, 25U);
    EXPECT_EQ(day.drift().differences, 1U);  // the trade
}

TEST_F(Playbacks, MissWhatClientsTook) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(1, 11, Side::sell, 1'001, 100)
        .execute(2, 11, 40)
        .cancel(3, 11, 20)
        .remove(4, 11)
        .add(5, 12, Side::sell, 1'002, 10)
        .remove(6, 12);
    PlayedDay day{day_of(small)};
    day.play(SmallDay::time_ns(1));
    day.order(Side::buy, 70, 1'001);
    day.play(SmallDay::time_ns(2));
    EXPECT_EQ(day.drift().taken, 70U);
    EXPECT_EQ(day.drift().missed_trades, 1U);
    EXPECT_EQ(day.drift().missed_quantity, 10U);  // 30 of 40 were left
    EXPECT_EQ(day.drift().differences, 1U);
    EXPECT_THAT(day.played(1, Side::sell, 9), IsEmpty());
    day.play();
    EXPECT_EQ(day.drift().differences, 3U);  // nothing to cancel, twice
    EXPECT_EQ(day.drift().missed_trades, 1U);
    EXPECT_EQ(day.drift().refused, 0U);
}

TEST_F(Playbacks, OfOrdersThatAreGoneFillWhoOffersMore) {
    SmallDay small;
    small.listed(1, "AAPL").add(1, 11, Side::sell, 1'001, 100).execute(3, 11, 60);
    PlayedDay day{day_of(small)};
    day.play(SmallDay::time_ns(1));
    day.order(Side::buy, 100, 1'001);
    day.order(Side::sell, 20, 1'000);
    day.order(Side::sell, 20, 1'001);
    day.play();
    EXPECT_EQ(day.drift().taken, 120U);
    EXPECT_EQ(day.drift().missed_quantity, 40U);
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'100, 20)));
}

TEST_F(Playbacks, LoseReplacedOrdersThatClientsTook) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(1, 11, Side::sell, 1'001, 100)
        .replace(2, 11, 12, 1'002, 100)
        .execute(3, 12, 40)
        .remove(4, 12);
    PlayedDay day{day_of(small)};
    day.play(SmallDay::time_ns(1));
    day.order(Side::buy, 100, 1'001);
    day.play();
    EXPECT_THAT(day.played(1, Side::sell, 9), IsEmpty());
    EXPECT_EQ(day.drift().taken, 100U);
    EXPECT_EQ(day.drift().missed_quantity, 40U);
    EXPECT_EQ(day.drift().differences, 3U);
}

TEST_F(Playbacks, TradeWithClientsThatRecordedOrdersCross) {
    SmallDay small;
    small.listed(1, "AAPL").add(2, 11, Side::sell, 1'000, 100).remove(3, 11);
    PlayedDay day{day_of(small)};
    day.order(Side::buy, 30, 1'001);
    day.play(SmallDay::time_ns(2));
    EXPECT_EQ(day.drift().taken, 30U);
    EXPECT_EQ(day.drift().differences, 1U);
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'000, 70)));
    day.play();
    EXPECT_EQ(day.drift().differences, 2U);  // 70 were left of 100
}

// One level is known: the bid at 99 comes into view when that at 100 is gone.
TEST_F(Playbacks, OfADayOfLimitedDepthTradeWithClientsWhereTheyComeIntoView) {
    const auto of_one_level = [this](const std::string& name) {
        return import_pair({folder.write(name + "_2026-01-02_34200000_57600000_message_1.csv",
                                         "34200,1,1,10,1000000,1\n34201,3,1,10,1000000,1\n"),
                            folder.write(name + "_2026-01-02_34200000_57600000_orderbook_1.csv",
                                         "1050000,5,1000000,10\n1050000,5,990000,7\n")},
                           folder.path() / (name + ".dar"));
    };
    PlayedDay alone{of_one_level("X")};
    ASSERT_NO_FATAL_FAILURE(expect_all_as_recorded(alone, 1));
    EXPECT_THAT(alone.played(1, Side::buy, 9), ElementsAre(Pair(990'000, 7)));

    PlayedDay day{of_one_level("Y")};
    day.play(34'200'000'000'000);
    day.order(Side::sell, 12, 9'900);  // 10 trade at 100; nothing is known to be below
    day.play();
    EXPECT_EQ(day.drift().taken, 12U);
    EXPECT_EQ(day.drift().revealed, 2U);
    EXPECT_THAT(day.played(1, Side::buy, 9), ElementsAre(Pair(990'000, 5)));
    EXPECT_TRUE(day.playback().drift().differs_since_ns(InstrumentId{1}));
    EXPECT_FALSE(alone.playback().drift().differs_since_ns(InstrumentId{1}));
}

TEST_F(Playbacks, OfARealDayOfLimitedDepthAreTheRecordingAtEveryMessage) {
    DAMRAK_REAL_DATA_OR_SKIP(messages, "lobster/AAPL_2012-06-21_34200000_57600000_message_10.csv");
    DAMRAK_REAL_DATA_OR_SKIP(book, "lobster/AAPL_2012-06-21_34200000_57600000_orderbook_10.csv");
    PlayedDay day{import_pair({messages, book}, folder.path() / "day.dar")};
    expect_all_as_recorded(day, 1);
}

// With more levels in the messages than in the rows, orders below the known levels come up later.
TEST_F(Playbacks, OfAWiderDayBeginWithAllOfItsOrders) {
    DAMRAK_REAL_DATA_OR_SKIP(messages, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    DAMRAK_REAL_DATA_OR_SKIP(book, "lobster/AAPL_2012-06-21_34200000_57600000_orderbook_10.csv");
    const auto file = folder.path() / "day.dar";
    const std::int64_t from_ns = 34'215'000'000'000;
    PlayedDay day{import_pair({messages, book}, file),
                  {.from_ns = from_ns, .until_ns = 34'249'000'000'000}};
    day.play();
    EXPECT_EQ(day.drift().differences, 0U);
    const auto recorded = archive::Day::open(file)->orders_at(1, 34'249'000'000'000);
    ASSERT_TRUE(recorded) << recorded.error();
    Orders asks;
    for (const archive::BookOrder& order : recorded->asks)
        asks.emplace_back(order.price_e4, order.shares);
    EXPECT_EQ(day.played(1, Side::sell, 100'000), asks);
}

TEST_F(Playbacks, HaltAndPlayWhatCameMeanwhileOnceItTradesAgain) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(1, 11, Side::sell, 1'001, 100)
        .state(2, 'H')
        .state(3, 'Q')
        .add(4, 12, Side::sell, 1'002, 10)
        .remove(5, 11)
        .state(6, 'T')
        .add(7, 13, Side::sell, 1'003, 10);
    PlayedDay day{day_of(small)};
    day.play(SmallDay::time_ns(5));
    EXPECT_EQ(day.engine().instrument(InstrumentId{1})->state, TradingState::halted);
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'100, 100)));
    day.play();
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'200, 10), Pair(100'300, 10)));
    EXPECT_EQ(day.drift().differences, 0U);
}

TEST_F(Playbacks, BeginWithTheBooksOfATime) {
    PlayedDay day{day_of(every_message()), {.from_ns = SmallDay::time_ns(7)}};
    while (day.step(SmallDay::time_ns(7))) {
    }
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'100, 40), Pair(100'200, 70)));
    EXPECT_THAT(day.played(1, Side::buy, 9), ElementsAre(Pair(100'000, 80)));
    day.play();
    EXPECT_EQ(day.drift().differences, 0U);
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'200, 70)));
}

TEST_F(Playbacks, EndAtATime) {
    PlayedDay day{day_of(every_message()), {.until_ns = SmallDay::time_ns(2)}};
    day.play();
    EXPECT_TRUE(day.playback().is_over());
    EXPECT_THAT(day.played(1, Side::sell, 9), ElementsAre(Pair(100'100, 100), Pair(100'100, 50)));
    EXPECT_THAT(day.played(1, Side::buy, 9), IsEmpty());
}

}  // namespace
}  // namespace damrak::recorded_market::playback_test
