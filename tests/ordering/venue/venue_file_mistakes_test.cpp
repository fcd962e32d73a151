// Values that a venue file cannot mean, keys in place of others, and files that are none.
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <damrak/venue/venue_file.hpp>

#include "support/regular_hours.hpp"

namespace damrak::venue::venue_file_mistakes_test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::k_regular_hours;
using ::testing::Not;

constexpr std::string_view k_continuous = "[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n";

std::string mistake_in(std::string_view sessions, std::string_view rest) {
    const auto read =
        parse_venue(std::string{"name = \"a\"\n"}.append(sessions).append(rest), "a.toml");
    return read ? "none" : read.error();
}

std::string mistake_in_rules(std::string_view line) {
    return mistake_in(k_regular_hours, std::string{"[rules]\n"}.append(line).append("\n"));
}

TEST(VenueFileMistakes, NumbersNextToZeroAreNotZero) {
    EXPECT_THAT(mistake_in_rules("entry_limit = { percent = 1e-300 }"),
                EndsWith("entry_limit: percent must be a multiple of 0.01"));
    EXPECT_THAT(mistake_in_rules("entry_limit = { percent = 2.5000000001 }"),
                EndsWith("entry_limit: percent must be a multiple of 0.01"));
    EXPECT_THAT(mistake_in_rules("entry_limit = { at_least = 1e-300 }"),
                EndsWith("entry_limit: at_least must have at most 9 decimals"));
    EXPECT_THAT(mistake_in_rules("luld = { tier = 2, leverage = 1.005 }"),
                EndsWith("luld: leverage must be a multiple of 0.01"));
    EXPECT_THAT(mistake_in(k_continuous, "[fees]\ntaker = { per_share = 1e-300 }\n"),
                EndsWith("taker: per_share must be a multiple of 0.000000001"));
    EXPECT_THAT(mistake_in(k_continuous, "[fees]\ntaker = { percent = -1e-300 }\n"),
                EndsWith("taker: percent must be a multiple of 0.0001"));
    EXPECT_EQ(mistake_in(k_continuous,
                         "[fees]\ntaker = { per_share = 999.999999999, percent = 9.9999 }\n"),
              "none");
    EXPECT_EQ(mistake_in_rules("entry_limit = { percent = 99.99, at_least = 0.000000001 }"),
              "none");
}

TEST(VenueFileMistakes, AStageContinuesACall) {
    const auto stage = [](std::string_view keys) {
        return mistake_in(
            "[[session]]\nat = \"08:00\"\nphase = \"call\"\ncall = \"opening\"\n"
            "auction = \"xetra\"\n",
            std::string{"[[session]]\nat = \"08:30\"\ncontinues = true\n"}.append(keys));
    };
    EXPECT_EQ(stage("phase = \"call\"\nrefuses = [\"changes\"]\n"), "none");
    EXPECT_THAT(stage("phase = \"call\"\ncall = \"opening\"\n"),
                EndsWith("call is that of the call that it continues: leave it out"));
    EXPECT_THAT(stage("phase = \"call\"\nauction = \"lse\"\n"),
                EndsWith("auction is that of the call that it continues: leave it out"));
    EXPECT_THAT(stage("phase = \"continuous\"\n"),
                EndsWith("the session ahead of it must be a call without an interval"));
    EXPECT_THAT(mistake_in("",
                           "[[session]]\nat = \"08:30\"\nphase = \"call\"\n"
                           "continues = true\n"),
                EndsWith("the session ahead of it must be a call without an interval"));
}

TEST(VenueFileMistakes, ADayHasACloseAndOneKindOfLimits) {
    const auto daily = [](std::string_view keys) {
        return mistake_in_rules(std::string{"daily = "}.append(keys));
    };
    EXPECT_EQ(daily("{ close = \"last_auction\", limits = { percent = 10 } }"), "none");
    EXPECT_THAT(daily("10"), EndsWith("limits = { percent = 10 } }"));
    EXPECT_THAT(daily("{ limits = { percent = 10 } }"), HasSubstr("daily: it needs the close"));
    EXPECT_THAT(daily("{ close = \"none\", limits = { percent = 10 } }"),
                EndsWith("takes nothing over: leave the other keys out"));
    EXPECT_THAT(daily("{ close = \"last_trade\", limits = { percent = 10 }, "
                      "table = [{ amount = 1 }] }"),
                EndsWith("give it either limits or a table of them"));
    EXPECT_THAT(daily("{ close = \"last_trade\", table = [{ below = 5, amount = 1 }] }"),
                HasSubstr("the last step of the table has no below"));
    EXPECT_THAT(daily("{ close = \"last_trade\", table = [{ below = 5, amount = 1 }, "
                      "{ below = 4, amount = 1 }, { amount = 1 }] }"),
                HasSubstr("steps are in order of below"));
    EXPECT_THAT(daily("{ close = \"last_trade\", table = [{ below = 5 }, { amount = 1 }] }"),
                HasSubstr("a step needs an amount above zero"));
    EXPECT_THAT(daily("{ close = \"last_trade\" }\nband = { lower = 1, upper = 2 }"),
                HasSubstr("daily goes without band and luld"));
}

