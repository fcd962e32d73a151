#include <damrak/base/time_zone.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::time_zone_test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t k_hour_ns = 3'600'000'000'000;

std::int64_t hours_east(const TimeZone& zone, std::int64_t utc_s) {
    const std::int64_t utc_ns = utc_s * 1'000'000'000;
    return (zone.local_of(utc_ns) - utc_ns) / k_hour_ns;
}

TEST(TimeZone, HasTheChangesOfItsOffset) {
    const auto zone = TimeZone::find("Europe/Amsterdam").value();
    EXPECT_EQ(hours_east(*zone, 1'774'745'999), 1);  // 29 March 2026, 00:59:59
    EXPECT_EQ(hours_east(*zone, 1'774'746'000), 2);
    EXPECT_EQ(hours_east(*zone, 1'792'889'999), 2);  // 25 October 2026, 00:59:59
    EXPECT_EQ(hours_east(*zone, 1'792'890'000), 1);
}

TEST(TimeZone, FollowsItsRuleAfterTheTable) {
    // 1 January and 1 July of the years 2100 and 2261.
    const auto amsterdam = TimeZone::find("Europe/Amsterdam").value();
    const auto sydney = TimeZone::find("Australia/Sydney").value();
    const auto tokyo = TimeZone::find("Asia/Tokyo").value();
    for (const auto& [winter_s, summer_s] :
         {std::pair{4'102'444'800, 4'118'083'200}, std::pair{9'183'024'000, 9'198'662'400}}) {
        EXPECT_EQ(hours_east(*amsterdam, winter_s), 1);
        EXPECT_EQ(hours_east(*amsterdam, summer_s), 2);
        EXPECT_EQ(hours_east(*sydney, winter_s), 11);
        EXPECT_EQ(hours_east(*sydney, summer_s), 10);
        EXPECT_EQ(hours_east(*tokyo, winter_s), 9);
        EXPECT_EQ(hours_east(*tokyo, summer_s), 9);
    }
}

TEST(TimeZone, ConvertsLocalTimeToUtc) {
    const auto zone = TimeZone::find("America/New_York").value();
    for (std::int64_t hour = 450'000; hour < 530'000; hour += 7) {
        const std::int64_t utc = hour * k_hour_ns + 5;
        const std::int64_t back = zone->utc_of(zone->local_of(utc));
        // For a repeated hour, the first one.
        EXPECT_TRUE(back == utc || back == utc - k_hour_ns) << hour;
        EXPECT_EQ(zone->local_of(back), zone->local_of(utc));
    }
}

TEST(TimeZone, AnUnknownNameIsReported) {
    for (const char* const name :
         {"", "Europe/Amsterdm", "/etc/passwd", "../zoneinfo/UTC", "Europe"}) {
        const auto zone = TimeZone::find(name);
        ASSERT_FALSE(zone) << name;
        EXPECT_THAT(zone.error(), HasSubstr("Europe/Amsterdam")) << name;
    }
    const auto none = TimeZone::find("tzdata.zi");
    EXPECT_FALSE(none);
    const auto other = TimeZone::find("passwd", "/etc");
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error(), HasSubstr("/etc/passwd: not a time zone file"));
}

TEST(TimeZone, DamagedFilesAreRefusedOrRead) {
    std::ifstream file{"/usr/share/zoneinfo/Europe/Dublin", std::ios::binary};
    const std::string sound{std::istreambuf_iterator<char>{file}, {}};
    ASSERT_TRUE(TimeZone::parse(std::as_bytes(std::span{sound})));
    for (std::size_t length = 0; length + 40 < sound.size(); ++length)
        EXPECT_FALSE(TimeZone::parse(std::as_bytes(std::span{sound.data(), length}))) << length;
    RandomStream random{5};
    for (int i = 0; i < 20'000; ++i) {
        std::string damaged = sound;
        for (std::uint32_t j = 0; j <= random.below(3); ++j)
            damaged[random.below(static_cast<std::uint32_t>(damaged.size()))] =
                static_cast<char>(random.below(256));
        const auto zone = TimeZone::parse(std::as_bytes(std::span{damaged}));
        if (zone) static_cast<void>(zone->utc_of(1'774'746'000'000'000'000));
    }
}

}  // namespace
}  // namespace damrak::time_zone_test
