// Command scripts: every command with its terms, mistakes, and what a venue adds between the lines.
#include <damrak/script/command_script.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/script/script_run.hpp>
#include <damrak/venue/venue_file.hpp>

#include "support/event_line.hpp"

namespace damrak::script::command_script_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<ScriptStep> steps_of(std::string_view text) {
    auto steps = parse_script(text, "s", {});
    EXPECT_TRUE(steps) << steps.error();
    return steps ? *std::move(steps) : std::vector<ScriptStep>{};
}

/// The last command of a script.
Command last(std::string_view text) {
    const auto steps = steps_of(text);
    return steps.empty() ? Command{} : steps.back().command;
}

/// Events as lines, with the number of the script's line.
std::vector<std::string> run(std::string_view text, std::string_view venue_name = {}) {
    std::shared_ptr<const venue::Venue> venue;
    if (!venue_name.empty())
        venue = std::make_shared<const venue::Venue>(venue::find_venue(venue_name).value());
    const auto steps = parse_script(text, "s", {.zone = venue ? venue->zone : "UTC"});
    EXPECT_TRUE(steps) << steps.error();
    std::vector<std::string> lines;
    if (!steps) return lines;
    ScriptRun script{venue};
    const auto done = script.run(*steps, [&](const ScriptRun::Told& told) {
        lines.push_back(fmt::format("{}: {}", told.line,
                                    told.event == nullptr ? "book" : event_line(*told.event)));
    });
    EXPECT_TRUE(done);
    return lines;
}

std::string mistake_in(std::string_view text) {
    const auto steps = parse_script(text, "s", {});
    return steps ? "none" : steps.error();
}

TEST(CommandScript, OrdersHaveLinks) {
    const Command stop = last("new sell quantity=5 price=11\nnew sell quantity=5 stop=9 oco=1\n");
    EXPECT_EQ(stop.flags, CommandFlags::k_linked);
    EXPECT_EQ(stop.new_order_id, OrderId{1});
    EXPECT_EQ(stop.order.contingency, Contingency::one_cancels_other);
    EXPECT_EQ(last("new buy quantity=5 price=9 oto=1\n").order.contingency,
              Contingency::one_triggers_other);
    EXPECT_THAT(mistake_in("new buy quantity=5 price=9 oto=1 oco=2\n"), HasSubstr("one link"));
}

