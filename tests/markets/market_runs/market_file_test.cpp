// Market files: what they say, what they leave to defaults, and how mistakes are reported.
#include <damrak/market_runs/market_file.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/duration_text.hpp>

namespace damrak::market_runs::market_file_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view k_file = R"(name = "two"
duration = "30s"
seed = 7

[exchange]
service_time = "1us"
taker_bump = "350us"
maker_fee = -0.002
taker_fee = 0.003

[[place]]
name = "colo"
median = "5us"
sigma = 0.4

[[instrument]]
symbol = "AAA"
price = 50.5
tick = 0.05
lot = 10

[[participants]]
kind = "noise"
count = 3
orders_per_s = 2
lifetime = "1.5s"
latency = { kind = "lognormal", median = "2ms", sigma = 0.5 }
data_latency = "1ms"
clock_ahead = "3us"
place = "colo"

[[timeline]]
at = "20s"
event = "halt"
for = "5s"
)";

/// The file with one text in place of another.
std::string with(std::string_view old_text, std::string_view new_text) {
    std::string text{k_file};
    text.replace(text.find(old_text), old_text.size(), new_text);
    return text;
}

std::string mistake_of(const std::string& text) {
    const auto file = parse_market_file(text, "market.toml");
    return file ? "no mistake" : file.error();
}

