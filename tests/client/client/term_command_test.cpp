// Commands of the terminal, their completion, and line editing.
#include <damrak/client/term_command.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/client/detail/line_editor.hpp>

namespace damrak::client::term_command_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = TermCommand::Kind;

const Symbols k_symbols{{"AAPL", "MSFT", "SPY", "TEST"}};

TermCommand parsed(std::string_view line) {
    const auto command = parse_command(line, k_symbols);
    EXPECT_TRUE(command) << line << ": " << command.error();
    return command.value_or(TermCommand{});
}

std::string refusal(std::string_view line) {
    const auto command = parse_command(line, k_symbols);
    EXPECT_FALSE(command) << line;
    return command ? "" : command.error();
}

TEST(TermCommand, Orders) {
    EXPECT_EQ(parsed("buy 100 AAPL 101.25"), (TermCommand{.kind = Kind::enter,
                                                          .side = Side::buy,
                                                          .quantity = 100,
                                                          .price_e2 = 10'125,
                                                          .instrument = InstrumentId{1}}));
    EXPECT_EQ(parsed("  SELL 7\tspy market "), (TermCommand{.kind = Kind::enter,
                                                            .side = Side::sell,
                                                            .quantity = 7,
                                                            .instrument = InstrumentId{3}}));
    EXPECT_EQ(parsed("buy 1 #12 0.5").instrument, InstrumentId{12});
    EXPECT_EQ(parsed("buy 1 AAPL 0.5").price_e2, 50);
    EXPECT_EQ(parsed("buy 1 AAPL 7").price_e2, 700);
    EXPECT_EQ(parsed("buy 1 AAPL -40.15").price_e2, -4'015);
    EXPECT_EQ(price_text(-4'015), "-40.15");
    EXPECT_EQ(price_text(-5), "-0.05");
}

TEST(TermCommand, OrdersSayHowLongAndHow) {
    EXPECT_EQ(parsed("buy 100 AAPL 101.25 ioc").extras,
              (OrderExtras{.in_force = TimeInForce::ioc}));
    const TermCommand stop = parsed("sell 50 AAPL stop 99.00");
    EXPECT_EQ(stop.price_e2, 0);
    EXPECT_EQ(stop.extras, (OrderExtras{.stop_e2 = 9'900}));
    const TermCommand limit = parsed("sell 50 AAPL STOP 99.00 LIMIT 98.50 day");
    EXPECT_EQ(limit.price_e2, 9'850);
    EXPECT_EQ(limit.extras, (OrderExtras{.stop_e2 = 9'900, .in_force = TimeInForce::day}));
    EXPECT_EQ(parsed("buy 100 AAPL 101.25 show 10 min 50 post until 16:00").extras,
              (OrderExtras{.in_force = TimeInForce::gtd,
                           .until = "16:00",
                           .shown = 10,
                           .least = 50,
                           .post = true}));
    EXPECT_EQ(parsed("buy 100 AAPL 1 hidden").extras.shown, 0U);
    EXPECT_EQ(parsed("buy 100 AAPL market fok").extras.in_force, TimeInForce::fok);
    EXPECT_EQ(parsed("modify 2 50 stop 99.10").extras.stop_e2, 9'910);
    for (const char* const words :
         {"101.25", "market", "stop 99.00 limit 98.50 ioc", "101.25 until 16:00 show 10 min 5 post",
          "101.25 gtc hidden", "market opening", "101.25 closing imbalance", "to-limit auction",
          "peg primary limit 12.00 offset 0.05", "peg mid", "trail 0.50",
          "stop 99.00 limit 98.50 trail 0.50 day", "stop 99.00 cancels 3", "98.50 day after 12"}) {
        const TermCommand order = parsed("buy 1 AAPL " + std::string{words});
        EXPECT_EQ(order_words(order.price_e2 == 0, order.price_e2, order.extras), words);
    }
}

TEST(TermCommand, OrdersFollowTheMarketOrWaitForAnAuction) {
    const TermCommand pegged = parsed("buy 1 AAPL peg Market offset 0.05");
    EXPECT_EQ(pegged.price_e2, 0);
    EXPECT_EQ(pegged.extras, (OrderExtras{.peg = PegReference::market, .offset_e2 = 5}));
    EXPECT_EQ(parsed("sell 1 AAPL trail 0.50").extras.trail_e2, 50);
    EXPECT_TRUE(parsed("sell 1 AAPL to-limit").extras.to_limit);
    EXPECT_EQ(parsed("sell 1 AAPL market closing").extras.in_force, TimeInForce::at_close);
    EXPECT_THAT(refusal("buy 1 AAPL peg best"), HasSubstr("expected peg primary, market or mid"));
    EXPECT_THAT(refusal("buy 1 AAPL 1.00 offset 0.05"), HasSubstr("offset goes with peg"));
    EXPECT_THAT(refusal("buy 1 AAPL peg mid trail x"), HasSubstr("expected trail 0.05"));
    EXPECT_THAT(refusal("buy 1 AAPL market to-limit"), HasSubstr("one price"));
}

TEST(TermCommand, QuotesAndTheirProtection) {
    EXPECT_EQ(parsed("quote AAPL 100 99.50 120 99.70"),
              (TermCommand{.kind = Kind::quote,
                           .quantity = 100,
                           .price_e2 = 9'950,
                           .ask_quantity = 120,
                           .ask_e2 = 9'970,
                           .instrument = InstrumentId{1}}));
    EXPECT_EQ(parsed("QUOTE msft OFF"),
              (TermCommand{.kind = Kind::quote, .instrument = InstrumentId{2}}));
    EXPECT_EQ(parsed("protect AAPL 500 1.5s"), (TermCommand{.kind = Kind::protect,
                                                            .quantity = 500,
                                                            .window_us = 1'500'000,
                                                            .instrument = InstrumentId{1}}));
    EXPECT_EQ(parsed("protect AAPL off"),
              (TermCommand{.kind = Kind::protect, .instrument = InstrumentId{1}}));
    EXPECT_THAT(refusal("quote AAPL"), HasSubstr("quote SYMBOL off"));
    EXPECT_THAT(refusal("quote GOOG off"), HasSubstr("no instrument 'GOOG'"));
    EXPECT_THAT(refusal("quote AAPL 100 99.50 0 99.70"), HasSubstr("of each side"));
    EXPECT_THAT(refusal("quote AAPL 100 x 5 99.70"), HasSubstr("of each side"));
    EXPECT_THAT(refusal("protect AAPL 500"), HasSubstr("protect SYMBOL 500 1s"));
    EXPECT_THAT(refusal("protect GOOG off"), HasSubstr("no instrument 'GOOG'"));
    for (const char* const words : {"0 1s", "500 1", "500 0s", "x 1s"})
        EXPECT_THAT(refusal("protect AAPL " + std::string{words}), HasSubstr("such as 500 1s"));
}

TEST(TermCommand, LinksNameAnOrder) {
    EXPECT_EQ(parsed("sell 1 AAPL 9.00 cancels #3").extras,
              (OrderExtras{.contingency = Contingency::one_cancels_other, .other = 3}));
    EXPECT_EQ(parsed("sell 1 AAPL stop 9.00 after 2").extras.contingency,
              Contingency::one_triggers_other);
    for (const char* const words : {"cancels", "cancels 0", "after x", "after 5000000000"})
        EXPECT_THAT(refusal("sell 1 AAPL 9.00 " + std::string{words}),
                    HasSubstr("is not the number of an order"));
    EXPECT_THAT(refusal("sell 1 AAPL 9.00 cancels 3 after 3"), HasSubstr("once"));
}

TEST(TermCommand, WhatAnOrderCannotSayIsReported) {
    EXPECT_THAT(refusal("buy 1 AAPL 1.00 ioc fok"), HasSubstr("give one of ioc"));
    EXPECT_THAT(refusal("buy 1 AAPL 1.00 market"), HasSubstr("one price"));
    EXPECT_THAT(refusal("buy 1 AAPL 1.00 quickly"), HasSubstr("limit, stop, ioc"));
    EXPECT_THAT(refusal("buy 1 AAPL ioc"), HasSubstr("expected a price"));
    EXPECT_THAT(refusal("buy 1 AAPL stop"), HasSubstr("is not a stop price"));
    EXPECT_THAT(refusal("buy 1 AAPL stop 1 stop 2"), HasSubstr("stop is given twice"));
    EXPECT_THAT(refusal("buy 1 AAPL 1.00 show x"), HasSubstr("show 10"));
    EXPECT_THAT(refusal("buy 1 AAPL 1.00 show 1 hidden"), HasSubstr("once"));
    EXPECT_THAT(refusal("buy 1 AAPL 1.00 min 0"), HasSubstr("min 50"));
    for (const char* const time : {"", "25:00", "16", "16:0", "16:00:61", "2026-02-30T10:00",
                                   "2026-13-01T10:00", "tomorrow"})
        EXPECT_THAT(refusal("buy 1 AAPL 1.00 until " + std::string{time}),
                    HasSubstr("is not a time"))
            << time;
    EXPECT_THAT(refusal("modify 1 5 1.00 ioc"), HasSubstr("cancel and enter a new order"));
    EXPECT_THAT(refusal("tape x"), HasSubstr("tape N"));
    EXPECT_EQ(parsed("tape").number, 20U);
    EXPECT_EQ(parsed("tape 3").number, 3U);
    EXPECT_EQ(parsed("replay").control, "");
    EXPECT_EQ(parsed("replay pause").control, R"({"paused": true})");
    EXPECT_EQ(parsed("replay resume").control, R"({"paused": false})");
    EXPECT_EQ(parsed("replay 2.5").control, R"({"speed": "2.5"})");
    EXPECT_EQ(parsed("replay max").control, R"({"speed": "max"})");
    EXPECT_EQ(parsed("replay seek 10:31:05.5").control, R"({"seek": "10:31:05.5"})");
    EXPECT_THAT(refusal("replay now"), HasSubstr("replay SPEED"));
    EXPECT_THAT(refusal("replay seek 25:00"), HasSubstr("replay seek TIME"));
}

TEST(TermCommand, WhatIsDoneWithOrders) {
    EXPECT_EQ(parsed("cancel 3"), (TermCommand{.kind = Kind::cancel, .number = 3}));
    EXPECT_EQ(parsed("cancel #3"), (TermCommand{.kind = Kind::cancel, .number = 3}));
    EXPECT_EQ(parsed("cancel all").kind, Kind::cancel_all);
    EXPECT_EQ(parsed("modify 2 50 101.3"),
              (TermCommand{.kind = Kind::modify, .quantity = 50, .price_e2 = 10'130, .number = 2}));
}

TEST(TermCommand, Others) {
    EXPECT_EQ(parsed("").kind, Kind::nothing);
    EXPECT_EQ(parsed("# a comment").kind, Kind::nothing);
    EXPECT_EQ(parsed("book"), (TermCommand{.kind = Kind::book}));
    EXPECT_EQ(parsed("book msft").instrument, InstrumentId{2});
    EXPECT_EQ(parsed("orders").kind, Kind::orders);
    EXPECT_EQ(parsed("positions").kind, Kind::positions);
    EXPECT_EQ(parsed("wait 2").seconds, 2U);
    EXPECT_EQ(parsed("help").kind, Kind::help);
    EXPECT_EQ(parsed("quit").kind, Kind::quit);
    EXPECT_EQ(parsed("exit").kind, Kind::quit);
}

TEST(TermCommand, WhatIsWrongIsSaidWithWhatWasExpected) {
    EXPECT_THAT(refusal("bye"), HasSubstr("no command 'bye': type help"));
    EXPECT_THAT(refusal("buy 100 AAPL"), HasSubstr("expected: buy QUANTITY SYMBOL PRICE"));
    EXPECT_THAT(refusal("buy 0 AAPL 1"), HasSubstr("'0' is not a quantity"));
    EXPECT_THAT(refusal("buy -5 AAPL 1"), HasSubstr("is not a quantity"));
    EXPECT_THAT(refusal("buy 99999999999999999999 AAPL 1"), HasSubstr("is not a quantity"));
    EXPECT_THAT(refusal("buy 5 GOOG 1"), HasSubstr("there are AAPL, MSFT, SPY, TEST"));
    EXPECT_THAT(refusal("buy 5 #0 1"), HasSubstr("no instrument '#0'"));
    for (const char* price :
         {"0", "0.00", "1.255", "-0", "-1.", "--1", "1.", ".5", "1e3", "99999999999999", "x"})
        EXPECT_THAT(refusal("buy 5 AAPL " + std::string{price}), HasSubstr("is not a price"))
            << price;
    EXPECT_THAT(refusal("cancel"), HasSubstr("cancel N"));
    EXPECT_THAT(refusal("cancel 0"), HasSubstr("cancel N"));
    EXPECT_THAT(refusal("modify 1 5 market"),
                HasSubstr("not a price here: expected one such as 101.25"));
    EXPECT_THAT(refusal("modify 1 5"), HasSubstr("modify N QUANTITY PRICE"));
    EXPECT_THAT(refusal("book AAPL MSFT"), HasSubstr("expected: book"));
    EXPECT_THAT(refusal("orders 5"), HasSubstr("orders takes no arguments"));
    EXPECT_THAT(refusal("wait"), HasSubstr("wait SECONDS"));
    EXPECT_THAT(refusal("wait 86401"), HasSubstr("wait SECONDS"));
}

TEST(TermCommand, EveryCommandHasItsLineOfHelp) {
    for (const std::string& verb : complete_command("", k_symbols, {})) {
        std::size_t lines = 0;
        for (const std::string_view line : command_help())
            lines += std::size_t{line.starts_with(verb)};
        EXPECT_EQ(lines, 1U) << verb;
    }
}

TEST(TermCommand, WordsAreCompletedByTheirPlace) {
    const std::vector<std::uint32_t> orders{7, 12};
    const auto complete = [&](std::string_view line) {
        return complete_command(line, k_symbols, orders);
    };
    EXPECT_THAT(complete("b"), ElementsAre("buy", "book"));
    EXPECT_THAT(complete("buy "), IsEmpty()) << "a quantity cannot be guessed";
    EXPECT_THAT(complete("buy 5 "), ElementsAre("AAPL", "MSFT", "SPY", "TEST"));
    EXPECT_THAT(complete("buy 5 a"), ElementsAre("AAPL"));
    EXPECT_THAT(complete("sell 5 AAPL m"), ElementsAre("market"));
    EXPECT_THAT(complete("sell 5 AAPL "), ElementsAre("market", "stop"));
    EXPECT_THAT(complete("sell 5 AAPL 1.00 h"), ElementsAre("hidden"));
    EXPECT_THAT(complete("cancel "), ElementsAre("7", "12", "all"));
    EXPECT_THAT(complete("modify 1"), ElementsAre("12"));
    EXPECT_THAT(complete("book s"), ElementsAre("SPY"));
    EXPECT_THAT(complete("nonsense x"), IsEmpty());
}

class Line : public ::testing::Test {
  protected:
    void type(std::string_view text) {
        for (const char c : text) editor_.insert(c);
    }
    LineEditor editor_{[](std::string_view line) { return complete_command(line, k_symbols, {}); }};
};

TEST_F(Line, IsEditedWhereTheCursorIs) {
    type("buy 10 AAPL 5");
    editor_.home();
    editor_.remove();
    type("B");
    editor_.end();
    editor_.left();
    editor_.backspace();
    type(" 1");
    EXPECT_EQ(editor_.line(), "Buy 10 AAPL 15");
    editor_.end();
    editor_.remove_word();
    EXPECT_EQ(editor_.line(), "Buy 10 AAPL ");
    editor_.insert('\x07');
    editor_.insert('\xc3');
    EXPECT_EQ(editor_.line(), "Buy 10 AAPL ") << "only what can be shown";
    editor_.clear();
    editor_.backspace();
    editor_.remove();
    editor_.left();
    editor_.right();
    EXPECT_EQ(editor_.line(), "");
}

TEST_F(Line, HistoryGoesBackAndForth) {
    type("orders");
    EXPECT_EQ(editor_.enter(), "orders");
    type("help");
    editor_.enter();
    type("help");
    editor_.enter();
    type("qu");
    editor_.up();
    EXPECT_EQ(editor_.line(), "help");
    editor_.up();
    EXPECT_EQ(editor_.line(), "orders") << "what was entered twice is there once";
    editor_.up();
    EXPECT_EQ(editor_.line(), "orders");
    editor_.down();
    editor_.down();
    EXPECT_EQ(editor_.line(), "qu") << "what was being typed";
    editor_.down();
    EXPECT_EQ(editor_.line(), "qu");
}

TEST_F(Line, TabCompletesAsFarAsItIsCertain) {
    type("po");
    EXPECT_THAT(editor_.complete(), IsEmpty());
    EXPECT_EQ(editor_.line(), "positions ");
    editor_.clear();
    type("b");
    EXPECT_THAT(editor_.complete(), ElementsAre("buy", "book"));
    EXPECT_EQ(editor_.line(), "b");
    type("uy 5 ap");
    EXPECT_THAT(editor_.complete(), IsEmpty());
    EXPECT_EQ(editor_.line(), "buy 5 ap") << "there is none";
    editor_.backspace();
    editor_.complete();
    EXPECT_EQ(editor_.line(), "buy 5 AAPL ");
}

TEST_F(Line, IsBounded) {
    type(std::string(1'000, 'x'));
    EXPECT_EQ(editor_.line().size(), LineEditor::k_longest_line);
}

TEST(Price, IsWrittenWithTwoDigits) {
    EXPECT_EQ(price_text(10'125), "101.25");
    EXPECT_EQ(price_text(5), "0.05");
    EXPECT_EQ(price_text(0), "0.00");
}

}  // namespace
}  // namespace damrak::client::term_command_test
