// Venue files: what they say, what groups and instruments inherit, and how mistakes are reported.
#include <damrak/venue/venue_file.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/venue/ready_made.hpp>

#include "support/regular_hours.hpp"

namespace damrak::venue::venue_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view k_file = R"(name = "test"
about = "for tests"
zone = "Europe/Berlin"
days = ["mon", "fri"]
day_end = "22:00"
indicative_every = "10s"
[[session]]
name = "opening"
at = "08:50"
phase = "call"
call = "opening"
auction = "xetra"
random_end = "30s"

[[session]]
at = "09:00"
phase = "continuous"
days = ["mon"]

[[session]]
at = "17:35"
phase = "closed"

[rules]
dynamic_corridor = { percent = 2.5, at_least = 0.05 }
on_breach = "interrupt"
interruption = { minimum = "5min", random_end = "30s" }

[[group]]
name = "futures"
symbols = ["FUT"]
allocation = { policy = "cme-q", top_maximum = 100 }
lead_makers = [{ participant = 3, percent = 40 }]
on_breach = "cancel"

[[instrument]]
symbol = "ONE"
group = "futures"
band = { lower = 9.5, upper = 10.5 }
lead_makers = []
)";

/// The file with one text in place of another.
std::string with(std::string_view old_text, std::string_view new_text) {
    std::string text{k_file};
    text.replace(text.find(old_text), old_text.size(), new_text);
    return text;
}

std::string mistake_in(const std::string& text) {
    const auto read = parse_venue(text, "a.toml");
    return read ? "none" : read.error();
}

