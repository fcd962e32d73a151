// Spreads and baskets of a venue: what a file says, its mistakes, and what they are in a market.
#include <damrak/venue/combinations.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/engine/engine.hpp>
#include <damrak/venue/venue_file.hpp>

#include "support/commands.hpp"

namespace damrak::venue::combinations_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view k_sessions = R"(name = "v"
[rules]
entry_limit = { percent = 3 }
[[session]]
at = "00:00"
phase = "continuous"
)";
constexpr std::string_view k_spread = R"([[spread]]
symbol = "A-B"
near = "A"
far = "B"
tick = 0.01
minimum_price = -50
dynamic_corridor = { at_least = 2 }
)";

std::expected<Venue, std::string> parse(std::string_view tables) {
    return parse_venue(std::string{k_sessions} + std::string{tables}, "a.toml");
}

InstrumentDefinition leg(std::uint32_t id, std::string_view symbol, std::int64_t tick = 500) {
    InstrumentDefinition made;
    made.id = InstrumentId{id};
    made.symbol = Symbol::of(symbol);
    made.tick_bands[0].tick_size = Price{tick};
    made.shard_group = 3;
    return made;
}

TEST(VenueCombinations, OfAFile) {
    const auto venue = parse(std::string{k_spread} +
                             "[[basket]]\nsymbol = \"AB\"\n"
                             "legs = [{ symbol = \"A\", ratio = 2 }, { symbol = \"B\" }]\n");
    ASSERT_TRUE(venue) << venue.error();
    ASSERT_EQ(venue->combinations.size(), 2U);
    const Combination& spread = venue->combinations[0];
    EXPECT_EQ(spread.kind, CombinationKind::spread);
    EXPECT_THAT(spread.legs, ElementsAre(Combination::Leg{"A", 1}, Combination::Leg{"B", -1}));
    EXPECT_EQ(spread.tick, 10'000'000);
    EXPECT_EQ(spread.minimum_price, -50'000'000'000);
    EXPECT_EQ(spread.place, "a.toml:7");
    EXPECT_EQ(venue->combinations[1].kind, CombinationKind::basket);
    EXPECT_THAT(venue->combinations[1].legs,
                ElementsAre(Combination::Leg{"A", 2}, Combination::Leg{"B", 1}));
    EXPECT_EQ(venue->rules_of("A-B").limits.dynamic_corridor, (Margin{0, 2'000'000'000}));
    EXPECT_FALSE(venue->rules_of("A-B").limits.entry_limit.exists()) << "not the rules of all";
    EXPECT_TRUE(venue->has_combination("AB"));
    EXPECT_FALSE(venue->has_combination("A"));
}

TEST(VenueCombinations, MistakesOfAFile) {
    const auto spread = [](std::string_view old_text, std::string_view new_text) {
        std::string text{k_spread};
        return text.replace(text.find(old_text), old_text.size(), new_text);
    };
    const std::string basket = "[[basket]]\nsymbol = \"AB\"\nlegs = ";
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {spread("far = \"B\"\n", ""), "a.toml:7: spread \"A-B\": near and far are the symbols"},
        {spread("far = \"B\"", "far = \"A\""), "near and far are the symbols of two instruments"},
        {spread("tick", "legs = []\ntick"), "either near and far, or legs"},
        {spread("near = \"A\"\nfar = \"B\"\n", ""), "it needs two to 7 legs: near and far, or"},
        {spread("symbol = \"A-B\"\n", ""), "a symbol has 1 to 16 characters"},
        {spread("symbol = \"A-B\"", "symbol = \"A\""),
         "a.toml:7: spread \"A\": A is a combination itself"},
        {spread("0.01", "-1"), "a.toml:11: spread \"A-B\": tick must be a number from"},
        {spread("-50", "1"), "minimum_price must be a number from -1000000 to 0"},
        {spread("tick", "ticks"), "unknown key 'ticks'; did you mean tick?"},
        {std::string{k_spread} + "luld = { tier = 1 }\n", "luld is for single instruments"},
        {std::string{k_spread} + std::string{k_spread}, "the symbol \"A-B\" is in this file"},
        {std::string{k_spread} + basket + R"([{ symbol = "A-B" }, { symbol = "A" }])",
         "A-B is a combination itself and cannot be a leg of AB"},
        {basket + R"([{ symbol = "A" }])", "basket \"AB\": it needs two to 7 legs: legs = "},
        {basket + R"([{ symbol = "A" }, { symbol = "A" }])", "A is a leg twice"},
        {basket + R"([{ symbol = "A", ratio = 0 }, { symbol = "B" }])", "ratio must be from 1"},
        {basket + R"([{ symbol = "A", ratio = 10001 }, { symbol = "B" }])",
         "legs: ratio must be a whole number from -10000 to 10000"},
        {basket + R"([{ symbol = "A" }, { ratio = 1 }])", "a leg needs its symbol"},
        {basket + "[]\nnear = \"A\"\n", "it needs two to 7 legs"},
    };
    for (const auto& [text, expected] : mistakes) {
        const auto venue = parse(text);
        ASSERT_FALSE(venue) << text;
        EXPECT_THAT(venue.error(), StartsWith("a.toml:"));
        EXPECT_THAT(venue.error(), HasSubstr(expected));
    }
    std::string many;
    for (int i = 0; i < 9; ++i)
        many += fmt::format("[[spread]]\nsymbol = \"S{}\"\nnear = \"A\"\nfar = \"B{}\"\n", i, i);
    EXPECT_THAT(parse(many).error(), HasSubstr("A is a leg of more than 8 combinations"));
}

TEST(VenueCombinations, InAMarketHaveAnInstrumentFromTheirLegs) {
    const Venue venue = parse(k_spread).value();
    const std::vector market{leg(4, "B", 200), leg(7, "A")};
    const auto found = combine(venue.combinations[0], market);
    ASSERT_TRUE(found) << found.error();
    ASSERT_TRUE(*found);
    const InstrumentDefinition& definition = (*found)->definition;
    EXPECT_FALSE(definition.id) << "it is new";
    EXPECT_EQ(definition.symbol.view(), "A-B");
    EXPECT_EQ(definition.shard_group, 3);
    EXPECT_TRUE(definition.unpublished);
    EXPECT_EQ(definition.common_tick(), Price{100});
    EXPECT_EQ(definition.minimum_price(), Price{-500'000});
    EXPECT_EQ(definition.maximum_price, Price{2 * k_published_maximum_price.value});
    EXPECT_EQ(definition.check(), Reason::none);
    EXPECT_EQ((*found)->details.legs[0], (CombinationDetails::Leg{InstrumentId{7}, 1}));
    EXPECT_EQ((*found)->details.legs[1], (CombinationDetails::Leg{InstrumentId{4}, -1}));
    EXPECT_EQ((*found)->details.kind, CombinationKind::spread);
    EXPECT_TRUE(combination_commands(venue, market)->empty()) << "the market does not have it";
    const auto none = combine(venue.combinations[0], std::vector{leg(7, "A")});
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none) << "a leg is missing";
}

TEST(VenueCombinations, HaveTheLargestTickAndRangeThatSuitTheLegs) {
    const Venue venue = parse(
                            "[[basket]]\nsymbol = \"AB\"\n"
                            "legs = [{ symbol = \"A\", ratio = 2 }, { symbol = \"B\" }]\n"
                            "[[spread]]\nsymbol = \"A-B\"\nnear = \"A\"\nfar = \"B\"\n")
                            .value();
    std::vector market{leg(1, "A", 600), leg(2, "B", 400)};
    market[0].maximum_price = Price{10'000};
    market[1].maximum_price = Price{5'100};
    market[1].maximum_quantity = Quantity{50};
    const InstrumentDefinition basket = (*combine(venue.combinations[1], market))->definition;
    EXPECT_EQ(basket.common_tick(), Price{200});
    EXPECT_EQ(basket.maximum_price, Price{25'000}) << "25,100 is not on its tick";
    EXPECT_EQ(basket.minimum_price(), Price{0});
    EXPECT_EQ(basket.maximum_quantity, Quantity{50});
    const InstrumentDefinition spread = (*combine(venue.combinations[0], market))->definition;
    EXPECT_EQ(spread.minimum_price(), Price{-15'000});
    for (InstrumentDefinition& one : market) {
        one.unpublished = true;
        one.maximum_quantity = Quantity{1'000'000};
        one.maximum_price = Price{INT64_MAX / 1'000'000};
    }
    EXPECT_EQ((*combine(venue.combinations[0], market))->definition.check(), Reason::none)
        << "no further than the value of an order may be";
}

TEST(VenueCombinations, TheEngineTakesThem) {
    const Venue venue = parse(k_spread).value();
    Engine engine{EngineConfig{}};
    std::vector<InstrumentDefinition> market;
    const auto submit = [&](const Command& command) {
        engine.apply(command, [](const Event& event) {
            EXPECT_NE(event.kind, EventKind::rejected) << name(event.reason);
        });
    };
    for (const auto& [id, symbol] :
         {std::pair{1U, "A"}, std::pair{2U, "B"}, std::pair{3U, "A-B"}}) {
        InstrumentDetails details = test_stock(symbol);
        details.shard_group = 1;
        details.unpublished = 1;
        if (id == 3) details.minimum_price = Price{-500'000};
        submit(instrument_command(id, details));
        market.push_back(engine.instrument(InstrumentId{id})->definition());
    }
    const auto plan = combination_commands(venue, market);
    ASSERT_TRUE(plan) << plan.error();
    ASSERT_EQ(plan->size(), 1U);
    submit(plan->front());
    EXPECT_EQ(engine.instrument(InstrumentId{3})->combination, CombinationKind::spread);
    EXPECT_NE(engine.instrument(InstrumentId{1})->first_use, 0U);
}

TEST(VenueCombinations, TellsWhatDoesNotSuit) {
    const Venue spread = parse(k_spread).value();
    const Venue basket = parse(
                             "[[basket]]\nsymbol = \"A-B\"\n"
                             "legs = [{ symbol = \"A\" }, { symbol = \"B\" }]\n")
                             .value();
    const auto refusal = [](const Venue& venue, const auto& change) {
        std::vector market{leg(1, "A"), leg(2, "B"), leg(3, "A-B", 100)};
        market[2].tick_bands[0].from_price = Price{-500'000};
        market[2].unpublished = true;
        change(market);
        const auto found = combine(venue.combinations[0], market);
        EXPECT_FALSE(found);
        return found ? std::string{} : found.error();
    };
    const auto without_own = [](auto& market) { market.pop_back(); };
    EXPECT_EQ(refusal(spread,
                      [&](auto& market) {
                          without_own(market);
                          market[1].shard_group = 0;
                      }),
              "a.toml:7: spread \"A-B\": its legs must have one shard_group, which is not 0: that "
              "of A is 3, that of B is 0");
    EXPECT_THAT(refusal(spread, [](auto& market) { market[0].shard_group = 0; }),
                HasSubstr("that of A is 0"));
    EXPECT_THAT(refusal(spread, [](auto& market) { market[1].lot_size = Quantity{10}; }),
                HasSubstr("its legs A and B must have the same decimals and lot"));
    EXPECT_THAT(refusal(basket,
                        [&](auto& market) {
                            without_own(market);
                            for (auto& one : market) one.lot_size = Quantity{10};
                        }),
                HasSubstr("basket \"A-B\": the legs of a basket must have a lot of 1"));
    EXPECT_THAT(refusal(spread,
                        [&](auto& market) {
                            without_own(market);
                            for (auto& one : market) one.price_decimals = 1;
                        }),
                HasSubstr("tick has more decimals than the prices of its legs, which have 1"));
    EXPECT_THAT(refusal(spread,
                        [&](auto& market) {
                            without_own(market);
                            market[0].tick_bands[0].tick_size = Price{50};
                        }),
                HasSubstr("its tick must divide the ticks of its leg A"));
    EXPECT_THAT(
        refusal(spread, [](auto& market) { market[2].tick_bands[0].tick_size = Price{50}; }),
        HasSubstr("tick is not that of the instrument, which cannot change"));
    EXPECT_THAT(refusal(spread, [](auto& market) { market[2].shard_group = 4; }),
                HasSubstr("its instrument must have one tick for all prices"));
    Venue odd = spread;
    odd.combinations[0].minimum_price = -50'005'000'000;
    EXPECT_THAT(refusal(odd, without_own), HasSubstr("its prices must be from minimum_price"));
}

}  // namespace
}  // namespace damrak::venue::combinations_test