TEST(VenueFileMistakes, WideningNeedsExtensions) {
    constexpr std::string_view k_corridor =
        "auction_corridor = { percent = 5 }\ndynamic_corridor = { percent = 2 }\n"
        "on_breach = \"interrupt\"\n";
    const auto rules = [&](std::string_view line) {
        return mistake_in_rules(std::string{k_corridor}.append(line));
    };
    EXPECT_EQ(rules("extensions = { price = 1, widening = { percent = 1 } }"), "none");
    EXPECT_THAT(rules("extensions = { market_orders = 1, widening = { percent = 1 } }"),
                HasSubstr("widening needs extensions for the price"));
    EXPECT_THAT(rules("interruption = { minimum = \"1min\", widening = { percent = 1 } }"),
                HasSubstr("widening needs extensions above zero"));
}

TEST(VenueFileMistakes, ABandHasPricesAndItsReferenceInside) {
    constexpr std::string_view k_outside = "band: reference must be from lower to upper";
    EXPECT_THAT(mistake_in_rules("band = { lower = 9.5, upper = 10.5, reference = 20 }"),
                EndsWith(k_outside));
    EXPECT_THAT(mistake_in_rules("band = { lower = 9.5, upper = 10.5, reference = 9.4 }"),
                EndsWith(k_outside));
    EXPECT_EQ(mistake_in_rules("band = { lower = 9.5, upper = 10.5, reference = 9.5 }"), "none");
    EXPECT_EQ(mistake_in_rules("band = { reference = 10 }"), "none");
    EXPECT_THAT(mistake_in_rules("band = { lower = 0, upper = 0 }"),
                EndsWith("band: it needs an upper price above zero, or a reference"));
}

TEST(VenueFileMistakes, AnEmptyMarginOrBandTakesAnInheritedOneAwayAndMeansNothingElse) {
    EXPECT_THAT(mistake_in_rules("dynamic_corridor = { }"),
                EndsWith("dynamic_corridor: it needs percent or at_least above zero, such as "
                         "{ percent = 2.5 }"));
    const auto venue =
        parse_venue(std::string{"name = \"a\"\n"}.append(k_regular_hours) + R"([rules]
dynamic_corridor = { percent = 2 }
band = { lower = 9, upper = 11 }
[[instrument]]
symbol = "FREE"
dynamic_corridor = { }
band = { }
)",
                    "a.toml");
    ASSERT_TRUE(venue) << venue.error();
    EXPECT_FALSE(venue->rules_of("FREE").limits.dynamic_corridor.exists());
    EXPECT_EQ(venue->rules_of("FREE").band, Band{});
    EXPECT_TRUE(venue->rules_of("ANY").limits.dynamic_corridor.exists());
}

TEST(VenueFileMistakes, ADayIsThereOnce) {
    EXPECT_THAT(mistake_in("days = [\"mon\", \"mon\"]\n", k_continuous),
                AllOf(HasSubstr("a.toml:2: days must be a list of \"mon\", \"tue\""),
                      EndsWith("\"sun\", each at most once")));
}

TEST(VenueFileMistakes, TheKnownKeysAreAllThereOnce) {
    EXPECT_THAT(
        mistake_in("[[session]]\nat = \"09:00\"\nphase = \"call\"\nxyzzyxyz = 1\n", ""),
        EndsWith("known here: at, days, phase, name, continues, call, auction, sealed, random_end, "
                 "interval, refuses"));
    EXPECT_THAT(mistake_in("days = [\"mon\"]\nxyzzyxyz = 1\n", k_continuous),
                AllOf(HasSubstr("known here: name, "), Not(HasSubstr("days, days"))));
    EXPECT_THAT(mistake_in_rules("xyzzyxyz = 1"), HasSubstr("lead_makers, dynamic_corridor"));
}

TEST(VenueFileMistakes, RulesThatNeedRegularHoursAreNamedByTheirLine) {
    constexpr std::string_view k_needed = "luld and market_breaker need a session with call = ";
    EXPECT_THAT(mistake_in(k_continuous, "[rules]\nluld = { tier = 1 }\n"),
                AllOf(HasSubstr("a.toml:6: "), HasSubstr(k_needed)));
    EXPECT_THAT(mistake_in(k_continuous, "[[instrument]]\nsymbol = \"A\"\nluld = { tier = 1 }\n"),
                HasSubstr("a.toml:7: "));
    EXPECT_THAT(mistake_in(k_continuous, "[market_breaker]\n"), HasSubstr("a.toml:5: "));
    EXPECT_EQ(mistake_in(k_continuous, "[rules]\nluld = { tier = 0 }\n"), "none");
}

TEST(VenueFileMistakes, ANamedPipeIsNoVenueFile) {
    const std::filesystem::path path =
        std::filesystem::path{::testing::TempDir()} / fmt::format("pipe-{}.toml", ::getpid());
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const auto venue = read_venue(path);
    std::filesystem::remove(path);
    ASSERT_FALSE(venue);
    EXPECT_THAT(venue.error(), EndsWith("is not a regular file; give a venue file"));
}

}  // namespace
}  // namespace damrak::venue::venue_file_mistakes_test
