// What /v1/measures answers: each column as the hours of a day are measured.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "small_archive.hpp"

namespace damrak::market_data_api::measures_test {
namespace {

using Json = nlohmann::json;
using testing::Asked;
using ::testing::HasSubstr;

class MeasuresAnswer : public testing::SmallArchive {};

/// The measures of an answer by name.
Json measures_of(const Json& told) {
    Json measures = Json::object();
    for (const Json& one : told["measures"]) measures[one["name"].get<std::string>()] = one;
    return measures;
}

// The day has a message a second from 10:00:00 on. Of ONE: bids of 100 and 50 at 99.99 from 5 and
// 6, 70 offered at 100.01 from 7; 40 are sold to the bid at 9, 20 bought at 100.00 at 10; the offer
// loses one more at 11. Of the bid 10 leave at 12, 50 at 13, which go to 99.98, and the rest at 16.
TEST_F(MeasuresAnswer, HasAValueForEachColumn) {
    const Json told =
        ask("/v1/measures?symbol=ONE&from=10:00:08&until=10:00:15.999999999&interval=4").json();
    EXPECT_EQ(told["from_ns"], 36'008'000'000'000);
    EXPECT_EQ(told["columns"], 2);
    EXPECT_EQ(told["interval_s"], 4);
    const Json measures = measures_of(told);
    EXPECT_EQ(measures["quoted_spread_ticks"]["values"], Json::parse("[2, 2]"));
    EXPECT_EQ(measures["quoted_spread_bp"]["unit"], "bp");
    EXPECT_EQ(measures["trades"]["values"], Json::parse("[2, 1]")) << "the last one is hidden";
    EXPECT_EQ(measures["volume"]["values"], Json::parse("[60, 7]"));
    // Sold at 99.99 and bought at 100.00, both with the mid at 100.00: 2 ticks and none.
    EXPECT_EQ(measures["effective_spread"]["values"], Json::parse("[1, null]"));
    EXPECT_EQ(measures["effective_spread"]["counts"], Json::parse("[2, 0]"));
    // From 8: 150 and 70, from 9: 110 and 70, from 10: 110 and 50; the next one from 11 is 49.
    EXPECT_NEAR(measures["depth_1"]["values"][0].get<double>(),
                (110 + 90 + 80 + 79.5 * .999999999) / 3.999999999, 1e-6);
}

TEST_F(MeasuresAnswer, SeesADayFromItsFirstMessageToItsLast) {
    const Json told = ask("/v1/measures?symbol=ONE&interval=60").json();
    EXPECT_EQ(told["columns"], 1);
    EXPECT_EQ(measures_of(told)["volume"]["values"], Json::parse("[67]"));
    const Json later = ask("/v1/measures?symbol=ONE&from=11:00").json();
    EXPECT_EQ(later["columns"], 0);
    EXPECT_TRUE(later["measures"].empty());
    const Asked first = ask("/v1/measures?symbol=ONE");
    EXPECT_EQ(ask("/v1/measures?symbol=ONE", first.etag).text, "")
        << "who has it gets it not again";
}

TEST_F(MeasuresAnswer, SaysWhatIsWrong) {
    EXPECT_THAT(ask("/v1/measures?symbol=ONE&from=09:00&interval=1").text,
                HasSubstr("interval: the window has more than 1000 of them"));
    EXPECT_THAT(ask("/v1/measures?symbol=ONE&from=11:00&until=10:00").text,
                HasSubstr("until: 10:00:00"));
    EXPECT_EQ(ask("/v1/measures?symbol=NONE").status, 404U);
}

}  // namespace
}  // namespace damrak::market_data_api::measures_test
