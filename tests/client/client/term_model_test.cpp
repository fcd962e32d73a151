// The state and display of `damrak term` without a terminal: against real sessions and the real
// engine, with a hand-made feed.
#include <damrak/client/term_model.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/client/order_entry.hpp>
#include <damrak/client/term_screen.hpp>

#include "support/binary_exchange.hpp"

namespace damrak::client::term_model_test {
namespace {

using damrak::testing::BinaryExchange;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using wire::binary::Version;

class Term : public ::testing::Test {
  protected:
    Term() {
        model_.link.state = TermLink::State::up;
        model_.link.where = "127.0.0.1:12345";
        model_.feed_state = TermFeed::live;
        model_.time = "12:31:05";
        entry_.login();
        carry();
    }

    // Bytes there and back; what it says about them.
    std::vector<std::string> carry() {
        far_.send_bytes(entry_.unsent());
        entry_.mark_sent(entry_.unsent().size());
        EXPECT_EQ(entry_.receive(far_.heard_bytes()), wire::binary::Fault::none);
        std::vector<std::string> lines;
        for (const TermLine& line : model_.hear(entry_.take_news())) lines.push_back(line.text);
        return lines;
    }
    // Output for a line, and for the events that follow.
    std::vector<std::string> type(std::string_view line) {
        const auto command = parse_command(line, model_.symbols());
        EXPECT_TRUE(command) << command.error();
        auto answer = model_.execute(*command);
        if (!answer) return {"error: " + answer.error()};
        for (const std::string& each : carry()) answer->push_back(each);
        return *answer;
    }
    void other(std::uint8_t side, std::uint64_t quantity, std::uint64_t price_e2) {
        other_.order(side, quantity, price_e2);
    }
    void snapshot(std::uint32_t instrument, const L2Receiver::Levels& bids,
                  const L2Receiver::Levels& asks) {
        std::array<std::byte, wire::binary::k_largest_feed_datagram> memory{};
        const std::size_t length =
            wire::binary::encode_feed({sequence_++, InstrumentId{instrument}}, bids, asks, memory);
        model_.on_datagram(std::span{memory}.first(length));
    }
    [[nodiscard]] std::vector<std::string> screen(std::size_t width = 80,
                                                  std::size_t height = 24) const {
        const TermCanvas canvas = draw_term(model_, editor_, width, height);
        std::vector<std::string> rows;
        for (std::size_t y = 0; y < height; ++y) rows.push_back(canvas.row(y));
        return rows;
    }