TEST(CommandScript, QuotesHaveTwoSidesAndAProtection) {
    const Command quote = last(
        "new buy quantity=1 price=1\n"
        "quote participant=3 bid=9 bid_quantity=5 ask=10.01 ask_quantity=6 "
        "self_trade=skip_own client_id=8\n");
    EXPECT_EQ(quote.kind, CommandKind::quote);
    EXPECT_EQ(quote.participant, ParticipantId{3});
    EXPECT_EQ(quote.price, Price{90'000});
    EXPECT_EQ(quote.quantity, Quantity{5});
    EXPECT_EQ(quote.quote.ask_price, Price{100'100});
    EXPECT_EQ(quote.quote.ask_quantity, Quantity{6});
    EXPECT_EQ(quote.order_id, OrderId{2});
    EXPECT_EQ(quote.new_order_id, OrderId{3});
    EXPECT_EQ(quote.self_trade_prevention, SelfTradePrevention::skip_own);
    EXPECT_EQ(quote.client_order_id, ClientOrderId{8});
    EXPECT_EQ(last("quote bid=9 bid_quantity=5\ncancel id=1\n").order_id, OrderId{1});
    const Command protection = last("set_quote_protection participant=3 maximum=10 window=2ms\n");
    EXPECT_EQ(protection.quote_protection, (QuoteProtectionDetails{Quantity{10}, 2'000'000}));
    EXPECT_THAT(mistake_in("set_quote_protection participant=3 maximum=10 window=soon\n"),
                HasSubstr("must be a duration"));
}

TEST(CommandScript, AnOrderHasAllItsTerms) {
    const Command order = last(
        "instrument symbol=AAA\ninstrument symbol=BBB decimals=2 id=7\n"
        "09:30 new sell instrument=BBB id=42 client_id=5 participant=3 quantity=100 price=10.02 "
        "tif=gtd expire=16:00 display=10 minimum=0 self_trade=skip_own type=limit\n");
    EXPECT_EQ(order.kind, CommandKind::new_order);
    EXPECT_EQ(order.instrument, InstrumentId{7});
    EXPECT_EQ(order.side, Side::sell);
    EXPECT_EQ(order.order_id, OrderId{42});
    EXPECT_EQ(order.client_order_id, ClientOrderId{5});
    EXPECT_EQ(order.participant, ParticipantId{3});
    EXPECT_EQ(order.quantity, Quantity{100});
    EXPECT_EQ(order.price, Price{1'002});
    EXPECT_EQ(order.time_in_force, TimeInForce::gtd);
    EXPECT_EQ(order.timestamp.value % k_day_ns, 19 * k_hour_ns / 2);
    EXPECT_EQ((order.order.expire_time - order.timestamp).value, 13 * k_hour_ns / 2);
    EXPECT_EQ(order.order.display_quantity, Quantity{10});
    EXPECT_EQ(order.self_trade_prevention, SelfTradePrevention::skip_own);
}

TEST(CommandScript, APeggedOrderIsHidden) {
    const Command order = last("new buy quantity=1 peg=midpoint offset=0.02");
    EXPECT_EQ(order.order_type, OrderType::market);
    EXPECT_EQ(order.order.peg, PegReference::midpoint);
    EXPECT_EQ(order.order.offset, Price{200});
    EXPECT_EQ(order.flags, CommandFlags::k_pegged | CommandFlags::k_hidden);
}

TEST(CommandScript, TheTypeFollowsFromPriceAndStop) {
    EXPECT_EQ(last("new buy quantity=1 price=1").order_type, OrderType::limit);
    EXPECT_EQ(last("new buy quantity=1").order_type, OrderType::market);
    EXPECT_EQ(last("new buy quantity=1 stop=2").order_type, OrderType::stop);
    EXPECT_EQ(last("new buy quantity=1 stop=2 price=3").order_type, OrderType::stop_limit);
    EXPECT_EQ(last("new buy quantity=1 stop=2 price=3").order.stop_price, Price{20'000});
    const Command hidden = last("new buy quantity=1 price=1 hidden post_only_reprice");
    EXPECT_EQ(hidden.flags, CommandFlags::k_hidden | CommandFlags::k_post_only_reprice);
}

TEST(CommandScript, RulesAreThoseOfTheEnginesCommands) {
    const Command allocation = last(
        "set_allocation steps=top,split,pro_rata split_percent=40 split_rounding=nearest "
        "top_minimum=5 top_maximum=100 pro_rata_minimum=2");
    using enum AllocationStep;
    EXPECT_EQ(allocation.allocation, (AllocationDetails{.steps = {top, split, pro_rata},
                                                        .split_rounding = 1,
                                                        .split_basis_points = 4'000,
                                                        .top_minimum = {5},
                                                        .top_maximum = {100},
                                                        .pro_rata_minimum = {2}}));
    EXPECT_EQ(last("set_allocation").allocation, AllocationDetails{});
    EXPECT_EQ(last("set_allocation steps=split split_percent=40").allocation.split_rounding, 1);
    const Command limits = last(
        "set_price_limits dynamic_corridor=2.5% static_corridor=5%/0.10 market_collar=0.25 "
        "on_breach=interrupt on_own_cross=reprice refuse_reached_stops");
    EXPECT_EQ(limits.price_limits, (PriceLimitDetails{.dynamic_corridor = {250, 0},
                                                      .static_corridor = {500, 1'000},
                                                      .market_collar = {0, 2'500},
                                                      .on_breach = OnBreach::interrupt,
                                                      .on_own_cross = OnOwnCross::reprice,
                                                      .refuse_reached_stops = 1}));
    EXPECT_EQ(last("set_price_band lower=9.5 upper=10.5 reference=10").price_band,
              (PriceBandDetails{{95'000}, {105'000}, {100'000}}));
    const Command maker = last("set_lead_maker participant=3 percent=12.5");
    EXPECT_EQ(maker.participant, ParticipantId{3});
    EXPECT_EQ(maker.lead_maker.basis_points, 1'250);
    const Command phase = last("set_phase phase=call auction=lse call=closing sealed");
    EXPECT_EQ(phase.phase.phase, Phase::call);
    EXPECT_EQ(phase.phase.auction, AuctionRule::lse);
    EXPECT_EQ(phase.phase.call, CallKind::closing);
    EXPECT_EQ(phase.phase.sealed, 1);
}

TEST(CommandScript, TimesGoOn) {
    const auto steps =
        steps_of("new buy quantity=1 price=1\n+1.5s tick\ntick\ndate 2025-01-07\n09:00:00.25 tick");
    ASSERT_EQ(steps.size(), 5) << "the instrument is the first";
    const auto time = [&](std::size_t i) { return steps[i].command.timestamp.value; };
    EXPECT_EQ(time(1) % k_day_ns, 11 * k_hour_ns);
    EXPECT_EQ(time(2) - time(1), 3 * k_second_ns / 2);
    EXPECT_EQ(time(3), time(2));
    EXPECT_EQ(time(4) / k_day_ns, time(1) / k_day_ns + 1);
    EXPECT_EQ(steps[4].line, 5);
}

TEST(CommandScript, EveryMistakeHasItsLineAndWhatIsAllowed) {
    const std::string too_long(4'097, ' ');
    const std::vector<std::pair<std::string_view, std::string_view>> mistakes{
        {"\nnwe buy quantity=1", "s:2: there is no command 'nwe'; did you mean new?"},
        {"new quantity=1 price=1", "s:1: new needs buy or sell"},
        {"new buy sell quantity=1 price=1", "either buy or sell"},
        {"new buy price=1", "s:1: new needs quantity=..."},
        {"new buy quantity=x", "quantity must be a whole number from"},
        {"new buy quantity=1 price=1.00001", "price must be a number of at most 4 decimals, not"},
        {"new buy quantity=99999999999999999999 price=1",
         "quantity must be a whole number from -9223372036854775807 to 9223372036854775807, not"},
        {"new buy quantity=1 price=1 id=18446744073709551615",
         "id must be a whole number from 1 to 9223372036854775807, not '18446744073709551615'"},
        {"new buy quantity=1 price=99999999999999999999",
         "price must be from -922337203685477.5807 to 922337203685477.5807, not"},
        {"new buy quantity=1 price=-922337203685477.5808", "price must be from -9223372036"},
        {"new buy quantity=1 price=1x", "price must be a number of at most 4 decimals, not"},
        {"new buy quantity=1 price=1 pric=2", "new has no word 'pric='; did you mean price="},
        {"new buy quantity=1 price", "price needs a value"},
        {"new buy quantity=1 hidden=1", "hidden has no value"},
        {"new buy quantity=1 quantity=2", "quantity is there twice"},
        {"new buy quantity=1 tif=forever",
         "tif must be one of day, gtc, gtd, ioc, fok, at_open, at_close, at_auction, not"},
        {"new buy quantity=1 participant=0", "participant must be a whole number from 1"},
        {"new buy quantity=1 instrument=ZZZ", "there is no instrument 'ZZZ'"},
        {"instrument symbol=A\ninstrument symbol=B\ntick_band from=1 tick=1",
         "s:3: tick_band needs instrument=..."},
        {"instrument symbol=A\ninstrument symbol=A", "there is an instrument A already"},
        {"instrument id=3", "instrument needs symbol=..."},
        {"instrument symbol=A\ninstrument symbol=B\ncancel id=1", "s:3: cancel needs instrument"},
        {"cancel", "cancel needs id=..."},
        {"12:00 tick\n11:59 tick", "s:2: 11:59 is before the time of the line before"},
        {"25:00 tick", "'25:00' is no time"},
        {"+5 tick", "'+5' is no time"},
        {"date 2025-02-30", "date needs a day"},
        {"12:00 tick\ndate 2024-01-01", "the date goes back"},
        {"set_phase", "set_phase needs phase=..."},
        {"set_phase phase=open", "phase must be one of continuous, pre_open, call, closed"},
        {"set_phase phase=call restrictions=changes,all",
         "restrictions must be of market_auction_orders, limit_auction_orders, "
         "auction_order_changes, changes, with commas between them, not 'changes,all'"},
        {"set_allocation steps=top,pro", "steps must be at most 5 of none, top"},
        {"set_allocation split_percent=101", "split_percent must be a number from 0 to 100"},
        {"set_price_limits dynamic_corridor=-1%", "dynamic_corridor must be a percentage"},
        {"new buy quantity=1 price=1 offset=0.01", "offset is of a pegged order"},
        {"new buy quantity=1 peg=last", "peg"},
        {"set_lead_maker percent=5", "set_lead_maker needs participant=..."},
        {"tick instrument=TEST", "s:1: tick has no words, not 'instrument='"},
        {"new buy quantity=1 price=1\nnew buy pri\033ce=1",
         "s:2: the byte 0x1b at position 12: a script is plain text"},
        {too_long, "s:1: 4097 bytes: a line has at most 4096"},
    };
    for (const auto& [text, expected] : mistakes)
        EXPECT_THAT(mistake_in(text), HasSubstr(expected)) << text;
}

TEST(CommandScript, AnIdThatNoLineEnteredIsForTheEngineToRefuse) {
    EXPECT_THAT(run("cancel id=7"), Contains("1: rejected unknown_order"));
    EXPECT_THAT(run("replace id=7 quantity=5 price=10"), Contains("1: rejected unknown_order"));
}

TEST(CommandScript, OrdersOfTwoInstrumentsWithOneIdAreToldApartByIt) {
    const std::string_view text =
        "instrument symbol=A\n"
        "instrument symbol=B\n"
        "new buy id=1 instrument=A quantity=5 price=10\n"
        "new buy id=1 instrument=B quantity=0 price=10\n"
        "cancel id=1\n"
        "cancel id=1 instrument=A\n";
    EXPECT_THAT(run(text), AllOf(Contains(HasSubstr("5: rejected unknown_order")),
                                 Contains(HasSubstr("6: cancelled requested #1"))));
}

TEST(CommandScript, AnAuctionInAFewLines) {
    EXPECT_THAT(run("set_phase phase=call auction=xetra\n"
                    "new buy quantity=100 price=10.05\n"
                    "new sell quantity=60 price=9.95 participant=2\n"
                    "uncross\n"
                    "book\n"),
                Contains(HasSubstr("4: executed #1 60@10.05")));
}

TEST(CommandScript, OrdersForAnAuction) {
    const auto lines =
        run("new buy quantity=100 price=10.05 tif=at_close\n"
            "new sell quantity=60 price=9.95 participant=2\n"
            "new sell quantity=30 price=10.00 tif=at_auction imbalance_only participant=3\n"
            "set_phase phase=call call=closing restrictions=limit_auction_orders,changes\n"
            "new buy quantity=1 price=10.05 tif=at_close\n"
            "cancel id=2\n"
            "uncross\n");
    EXPECT_THAT(lines, Contains("5: rejected not_in_phase"));
    EXPECT_THAT(lines, Contains("6: rejected not_in_phase"));
    EXPECT_THAT(lines, Contains(HasSubstr("7: executed #3 30@10.05")));
    EXPECT_THAT(lines, Contains(HasSubstr("7: cancelled end_of_auction #1 10@")));
}

TEST(CommandScript, AVenueLeadsThroughItsSessionsBetweenTheLines) {
    const auto lines =
        run("08:55 new buy quantity=100 price=10.02\n"
            "new sell quantity=60 price=9.98 participant=2\n"
            "09:00:31 cancel id=1\n",
            "xetra-like");
    EXPECT_THAT(lines, Contains("0: phase_changed 2"));
    EXPECT_THAT(lines, Contains(HasSubstr("0: executed #1 60@")));
    EXPECT_THAT(lines.back(), HasSubstr("3: cancelled requested #1 40@"));
}

TEST(CommandScript, AVenueSupervisesItsInstrumentsBetweenTheLines) {
    const auto lines =
        run("09:29 new buy quantity=100 price=100\n"
            "new sell quantity=100 price=100 participant=2\n"
            "11:00 new sell quantity=500 price=94 participant=2\n"
            "11:05:14 book\n"
            "11:05:16 book\n",
            "nasdaq-like");
    const std::vector<std::string> end(lines.end() - 8, lines.end());
    EXPECT_THAT(end, ElementsAre(HasSubstr("3: accepted"), "0: phase_changed 2",
                                 "0: price_band_set 0", "4: book", HasSubstr("0: uncrossed"),
                                 "0: phase_changed 0", "0: price_band_set 0", "5: book"))
        << "the band is as it was, so the offer stands at it again";
}

TEST(CommandScript, AVenueCombinesTheInstrumentsOfAScriptOnceAllAreThere) {
    const std::string leg = " tick=0.25 decimals=2 shard_group=1\n";
    const std::string spread =
        "17:01 instrument symbol=ESZ6-ESH7 tick=0.05 decimals=2 shard_group=1 unpublished "
        "minimum_price=-100\n";
    EXPECT_THAT(run(spread + "instrument symbol=ESZ6" + leg, "cme-like"),
                Not(Contains(HasSubstr("combination_set"))));
    const auto lines = run(spread + "instrument symbol=ESZ6" + leg + "instrument symbol=ESH7" +
                               leg + "instrument symbol=OTHER\n",
                           "cme-like");
    EXPECT_EQ(std::ranges::count_if(
                  lines, [](const auto& line) { return line.contains("combination_set"); }),
              1);
    const auto wrong = steps_of(spread + "instrument symbol=ESZ6" + leg +
                                "instrument symbol=ESH7 shard_group=2 decimals=2\n");
    ScriptRun script{std::make_shared<const venue::Venue>(venue::find_venue("cme-like").value())};
    const auto done = script.run(wrong, [](const ScriptRun::Told&) {});
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error(), HasSubstr("spread \"ESZ6-ESH7\": its legs must have one"));
}

TEST(CommandScript, ADayOfAVenueBeginsWithTheCloseOfTheOneBefore) {
    const auto lines =
        run("09:30 new buy quantity=100 price=900\n"
            "new sell quantity=100 price=900 participant=2\n"
            "15:59 end_day\n"
            "date 2025-01-07\n"
            "08:30 new buy quantity=100 price=1050\n"
            "new buy quantity=100 price=1050.01\n",
            "tokyo-like");
    EXPECT_THAT(lines, Contains(HasSubstr("0: price_band_set")));
    EXPECT_THAT(lines, Contains(HasSubstr("5: accepted")));
    EXPECT_THAT(lines, Contains(HasSubstr("6: rejected outside_price_band")));
}

TEST(CommandScript, TheExamplesAreTaken) {
    for (const auto& entry : std::filesystem::directory_iterator{"examples/commands"}) {
        std::ifstream file{entry.path()};
        std::ostringstream text;
        text << file.rdbuf();
        const std::string stem = entry.path().stem();
        const bool has_venue = stem == "xetra_morning" || stem == "nasdaq_limit_down" ||
                               stem == "cme_calendar_spread" || stem == "hong-kong_stages" ||
                               stem == "tokyo_daily_limits";
        const std::size_t dash = has_venue ? stem.find('_') : std::string::npos;
        const auto lines =
            run(text.str(), dash == std::string::npos ? "" : stem.substr(0, dash) + "-like");
        EXPECT_THAT(lines, Contains(HasSubstr("executed"))) << entry.path();
        EXPECT_THAT(lines, Not(Contains(HasSubstr("rejected")))) << entry.path();
    }
}

TEST(CommandScript, OrdersExpireByThemselves) {
    EXPECT_THAT(run("09:00 new buy quantity=1 price=1 tif=gtd expire=10:00\n11:00 book"),
                Contains(HasSubstr("0: expired good_till_date #1")));
}

TEST(CommandScript, GoesOnInAMarketThatIsThere) {
    InstrumentDefinition bond;
    bond.id = {3};
    bond.symbol = Symbol::of("BOND");
    bond.price_decimals = 2;
    const Timestamp now{1'764'583'200'000'000'000};
    const ScriptTerms terms{.now = now,
                            .last_order_id = 6,
                            .instruments = {bond},
                            .find_order = [](OrderId id) -> std::optional<ScriptTerms::Entered> {
                                if (id != OrderId{4}) return {};
                                return ScriptTerms::Entered{.instrument = {3}, .participant = {9}};
                            }};
    const auto steps =
        parse_script("new buy quantity=1 price=1.25\n+5ns cancel id=4\ncancel id=5", "s", terms);
    ASSERT_TRUE(steps) << steps.error();
    ASSERT_EQ(steps->size(), 3U);
    const Command& order = (*steps)[0].command;
    EXPECT_EQ(order.timestamp, now);
    EXPECT_EQ(order.instrument, InstrumentId{3});
    EXPECT_EQ(order.price, Price{125});
    EXPECT_EQ(order.order_id, OrderId{7});
    EXPECT_EQ((*steps)[1].command.timestamp.value, now.value + 5);
    EXPECT_EQ((*steps)[1].command.participant, ParticipantId{9});
    EXPECT_EQ((*steps)[2].command.participant, ParticipantId{1}) << "nobody knows order 5";
    EXPECT_THAT(parse_script("09:00 book", "s", terms).error(), HasSubstr("before the time"));
}

}  // namespace
}  // namespace damrak::script::command_script_test
