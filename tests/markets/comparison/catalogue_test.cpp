// The catalogue of runs: what was kept is found again, exactly, and by the same program only.
#include <damrak/comparison/catalogue.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"

namespace damrak::comparison::catalogue_test {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

market_runs::MarketFile market(const std::string& name) {
    // The name is no part of the identity, the symbol is.
    auto file = market_runs::parse_market_file(
        "name = \"" + name + "\"\n[[instrument]]\nsymbol = \"" + name.substr(0, 1) + R"("
[[participants]]
kind = "noise"
)",
        "test");
    EXPECT_TRUE(file) << file.error();
    return *std::move(file);
}

MeasuredRun run_of(std::uint64_t seed, double value = 0.1) {
    return {.seed = seed,
            .hash = 0xfedcba9876543210U,
            .messages = 12,
            .trades = 3,
            .rejects = 1,
            .faults = 2,
            .values = {{{"AAA", "", "spread"}, "ticks", value, 7},
                       {{"AAA", "it's; -- \"x\"", "profit"}, "currency", -1.0 / 3, 1}}};
}

void run_sql(const std::filesystem::path& path, const char* sql) {
    auto database = detail::Database::open(path, false);
    ASSERT_TRUE(database && database->run(sql)) << database->error();
}

TEST(Catalogue, FindsARunAgainExactly) {
    const ScratchFolder folder;
    constexpr std::uint64_t k_large = 0xffffffffffffffffU;
    {
        auto catalogue = Catalogue::open(folder / "runs.db");
        ASSERT_TRUE(catalogue) << catalogue.error();
        EXPECT_FALSE(catalogue->find(market("a"), k_large).value());
        ASSERT_TRUE(catalogue->keep(market("a"), run_of(k_large)));
    }
    auto catalogue = Catalogue::open_existing(folder / "runs.db");
    ASSERT_TRUE(catalogue) << catalogue.error();
    const auto found = catalogue->find(market("a"), k_large).value();
    ASSERT_TRUE(found);
    const MeasuredRun kept = run_of(k_large);
    EXPECT_EQ(found->seed, kept.seed);
    EXPECT_EQ(found->hash, kept.hash);
    EXPECT_EQ(found->messages, 12U);
    EXPECT_EQ(found->trades, 3U);
    EXPECT_EQ(found->rejects, 1U);
    EXPECT_EQ(found->faults, 2U);
    ASSERT_EQ(found->values.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(found->values[i].name, kept.values[i].name);
        EXPECT_EQ(found->values[i].unit, kept.values[i].unit);
        EXPECT_EQ(found->values[i].value, kept.values[i].value);
        EXPECT_EQ(found->values[i].count, kept.values[i].count);
    }
    EXPECT_FALSE(catalogue->find(market("a"), 1).value());
    EXPECT_FALSE(catalogue->find(market("b"), k_large).value());
}

TEST(Catalogue, ANewRunReplacesTheOldOne) {
    const ScratchFolder folder;
    auto catalogue = Catalogue::open(folder / "runs.db");
    ASSERT_TRUE(catalogue->keep(market("a"), run_of(4, 1)));
    ASSERT_TRUE(catalogue->keep(market("a"), run_of(4, 2)));
    const auto found = catalogue->find(market("a"), 4).value();
    ASSERT_EQ(found->values.size(), 2U);
    EXPECT_EQ(found->values[0].value, 2);
    EXPECT_EQ(catalogue->entries()->at(0).runs, 1U);
}

