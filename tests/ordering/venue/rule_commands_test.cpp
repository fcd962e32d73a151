// The commands that give an instrument the rules of a venue: only what differs, in its units.
#include <damrak/venue/rule_commands.hpp>

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::venue::rule_commands_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

InstrumentDefinition instrument(std::uint8_t decimals = 4) {
    InstrumentDefinition made;
    made.id = InstrumentId{7};
    made.symbol = Symbol::of("AAA");
    made.price_decimals = decimals;
    return made;
}

std::vector<CommandKind> kinds(const Rules& wanted, const InstrumentRules& there) {
    std::vector<CommandKind> found;
    const auto plan = rule_commands(wanted, instrument(), there);
    EXPECT_TRUE(plan) << plan.error();
    for (const Command& command : *plan) {
        EXPECT_EQ(command.instrument, InstrumentId{7});
        found.push_back(command.kind);
    }
    return found;
}

Rules some_rules() {
    Rules rules;
    rules.allocation.steps = {AllocationStep::lead_makers, AllocationStep::pro_rata};
    rules.lead_makers = {{ParticipantId{3}, 4'000}};
    rules.limits.dynamic_corridor = {250, 50'000'000};
    rules.limits.refuse_reached_stops = true;
    rules.band = {9'500'000'000, 10'500'000'000, 10'000'000'000};
    return rules;
}

TEST(RuleCommands, OnlyWhatDiffersIsSet) {
    EXPECT_THAT(kinds({}, {}), IsEmpty());
    EXPECT_THAT(kinds(some_rules(), {}),
                ElementsAre(CommandKind::set_allocation, CommandKind::set_lead_maker,
                            CommandKind::set_price_limits, CommandKind::set_price_band));
    InstrumentRules there;
    const auto plan = rule_commands(some_rules(), instrument(), there);
    for (const Command& command : *plan) {
        if (command.kind == CommandKind::set_allocation) there.allocation = command.allocation;
        if (command.kind == CommandKind::set_price_limits)
            there.price_limits = command.price_limits;
        if (command.kind == CommandKind::set_price_band) there.price_band = command.price_band;
        if (command.kind == CommandKind::set_lead_maker)
            there.lead_makers[0] = {command.participant, command.lead_maker.basis_points};
    }
    EXPECT_THAT(kinds(some_rules(), there), IsEmpty());
    EXPECT_EQ(there.price_limits.dynamic_corridor, (PriceLimitDetails::Margin{250, 500}));
    EXPECT_EQ(there.price_band, (PriceBandDetails{{95'000}, {105'000}, {100'000}}));
    there.price_band.reference = Price{101'000};
    EXPECT_THAT(kinds(some_rules(), there), IsEmpty()) << "auctions have moved the reference";
    EXPECT_THAT(kinds({}, there),
                ElementsAre(CommandKind::set_allocation, CommandKind::set_lead_maker,
                            CommandKind::set_price_limits, CommandKind::set_price_band));
}

TEST(RuleCommands, LeadMakersThatLeaveMakeRoomFirst) {
    InstrumentRules there;
    there.lead_makers[0] = {ParticipantId{1}, 1'000};
    there.lead_makers[1] = {ParticipantId{2}, 2'000};
    Rules wanted;
    wanted.lead_makers = {{ParticipantId{2}, 2'500}, {ParticipantId{3}, 100}};
    const auto plan = rule_commands(wanted, instrument(), there);
    ASSERT_TRUE(plan);
    std::vector<std::pair<std::uint32_t, int>> set;
    for (const Command& command : *plan)
        set.emplace_back(command.participant.value, command.lead_maker.basis_points);
    EXPECT_THAT(set, ElementsAre(std::pair{1U, 0}, std::pair{2U, 2'500}, std::pair{3U, 100}));
}

TEST(RuleCommands, TheSupervisorMovesTheBandOfLimitUpLimitDown) {
    Rules wanted;
    wanted.luld = {.tier = 1, .previous_close = 20'000'000'000};
    InstrumentRules there;
    there.price_band = {{190'000}, {210'000}, {200'000}};
    EXPECT_THAT(kinds(wanted, there), IsEmpty());
    EXPECT_THAT(kinds({}, there), ElementsAre(CommandKind::set_price_band));
    EXPECT_THAT(rule_commands(wanted, instrument(1), there).error(),
                HasSubstr("luld of the venue needs prices with at least 2 decimals"));
    wanted.luld.previous_close = 20'001'000'000;
    EXPECT_THAT(rule_commands(wanted, instrument(2), there).error(),
                HasSubstr("previous_close of the venue has more decimals"));
}

TEST(RuleCommands, AnAmountFinerThanThePricesIsRefused) {
    Rules rules;
    rules.limits.market_collar = {0, 50'000'000};
    EXPECT_TRUE(rule_commands(rules, instrument(2), {}));
    const auto plan = rule_commands(rules, instrument(1), {});
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error(), HasSubstr("instrument 7 (AAA): market_collar of the venue has more"));
}

}  // namespace
}  // namespace damrak::venue::rule_commands_test