TEST(VenueFile, SaysSessions) {
    const auto venue = parse_venue(k_file, "a.toml");
    ASSERT_TRUE(venue) << venue.error();
    EXPECT_EQ(venue->zone, "Europe/Berlin");
    EXPECT_EQ(venue->day_end_ns, 22 * k_hour_ns);
    EXPECT_EQ(venue->indicative_every_ns, 10 * k_second_ns);
    ASSERT_EQ(venue->sessions.size(), 3);
    const TradingSession& opening = venue->sessions[0];
    EXPECT_EQ(opening.at_ns, 8 * k_hour_ns + 50 * 60 * k_second_ns);
    EXPECT_EQ(opening.phase, Phase::call);
    EXPECT_EQ(opening.call, CallKind::opening);
    EXPECT_EQ(opening.auction, AuctionRule::xetra);
    EXPECT_EQ(opening.random_end_ns, 30 * k_second_ns);
    EXPECT_EQ(opening.days, 0b001'0001);
    EXPECT_EQ(venue->sessions[1].days, 1);
    EXPECT_EQ(venue->sessions[1].name, "continuous");
}

TEST(VenueFile, GroupsInheritFromAllAndInstrumentsFromTheirGroup) {
    const auto venue = parse_venue(k_file, "a.toml");
    ASSERT_TRUE(venue) << venue.error();
    const Rules& all = venue->rules_of("ANY");
    EXPECT_EQ(all.limits.dynamic_corridor, (Margin{250, 50'000'000}));
    EXPECT_EQ(all.limits.on_breach, OnBreach::interrupt);
    EXPECT_EQ(all.interruption, (Interruption{300 * k_second_ns, 30 * k_second_ns}));
    const Rules& group = venue->rules_of("FUT");
    EXPECT_EQ(group.limits.dynamic_corridor, all.limits.dynamic_corridor);
    EXPECT_EQ(group.limits.on_breach, OnBreach::cancel);
    EXPECT_THAT(group.allocation.steps,
                ElementsAre(AllocationStep::top, AllocationStep::lead_makers,
                            AllocationStep::pro_rata, AllocationStep::none, AllocationStep::none));
    EXPECT_EQ(group.allocation.top_maximum, Quantity{100});
    EXPECT_EQ(group.lead_makers, (std::vector<LeadMaker>{{ParticipantId{3}, 4'000}}));
    const Rules& one = venue->rules_of("ONE");
    EXPECT_EQ(one.allocation, group.allocation);
    EXPECT_EQ(one.band, (Band{9'500'000'000, 10'500'000'000, 0}));
    EXPECT_TRUE(one.lead_makers.empty());
}

TEST(VenueFile, PoliciesHaveTheStepsOfTheRuleBook) {
    const auto allocation = [](std::string_view table) {
        const auto venue = parse_venue(
            std::string{"name = \"a\"\n[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n"
                        "[rules]\nallocation = "}
                .append(table),
            "a.toml");
        EXPECT_TRUE(venue) << venue.error();
        return venue ? venue->rules.allocation : AllocationDetails{};
    };
    using enum AllocationStep;
    EXPECT_EQ(allocation(R"({ policy = "cme-f" })"), AllocationDetails{});
    EXPECT_EQ(allocation(R"({ policy = "cme-a" })"),
              (AllocationDetails{.steps = {top, pro_rata}, .pro_rata_minimum = {2}}));
    const AllocationDetails k =
        allocation(R"({ policy = "cme-k", split_percent = 40, leveling = true })");
    EXPECT_THAT(k.steps, ElementsAre(top, lead_makers, split, pro_rata, leveling));
    EXPECT_EQ(k.split_basis_points, 4'000);
    EXPECT_EQ(k.split_rounding, 1);
    EXPECT_THAT(allocation(R"({ steps = ["size"] })").steps,
                ElementsAre(size, none, none, none, none));
}

TEST(VenueFile, EveryMistakeIsOneLineWithItsPlaceAndWhatIsAllowed) {
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"", "a.toml:1: a venue needs a name"},
        {"name = ", "a.toml:1: "},
        {"name = \"a\"", "a.toml:1: a venue needs sessions"},
        {with("zone = \"Europe/Berlin\"", "zone = \"Europe/Berln\""), "a.toml:3: zone: "},
        {with("[\"mon\", \"fri\"]", "[\"monday\"]"), R"(a.toml:4: days must be a list of "mon")"},
        {with("[\"mon\", \"fri\"]", "[]"), "a.toml:4: days must be a list of at least one"},
        {with("\"10s\"", "\"10ms\""), "a.toml:6: indicative_every must be"},
        {with("about", "abut"), "a.toml:2: unknown key 'abut'; did you mean about?"},
        {with("at = \"08:50\"", "at = \"8.50\""), "a.toml:9: session: at must be a time of day"},
        {with("at = \"08:50\"\n", ""), "a.toml:7: session: a session needs the time"},
        {with("at = \"17:35\"", "at = \"24:00\""), "a.toml:21: session: at must be before 24:00"},
        {with("phase = \"call\"", "phase = \"auction\""),
         R"(a.toml:10: session: phase must be one of "continuous", "pre_open", "call")"},
        {with("phase = \"continuous\"\n", ""), "a.toml:15: session: a session needs a phase"},
        {with("auction = \"xetra\"\n", ""), "a call needs an auction rule"},
        {with("auction = \"xetra\"", "auction = \"milan\""), "a.toml:12: session \"opening\": "},
        {with("days = [\"mon\"]\n", "random_end = \"1s\"\n"),
         "a.toml:15: session \"continuous\": random_end needs phase = \"call\""},
        {with("days = [\"mon\"]\n", "call = \"opening\"\n"), "call needs phase = \"call\""},
        {with("days = [\"mon\"]\n", "interval = \"1s\"\n"), "interval needs phase = \"call\""},
        {with("\"closed\"", "\"closed\"\nauction = \"lse\""), "auction needs phase"},
        {with("\"closed\"", "\"at_last\""), "the session ahead of it must be a call"},
        {with("days = [\"mon\"]\n", "refuses = [\"orders\"]\n"),
         "refuses is a list of \"market_auction_orders\", \"limit_auction_orders\""},
        {with("\"xetra\"", "\"frequent_batch\""), "frequent_batch needs an interval"},
        {with("\"30s\"\n\n[[session]]", "\"30s\"\ninterval = \"1s\"\n\n[[session]]"),
         "interval needs auction = \"frequent_batch\""},
        {with("\"09:00\"", "\"08:50\""),
         "a.toml:15: session \"continuous\": it begins at or before"},
        {with("\"09:00\"", "\"08:49\""), "it begins at or before the session \"opening\""},
        {with("\"17:35\"", "\"09:00:30\""), "may end after it, by its random_end: they overlap"},
        {with("percent = 2.5", "percent = 2.555"), "percent must be a multiple of 0.01"},
        {with("percent = 2.5", "percent = -1"),
         "dynamic_corridor: percent must be a number from 0"},
        {with("{ percent = 2.5, at_least = 0.05 }", "2.5"), "dynamic_corridor must be a table"},
        {with("dynamic_corridor = { percent = 2.5, at_least = 0.05 }\n", ""),
         "on_breach needs dynamic_corridor"},
        {with("on_breach = \"interrupt\"", "on_breach = \"stop\""),
         R"(on_breach must be one of "rest", "cancel", "interrupt")"},
        {with("on_breach = \"interrupt\"", "on_breach = \"rest\""), "interruption needs on_breach"},
        {with("\"5min\"", "5"), "interruption: minimum must be a duration"},
        {with("\"cme-q\"", "\"cme-x\""), "allocation: policy must be one of \"price-time\""},
        {with("policy = \"cme-q\"", "steps = [\"top\", \"top\"]"), "steps must be at most 5 diff"},
        {with("policy = \"cme-q\"", "steps = [\"pro_rata\"]"), "top_maximum belongs to the step"},
        {with("policy = \"cme-q\"", "policy = \"cme-k\""), "\"split\" needs split_percent"},
        {with("top_maximum = 100", "top_maximum = 1, top_minimum = 2"), "must not be above"},
        {with("policy = \"cme-q\", ", ""), "either a policy or steps"},
        {with("\"cme-q\"", "\"cme-a\""), "lead_makers needs an allocation with a step"},
        {with("percent = 40", "percent = 100.01"), "percent must be a number from 0 to 100"},
        {with("{ participant = 3, percent = 40 }",
              "{ participant = 3, percent = 40 }, { participant = 3, percent = 4 }"),
         "participant 3 is there twice"},
        {with("{ participant = 3, percent = 40 }",
              "{ participant = 3, percent = 60 }, { participant = 4, percent = 60 }"),
         "exceed 100"},
        {with("group = \"futures\"", "group = \"future\""),
         "a.toml:38: instrument \"ONE\": there is no group \"future\"; did you mean futures?"},
        {with("symbol = \"ONE\"", "symbol = \"FUT\""), "the symbol \"FUT\" is in this file before"},
        {with("lower = 9.5", "lower = 11"), "upper must be given, and not below lower"},
        {with("name = \"futures\"\n", ""), "a group needs a name"},
    };
    for (const auto& [text, expected] : mistakes) {
        const std::string mistake = mistake_in(text);
        EXPECT_THAT(mistake, StartsWith("a.toml:"));
        EXPECT_THAT(mistake, HasSubstr(expected));
        EXPECT_EQ(mistake.find('\n'), std::string::npos);
    }
}

const std::string k_supervised =
    "name = \"supervised\"\n" + std::string{testing::k_regular_hours} + R"([market_breaker]
index = [{ symbol = "ONE" }, { symbol = "TWO", weight = 5 }]
previous_close = 4000.5
levels = [5, 10.25, 30]
halt = "5min"
quiet_before_close = "10min"
[rules]
extensions = { market_orders = 3, market_order_time = "90s" }
[[instrument]]
symbol = "ONE"
luld = { tier = 2, leverage = 2.5, previous_close = 20.25 }
[[instrument]]
symbol = "TWO"
auction_corridor = { percent = 10 }
dynamic_corridor = { percent = 2 }
on_breach = "interrupt"
interruption = { extensions = 4 }
extensions = { price = 2, price_time = "1min" }
)";

/// The file with one text in place of another.
std::string supervised(std::string_view old_text, std::string_view new_text) {
    std::string text = k_supervised;
    return text.replace(text.find(old_text), old_text.size(), new_text);
}

TEST(VenueFile, SaysWhatIsSupervised) {
    const auto venue = parse_venue(k_supervised, "a.toml");
    ASSERT_TRUE(venue) << venue.error();
    ASSERT_TRUE(venue->market_breaker);
    const BreakerRule& breaker = *venue->market_breaker;
    EXPECT_THAT(breaker.index,
                ElementsAre(BreakerRule::Part{"ONE", 1}, BreakerRule::Part{"TWO", 5}));
    EXPECT_EQ(breaker.previous_close, 4'000'500'000'000);
    EXPECT_THAT(breaker.fall_basis_points, ElementsAre(500, 1'025, 3'000));
    EXPECT_EQ(breaker.halt_ns, 300 * k_second_ns);
    EXPECT_EQ(breaker.quiet_before_close_ns, 600 * k_second_ns);
    const Rules& one = venue->rules_of("ONE");
    EXPECT_EQ(one.luld, (Luld{2, 250, 20'250'000'000}));
    EXPECT_EQ(one.extensions, (Extensions{0, 300 * k_second_ns, 3, 90 * k_second_ns}));
    const Rules& two = venue->rules_of("TWO");
    EXPECT_FALSE(two.luld.exists());
    EXPECT_EQ(two.limits.auction_corridor, (Margin{1'000, 0}));
    EXPECT_EQ(two.interruption, (Interruption{120 * k_second_ns, 0, 4}));
    EXPECT_EQ(two.extensions, (Extensions{2, 60 * k_second_ns, 0, 300 * k_second_ns}));
}

TEST(VenueFile, MistakesInWhatIsSupervised) {
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {supervised("call = \"opening\"", "call = \"intraday\""),
         "a.toml:18: luld and market_breaker need a session with call = \"opening\""},
        {supervised("call = \"closing\"", "call = \"intraday\""), "with call = \"closing\""},
        {supervised("[market_breaker]", "[[market_breaker]]"), "must be a table [market_breaker]"},
        {supervised("\"TWO\", weight", "\"ONE\", weight"), "the symbol is in the index before"},
        {supervised("weight = 5", "weight = 0"),
         "a.toml:19: market_breaker: index: weight must be a whole number from 1"},
        {supervised("{ symbol = \"ONE\" }", "{}"), "a part of the index needs its symbol"},
        {supervised("[5, 10.25, 30]", "[5, 30]"), "levels must be three percentages that rise"},
        {supervised("[5, 10.25, 30]", "[5, 5, 30]"), "levels must be three percentages"},
        {supervised("10.25", "10.255"), "levels must be three percentages"},
        {supervised("halt =", "halts ="), "a.toml:22: market_breaker: unknown key 'halts'"},
        {supervised("tier = 2", "tier = 3"), "a.toml:28: luld: tier must be a whole number"},
        {supervised("tier = 2, ", ""), "luld: it needs a tier"},
        {supervised("tier = 2", "tier = 1"), "luld: leverage needs tier = 2"},
        {supervised("{ tier = 2, leverage = 2.5, previous_close = 20.25 }", "2"),
         "luld must be a table such as { tier = 1 }"},
        {supervised("[[instrument]]\nsymbol = \"TWO\"",
                    "static_corridor = { percent = 1 }\n[[instrument]]\nsymbol = \"TWO\""),
         "luld goes without static_corridor"},
        {supervised("auction_corridor = { percent = 10 }\n", ""),
         "extensions for the price need auction_corridor"},
        {supervised("price_time = \"1min\"", "price_time = \"2h\""),
         "extensions: price_time must be a duration"},
        {supervised("extensions = { price", "extensions = [] #"),
         "extensions must be a table such as"},
        {supervised("extensions = 4", "extensions = 101"), "from 0 to 100"},
    };
    for (const auto& [text, expected] : mistakes)
        EXPECT_THAT(mistake_in(text), HasSubstr(expected));
}

constexpr std::string_view k_around =
    "name = \"around\"\n"
    "[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n"
    "[delay]\ntaking = \"350us\"\ntaking_random = \"50us\"\nother = \"1us\"\n"
    "[fees]\nmaker = { per_share = -0.002 }\ntaker = { per_share = 0.003, percent = 0.01 }\n"
    "[[fees.group]]\nname = \"makers\"\nparticipants = [3, 4]\nmaker = { per_share = -0.0025 }\n"
    "[[obligation]]\nname = \"quotes\"\nparticipants = [3]\nsymbols = [\"ONE\"]\nspread = 0.05\n"
    "quantity = 200\npresence = 90\nperiod = \"10s\"\n"
    "[index]\nname = \"Two\"\nparts = [{ symbol = \"ONE\" }, { symbol = \"TWO\", weight = 5 }]\n";

std::string around(std::string_view wrong, std::string_view with) {
    std::string text{k_around};
    text.replace(text.find(wrong), wrong.size(), with);
    return text;
}

TEST(VenueFile, DelaysFeesObligationsAndTheIndex) {
    const auto venue = parse_venue(k_around, "a.toml");
    ASSERT_TRUE(venue) << venue.error();
    EXPECT_EQ(venue->delay, (Delay{.taking = {350'000, 50'000}, .other = {1'000, 0}}));
    const FeeRates& all = venue->fees.of(ParticipantId{7});
    EXPECT_EQ(all.maker, (FeeRate{-2'000'000, 0}));
    EXPECT_EQ(all.taker, (FeeRate{3'000'000, 100}));
    EXPECT_EQ(all.auction, FeeRate{});
    const FeeRates& makers = venue->fees.of(ParticipantId{4});
    EXPECT_EQ(makers.maker, (FeeRate{-2'500'000, 0}));
    EXPECT_EQ(makers.taker, all.taker) << "what a group does not name is that of all";
    ASSERT_EQ(venue->obligations.size(), 1U);
    EXPECT_EQ(venue->obligations[0], (Obligation{.name = "quotes",
                                                 .participants = {ParticipantId{3}},
                                                 .symbols = {"ONE"},
                                                 .presence_percent = 90,
                                                 .most_spread = 50'000'000,
                                                 .least_quantity = 200,
                                                 .period_ns = 10 * k_second_ns}));
    ASSERT_TRUE(venue->index);
    EXPECT_EQ(venue->index->name, "Two");
    EXPECT_THAT(venue->index->parts,
                ElementsAre(BreakerRule::Part{"ONE", 1}, BreakerRule::Part{"TWO", 5}));
}

TEST(VenueFile, MistakesInDelaysFeesObligationsAndTheIndex) {
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {around("\"350us\"", "350"), "a.toml:6: delay: taking must be a duration"},
        {around("\"350us\"", "\"2s\""), "a.toml:6: delay: taking must be a duration"},
        {around("other =", "others ="), "delay: unknown key 'others'"},
        {around("-0.002 }", "-2000 }"), "maker: per_share must be a number"},
        {around("-0.002 }", "0.0000000001 }"), "per_share must be a multiple of 0.000000001"},
        {around("percent = 0.01", "percent = 0.00001"), "percent must be a multiple of 0.0001"},
        {around("[3, 4]", "[]"), "fees: group: it needs participants"},
        {around("[3, 4]", "[3.5]"), "participants is a list of whole numbers"},
        {around("[3, 4]", "[3, 3]"), "participant 3 is there twice"},
        {around("[[obligation]]", "[[fees.group]]\nparticipants = [4]\n[[obligation]]"),
         "participant 4 is in another group"},
        {around("spread = 0.05", "spread = 0"), "obligation: it needs the widest spread"},
        {around("presence = 90", "presence = 101"), "presence must be a whole number from 1"},
        {around("parts = [{ symbol = \"ONE\" }, { symbol = \"TWO\", weight = 5 }]", ""),
         "index: it needs parts"},
        {around("weight = 5", "weight = 0"), "index: parts: weight must be a whole number"},
    };
    for (const auto& [text, expected] : mistakes)
        EXPECT_THAT(mistake_in(text), HasSubstr(expected));
}

TEST(VenueFile, FindsReadyMadeOnesAndFiles) {
    std::vector<std::string_view> names;
    for (const ReadyMade& one : ready_made()) {
        names.push_back(one.name);
        const auto venue = find_venue(one.name);
        ASSERT_TRUE(venue) << venue.error();
        EXPECT_EQ(venue->name, one.name);
        EXPECT_FALSE(venue->about.empty());
        EXPECT_TRUE(one.name == "continuous" ||
                    (!venue->leaves_out.empty() && !venue->sources.empty()))
            << one.name;
    }
    EXPECT_THAT(names, ElementsAre("continuous", "nasdaq-like", "xetra-like", "lse-like",
                                   "tokyo-like", "hong-kong-like", "cme-like", "iex-like",
                                   "frequent-batch", "crypto-like"));
    EXPECT_THAT(find_venue("xetra-lik").error(), HasSubstr("did you mean xetra-like?"));
    EXPECT_THAT(find_venue("no/such.toml").error(), StartsWith("no/such.toml: cannot be read"));
    EXPECT_THAT(find_venue("./").error(), HasSubstr("is a directory; give a venue file"));
}

}  // namespace
}  // namespace damrak::venue::venue_file_test
