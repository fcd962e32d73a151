// The settings of the FIX gateway at a reload.
#include <damrak/gateway/fix/settings.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/exchange/changes.hpp>
#include <damrak/exchange/settings.hpp>

namespace damrak::gateway::fix::settings_test {
namespace {

using ::testing::ElementsAre;

TEST(FixSettings, AreTheSameWhereTheirValuesAre) {
    exchange::Settings settings;
    settings.of<FixSettings>().sessions.emplace_back();
    exchange::Settings other = settings;
    const auto differing = [&] { return exchange::fixed_differences(settings, other); };
    EXPECT_THAT(differing(), ElementsAre());
    other.of<FixSettings>().sessions.front().session.password = "secret";
    EXPECT_THAT(differing(), ElementsAre("fix.session"));
    other = settings;
    other.of<FixSettings>().sessions.front().schedule = "weekdays";
    EXPECT_THAT(differing(), ElementsAre("fix.session"));
    other = settings;
    other.of<FixSettings>().store.file_bytes *= 2;
    EXPECT_THAT(differing(), ElementsAre("fix.store_file_mib"));
    other = settings;
    other.of<FixSettings>().sessions.clear();
    EXPECT_THAT(differing(), ElementsAre("fix.session"));
}

}  // namespace
}  // namespace damrak::gateway::fix::settings_test
