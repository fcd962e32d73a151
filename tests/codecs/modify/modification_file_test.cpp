// The file of a modification: its keys, and one error with line, key and what is allowed.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/modify/modification.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::modify::modification_file_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ModificationFile, HasATableForEachModification) {
    const auto read = parse_modification(R"(
seed = 7
[window]
from = "10:00"
until = "11:30:00.5"
[drop]
orders = ["bids", "attributed"]
smaller_than = 100
larger_than = 5000
messages = ["executions", "hidden_trades", "crosses", "imbalances", "halts"]
[thin]
share = 0.25
[scale]
factor = 2
[tick]
size = 0.05
[delay]
least = "1ms"
most = "2s"
of = "cancels"
)",
                                         "m.toml");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->file, "m.toml");
    EXPECT_EQ(read->seed, 7U);
    EXPECT_EQ(read->window, (Window{36'000'000'000'000, 41'400'500'000'000}));
    EXPECT_EQ(read->drop, (Drop{.bids = true,
                                .attributed = true,
                                .smaller_than = 100,
                                .larger_than = 5'000,
                                .executions = true,
                                .hidden_trades = true,
                                .crosses = true,
                                .imbalances = true,
                                .halts = true}));
    EXPECT_EQ(read->thin_share, 0.25);
    EXPECT_EQ(read->scale_factor, 2);
    EXPECT_EQ(read->tick_e4, 500U);
    EXPECT_EQ(read->delay, (Delay{1'000'000, 2'000'000'000, Delayed::cancels}));
}

TEST(ModificationFile, EmptyChangesNothing) {
    const auto read = parse_modification("", "m.toml");
    ASSERT_TRUE(read);
    EXPECT_EQ(identity_of(*read), identity_of(Modification{}));
}

TEST(ModificationFile, OneDelayIsBothLimits) {
    EXPECT_EQ(parse_modification("[delay]\nleast = \"5ms\"", "m.toml")->delay.most_ns, 5'000'000);
}

TEST(ModificationFile, AMistakeIsNamedWithLineKeyAndWhatIsAllowed) {
    struct Case {
        std::string text;
        std::string error;
    };
    const std::vector<Case> cases{
        {"seed = -1", "m.toml:1: seed must be a whole number from 0 to "},
        {"[thin]\nshare = 1.5", "m.toml:2: thin: share must be a number from 0 to 1"},
        {"[thin]\nshare = nan", "m.toml:2: thin: share must be a number from 0 to 1"},
        {"[thin]\nshare = \"half\"", "m.toml:2: thin: share must be a number from 0 to 1"},
        {"[scale]\nfactor = 0", "m.toml:2: scale: factor must be a number from 0.001 to 1000"},
        {"[tick]\nsize = 0.00015", "m.toml:2: tick: size must be a multiple of 0.0001"},
        {"[tick]\nsize = 0", "m.toml:2: tick: size must be a number from 0.0001 to 1000"},
        {"[window]\nfrom = \"25:00\"", "m.toml:2: window: from must be a time of day in quotes"},
        {"[window]\nfrom = 10", "m.toml:2: window: from must be a time of day in quotes"},
        {"[window]\nfrom = \"11:00\"\nuntil = \"10:00\"",
         "m.toml:1: window: until must be later than from"},
        {"[delay]\nmost = \"2min\"", "m.toml:2: delay: most must be a duration from 0s to 1min"},
        {"[delay]\nleast = \"2s\"\nmost = \"1s\"",
         "m.toml:1: delay: most must be at least as long as least"},
        {"[delay]\nof = \"adds\"", "m.toml:2: delay: of must be one of \"orders\", \"cancels\""},
        {"[drop]\norders = [\"bid\"]",
         "m.toml:2: drop: orders must be a list of \"bids\", \"asks\", \"attributed\"; found "
         "\"bid\""},
        {"[drop]\nmessages = \"halts\"", "m.toml:2: drop: messages must be a list of texts"},
        {"[drop]\nsmaller_than = 1.5",
         "m.toml:2: drop: smaller_than must be a whole number from 0"},
        {"thin = 0.5", "m.toml:1: thin must be a table [thin]"},
        {"[thinn]\nshare = 0.5", "m.toml:1: unknown key 'thinn'; did you mean thin"},
        {"[thin]\nshares = 0.5", "m.toml:2: thin: unknown key 'shares'"},
        {"[thin", "m.toml:1: "},
        {"[)", "m.toml:1: "},
    };
    for (const Case& one : cases) {
        const auto read = parse_modification(one.text, "m.toml");
        ASSERT_FALSE(read) << one.text;
        EXPECT_THAT(read.error(), StartsWith(one.error)) << one.text;
        EXPECT_EQ(read.error().find('\n'), std::string::npos);
    }
}

TEST(ModificationFile, AFileThatCannotBeReadIsNamed) {
    const auto read = read_modification("/nowhere/m.toml");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error(), HasSubstr("/nowhere/m.toml"));
}

}  // namespace
}  // namespace damrak::modify::modification_file_test
