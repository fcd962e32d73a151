// `damrak sim score` as a user sees it: a market against the day of its own run, and errors of one
// line.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::sim_score_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::ProgramRun;
using testing::run_program;
using testing::ScratchFolder;

constexpr std::string_view k_small_market = R"(name = "small"
duration = "4min"
[[instrument]]
symbol = "AAA"
[[participants]]
kind = "noise"
count = 20
orders_per_s = 5
[[participants]]
kind = "fixed-maker"
name = "makers"
)";

class SimScore : public ::testing::Test {
  protected:
    void SetUp() override {
        std::ofstream{folder_ / "small.toml"} << k_small_market;
        ASSERT_EQ(run_program({"sim", "run", market_, "--seed", "7", "--keep", day_}).exit_code, 0);
    }
    [[nodiscard]] static ProgramRun score(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"sim", "score"});
        return run_program(arguments);
    }

    ScratchFolder folder_;
    std::string market_ = folder_ / "small.toml";
    std::string day_ = folder_ / "day.dar";
};

TEST_F(SimScore, AMarketIsNotFarFromItsOwnRun) {
    const std::string report = folder_ / "report";
    const auto run = score({market_, "--against", day_, "--seed", "7", "--seeds", "1", "--block",
                            "20s", "--report", report, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json object = json::parse(run.out);
    EXPECT_EQ(object["market"], "small");
    EXPECT_EQ(object["features"].size(), 13U);
    for (const json& feature : object["features"]) {
        ASSERT_FALSE(feature.contains("unknown")) << feature;
        EXPECT_EQ(feature["distance"], 0) << feature["name"];
        if (feature["name"] != "order_size") {  // which all have the same
            EXPECT_GT(feature["floor"], 0) << feature["name"];
        }
    }
    EXPECT_EQ(json::parse(testing::content_of(report + "/score.json")), object);
    EXPECT_THAT(testing::content_of(report + "/report.html"), HasSubstr("small against AAA"));
}

TEST_F(SimScore, OtherSeedsAreATableAndAlwaysTheSame) {
    const std::vector<std::string> arguments{market_,   "--against", day_,    "--seeds", "2",
                                             "--block", "20s",       "--for", "1min"};
    const auto run = score(arguments);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("small against AAA"));
    EXPECT_THAT(run.out, HasSubstr("impact_by_size"));
    EXPECT_EQ(score(arguments).out, run.out);
}

TEST_F(SimScore, ErrorsAreOneLine) {
    const auto fails = [&](const std::vector<std::string>& arguments, int code,
                           const std::string& why) {
        const auto run = score(arguments);
        EXPECT_EQ(run.exit_code, code) << why;
        EXPECT_THAT(run.err, HasSubstr(why));
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
    };
    fails({"none.toml", "--against", day_}, 1, "none.toml");
    fails({market_, "--against", "none.dar"}, 1, "none.dar");
    fails({market_, "--against", day_, "--instrument", "BBB"}, 1, "small has no instrument BBB");
    fails({market_, "--against", day_, "--for", "soon"}, 2, "--for soon: expected a time");
    fails({market_, "--against", day_, "--block", "2h"}, 2, "--block 2h: expected a time");
    fails({market_, "--against", day_, "--from", "noon"}, 2, "'noon' is no time of day");
    fails({market_, "--against", day_, "--from", "23:00"}, 1, "has nothing in these hours");
}

}  // namespace
}  // namespace damrak::sim_score_test