    BinaryExchange exchange_;
    OrderEntry entry_{Version::v2};
    TermModel model_{Symbols{{"AAPL", "MSFT"}}, entry_};
    LineEditor editor_{[](std::string_view) { return std::vector<std::string>{}; }};
    damrak::testing::BinaryClient& far_ = exchange_.connect(Version::v2);
    damrak::testing::BinaryClient& other_ = [this]() -> damrak::testing::BinaryClient& {
        auto& client = exchange_.connect(Version::v1);
        client.hello();
        return client;
    }();
    std::uint64_t sequence_ = 0;
};

TEST_F(Term, AnOrderIsReportedFromEntryToItsLastFill) {
    EXPECT_THAT(type("buy 100 AAPL 101.25"), ElementsAre("order 1 accepted: buy 100 AAPL 101.25"));
    EXPECT_THAT(type("orders"), ElementsAre("order 1 open: buy 100 AAPL 101.25, 0 filled"));
    other(1, 40, 10'100);
    EXPECT_THAT(carry(), ElementsAre("order 1 bought 40 AAPL at 101.25, 60 open"));
    EXPECT_THAT(type("modify 1 10 101.30"), ElementsAre("order 1 is now: buy 10 AAPL 101.30"));
    EXPECT_THAT(type("cancel 1"), ElementsAre("order 1 cancelled: buy 10 AAPL 101.30"));
    EXPECT_THAT(type("orders"), ElementsAre("no open orders"));
    EXPECT_EQ(model_.refusals(), 0U);
}

TEST_F(Term, PositionsAndProfitFollowFillsAndTheBook) {
    other(1, 100, 10'000);
    other(0, 100, 9'900);
    EXPECT_THAT(type("buy 50 AAPL market"), ElementsAre("order 1 accepted: buy 50 AAPL market",
                                                        "order 1 bought 50 AAPL at 100.00, done"));
    snapshot(1, {{9'900, 100}}, {{10'002, 50}});
    EXPECT_THAT(type("positions"),
                ElementsAre("AAPL +50 at 100.00 (bought 50, sold 0): realised +0.00, open -24.50"));
    type("sell 20 AAPL 99.00");
    EXPECT_THAT(type("positions"), ElementsAre("AAPL +30 at 100.00 (bought 50, sold 20): "
                                               "realised -20.00, open -14.70"));
    EXPECT_EQ(money_text(model_.profit()), "-34.70");
}

TEST_F(Term, RefusalsAreErrorsWithAReason) {
    EXPECT_THAT(type("buy 100 #9 1.00"),
                ElementsAre("order 1 refused: buy 100 #9 1.00: invalid, or against a limit"));
    EXPECT_THAT(type("cancel 7"), ElementsAre("error: no open order 7"));
    EXPECT_THAT(type("book"), ElementsAre("error: no book of AAPL: waiting for the next snapshot"));
    EXPECT_EQ(model_.refusals(), 1U);
    type("sell 5 AAPL market");
    EXPECT_THAT(model_.lines().back().text,
                "order 2 ended: nothing left to trade with, 5 not filled");
    model_.link.state = TermLink::State::waiting;
    model_.link.trouble = "connection refused";
    EXPECT_THAT(type("buy 1 AAPL 1.00"), ElementsAre("error: not connected: connection refused"));
}

TEST_F(Term, TheBinaryGatewayTakesItsTimesInForceAndRefusesTheRest) {
    EXPECT_THAT(type("buy 5 AAPL 1.00 fok"),
                ElementsAre("order 1 accepted: buy 5 AAPL 1.00 fok",
                            "order 1 ended: nothing left to trade with, 5 not filled"));
    EXPECT_THAT(type("buy 5 AAPL 1.00 day"), ElementsAre("order 2 accepted: buy 5 AAPL 1.00 day"));
    EXPECT_THAT(type("buy 5 AAPL 1.00 until 2199-01-01T10:00"),
                ElementsAre("order 3 accepted: buy 5 AAPL 1.00 until 2199-01-01T10:00"));
    for (const char* const words :
         {"stop 1.00", "1.00 show 1", "1.00 min 1", "1.00 post", "1.00 ioc"})
        EXPECT_THAT(type("buy 5 AAPL " + std::string{words}),
                    ElementsAre(AllOf(HasSubstr("error: the binary gateway has no "),
                                      HasSubstr("damrak term --fix"))));
    model_.now = Timestamp{4'000'000'000'000'000'000};  // in 2096
    EXPECT_THAT(type("buy 5 AAPL 1.00 until 2026-03-02T16:00"),
                ElementsAre(HasSubstr("error: 2026-03-02T16:00 has passed")));
    EXPECT_EQ(entry_.orders().size(), 2U);
}

TEST_F(Term, AQuoteIsTwoOrdersUntilItIsReplaced) {
    EXPECT_THAT(type("quote AAPL 100 99.50 120 99.70"),
                ElementsAre("order 1 accepted: buy 100 AAPL 99.50",
                            "order 2 accepted: sell 120 AAPL 99.70"));
    other(1, 30, 9'950);
    EXPECT_THAT(carry(), ElementsAre("order 1 bought 30 AAPL at 99.50, 70 open"));
    EXPECT_THAT(
        type("quote AAPL 60 99.50 120 99.60"),
        ElementsAre("order 1 is now: buy 60 AAPL 99.50", "order 3 accepted: sell 120 AAPL 99.60",
                    "order 2 cancelled: sell 120 AAPL 99.70 (replaced by the participant's "
                    "next quote)"));
    EXPECT_THAT(type("modify 1 50 99.40"), ElementsAre("order 1 not modified: invalid"));
    EXPECT_THAT(type("quote AAPL off"), ElementsAre(HasSubstr("order 1 cancelled: buy 60"),
                                                    HasSubstr("order 3 cancelled")));
    EXPECT_THAT(type("quote AAPL off"),
                ElementsAre(HasSubstr("quote of AAPL refused: no open order has this id")));
    EXPECT_THAT(type("orders"), ElementsAre("no open orders"));
}

TEST_F(Term, AQuoteThatTradesAtOnceIsSettledWithItsFills) {
    other(0, 30, 9'950);
    EXPECT_THAT(
        type("quote AAPL 100 99.30 20 99.40"),
        ElementsAre("order 1 accepted: buy 100 AAPL 99.30", "order 2 accepted: sell 20 AAPL 99.40",
                    "order 2 sold 20 AAPL at 99.50, done"));
    EXPECT_TRUE(entry_.settled());
}

TEST_F(Term, AProtectedQuoteEnds) {
    EXPECT_THAT(type("protect AAPL 50 1s"), ElementsAre("the protection of quotes of AAPL is set"));
    EXPECT_THAT(type("protect #9 50 1s"),
                ElementsAre(HasSubstr("protection of #9 refused: no such")));
    type("quote AAPL 100 99.50 120 99.70");
    other(1, 60, 9'950);
    EXPECT_THAT(carry(), ElementsAre("order 1 bought 60 AAPL at 99.50, 40 open",
                                     HasSubstr("order 1 cancelled: buy 40 AAPL 99.50 (the "
                                               "participant's quotes traded"),
                                     HasSubstr("order 2 cancelled: sell 120 AAPL 99.70")));
}

TEST_F(Term, LinkedOrdersFollowEachOther) {
    type("sell 100 AAPL 101.00");
    EXPECT_THAT(type("sell 100 AAPL stop 99.00 cancels 1"),
                ElementsAre("order 2 accepted: sell 100 AAPL stop 99.00 cancels 1"));
    other(0, 40, 10'100);
    EXPECT_THAT(carry(), ElementsAre("order 1 sold 40 AAPL at 101.00, 60 open",
                                     "order 2 is now: sell 60 AAPL stop 99.00 cancels 1"));
    auto& third = exchange_.connect(Version::v1);
    third.hello();
    other(0, 100, 9'900);
    third.sell(1, 9'900);
    EXPECT_THAT(carry(),
                ElementsAre(HasSubstr("order 1 cancelled: sell 60 AAPL 101.00 (the order that it "
                                      "was linked to"),
                            "order 2 triggered: sell 60 AAPL stop 99.00 cancels 1",
                            "order 2 sold 60 AAPL at 99.00, done"));
    EXPECT_THAT(type("buy 1 AAPL 1.00 after 7"), ElementsAre("error: no open order 7"));
    type("buy 5 AAPL 98.00");
    EXPECT_THAT(type("sell 5 AAPL 99.00 after 3"),
                ElementsAre("order 4 accepted: sell 5 AAPL 99.00 after 3"));
    EXPECT_THAT(type("cancel 3"), ElementsAre("order 3 cancelled: buy 5 AAPL 98.00",
                                              HasSubstr("order 4 cancelled: sell 5 AAPL 99.00")));
}

TEST(TermAtVersion1, HasNeitherLinksNorQuotes) {
    OrderEntry entry{Version::v1};
    TermModel model{Symbols{{"AAPL"}}, entry};
    model.link.state = TermLink::State::up;
    for (const char* const line :
         {"buy 1 AAPL 1.00 after 1", "quote AAPL 1 1.00 1 1.10", "protect AAPL 5 1s"}) {
        const auto answer = model.execute(*parse_command(line, model.symbols()));
        ASSERT_FALSE(answer) << line;
        EXPECT_THAT(answer.error(), HasSubstr("version 2")) << line;
    }
    EXPECT_THAT(entry.unsent(), IsEmpty());
}

TEST_F(Term, TheTapeOfTheBinaryGatewayIsThatOfTheOwnTradesAndSaysSo) {
    other(1, 100, 10'000);
    type("buy 50 AAPL market");
    EXPECT_THAT(type("tape"),
                ElementsAre(HasSubstr("own trades only"), "12:31:05 AAPL     100.00      50"));
    EXPECT_THAT(screen(), Contains(HasSubstr("own trades only")));
    model_.add_market_trades(std::vector{TapeTrade{.time = "12:31:06",
                                                   .instrument = {1},
                                                   .price_e2 = 9'990,
                                                   .quantity = 7,
                                                   .taker = Side::sell}});
    EXPECT_THAT(screen(), Contains(HasSubstr(" tape ")));
    EXPECT_EQ(model_.tape().back().quantity, 7U);
    model_.end_market_trades();
    EXPECT_TRUE(model_.tape_is_own());
    EXPECT_THAT(screen(), Contains(HasSubstr("12:31:05 AAPL    100.00    50")));
    EXPECT_THAT(screen(200, 50)[3], HasSubstr("12:31:05 AAPL    100.00    50"));
}

TEST_F(Term, CancelAllTakesBackEverything) {
    EXPECT_THAT(type("cancel all"), ElementsAre("no open orders"));
    type("buy 1 AAPL 1.00");
    type("buy 2 AAPL 1.01");
    type("cancel all");
    EXPECT_THAT(entry_.orders(), IsEmpty());
}

TEST_F(Term, OrdersOfALostConnectionAreOutOfReach) {
    type("buy 1 AAPL 1.00");
    entry_.lose();
    EXPECT_THAT(type("orders"),
                ElementsAre("order 1 of a lost connection: buy 1 AAPL 1.00, 0 filled"));
    EXPECT_THAT(type("cancel 1"),
                ElementsAre("error: order 1 belongs to a lost connection and is out of reach"));
    EXPECT_THAT(screen(), Contains(HasSubstr("?  1 buy")));
}

TEST_F(Term, TheScreenShowsTheBookOrdersPositionsAndLines) {
    snapshot(1, {{9'998, 300}, {9'997, 150}}, {{10'001, 75}});
    snapshot(2, {}, {});
    type("buy 100 AAPL 99.50");
    other(1, 40, 9'950);
    carry();
    const auto rows = screen();
    EXPECT_THAT(rows[0], AllOf(HasSubstr("client 1 at 127.0.0.1:12345"), HasSubstr("12:31:05")));
    EXPECT_THAT(rows[1], HasSubstr("AAPL 99.98/100.01  MSFT -/-"));
    EXPECT_THAT(rows[2], AllOf(HasSubstr("AAPL"), HasSubstr("spread 0.03"), HasSubstr("orders 1")));
    EXPECT_THAT(rows[3], AllOf(HasSubstr("300     99.98 |   100.01       75"),
                               HasSubstr("1 buy      60 AAPL     99.50")));
    EXPECT_THAT(rows[4], HasSubstr("150     99.97 |"));
    EXPECT_THAT(rows, Contains(HasSubstr("positions, profit +19.80")));
    EXPECT_THAT(rows, Contains(HasSubstr("AAPL     +40    99.50    +19.80")));
    EXPECT_THAT(rows, Contains("12:31:05 order 1 bought 40 AAPL at 99.50, 60 open"));
    EXPECT_THAT(rows[22], HasSubstr("help   quit"));
    EXPECT_EQ(rows[23], ">");
}

TEST_F(Term, TheBarsAreInProportion) {
    snapshot(1, {{9'998, 1'000}, {9'997, 500}, {9'996, 1}}, {{10'001, 100'000}});
    const auto rows = screen(120, 40);
    const auto bar = [](const std::string& row) { return std::ranges::count(row, '='); };
    EXPECT_GT(bar(rows[3]), 10) << "the largest of all";
    EXPECT_EQ(bar(rows[4]), 1);
    snapshot(1, {{9'998, 1'000}, {9'997, 500}, {9'996, 1}}, {});
    const auto halves = screen(120, 40);
    EXPECT_NEAR(static_cast<double>(bar(halves[3])), 2.0 * static_cast<double>(bar(halves[4])), 2);
    EXPECT_EQ(bar(halves[5]), 1) << "what is there is seen";
}

TEST_F(Term, WhatIsNotKnownIsSaid) {
    EXPECT_THAT(screen(), Contains(HasSubstr("waiting for the next snapshot")));
    snapshot(1, {{9'998, 300}}, {});
    model_.feed_state = TermFeed::silent;
    EXPECT_THAT(screen(),
                AllOf(Contains(HasSubstr("no market data received: is the L2 multicast")),
                      Contains(HasSubstr("of the exchange open?")), Contains(HasSubstr("AAPL ?/?")),
                      Not(Contains(HasSubstr("99.98")))));
    model_.feed_state = TermFeed::off;
    EXPECT_THAT(screen(), Contains(HasSubstr("market data is off")));
    model_.link.state = TermLink::State::waiting;
    model_.link.retry_s = 4;
    EXPECT_THAT(screen()[0], HasSubstr("no connection to 127.0.0.1:12345, next try in 4 s"));
    model_.link.state = TermLink::State::refused;
    EXPECT_THAT(screen()[0], HasSubstr("login refused at 127.0.0.1:12345"));
}

TEST_F(Term, LongLinesGoOnInTheNextRow) {
    model_.say(std::string(100, 'x') + "end");
    const auto rows = screen();
    const auto first = std::ranges::find(rows, "12:31:05 " + std::string(71, 'x'));
    ASSERT_NE(first, rows.end());
    EXPECT_EQ(*(first + 1), "         " + std::string(29, 'x') + "end");
}

TEST_F(Term, EverySizeIsDrawnAndTooSmallOnesAreReported) {
    snapshot(1, {{9'998, 300}, {9'997, 150}}, {{10'001, 75}});
    for (int i = 0; i < 40; ++i) type("buy 1 AAPL 1.00");
    for (std::size_t width = 1; width < 200; width += 7)
        for (std::size_t height = 1; height < 70; height += 3) {
            const TermCanvas canvas = draw_term(model_, editor_, width, height);
            EXPECT_LT(canvas.cursor_y, height);
            if (width < k_least_term_width || height < k_least_term_height) continue;
            EXPECT_THAT(canvas.row(0), HasSubstr("Damrak"));
            EXPECT_EQ(canvas.row(height - 1), ">") << width << "x" << height;
        }
    EXPECT_THAT(screen(50, 10)[0], HasSubstr("50x10 is too small: need 60x16"));
}

TEST_F(Term, ALongLineIsSeenWhereItsCursorIs) {
    for (int i = 0; i < 150; ++i) editor_.insert(static_cast<char>('0' + i % 10));
    const TermCanvas canvas = draw_term(model_, editor_, 80, 24);
    EXPECT_THAT(canvas.row(23), ::testing::EndsWith("456789"));
    EXPECT_EQ(canvas.cursor_x, 79U);
    editor_.home();
    EXPECT_THAT(draw_term(model_, editor_, 80, 24).row(23), ::testing::StartsWith("> 01234"));
}

}  // namespace
}  // namespace damrak::client::term_model_test
