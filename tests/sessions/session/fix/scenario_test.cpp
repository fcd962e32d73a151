// Runs each scenario file in each version that it covers.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/fix_scenario.hpp"

namespace damrak::testing::scenario_test {
namespace {

struct Case {
    FixScenario scenario;
    FixVersion version;
};

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    const std::filesystem::path folder = "tests/sessions/session/fix/scenarios";
    std::vector<std::filesystem::path> files;
    if (std::filesystem::exists(folder))
        for (const auto& entry : std::filesystem::directory_iterator{folder})
            if (entry.path().extension() == ".fix") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const auto& file : files) {
        const FixScenario scenario = read_fix_scenario(file);
        for (const FixVersion& version : fix_versions())
            if (is_among(version, scenario.versions)) cases.push_back({scenario, version});
    }
    return cases;
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
    std::string name = info.param.scenario.name + "_" + std::string{info.param.version.name};
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

class FixScenarioTest : public ::testing::TestWithParam<Case> {};

TEST_P(FixScenarioTest, RunsAsWritten) {
    EXPECT_EQ(play(GetParam().scenario, GetParam().version), "");
}

TEST(FixScenarios, AreFoundAndForEveryVersion) {
    const auto cases = all_cases();
    EXPECT_GT(cases.size(), 700U);
    for (const FixVersion& version : fix_versions())
        EXPECT_GT(std::ranges::count(cases, version.name,
                                     [](const Case& one) { return one.version.name; }),
                  60)
            << version.name;
}

INSTANTIATE_TEST_SUITE_P(All, FixScenarioTest, ::testing::ValuesIn(all_cases()), name_of);

}  // namespace
}  // namespace damrak::testing::scenario_test