TEST(Catalogue, ListsMarketsAndTheirRuns) {
    const ScratchFolder folder;
    auto catalogue = Catalogue::open(folder / "runs.db");
    EXPECT_TRUE(catalogue->entries()->empty());
    for (const std::uint64_t seed : {9U, 2U, 5U})
        ASSERT_TRUE(catalogue->keep(market("second, by name"), run_of(seed)));
    ASSERT_TRUE(catalogue->keep(market("first"), run_of(1)));
    const auto entries = catalogue->entries().value();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].name, "second, by name");
    EXPECT_EQ(entries[0].runs, 3U);
    EXPECT_EQ(entries[0].first_seed, 2U);
    EXPECT_EQ(entries[0].last_seed, 9U);
    EXPECT_EQ(entries[0].identity(), market_runs::identity_of(market("second, by name")));
    EXPECT_TRUE(entries[0].answers_to("by"));
    EXPECT_TRUE(entries[0].answers_to(entries[0].market.substr(0, 5)));
    EXPECT_FALSE(entries[0].answers_to("first"));
    const auto runs = catalogue->runs_of(entries[0]).value();
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[1].seed, 5U);
    EXPECT_EQ(runs[1].values.size(), 2U);
}

TEST(Catalogue, DoesNotTakeRunsOfAnotherBuild) {
    const ScratchFolder folder;
    ASSERT_TRUE(Catalogue::open(folder / "runs.db")->keep(market("a"), run_of(1)));
    run_sql(folder / "runs.db", "UPDATE runs SET build = 'another'");
    auto catalogue = Catalogue::open(folder / "runs.db");
    EXPECT_FALSE(catalogue->find(market("a"), 1).value());
    ASSERT_TRUE(catalogue->keep(market("a"), run_of(1)));
    EXPECT_EQ(catalogue->entries()->size(), 2U);
    EXPECT_FALSE(catalogue->entries()->at(1).build.empty());
}

TEST(Catalogue, SeveralMayUseOneFile) {
    const ScratchFolder folder;
    auto one = Catalogue::open(folder / "runs.db");
    auto other = Catalogue::open(folder / "runs.db");
    ASSERT_TRUE(one->keep(market("a"), run_of(1)));
    ASSERT_TRUE(other->keep(market("a"), run_of(2)));
    EXPECT_TRUE(one->find(market("a"), 2).value());
    EXPECT_TRUE(other->find(market("a"), 1).value());
}

TEST(Catalogue, RefusesWhatItIsNot) {
    const ScratchFolder folder;
    const auto error_of = [](const std::filesystem::path& path) {
        const auto opened = Catalogue::open(path);
        return opened ? std::string{"opened"} : opened.error();
    };
    std::ofstream{folder / "text.db"} << "a text of some length, but not a database at all";
    EXPECT_THAT(error_of(folder / "text.db"), HasSubstr("text.db: file is not a database"));
    EXPECT_THAT(error_of(folder / "missing/runs.db"), HasSubstr("unable to open"));
    run_sql(folder / "other.db", "CREATE TABLE addresses(name)");
    EXPECT_THAT(error_of(folder / "other.db"), HasSubstr("not a catalogue of runs"));
    ASSERT_TRUE(Catalogue::open(folder / "later.db"));
    run_sql(folder / "later.db", "PRAGMA user_version = 9");
    EXPECT_THAT(error_of(folder / "later.db"), HasSubstr("a catalogue of version 9"));
    EXPECT_FALSE(Catalogue::open_existing(folder / "none.db"));
    EXPECT_FALSE(std::filesystem::exists(folder / "none.db"));
}

TEST(Catalogue, AnErrorWhileWritingLeavesNoPartOfARun) {
    const ScratchFolder folder;
    auto catalogue = Catalogue::open(folder / "runs.db");
    run_sql(folder / "runs.db",
            "CREATE TRIGGER refuse BEFORE INSERT ON results WHEN NEW.place = 1 "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END");
    const auto kept = catalogue->keep(market("a"), run_of(1));
    ASSERT_FALSE(kept);
    EXPECT_THAT(kept.error(), HasSubstr("runs.db: no room"));
    EXPECT_TRUE(catalogue->entries()->empty());
}

}  // namespace
}  // namespace damrak::comparison::catalogue_test