TEST(MarketFile, SaysWhatTheMarketIsMadeOf) {
    const auto file = parse_market_file(k_file, "market.toml");
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->duration_ns, 30 * k_second_ns);
    EXPECT_EQ(file->seed, 7U);
    EXPECT_EQ(file->exchange.delay.taking.fixed_ns, 350'000);
    EXPECT_EQ(file->exchange.fees.all.maker.per_share, -2'000'000);
    EXPECT_EQ(file->participants(), 3U);

    const market_kernel::MarketSetup setup = make_setup(*file, 9);
    EXPECT_EQ(setup.seed, 9U);
    ASSERT_EQ(setup.instruments.size(), 1U);
    EXPECT_EQ(setup.instruments[0].tick_bands[0].tick_size, Price{500});
    EXPECT_EQ(setup.instruments[0].lot_size, Quantity{10});
    EXPECT_EQ(setup.fundamentals[0].start, 505'000);
    ASSERT_EQ(setup.seats.size(), 3U);
    EXPECT_EQ(setup.seats[2].group, "noise");
    EXPECT_EQ(setup.seats[2].member, 2U);
    const market_kernel::Connection& connection = setup.seats[0].connection;
    EXPECT_EQ(connection.orders.kind, market_kernel::Latency::Kind::log_normal);
    EXPECT_EQ(connection.data.base_ns, 1'000'000);
    EXPECT_EQ(connection.clock_offset_ns, 3'000);
    EXPECT_EQ(connection.place.median_ns, 5'000);

    ASSERT_EQ(file->timeline.size(), 1U);
    EXPECT_EQ(file->timeline[0].kind, TimelineEntry::Kind::halt);
    EXPECT_EQ(file->timeline[0].for_ns, 5 * k_second_ns);
}

struct Mistake {
    std::string_view old_text;
    std::string_view new_text;
    std::string_view message;
};

TEST(MarketFile, EachMistakeIsOneLineWithThePlaceAndWhatIsAllowed) {
    const Mistake mistakes[] = {
        {"orders_per_s", "ordres_per_s",
         "market.toml:25: participants \"noise\": unknown key 'ordres_per_s'; did you mean "
         "orders_per_s?"},
        {"\"noise\"", "\"nose\"", "there is no kind 'nose'; did you mean noise?"},
        {"count = 3", "count = 0", "count must be a whole number from 1 to 1000000"},
        {"count = 3", "count = \"3\"", "count must be a whole number from 1 to 1000000"},
        {"orders_per_s = 2", "orders_per_s = -2", "orders_per_s must be a number from"},
        {"\"1.5s\"", "1.5", "lifetime must be a duration"},
        {"\"2ms\"", "\"2 parsecs\"", "latency: median must be a duration"},
        {"kind = \"lognormal\"", "kind = \"gamma\"", "kind must be one of \"constant\""},
        {"place = \"colo\"", "place = \"moon\"", "there is no place \"moon\""},
        {"tick = 0.05", "tick = 0.00005", "tick must be a number from 0.0001 to 1000"},
        {"tick = 0.05", "tick = 0.05001", "tick must be a multiple of 0.0001"},
        {"symbol = \"AAA\"", "symbol = \"ALONGNAME\"", "a symbol has 1 to 8 characters"},
        {"maker_fee = -0.002", "maker_fee = -2", "maker_fee must be a number from -1 to 1"},
        {"\"halt\"", "\"earthquake\"", "event must be one of"},
        {"event = \"halt\"", "event = \"latency\"", "the event latency needs a group"},
        {"at = \"20s\"", "at = \"40s\"", "at must be a duration from 0s to 30s"},
        {"duration = \"30s\"", "duration = 30", "market.toml:2: duration must be a duration"},
        {"seed = 7", "seed = -7", "seed must be a whole number"},
        {"[exchange]", "[exchange", "market.toml:5: "},
        {"[[participants]]", "[participants]", "tables, each headed [[participants]]"},
        {"name = \"two\"", "nmae = \"two\"", "unknown key 'nmae'; did you mean name?"},
    };
    for (const Mistake& mistake : mistakes) {
        const std::string message = mistake_of(with(mistake.old_text, mistake.new_text));
        EXPECT_THAT(message, HasSubstr(mistake.message)) << mistake.new_text;
        EXPECT_THAT(message, StartsWith("market.toml:")) << mistake.new_text;
        EXPECT_EQ(message.find('\n'), std::string::npos) << mistake.new_text;
    }
}

TEST(MarketFile, AVenueBringsItsDelayAndItsFeesUnlessTheFileHasOthers) {
    const std::string around =
        "venue = \"iex-like\"\nbegin = \"10:00\"\nduration = \"30s\"\n"
        "[[instrument]]\nsymbol = \"A\"\n[[participants]]\nkind = \"noise\"\n";
    const auto file = parse_market_file(around, "test");
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->exchange.delay, file->venue->delay);
    EXPECT_EQ(file->exchange.delay.taking.fixed_ns, 350'000);
    EXPECT_EQ(file->exchange.fees.all.taker.per_share, 1'000'000);
    const auto other =
        parse_market_file(around + "[exchange]\ntaker_bump = \"1ms\"\nmaker_fee = 0.01\n", "test");
    ASSERT_TRUE(other) << other.error();
    EXPECT_EQ(other->exchange.delay, (venue::Delay{.taking = {.fixed_ns = 1'000'000}}));
    EXPECT_EQ(other->exchange.fees.all.taker.per_share, 0);
    for (const auto& one : {*file, *other}) {
        const auto again = parse_market_file(describe(one), "described");
        ASSERT_TRUE(again) << again.error();
        EXPECT_EQ(again->exchange.delay, one.exchange.delay);
        EXPECT_EQ(again->exchange.fees, one.exchange.fees);
    }
}

constexpr std::string_view k_two_futures =
    "venue = \"cme-like\"\n[[instrument]]\nsymbol = \"ESZ6\"\nprice = 6000\ntick = 0.25\n"
    "[[instrument]]\nsymbol = \"ESH7\"\nprice = 6040\ntick = 0.25\n"
    "[[participants]]\nkind = \"noise\"\n";

TEST(MarketFile, ACombinationOfTheVenueIsAnInstrumentWorthItsLegs) {
    const auto file =
        parse_market_file(std::string{k_two_futures} +
                              "[[participants]]\nkind = \"fixed-maker\"\n"
                              "instruments = [\"ESZ6-ESH7\"]\nanchor = \"fundamental\"\n",
                          "test");
    ASSERT_TRUE(file) << file.error();
    ASSERT_EQ(file->instruments.size(), 3U);
    const InstrumentDescription& spread = file->instruments[2];
    EXPECT_EQ(spread.definition.symbol, Symbol::of("ESZ6-ESH7"));
    EXPECT_EQ(spread.fundamental.start, -400'000);
    EXPECT_EQ(file->groups[0].instruments, (std::vector{InstrumentId{1}, InstrumentId{2}}))
        << "not a combination that it does not name";
    EXPECT_EQ(file->groups[1].instruments, std::vector{InstrumentId{3}});
    const auto again = parse_market_file(describe(*file), "described");
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(describe(*again), describe(*file));
    market_kernel::Fundamentals worth{1, {}, {}, make_setup(*file, 1).fundamentals};
    EXPECT_EQ(worth.value(InstrumentId{3}, Timestamp{1'000'000'000}), -400'000);
}

TEST(MarketFile, OnlyWithAllItsLegsACombinationIsThere) {
    const auto file = parse_market_file(
        "venue = \"cme-like\"\n[[instrument]]\nsymbol = \"ESZ6\"\n"
        "[[participants]]\nkind = \"noise\"\n",
        "test");
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->instruments.size(), 1U);
}

TEST(MarketFile, ACombinationIsNotForEveryMarketAndKind) {
    std::string lots{k_two_futures};
    lots.replace(lots.find("tick"), 4, "lot = 10\ntick");
    EXPECT_THAT(mistake_of(lots), HasSubstr("must have the same decimals and lot"));
    EXPECT_THAT(mistake_of(std::string{k_two_futures} +
                           "[[participants]]\nkind = \"fcn\"\ninstruments = [\"ESZ6-ESH7\"]\n"),
                HasSubstr("the prices of ESZ6-ESH7 may be below zero"));
}

TEST(MarketFile, MistakesInChangesOfRules) {
    const auto mistake = [](std::string_view entry) {
        return mistake_of(
            "duration = \"30s\"\n[[instrument]]\nsymbol = \"A\"\n"
            "[[participants]]\nkind = \"noise\"\n[[timeline]]\nat = \"1s\"\n" +
            std::string{entry});
    };
    EXPECT_THAT(mistake("event = \"rules\""), HasSubstr("the event rules needs them"));
    EXPECT_THAT(mistake("event = \"rules\"\nrules = { alocation = 1 }"),
                HasSubstr("unknown key 'alocation'"));
    EXPECT_THAT(mistake("event = \"rules\"\nrules = { luld = { tier = 1 } }"),
                HasSubstr("are those of a venue"));
    EXPECT_THAT(mistake("event = \"rules\"\nrules = { dynamic_corridor = { percent = 1 }, "
                        "on_breach = \"interrupt\" }"),
                HasSubstr("needs a venue"));
    EXPECT_THAT(mistake("event = \"auction\""), HasSubstr("an auction needs the length"));
    EXPECT_THAT(mistake("event = \"auction\"\nfor = \"1s\"\nauction = \"frequent_batch\""),
                HasSubstr("batches need a venue"));
}

TEST(MarketFile, NeedsInstrumentsAndParticipants) {
    EXPECT_THAT(mistake_of("duration = \"1s\""), HasSubstr("at least one instrument"));
    EXPECT_THAT(mistake_of("[[instrument]]\nsymbol = \"A\""), HasSubstr("needs participants"));
    EXPECT_THAT(read_market_file("no/such/file.toml").error(), HasSubstr("cannot be read"));
}

TEST(MarketFile, ItsDescriptionIsAMarketFileOfTheSameMarket) {
    const auto file = parse_market_file(k_file, "market.toml");
    ASSERT_TRUE(file) << file.error();
    const std::string text = describe(*file);
    const auto again = parse_market_file(text, "described");
    ASSERT_TRUE(again) << again.error() << '\n' << text;
    EXPECT_EQ(describe(*again), text);
    EXPECT_EQ(identity_of(*again), identity_of(*file));
    EXPECT_NE(identity_of(*parse_market_file(with("count = 3", "count = 4"), "")),
              identity_of(*file));
}

constexpr std::string_view k_basket_file = R"(
[[instrument]]
symbol = "AAA"
price = 40

[[instrument]]
symbol = "BBB"
price = 60

[[instrument]]
symbol = "ETF"
basket = ["AAA", "BBB"]
weights = [0.5, 2]
lag = "20ms"

[[participants]]
kind = "fixed-maker"

[[obligation]]
group = "fixed-maker"
presence = 0.9
most_spread_ticks = 4
least_quantity = 200
period = "30s"
reward = 1.5
penalty = 2
)";

std::string basket_mistake(std::string_view old_text, std::string_view new_text) {
    std::string text{k_basket_file};
    text.replace(text.find(old_text), old_text.size(), new_text);
    const auto file = parse_market_file(text, "m");
    return file ? "" : file.error();
}

TEST(MarketFile, ABasketAndAnObligation) {
    const auto file = parse_market_file(k_basket_file, "");
    ASSERT_TRUE(file) << file.error();
    const auto& etf = file->instruments[2].fundamental;
    ASSERT_EQ(etf.basket.size(), 2U);
    EXPECT_EQ(etf.basket[1].instrument, InstrumentId{2});
    EXPECT_EQ(etf.basket[1].weight, 2);
    EXPECT_EQ(etf.lag_ns, 20'000'000);
    EXPECT_EQ(etf.start, 1'400'000);
    ASSERT_EQ(file->obligations.size(), 1U);
    const auto& obligation = file->obligations[0];
    EXPECT_EQ(obligation.presence, 0.9);
    EXPECT_EQ(obligation.most_spread_ticks, 4);
    EXPECT_EQ(obligation.least_quantity, 200);
    EXPECT_EQ(obligation.period_ns, 30 * k_second_ns);
    EXPECT_EQ(obligation.reward, 15'000);
    EXPECT_EQ(obligation.penalty, 20'000);
    const auto again = parse_market_file(describe(*file), "");
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(describe(*again), describe(*file));
}

TEST(MarketFile, MistakesInABasketOrAnObligation) {
    EXPECT_THAT(basket_mistake("weights = [0.5, 2]", "weights = [1]"),
                HasSubstr("weights has 1 numbers, but basket has 2 symbols"));
    EXPECT_THAT(basket_mistake("\"AAA\", \"BBB\"]", "\"AAA\", \"ETF\"]"),
                HasSubstr("no instrument \"ETF\" before this one"));
    EXPECT_THAT(basket_mistake("lag = \"20ms\"", "price = 100"), HasSubstr("that of the basket"));
    EXPECT_THAT(basket_mistake("price = 60", "lag = \"1s\""), HasSubstr("belong to a basket"));
    EXPECT_THAT(basket_mistake("group = \"fixed-maker\"", "group = \"makers\""),
                HasSubstr("no group \"makers\""));
    EXPECT_THAT(basket_mistake("group = \"fixed-maker\"\n", ""), HasSubstr("needs its group"));
    EXPECT_THAT(basket_mistake("presence = 0.9", "presence = 90"), HasSubstr("from 0 to 1"));
    EXPECT_THAT(basket_mistake("reward", "rewards"), HasSubstr("did you mean"));
}

// Parts of a basket have other ids at an exchange that has other instruments.
TEST(MarketFile, ABasketMovesToOtherInstruments) {
    const auto file = parse_market_file(k_basket_file, "");
    ASSERT_TRUE(file);
    auto symbols = make_setup(*file, 1).instruments;
    std::swap(symbols[0], symbols[1]);
    const auto swapped = with_instruments(*file, symbols);
    const auto& basket = swapped.instruments[2].fundamental.basket;
    ASSERT_EQ(basket.size(), 2U);
    EXPECT_EQ(basket[0].instrument, InstrumentId{2});
    EXPECT_EQ(basket[0].weight, 0.5);
    symbols.erase(symbols.begin());
    const auto fewer = with_instruments(*file, symbols);
    EXPECT_TRUE(fewer.instruments[1].fundamental.basket.empty());
    EXPECT_EQ(fewer.instruments[1].fundamental.start, 1'400'000);
}

TEST(MarketFile, AKindThatTradesSeveralInstrumentsNeedsThem) {
    constexpr std::string_view k_kind = "kind = \"fixed-maker\"";
    EXPECT_THAT(basket_mistake(k_kind, "name = \"fixed-maker\"\nkind = \"pair-arbitrageur\""),
                HasSubstr("it trades two instruments"));
    EXPECT_THAT(basket_mistake(k_kind,
                               "name = \"fixed-maker\"\nkind = \"etf-arbitrageur\"\n"
                               "instruments = [\"ETF\", \"AAA\", \"BBB\"]\n"
                               "weights = [0.5]"),
                HasSubstr("a number for each instrument but the first"));
    EXPECT_THAT(basket_mistake(k_kind,
                               "name = \"fixed-maker\"\nkind = \"scripted\"\n"
                               "orders = [\"1s buy\"]"),
                HasSubstr("\"1s buy\" must be TIME buy|sell"));
}

TEST(MarketFile, AReactionBelongsToARecordedDay) {
    const std::string text = "[reaction]\nrecovery = \"3s\"\nlevels = 4\n";
    GivenMarket given;
    given.instrument.definition.id = {1};
    given.instrument.definition.symbol = Symbol::of("AAA");
    given.duration_ns = k_second_ns;
    const auto file = parse_market_file(text, "r", &given);
    ASSERT_TRUE(file) << file.error();
    ASSERT_TRUE(file->reaction);
    EXPECT_EQ(file->reaction->recovery_ns, 3 * k_second_ns);
    EXPECT_EQ(file->reaction->levels, 4);
    EXPECT_THAT(describe(*file), HasSubstr("[reaction]\nrecovery = \"3s\"\ninterval = \"100ms\""));
    EXPECT_FALSE(parse_market_file("", "r", &given)->reaction);
    EXPECT_THAT(mistake_of(std::string{k_file} + text), HasSubstr("only a recorded day can react"));
    const auto mistake = [&](const std::string& wrong) {
        return parse_market_file("[reaction]\n" + wrong, "r", &given).error();
    };
    EXPECT_THAT(mistake("levels = 0"), HasSubstr("levels must be a whole number from 1"));
    EXPECT_THAT(mistake("recovery = \"0s\""), HasSubstr("recovery must be a duration from 1ms"));
    EXPECT_THAT(mistake("speed = 3"), HasSubstr("unknown key 'speed'"));
}

TEST(MarketFile, TheExamplesAreSound) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator{"examples/markets"}) {
        if (entry.path().extension() != ".toml") continue;
        ++files;
        const auto file = read_market_file(entry.path());
        EXPECT_TRUE(file) << (file ? "" : file.error());
        if (file) {
            EXPECT_FALSE(file->about.empty()) << entry.path();
        }
    }
    EXPECT_GE(files, 12U);
}

TEST(Durations, AreReadAndWrittenWithTheirUnit) {
    EXPECT_EQ(parse_duration("250us"), 250'000);
    EXPECT_EQ(parse_duration("1.5s"), 1'500'000'000);
    EXPECT_EQ(parse_duration("10min"), 600 * k_second_ns);
    EXPECT_EQ(duration_text(250'000), "250us");
    EXPECT_EQ(duration_text(600 * k_second_ns), "10min");
    EXPECT_EQ(duration_text(0), "0s");
    for (const std::string_view wrong : {"", "5", "ms", "-1s", "5 ms", "1e40s", "nans", "5msx"})
        EXPECT_FALSE(parse_duration(wrong)) << wrong;
}

}  // namespace
}  // namespace damrak::market_runs::market_file_test
