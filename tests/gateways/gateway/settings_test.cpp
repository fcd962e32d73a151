// The bag in which gateways keep their settings.
#include <damrak/gateway/settings.hpp>

#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <damrak/gateway/setting.hpp>

namespace damrak::gateway::settings_test {
namespace {

struct Lights {
    int lamps = 7;
};
struct Signs {
    std::string text = "open";
};

TEST(OwnSettings, AreTheDefaultsUntilSomeoneSetsThem) {
    OwnSettings settings;
    EXPECT_EQ(std::as_const(settings).of<Lights>().lamps, 7);
    settings.of<Lights>().lamps = 3;
    EXPECT_EQ(std::as_const(settings).of<Lights>().lamps, 3);
    EXPECT_EQ(std::as_const(settings).of<Signs>().text, "open");
}

TEST(OwnSettings, AreCopiedWithTheirOwner) {
    Settings settings;
    settings.of<Signs>().text = "closed";
    Settings copy = settings;
    copy.of<Signs>().text = "back soon";
    EXPECT_EQ(settings.of<Signs>().text, "closed");
    EXPECT_EQ(copy.of<Signs>().text, "back soon");
}

TEST(OwnSettings, HaveRowsAsOtherSettingsDo) {
    Rows<Settings> rows;
    rows.number("lamps", at(k_own<Lights>, &Lights::lamps), 0, 9, "number of lamps");
    const Setting<Settings> row = rows.take().front();
    Settings settings;
    EXPECT_EQ(row.get(settings), SettingValue{std::int64_t{7}});
    EXPECT_EQ(row.set(settings, std::int64_t{5}), "");
    EXPECT_EQ(settings.of<Lights>().lamps, 5);
}

}  // namespace
}  // namespace damrak::gateway::settings_test
